"""The object of a spec as its plan has it, before anything is placed, named or checked."""

from collections.abc import Mapping

from renderer.backends.kinds import functions_of
from renderer.errors import UsageError
from renderer.manifests.templates import content, find
from renderer.values.derivations import Applied
from renderer.values.model import Environment, Spec
from renderer.values.objects import Scene
from renderer.values.tree import Node


def planned_object(spec: Spec, scene: Scene, templates: Mapping[str, str]) -> Node:
    """The object that is applied, by others if the scene has no destination."""
    for plan in functions_of(spec.kind.name).plan(spec, scene):
        tree, _ = content(plan, find(plan.template, templates))
        if tree is not None:
            return tree
    raise UsageError(f"{spec} is not rendered in {scene.environment.name!r}")


def unit_names(
    spec: Spec, environment: Environment, templates: Mapping[str, str]
) -> tuple[str, ...]:
    """The units that a platform makes of a spec, whatever it refers to."""
    derive = functions_of(spec.kind.name).derive
    if derive is None:
        return ()
    tree = planned_object(spec, Scene(environment, None, {}, {}), templates)
    units = derive(Applied(spec, environment, tree), None).units
    return tuple(dict.fromkeys(unit.unit for unit in units))
