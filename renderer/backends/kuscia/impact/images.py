"""What a party's AppImage was and is: which differences reach the pods that run of it."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.kuscia.appimage import DeployTemplate
from renderer.backends.kuscia.impact.differences import Difference, Place, item, plain
from renderer.backends.kuscia.impact.refusals import rejected_amounts
from renderer.backends.kuscia.impact.rows.row import HASHED, TOUCH
from renderer.backends.kuscia.names import config_map_name, deployment_name
from renderer.backends.kuscia.pods import Container, containers, ports
from renderer.backends.kuscia.running import KINDS, Deployment, Party, amounts, merged, overrides
from renderer.backends.kuscia.serving import text
from renderer.values.model import Manifest
from renderer.values.tree import Node

_LIVE = ("name", "ports", "resources")


class Side(NamedTuple):
    """A party on one side, its AppImage and the deploy template that its role gets there."""

    deployment: Deployment
    party: Party
    image: Manifest
    template: DeployTemplate

    @property
    def number(self) -> int:
        listing = self.image.tree.get("spec", "deployTemplates")
        nodes = listing.elements if listing else ()
        return next(index for index, node in enumerate(nodes) if node is self.template.node)


def differences(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """What is different to the party; `now` if the serving is updated together with the image."""
    yield from _image(before, after, now=now)
    if plain(before.image.tree.get("spec", "configTemplates")) != plain(
        after.image.tree.get("spec", "configTemplates")
    ):
        deployment = deployment_name(after.deployment.name, after.party.role)
        words = {"config_map": config_map_name(deployment), "domain": after.party.domain}
        yield _of("config-templates", ("spec", "configTemplates"), after, words)
    yield from _template(before, after)
    yield from _containers(before, after, now=now)
    yield from _ports(before, after, now=now)


def _of(row: str, place: Place, side: Side, words: dict[str, str] | None = None) -> Difference:
    return Difference(row, place, (side.party,), words or {})


def _image(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The image; its id is an annotation of pods, which is never updated."""
    old, new = (side.image.tree.get("spec", "image") for side in (before, after))
    changed = [
        name
        for name in ("name", "tag", "id", "sign")
        if plain(old and old.get(name)) != plain(new and new.get(name))
    ]
    runtime = after.deployment.runtime
    pinned = bool(old and text(old, "id").startswith("sha256:")) and runtime != "runk"
    for name in changed:
        place = ("spec", "image", name)
        if name in ("id", "sign"):
            yield _of("image-id", place, after, {"field": name})
        elif pinned:
            later = "; without image.id, later images will roll" if new and text(new, "id") else ""
            yield _of("image-pinned", place, after, {"runtime": runtime, "later": later})
        else:
            yield _of("image-now" if now else "image", place, after, {"way": _way(after)})


def _template(before: Side, after: Side) -> Iterator[Difference]:
    """What a template says beside its containers."""
    place = _place(before, after)
    old, new = before.template.node, after.template.node
    rows = {"replicas": "image-replicas", "networkPolicy": "network-policy"}
    for name, row in rows.items():
        if plain(old.get(name)) != plain(new.get(name)):
            yield _of(row, (*place, name), after)
    if plain(old.get("spec", "affinity")) != plain(new.get("spec", "affinity")):
        yield _of("image-affinity", (*place, "spec", "affinity"), after)
    if plain(old.get("spec", "restartPolicy")) != plain(new.get("spec", "restartPolicy")):
        words = {"field": "restartPolicy"}
        yield _of("template-field", (*place, "spec", "restartPolicy"), after, words)


def _place(before: Side, after: Side) -> Place:
    return ("spec", "deployTemplates", item(after.template.name, before.number, after.number))


