"""What should be live: the objects of specs, and the questions that show whether it is."""

from collections.abc import Collection, Iterator

from renderer.backends.kinds import functions_of
from renderer.derive.applied import needed_objects
from renderer.evaluate.rendering import Rendering
from renderer.live.derived_status import related_objects
from renderer.values.derivations import Applied, Derivation
from renderer.values.live import LiveObject, Query
from renderer.values.model import Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.statuses import Expectation
from renderer.values.tree import Node


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
    version, kind = _text(tree, "apiVersion"), _text(tree, "kind")
    yield Query(destination, version, kind, _text(tree, "metadata", "namespace"))
    functions = functions_of(item.manifest.spec.kind.name)
    if functions.status:
        yield from functions.related(item.applied, destination)
    else:
        yield from related_objects(item.derivation)


def _text(tree: Node, *path: str) -> str:
    node = tree.get(*path)
    return str(node.value) if node else ""
