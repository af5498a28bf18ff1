"""What runs by specs, and what is wrong with what others select of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.backends.base import Selections
from renderer.backends.kinds import functions_of
from renderer.evaluate.result import SpecResult
from renderer.values.derivations import Applied, ObjectName, needed_objects
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from renderer.values.running import Running, RunningEnvironment
from renderer.values.tree import Node


def running_objects(
    manifests: Iterable[Manifest],
    environment: Environment,
    needed: Mapping[str, Mapping[ObjectName, Node]],
    selections: Selections,
) -> Iterator[Running]:
    """What runs by each object that runs anything; `needed` are those that it may refer to."""
    for item in manifests:
        derive = functions_of(item.spec.kind.name).derive
        if derive:
            applied = Applied(item.spec, environment, item.tree, needed, item.destination)
            yield selections.running(applied, derive(applied, None))


def selection_findings(
    environment: Environment,
    specs: Sequence[SpecResult],
    objects: Sequence[Manifest],
    selections: Selections,
) -> Iterator[Diagnostic]:
    """What is wrong with what `objects`, those of prerequisites, select and name."""
    needed = needed_objects(objects, environment)
    own = running_objects(objects, environment, needed, selections)
    running = (*own, *(one for item in specs for one in item.running))
    found = selections.check(RunningEnvironment(environment, running, tuple(objects)))
    yield from (item.about(environment.name, related=environment.files) for item in found)
