"""Objects that get in each other's way: two at one path, or one that comes to a cluster twice."""

from collections.abc import Iterable, Iterator

from renderer.compose.environment_rules import SAME_PLACES
from renderer.evaluate.result import SpecResult
from renderer.manifests import rules as man
from renderer.text.wording import counted, listed
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Environment, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import walk


class PlacedObject(NamedTuple):
    """A manifest, and where its spec is named."""

    manifest: Manifest
    name: Origin
    files: tuple[str, ...]
    is_prerequisite: bool


class _Collision(NamedTuple):
    """An object that two destinations would bring to one cluster."""

    cluster: str
    first: PlacedObject
    second: PlacedObject


def objects_of(specs: Iterable[SpecResult]) -> list[PlacedObject]:
    return [
        PlacedObject(manifest, item.summary.name.origin, item.summary.files, is_prerequisite=False)
        for item in specs
        if item.is_sound
        for manifest in item.manifests
    ]


def same_paths(objects: list[PlacedObject]) -> Iterator[Diagnostic]:
    first: dict[str, PlacedObject] = {}
    for item in objects:
        known = first.setdefault(item.manifest.path, item)
        if known is not item:
            message = f"{known.files[0]} renders to {item.manifest.path} as well"
            finding = man.SAME_OBJECT.at(item.name, message, "give one of the two another name")
            yield finding.about(item.manifest.environment, related=known.files)


def same_objects(
    objects: list[PlacedObject], environments: Iterable[Environment], described: Iterable[SpecPart]
) -> Iterator[Diagnostic]:
    """Collisions, each by itself; those of an environment that took over all places, as one."""
    files = {part.file: part.tree for part in described}
    by_name = {item.name: item for item in environments}
    by_heir: dict[tuple[str, str], list[_Collision]] = {}
    for item in _collisions(objects, by_name):
        by_heir.setdefault(_heir_and_owner(item, by_name), []).append(item)
    for (heir, owner), found in by_heir.items():
        if heir and not all(item.second.is_prerequisite for item in found):
            where = files[by_name[heir].file].locate(("extends",))
            yield _taken_over(by_name[heir], owner, found, where)
        else:
            yield from map(_collides, found)


def _collisions(
    objects: list[PlacedObject], environments: dict[str, Environment]
) -> Iterator[_Collision]:
    clusters = {(e.name, d.name): d.cluster for e in environments.values() for d in e.destinations}
    first: dict[tuple[str, str], PlacedObject] = {}
    for item in objects:
        made = item.manifest
        cluster = clusters[made.environment, made.destination]
        known = first.setdefault((cluster, made.identity), item)
        if known.manifest.path != made.path:
            yield _Collision(cluster, known, item)


def _heir_and_owner(collision: _Collision, environments: dict[str, Environment]) -> tuple[str, str]:
    """An environment that extends the other, and has the destination just as that describes it."""
    one, other = (item.manifest for item in (collision.first, collision.second))
    for mine, theirs in ((one, other), (other, one)):
        heir, owner = environments[mine.environment], environments[theirs.environment]
        place = next(item for item in heir.destinations if item.name == mine.destination)
        said = {node.origin.file for _, node in walk(place.tree)}
        if heir is not owner and owner.file in heir.files and heir.file not in said:
            return heir.name, owner.name
    return "", ""


def _taken_over(
    heir: Environment, owner: str, found: list[_Collision], where: Origin
) -> Diagnostic:
    clusters = sorted({item.cluster for item in found})
    message = f"{heir.name!r} has the destinations of {owner!r}, so "
    message += f"{counted(len(found), 'object')} would come to {listed(clusters)} from both"
    names = sorted({item.second.manifest.destination for item in found})
    fix = f"say where {heir.name!r} runs: destinations: [{{name: {names[0]}, cluster: …}}]"
    related = {file for item in found for file in (*item.first.files, *item.second.files)}
    finding = SAME_PLACES.at(where, message, fix)
    return finding.about(heir.name, related=(*related, *heir.files))


def _collides(item: _Collision) -> Diagnostic:
    made = item.second.manifest
    rule = man.SHARED if item.second.is_prerequisite else man.SAME_CLUSTER
    message = f"{made.identity} goes to the cluster {item.cluster!r} as "
    message += f"{item.first.manifest.path} as well"
    fix = "give it another name, or render it for one of the two"
    return rule.at(item.second.name, message, fix).about(made.environment, related=item.first.files)