def _containers(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The containers by name; running pods keep those they have."""
    place = (*_place(before, after), "spec", "containers")
    old, new = (_by_name(side) for side in (before, after))
    for name in [*new, *(name for name in old if name not in new)]:
        indexes = (side[name].path[-1] for side in (old, new) if name in side)
        at = (*place, item(name, *(index for index in indexes if isinstance(index, int))))
        if name not in old or name not in new:
            how = "removed" if name in old else "added"
            yield _of("container-set", at, after, {"container": name, "how": how})
            continue
        yield from _fields(old[name].node, new[name].node, at, after)
        yield from _amounts(name, before, after, at, now=now)


def _by_name(side: Side) -> dict[str, Container]:
    return {container.name: container for container in containers(side.template.node)}


def _fields(old: Node, new: Node, place: Place, after: Side) -> Iterator[Difference]:
    for field in [*new.items, *(field for field in old.items if field not in new.items)]:
        if field not in _LIVE and plain(old.get(field)) != plain(new.get(field)):
            words = {"field": field, "container": text(new, "name")}
            yield _of("container-field", (*place, field), after, words)


def _amounts(
    name: str, before: Side, after: Side, place: Place, *, now: bool
) -> Iterator[Difference]:
    """Requests and limits, as far as the party does not override them."""
    old, new = (_by_name(side)[name].node for side in (before, after))
    live = merged(after.party, after.template)[name]
    was = merged(before.party, before.template)[name]
    own = overrides(after.party).get(name)
    for kind in KINDS:
        if amounts(old, kind) == amounts(new, kind):
            continue
        at = (*place, "resources", kind)
        reason = rejected_amounts(name, live)
        if amounts(own, kind):
            yield _of("image-resources-overridden", at, after, {"container": name})
        elif reason:
            yield _of("rejected", at, after, {"reason": reason})
        elif live[kind] != was[kind]:
            row = "image-resources-now" if now else "image-resources"
            yield _of(row, at, after, {"container": name, "way": _way(after)})


def _way(side: Side) -> str:
    """How an edit reaches pods where nothing else does; names by content hold no registries."""
    environment = side.deployment.environment
    naming = environment.setting("kuscia", "appimage_naming") if environment else None
    return TOUCH if naming == "hashed" else HASHED


def _ports(before: Side, after: Side, *, now: bool) -> Iterator[Difference]:
    """The ports of all containers by name, as Kuscia allocates them."""
    old, new = _port_nodes(before), _port_nodes(after)
    for name in [*new, *(name for name in old if name not in new)]:
        place, node = new.get(name) or old[name]
        words = {"port": name}
        if name not in old:
            yield _of("port-added", place, after, words)
        elif name not in new:
            local = (text(node, "scope") or "Local") == "Local"
            yield _of("port-removed-local" if local else "port-removed", place, after, words)
        else:
            yield from _port(name, old[name][1], node, place, after, now=now)


def _port(
    name: str, old: Node, new: Node, place: Place, after: Side, *, now: bool
) -> Iterator[Difference]:
    for field in ("scope", "protocol", "port"):
        was, is_now = text(old, field), text(new, field)
        if was == is_now:
            continue
        row = "port-number" if field == "port" else _field_row(old, new, now=now)
        yield _of(row, (*place, field), after, {"port": name, "field": field})


def _field_row(old: Node, new: Node, *, now: bool) -> str:
    """A Service that is there stays as it is; one that was not there is made as it is said."""
    was, is_now = (text(node, "scope") or "Local" for node in (old, new))
    if was != "Local":
        return "port-field"
    if is_now == "Local":
        return "port-field-local"
    return "port-opened-now" if now else "port-opened"


def _port_nodes(side: Side) -> dict[str, tuple[Place, Node]]:
    """Each port's place and node."""
    found: dict[str, tuple[Place, Node]] = {}
    start = ("spec", "deployTemplates", item(side.template.name, side.number), "spec", "containers")
    for index, container in enumerate(containers(side.template.node)):
        listing = container.node.get("ports")
        for number, node in enumerate(listing.elements if listing else ()):
            port = item(text(node, "name"), number)
            place = (*start, item(container.name, index), "ports", port)
            found[text(node, "name")] = (place, node)
    return found


def has_duplicate_ports(template: DeployTemplate) -> bool:
    """Whether two ports of a template have one name, which Kuscia refuses."""
    count = sum(len(container.ports) for container in containers(template.node))
    return count != len(ports(template.node))
