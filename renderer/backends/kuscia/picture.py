"""A serving as a picture: control planes, parties, their Services and who may call them."""

from collections.abc import Iterator
from itertools import chain

from renderer.backends.kuscia.appimages import image_at
from renderer.backends.kuscia.calls import FEW, Calls
from renderer.backends.kuscia.places import Place, places
from renderer.backends.kuscia.serving import Party, Serving, domains, text
from renderer.backends.kuscia.stored import ABSENT
from renderer.text.wording import counted, listed
from renderer.values.model import Environment, Spec
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_GATEWAY = ("gateway", "callers in", "the domain")
_SCOPES = (
    "Ports of scope Cluster are called through the gateways of both domains, those of scope Domain "
    "by callers in the domain through its gateway, Local ones within the pod."
)
_TRAVELS = (
    "The KusciaDeployment is applied to the initiator's control plane only and travels to the "
    "others by synchronisation; AppImages are applied to every control plane."
)


def serving_picture(spec: Spec, environment: Environment) -> Picture:
    """One serving: what is applied where, what runs, and who may call whom."""
    serving = Serving.of(spec, environment)
    calls = Calls.of(serving)
    taking_part = {party.domain for party in serving.parties}
    involved = [item for item in places(environment, [serving]) if taking_part & set(item.domains)]
    home = next((item for item in involved if serving.initiator in item.domains), None)
    involved.sort(key=lambda item: item is not home)
    cards: dict[str, list[Card]] = {item.key: [] for item in involved}
    owners = {domain: item for item in involved for domain in item.domains}
    for party, rows in zip(serving.parties, calls.rows, strict=True):
        place = owners[party.domain]
        cards[place.key].append(_card(party, place, serving, rows))
    groups = tuple(
        Group(
            item.title, item.tags, _applied(item, serving, home), tuple(cards[item.key]), item.ours
        )
        for item in involved
    )
    sync = tuple(_sync(home, involved))
    number = len(serving.parties)
    parties = "1 party" if number == 1 else f"{number} parties"
    return Picture(
        f"{serving.name} in {environment.name}",
        f"{parties} in {counted(len(involved), 'control plane')}, initiator {serving.initiator}",
        groups,
        (*sync, *calls.links),
        (_SCOPES, _TRAVELS) if sync else (_SCOPES,),
    )


def _sync(home: Place | None, involved: list[Place]) -> Iterator[Link]:
    if home and len(involved) > 1:
        others = [item for item in involved if item is not home]
        targets = tuple(_deployment_key(item) for item in others)
        source = _deployment_key(home)
        yield Link(LinkKind.SYNC, "KusciaDeployment", travel(home, others), (source,), targets)


def travel(home: Place, others: list[Place]) -> str:
    """From where to where something is synchronised."""
    names = [place.title for place in others]
    reached = listed(names) if len(names) <= FEW else f"{len(names)} control planes"
    return f"synchronised from {home.title} to {reached}"


def _deployment_key(place: Place) -> str:
    return f"{place.key}/deployment"


def _applied(place: Place, serving: Serving, home: Place | None) -> tuple[PictureRow, ...]:
    """What a control plane gets, and how."""
    how = "arrives by synchronisation"
    if place is home:
        how = "applied here" if place.ours else "applied by its owner"
    deployment = PictureRow(_deployment_key(place), f"KusciaDeployment {serving.name}", note=how)
    names = dict.fromkeys(party.image_name for party in serving.parties) if place.ours else ()
    images = (
        PictureRow(f"{place.key}/{name}", f"AppImage {name}", note="applied here") for name in names
    )
    return deployment, *images


def _card(party: Party, place: Place, serving: Serving, rows: tuple[PictureRow, ...]) -> Card:
    if not place.ours:  # of a partner's Services, only those are known that it offers to us
        rows = tuple(row for row in rows if row.exposure not in (Exposure.INSIDE, Exposure.NOWHERE))
    initiator = ("initiator",) if party.domain == serving.initiator else ()
    inside = any(row.exposure is Exposure.INSIDE for row in rows)
    tags = ((party.role,) if party.role else ()) + initiator
    lines = tuple(chain(image_line(party, place), [replicas_line(party)]))
    return Card(party.domain, tags, lines, rows, _GATEWAY if inside else ())


def image_line(party: Party, place: Place) -> Iterator[str]:
    """The image as the control plane pulls it; a partner's may come from anywhere."""
    owners = [item for item in place.destinations if party.domain in domains(item)]
    if party.image and owners:
        image = image_at(party.image.tree.get("image") or ABSENT, owners[0])
        tag = text(image, "tag")
        yield text(image, "name") + (f":{tag}" if tag else "")
    else:
        yield f"AppImage {party.image_name}"


def replicas_line(party: Party) -> str:
    """As the controller counts: the party's number, else the template's, else one."""
    template = party.template
    given = party.node.get("replicas") or (template.node.get("replicas") if template else None)
    number = given.value if given and isinstance(given.value, int) else 1
    return counted(number, "replica")
