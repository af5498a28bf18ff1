"""Specs as they are applied, with what becomes of them."""

from collections.abc import Iterable, Iterator

from renderer.backends.kinds import functions_of
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.rendering import Rendering
from renderer.manifests.planned_objects import planned_object
from renderer.values.derivations import Applied, Derivation, needed_objects, object_name
from renderer.values.model import Environment, Spec
from renderer.values.objects import Scene

Derived = tuple[Applied, Derivation]


def derived_spec(
    project: Project, rendering: Rendering, environment: Environment, spec: Spec
) -> Derived:
    """A sound spec and what becomes of it; as its object would be, if others apply it.

    What runs nothing by itself may still have a picture, beside what it belongs to.
    """
    functions = functions_of(spec.kind.name)
    if functions.derive is None and functions.picture is None:
        raise UsageError(f"{spec} runs nothing by itself; name a spec that uses it")
    (applied,) = applied_specs(project, rendering, environment, (spec,))
    derivation = functions.derive(applied, None) if functions.derive else Derivation(())
    return applied, derivation


def derived_specs(
    project: Project, rendering: Rendering, environment: Environment
) -> list[Derived]:
    """The same for all specs of an environment that run something."""
    functions = {spec.identity: functions_of(spec.kind.name).derive for spec in environment.specs}
    specs = [spec for spec in environment.specs if functions[spec.identity]]
    found = []
    for item in applied_specs(project, rendering, environment, specs):
        derive = functions[item.spec.identity]
        found += [(item, derive(item, None))] if derive else []
    return found


def applied_specs(
    project: Project, rendering: Rendering, environment: Environment, specs: Iterable[Spec]
) -> Iterator[Applied]:
    """Specs of an environment with their objects, and those that they may refer to."""
    if not environment.destinations:  # it is only inherited from
        return
    manifests = [item for item in rendering.manifests if item.environment == environment.name]
    needed = needed_objects(manifests, environment)
    own = {item.spec.identity: item for item in reversed(manifests)}
    names = {(m.spec.kind.name, m.spec.name): object_name(m)[2] for m in manifests}
    for spec in specs:
        if manifest := own.get(spec.identity):
            tree, destination = manifest.tree, manifest.destination
        else:
            scene = Scene(environment, None, names, {})
            tree, destination = planned_object(spec, scene, project.shared.templates), ""
        yield Applied(spec, environment, tree, needed, destination)
