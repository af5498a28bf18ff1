"""What rows ask about an edit and a party: who it was and is, and what its Kuscia looks at."""

from collections.abc import Callable, Mapping

from renderer.backends.fields import elements, members, plain, text
from renderer.backends.kuscia.derive.problems import effective_amounts, find_party, plane_views
from renderer.backends.kuscia.derive.updates import notices_change
from renderer.backends.kuscia.serving import Party
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.derive.behaviour import Condition, Row, Situation
from renderer.values.changes import How
from renderer.values.derivations import Applied, object_name
from renderer.values.tree import Node

Words = Callable[[Situation], Mapping[str, str]]


def row(kind: str, *at: str, **more: object) -> Row:
    """A row of edits at a place."""
    return Row(kind, at, **more)  # type: ignore[arg-type]


def edited(how: How) -> Condition:
    """That the edit adds, removes, renames or moves a value."""
    return lambda situation: situation.change is not None and situation.change.how is how


def old_party(situation: Situation) -> Party | None:
    """The party of the unit as it was, if it took part."""
    return find_party(situation.before, situation.unit)


def new_party(situation: Situation) -> Party | None:
    return find_party(situation.after, situation.unit)


def keeps_its_place(situation: Situation) -> bool:
    """Whether the party takes part before and after, in the same control plane."""
    before, after = situation.before, situation.after
    here = old_party(situation) and new_party(situation)
    if not here or before is None or after is None:
        return False
    return _cluster(before, situation.unit) == _cluster(after, situation.unit)


def _cluster(applied: Applied, unit: str) -> str:
    """The control plane that runs a party."""
    return next((v.plane.cluster for v in plane_views(applied) if unit in v.own), "")


def settings_of(situation: Situation) -> KusciaSettings:
    return KusciaSettings.of(situation.applied.environment)


def is_home(situation: Situation) -> bool:
    """Whether the party runs where the KusciaDeployment is applied."""
    applied = situation.applied
    return _cluster(applied, situation.unit) == applied.cluster


def party_sort(situation: Situation) -> str:
    """Whether a party is or was run by the control plane that it is applied to, or by another."""
    sides = (side for side in (situation.before, situation.after) if side)
    is_own = any(_cluster(side, situation.unit) == side.cluster for side in sides)
    return "party" if is_own else "partner"


def is_followed_now(situation: Situation) -> bool:
    """Whether the party's Kuscia looks at the serving together with the edit."""
    before, after, party = situation.before, situation.after, new_party(situation)
    if before is None or after is None or party is None:
        return False
    return situation.edited.is_renamed or notices_change(after, before, party.domain)


def uses_edited_image(situation: Situation) -> bool:
    """Whether a party of the edited object's control plane follows it from old to new."""
    old, new = old_party(situation), new_party(situation)
    names = [object_name(side)[2] for side in situation.edited.sides]
    if old is None or new is None or not is_here(situation):
        return False
    return old.image_name == names[0] and new.image_name == names[-1]


def is_here(situation: Situation) -> bool:
    """Whether the unit runs in the control plane that the edited object is applied to."""
    places = {item.name: item.cluster for item in situation.applied.environment.destinations}
    target = situation.edited.destination
    unit = situation.new_unit or situation.old_unit
    where = unit.destination if unit else ""
    return bool(where) and places.get(where, where) == places.get(target, target)


def item_name(situation: Situation, depth: int) -> str:
    """The name of the item of a list that an edit is in."""
    path = situation.path
    return str(path[depth]).removeprefix("[").removesuffix("]") if len(path) > depth else ""


def bare_values(situation: Situation) -> tuple[object, object]:
    """The bare values of an edit before and after."""
    change = situation.change
    return (plain(change.before), plain(change.after)) if change else (None, None)


def template_node(party: Party | None) -> Node | None:
    return party.template.node if party and party.template else None


def overridden_containers(party: Party | None) -> list[str]:
    """The containers whose amounts a party gives."""
    listing = elements(party.node, "template", "spec", "containers") if party else ()
    return [text(item, "name") for item in listing if members(item, "resources")]


def has_same_amounts(situation: Situation, container: str) -> bool:
    old, new = old_party(situation), new_party(situation)
    sides = [effective_amounts(party).get(container) if party else None for party in (old, new)]
    return sides[0] is not None and sides[0] == sides[1]


def image_text(party: Party | None, *path: str) -> str:
    return text(party.image.tree, *path) if party and party.image else ""
