"""What a party's AppImage was and is: which differences reach the pods that run of it."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Container, DeployTemplate, containers, ports
from renderer.backends.kuscia.impact.change_kinds import HASHED, PLAIN_RACE, TOUCH
from renderer.backends.kuscia.impact.deployment import (
    KINDS,
    Deployment,
    amounts,
    effective_amounts,
    number_of_pods,
    overrides,
    spared,
)
from renderer.backends.kuscia.impact.differences import Difference, PathPattern, item
from renderer.backends.kuscia.impact.refusals import find_amounts_fault
from renderer.backends.kuscia.serving import Party
from renderer.text.wording import counted
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

_LIVE = ("name", "ports", "resources")


class Side(NamedTuple):
    """A party on one side, its AppImage and the deploy template that its role gets there."""

    deployment: Deployment
    party: Party
    image: AppImage
    template: DeployTemplate

    @property
    def number(self) -> int:
        """Which of the deploy templates it is."""
        nodes = elements(self.image.tree, "deployTemplates")
        return next(index for index, node in enumerate(nodes) if node is self.template.node)

    @property
    def spec(self) -> tuple[str, str]:
        """The spec that the AppImage was rendered from."""
        manifest = self.deployment.image_manifest(self.party)
        return manifest.spec.identity if manifest else ("", "")


def compare_images(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """What is different to the party; `now` if the serving is updated together with the image."""
    yield from _image(before, after, now=now)
    yield from _config_templates(before, after, now=now)
    if not _are_alike(before.template.node, after.template.node):
        yield from _template(before, after)
        yield from _containers(before, after, now=now)
        yield from _ports(before, after, now=now)


@cached_by_identity
def _are_alike(old: Node | None, new: Node | None) -> bool:
    """Whether two values of AppImages, which many parties have, hold the same data."""
    return plain(old) == plain(new)


def _difference(
    kind: str, place: PathPattern, side: Side, words: dict[str, str] | None = None
) -> Difference:
    return Difference(kind, place, (side.party,), words or {})


def _image(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The image; its id is an annotation of pods, which is never updated."""
    old, new = (side.image.tree.get("image") for side in (before, after))
    changed = [
        name for name in ("name", "tag", "id", "sign") if plain(old, name) != plain(new, name)
    ]
    dialect = after.deployment.settings.dialect
    pinned = bool(old and text(old, "id").startswith("sha256:")) and dialect.compares_image_ids
    for name in changed:
        place = ("spec", "image", name)
        if name in ("id", "sign"):
            yield _difference("image-id", place, after, {"field": name})
            continue
        unadvised = {"way": "", "instead": ""} if pinned else {}  # the other one advises
        words = {**_ways(before, after), **unadvised}
        yield _difference("image-now" if now else "image", place, after, words)
        if pinned:
            later = "; without image.id, later images will roll" if new and text(new, "id") else ""
            words = {"runtime": dialect.runtime, "left": _left(before, after), "later": later}
            yield _difference("image-pinned", place, after, words)


def _left(before: Side, after: Side) -> str:
    """What becomes of the old pods while no new one ever runs."""
    given = after.party if after.party.node.get("template", "strategy") else before.party
    replicas = number_of_pods(before.template, after.party, before.party)
    if kept := spared(given, replicas):
        pods = counted(replicas, "old pod")
        stay = "stays" if kept == 1 else "stay"
        return f"Of {pods} {kept} {stay}, and the rollout never ends (inferred)."
    return "No old pod is left then (inferred)."


