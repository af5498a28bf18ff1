"""Why Kuscia does not follow a KusciaDeployment: what is refused, missing, or allocated once."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, members, plain
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.deploy_template import (
    DeployTemplate,
    apply_overrides,
    containers,
    ports,
)
from renderer.backends.kuscia.derive.planes import (
    Plane,
    app_images,
    serving_planes,
    serving_seen_by,
)
from renderer.backends.kuscia.derive.refusals import (
    DEPLOYMENT,
    KINDS,
    find_amounts_fault,
    find_refusal,
    find_strategy_fault,
)
from renderer.backends.kuscia.serving import Party, Serving
from renderer.derive.pods import Amounts
from renderer.kubernetes.quantities import value
from renderer.values.derivations import Applied, Derivation, ObjectName, Problem
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_TEMPLATES = ("spec", "deployTemplates")


class PlaneView(NamedTuple):
    """A control plane, the serving as it sees it, and its own parties by their units."""

    plane: Plane
    serving: Serving
    own: Mapping[str, Party]

    def keys(self) -> tuple[tuple[str, str], ...]:
        """The destinations and names of its units."""
        return tuple((self.plane.destination(p.domain), unit) for unit, p in self.own.items())


@cached_by_identity
def plane_views(applied: Applied) -> tuple[PlaneView, ...]:
    """The control planes that run a serving, each with what it knows of it."""
    found = []
    for plane in serving_planes(applied):
        serving = serving_seen_by(applied, plane)
        own = {item.unit: item for item in serving.parties if item.domain in plane.places}
        found.append(PlaneView(plane, serving, own))
    return tuple(found)


def find_party(applied: Applied | None, unit: str) -> Party | None:
    """A party as its own control plane has it."""
    return _parties(applied).get(unit) if applied else None


@cached_by_identity
def _parties(applied: Applied) -> Mapping[str, Party]:
    return {
        unit: party for view in reversed(plane_views(applied)) for unit, party in view.own.items()
    }


def find_problems(applied: Applied, former: Derivation | None) -> Iterator[Problem]:
    """Everything that stops a control plane, each with the parties that wait for it."""
    if reason := find_refusal(applied.tree):
        yield _refusal(DEPLOYMENT, reason, ())
    before = former.source if former else None
    for view in plane_views(applied):
        yield from _image_refusals(applied, view)
        for party in view.serving.parties:
            yield from _incomplete(party, view, before)
        for party in view.own.values():
            yield from _rejected(party, view, before)
        if before:
            yield from _allocated_once(view, before)


def _refusal(kind: str, reason: str, units: tuple[tuple[str, str], ...]) -> Problem:
    words = (("kind", kind), ("reason", reason))
    return Problem(reason, refused=True, kind="refused", words=words, units=units)


def _image_refusals(applied: Applied, view: PlaneView) -> Iterator[Problem]:
    images = app_images(applied, view.plane)
    for name in dict.fromkeys(party.image_name for party in view.serving.parties):
        tree = images.get(_image(name))
        if tree and view.plane.is_ours and (reason := find_refusal(tree)):
            yield _refusal(APP_IMAGE, reason, view.keys())._replace(source=_image(name))


def _image(name: str) -> ObjectName:
    return APP_IMAGE, "", name


def _problem(
    kind: str, view: PlaneView, party: Party, words: dict[str, str], path: Path = ("appImageRef",)
) -> Problem:
    place = ("spec", "parties", f"[{party.unit}]", *path)
    return Problem(kind, place, kind=kind, words=tuple(words.items()), units=view.keys())


def _blame_image(
    problem: Problem, party: Party, before: Applied | None, path: Path = _TEMPLATES
) -> Problem:
    """The same, as the AppImage is to blame unless the party refers to another one now.

    One that is named by its content gets another name with every edit.
    """
    old = find_party(before, party.unit)
    if old and _stem(old.image_name) != _stem(party.image_name):
        return problem
    return problem._replace(source=_image(party.image_name), source_path=path)


def _stem(name: str) -> str:
    return name.rpartition("-")[0] or name


def _incomplete(party: Party, view: PlaneView, before: Applied | None) -> Iterator[Problem]:
    """What Kuscia cannot put together: each control plane needs the AppImages of all parties."""
    words = {"image": party.image_name}
    if not view.plane.is_ours:
        return
    if party.image is None:
        old = find_party(before, party.unit)
        was_there = old and old.image and old.image_name == party.image_name
        kind = "image-deleted" if was_there else "image-missing"
        yield _blame_image(_problem(kind, view, party, words), party, before)
    elif party.image and party.template is None:
        words["role"] = f"`{party.role}`" if party.role else "none"
        yield _blame_image(_problem("no-template", view, party, words), party, before)
    elif party.template and _has_duplicate_ports(party.template) and party.unit in view.own:
        reason = {"reason": "two ports have one name"}
        yield _blame_image(_problem("rejected", view, party, reason), party, before)


def _has_duplicate_ports(template: DeployTemplate) -> bool:
    count = sum(len(container.ports) for container in containers(template.node))
    return count != len(ports(template.node))


def _rejected(party: Party, view: PlaneView, before: Applied | None) -> Iterator[Problem]:
    """What Kubernetes refuses of the Deployment that Kuscia would make."""
    given = plain(party.node, "template", "replicas")
    if isinstance(given, int) and given < 0:
        words = {"reason": f"replicas is {given}"}
        yield _problem("rejected", view, party, words, ("template", "replicas"))
    strategy = party.node.get("template", "strategy")
    if strategy and (reason := find_strategy_fault(strategy)):
        yield _problem("rejected", view, party, {"reason": reason}, ("template", "strategy"))
    for name, amounts in effective_amounts(party).items():
        if reason := find_amounts_fault(name, amounts):
            place = ("template", "spec", "containers", f"[{name}]", "resources")
            problem = _problem("rejected", view, party, {"reason": reason}, place)
            own, old = container_overrides(party).get(name), find_party(before, party.unit)
            is_given = own is not None and (
                old is None or plain(own) != plain(container_overrides(old).get(name))
            )
            where = (*_template_path(party), "spec", "containers", f"[{name}]", "resources")
            yield problem if is_given else _blame_image(problem, party, before, where)


def _template_path(party: Party) -> Path:
    return (*_TEMPLATES, f"[{party.template.name}]") if party.template else _TEMPLATES


def container_overrides(party: Party) -> dict[str, Node]:
    """What a party says of containers, by their names."""
    listing = elements(party.node, "template", "spec", "containers")
    named = ((item.get("name"), item) for item in listing)
    return {str(name.value): item for name, item in named if name}


def effective_amounts(party: Party) -> dict[str, dict[str, Amounts]]:
    """What each container asks for, once the override is laid over the template."""
    if party.template is None:
        return {}
    return _container_amounts(apply_overrides(party.template.node, party.node.get("template")))


@cached_by_identity
def _container_amounts(whole: Node) -> dict[str, dict[str, Amounts]]:
    return {
        item.name: {kind: amounts(item.node, kind) for kind in KINDS} for item in containers(whole)
    }


def amounts(container: Node | None, kind: str) -> Amounts:
    """The requests or limits of a container, whichever way they are written."""
    given = members(container, "resources", kind)
    read = {name: value(str(node.value)) for name, node in given.items()}
    return {name: amount for name, amount in read.items() if amount is not None}


def _allocated_once(view: PlaneView, before: Applied) -> Iterator[Problem]:
    """Kuscia allocates ports when it first sees a serving: later parties and ports get none."""
    known = {item.plane.cluster: item for item in plane_views(before)}
    old = known.get(view.plane.cluster)
    for party in view.own.values():
        former = find_party(before, party.unit)
        if former is None and old:
            yield _added_party(party, view, before)
        elif former and old and party.unit in old.own:
            yield from _added_ports(former, party, view, before)


def _added_party(party: Party, view: PlaneView, before: Applied) -> Problem:
    everyone = {unit: item for one in plane_views(before) for unit, item in one.own.items()}
    there = {item.unit for item in view.serving.parties}
    gone = [item for unit, item in everyone.items() if unit not in there]
    became = next((item for item in gone if _became(item, party)), None)
    kind = "party-added"
    if became:
        kind = "party-role" if became.domain == party.domain else "party-domain"
    words = {"before": became.unit if became else "", "after": party.unit}
    return _problem(kind, view, party, words, ())


def _became(old: Party, new: Party) -> bool:
    """Whether one party was edited into the other: its role, or in its place its domain."""
    return old.domain == new.domain or (old.number == new.number and old.role == new.role)


def _added_ports(
    former: Party, party: Party, view: PlaneView, before: Applied
) -> Iterator[Problem]:
    if not former.template or not party.template:
        return
    allocated = ports(former.template.node)
    for container in containers(party.template.node):
        for port in container.ports:
            if port.name not in allocated:
                problem = _problem("port-added", view, party, {"port": port.name})
                inside = ("spec", "containers", f"[{container.name}]", "ports", f"[{port.name}]")
                where = (*_template_path(party), *inside)
                yield _blame_image(problem, party, before, where)
