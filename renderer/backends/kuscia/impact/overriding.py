"""What a party says of its containers: of all of it, only requests and limits count."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import DeployTemplate
from renderer.backends.kuscia.impact.differences import Difference, Place, item, plain
from renderer.backends.kuscia.impact.parties import place_of
from renderer.backends.kuscia.impact.refusals import rejected_amounts
from renderer.backends.kuscia.running import KINDS, Deployment, Party, amounts, merged, overrides
from renderer.text.wording import listed
from renderer.values.tree import Node

_COUNTS = ("containers", "affinity")
_FORM = ("name", "workingDir", "resources")


def differences(
    old: Party, new: Party, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    """Overrides of containers, and pod fields that Kuscia does not read."""
    place = (*place_of(old, new), "template", "spec")
    was, now = (party.node.get("template", "spec") for party in (old, new))
    for field in _changed(was, now, _COUNTS):
        yield Difference("pod-field", (*place, field), (new,), {"field": field})
    theirs, ours = overrides(old), overrides(new)
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        at = (*place, "containers", item(name, *_indexes(name, theirs, ours)))
        for field in _changed(theirs.get(name), ours.get(name), _FORM):
            words = {"field": f"containers[{name}].{field}"}
            yield Difference("pod-field", (*at, field), (new,), words)
        given = (theirs.get(name), ours.get(name))
        if any(amounts(given[0], kind) != amounts(given[1], kind) for kind in KINDS):
            yield from _amounts(name, (old, new), (before, after), (*at, "resources"))


def _changed(old: Node | None, new: Node | None, known: tuple[str, ...]) -> list[str]:
    """The members that differ, apart from known ones."""
    names = {*(old.items if old else ()), *(new.items if new else ())} - {*known}
    return sorted(n for n in names if plain(old and old.get(n)) != plain(new and new.get(n)))


def _indexes(name: str, *sides: dict[str, Node]) -> Iterator[int]:
    return (list(side).index(name) for side in sides if name in side)


def _names(template: DeployTemplate | None) -> tuple[str, ...]:
    return template.containers if template else ()


def _amounts(
    name: str,
    parties: tuple[Party, Party],
    sides: tuple[Deployment, Deployment],
    place: Place,
) -> Iterator[Difference]:
    """What the container asks for when the override is laid over the AppImage's template."""
    new = parties[1]
    old_template, template = (
        side.template(party) for side, party in zip(sides, parties, strict=True)
    )
    words = {"container": name}
    if old_template and name not in old_template.containers and name in _names(template):
        yield Difference("resources-not-running", place, (new,), words)
        return
    if template and name not in template.containers:
        words["containers"] = listed(template.containers)
        yield Difference("resources-unknown", place, (new,), words)
        return
    live = merged(new, template)[name] if template else None
    was = merged(parties[0], old_template).get(name) if old_template else None
    if live and (reason := rejected_amounts(name, live)):
        yield Difference("rejected", place, sides[1].beside(new.domain), {"reason": reason})
    else:
        same = live is not None and live == was
        yield Difference("resources-same" if same else "resources", place, (new,), words)
