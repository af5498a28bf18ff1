"""What should be live: the objects of specs, and the questions that show whether it is."""

from collections.abc import Collection, Iterator, Mapping

from renderer.backends import BACKENDS
from renderer.backends.kinds import functions_of
from renderer.evaluate.rendering import Rendering
from renderer.kubernetes.status import READS
from renderer.kubernetes.versions import tells_versions
from renderer.live.units import derived_workloads
from renderer.values.derivations import Applied, Derivation, ObjectName, needed_objects
from renderer.values.live import Live, LiveObject, Query
from renderer.values.model import REFERENCES, Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.statuses import Expectation
from renderer.values.tree import Node

Prerequisites = Mapping[str, Mapping[ObjectName, Node]]
"""Objects that others refer to, by the clusters that have them."""


def expectations(
    rendering: Rendering, environment: Environment, specs: Collection[Spec] = ()
) -> list[Expectation]:
    """The rendered objects of an environment, or of some of its specs, prerequisites first."""
    own = [item for item in rendering.apply_order if item.environment == environment.name]
    wanted = {spec.identity for spec in specs}
    needed = needed_objects(own, environment)
    return [
        _expectation(item, Applied(item.spec, environment, item.tree, needed, item.destination))
        for item in own
        if not wanted or item.spec.identity in wanted
    ]


def _expectation(manifest: Manifest, applied: Applied) -> Expectation:
    derive = functions_of(manifest.spec.kind.name).derive
    return Expectation(manifest, applied, derive(applied, None) if derive else Derivation())


def live_prerequisites(expected: Collection[Expectation], live: Live) -> Prerequisites:
    """The objects that others refer to, as they are live; as they are rendered where not read."""
    first = next(iter(expected), None)
    if first is None:
        return {}
    found = {cluster: dict(objects) for cluster, objects in first.applied.needed.items()}
    kinds = {(i.group, i.kind): i.spec for backend in BACKENDS for i in backend.stored}
    clusters = {item.name: item.cluster for item in first.applied.environment.destinations}
    for destination, here in live.items():
        objects = found.setdefault(clusters.get(destination, destination), {})
        for item in here.objects:
            spec = kinds.get((item.group, item.kind))
            if spec and functions_of(spec).derive is None:  # it runs nothing itself
                objects[spec, item.namespace, item.name] = item.tree
    return found


def applied_elsewhere(
    environment: Environment, expected: Collection[Expectation], specs: Collection[Spec] = ()
) -> Iterator[Spec]:
    """Specs that run something and have no object at a destination of ours."""
    placed = {item.manifest.spec.identity for item in expected}
    for spec in specs or environment.specs:
        if spec.identity not in placed and functions_of(spec.kind.name).derive:
            yield spec


def queries(expected: Collection[Expectation]) -> list[Query]:
    """What to ask for, each once: kinds of our own objects, and what is related to them."""
    asked = list(dict.fromkeys(query for item in expected for query in _queries(item)))
    needed = {query for query in asked if query.required}
    return [item for item in asked if item.required or item._replace(required=True) not in needed]


def rendered_objects(rendering: Rendering, environment: Environment) -> frozenset[str]:
    """All objects that specs of an environment stand for, as live ones are called."""
    own = (item for item in rendering.manifests if item.environment == environment.name)
    return frozenset(str(LiveObject(item.tree)) for item in own)


def _queries(item: Expectation) -> Iterator[Query]:
    tree, destination = item.manifest.tree, item.manifest.destination
    version, kind = tree.text_at("apiVersion"), tree.text_at("kind")
    yield Query(destination, version, kind, tree.text_at("metadata", "namespace"))
    functions = functions_of(item.manifest.spec.kind.name)
    yield from _needed_objects(item.derivation)
    related = list(functions.related(item.applied, destination))
    yield from related
    if functions.workloads:
        return
    asked = {(query.destination, query.kind, query.namespace) for query in related}
    for query in _derived_objects(item.derivation, is_whole=functions.status is None):
        if (query.destination, query.kind, query.namespace) not in asked:
            yield query


def _needed_objects(derivation: Derivation) -> Iterator[Query]:
    """What the units refer to: a platform makes of it what it is there, not what Git says."""
    stored = {item.spec: item for backend in BACKENDS for item in backend.stored}
    for unit in (item for item in derivation.units if item.destination):
        for kind, namespace, _ in unit.needs:
            if kind in stored and functions_of(kind).derive is None:
                found = stored[kind]
                version = f"{found.group}/{found.version}"
                yield Query(unit.destination, version, found.kind, namespace, required=False)


def _derived_objects(derivation: Derivation, *, is_whole: bool) -> Iterator[Query]:
    """What the platform makes, wherever it makes it: what runs pods, or all of it.

    Who may read the rest may not be allowed to read that.
    """
    for unit in (item for item in derivation.units if item.destination):
        for item in unit.objects if is_whole else derived_workloads(unit):
            version = item.tree.text_at("apiVersion")
            reads = READS if not is_whole else ()
            yield Query(unit.destination, version, item.kind, item.namespace, "", False, reads)


def says_something_of_clusters(environment: Environment) -> bool:
    """Whether it says what clusters have already, or which versions they have."""
    controlled = (backend.name for backend in BACKENDS if backend.controller)
    trees = (environment.tree, *(item.tree for item in environment.destinations))
    is_told = any(tree.get(name, "version") for name in controlled for tree in trees)
    return is_told or REFERENCES in environment.tree.items or tells_versions(environment)