def _config_templates(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The texts of config files: a ConfigMap that is there stays as it is."""
    texts = [side.image.tree.get("configTemplates") for side in (before, after)]
    if _are_alike(*texts):
        return
    old, new = map(plain, texts)
    if (old or None) == (new or None):
        return
    names = after.party.names_in(after.deployment.name)
    words = {"config_map": names.config_map, "domain": after.party.domain, **_ways(before, after)}
    kind = "config-templates" if old else "config-templates-added"
    if not new:
        kind = "config-templates-removed"
    elif not old and now:
        kind = "config-templates-added-now"
    yield _difference(kind, ("spec", "configTemplates"), after, words)


def _template(before: Side, after: Side) -> Iterator[Difference]:
    """What a template says beside its containers."""
    place = _place(before, after)
    old, new = before.template.node, after.template.node
    kinds = {"replicas": "image-replicas", "networkPolicy": "network-policy"}
    for name, kind in kinds.items():
        if plain(old, name) != plain(new, name):
            yield _difference(kind, (*place, name), after)
    if plain(old, "spec", "affinity") != plain(new, "spec", "affinity"):
        yield _difference("image-affinity", (*place, "spec", "affinity"), after)
    if plain(old, "spec", "restartPolicy") != plain(new, "spec", "restartPolicy"):
        words = {"field": "restartPolicy"}
        yield _difference("template-field", (*place, "spec", "restartPolicy"), after, words)


def _place(before: Side, after: Side) -> PathPattern:
    return ("spec", "deployTemplates", item(after.template.name, before.number, after.number))


def _containers(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The containers by name; running pods keep those they have."""
    place = (*_place(before, after), "spec", "containers")
    old, new = (_by_name(side) for side in (before, after))
    for name in [*new, *(name for name in old if name not in new)]:
        indexes = (side[name].path[-1] for side in (old, new) if name in side)
        at = (*place, item(name, *(index for index in indexes if isinstance(index, int))))
        if name not in old or name not in new:
            kind = "container-removed" if name in old else "container-added"
            yield _difference(kind, at, after, {"container": name})
            continue
        yield from _fields(old[name].node, new[name].node, at, after)
        yield from _amounts(name, before, after, at, now=now)


def _by_name(side: Side) -> dict[str, Container]:
    return {container.name: container for container in containers(side.template.node)}


def _fields(old: Node, new: Node, place: PathPattern, after: Side) -> Iterator[Difference]:
    for field in [*new.items, *(field for field in old.items if field not in new.items)]:
        if field not in _LIVE and plain(old, field) != plain(new, field):
            words = {"field": field, "container": text(new, "name")}
            yield _difference("container-field", (*place, field), after, words)


def _amounts(
    name: str, before: Side, after: Side, place: PathPattern, *, now: bool
) -> Iterator[Difference]:
    """Requests and limits, as far as the party does not override them."""
    old, new = (_by_name(side)[name].node for side in (before, after))
    live = effective_amounts(after.party, after.template)[name]
    was = effective_amounts(before.party, before.template)[name]
    own = overrides(after.party).get(name)
    for bound in KINDS:
        if amounts(old, bound) == amounts(new, bound):
            continue
        at = (*place, "resources", bound)
        reason = find_amounts_fault(name, live)
        if amounts(own, bound):
            yield _difference("image-resources-overridden", at, after, {"container": name})
        elif reason:
            yield _difference("rejected", at, after, {"reason": reason})
        elif live[bound] != was[bound]:
            kind = "image-resources-now" if now else "image-resources"
            yield _difference(kind, at, after, {"container": name, **_ways(before, after)})


def _ways(before: Side, after: Side) -> dict[str, str]:
    """How sure it is that an edit is taken over, and how it reaches pods otherwise.

    Names by content hold no registries; an AppImage of another name is never taken for the old one.
    """
    hashed = after.deployment.settings.names_images_by_content
    renamed = before.party.image_name != after.party.image_name
    return {
        "way": TOUCH if hashed else HASHED,
        "race": "" if renamed else f" {PLAIN_RACE}",
        "instead": "" if renamed or hashed else HASHED,
    }


def _ports(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The ports of all containers by name, as Kuscia allocates them."""
    old, new = _port_nodes(before), _port_nodes(after)
    for name in [*new, *(name for name in old if name not in new)]:
        place, node = new.get(name) or old[name]
        words = {"port": name}
        if name not in old:
            yield _difference("port-added", place, after, words)
        elif name not in new:
            local = (text(node, "scope") or "Local") == "Local"
            yield _difference(
                "port-removed-local" if local else "port-removed", place, after, words
            )
        else:
            ways = _ways(before, after)
            for kind, field in _port_kinds(old[name][1], node, now=now):
                words = {"port": name, "field": field, **ways}
                yield _difference(kind, (*place, field), after, words)


def _port_kinds(old: Node, new: Node, *, now: bool) -> Iterator[tuple[str, str]]:
    """The fields of a port that differ, each with the kind of change that is."""
    for field in ("scope", "protocol", "port"):
        if text(old, field) != text(new, field):
            kind = "port-number" if field == "port" else _field_kind(field, old, new, now=now)
            yield kind, field


def _field_kind(field: str, old: Node, new: Node, *, now: bool) -> str:
    """A Service that is there stays as it is; one that was not there is made as it is said."""
    was, is_now = (text(node, "scope") or "Local" for node in (old, new))
    if was != "Local":
        return "port-closed" if field == "scope" and is_now == "Local" else "port-field"
    if is_now == "Local":
        return "port-field-local"
    return "port-opened-now" if now else "port-opened"


def _port_nodes(side: Side) -> dict[str, tuple[PathPattern, Node]]:
    """Each port's place and node."""
    found: dict[str, tuple[PathPattern, Node]] = {}
    start = ("spec", "deployTemplates", item(side.template.name, side.number), "spec", "containers")
    for index, container in enumerate(containers(side.template.node)):
        for number, node in enumerate(elements(container.node, "ports")):
            port = item(text(node, "name"), number)
            place = (*start, item(container.name, index), "ports", port)
            found[text(node, "name")] = (place, node)
    return found


def has_duplicate_ports(template: DeployTemplate) -> bool:
    """Whether two ports of a template have one name, which Kuscia refuses."""
    count = sum(len(container.ports) for container in containers(template.node))
    return count != len(ports(template.node))
