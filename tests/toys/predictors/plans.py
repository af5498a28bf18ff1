"""From specs to templates and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant
from tests.toys.predictors import HERE, SCHEMAS
from tests.toys.predictors.views import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from renderer.values.model import Spec

ABSENT = constant(None, "not given")
MANAGED_BY = constant("servingctl", "says who manages the object")


def predictor(spec: Spec, scene: Scene) -> Iterator[Render]:
    labels = spec.tree.get("labels") or constant({}, "not given")
    given = spec.tree.items["checkpoint"]
    name = scene.name_of("Checkpoint", str(given.value))
    listing = spec.tree.items["components"]
    values = {
        "name": spec.name_node,
        "namespace": _namespace(scene),
        "labels": labels.with_value({**labels.items, "app.kubernetes.io/managed-by": MANAGED_BY}),
        "checkpoint": given.with_value(name),
        "components": listing.with_value(tuple(map(_component, listing.elements))),
    }
    schema = f"{SCHEMAS}/stored-predictor.json"
    yield Render(f"{HERE}/templates/predictor.yaml.j2", values, schema, "predictors", spec.name)


def _component(item: Node) -> Node:
    one = constant(1, "the default")
    return item.with_value({"replicas": one, **item.items})


def checkpoint(spec: Spec, scene: Scene) -> Iterator[Render]:
    name = scene.name_of("Checkpoint", spec.name)
    values = {
        "name": spec.name_node.with_value(name),
        "namespace": _namespace(scene),
        "uri": spec.tree.items["uri"],
    }
    schema = f"{SCHEMAS}/stored-checkpoint.json"
    yield Render(f"{HERE}/templates/checkpoint.yaml.j2", values, schema, "checkpoints", name)


def _namespace(scene: Scene) -> Node:
    given = scene.destination.tree.get("namespace") if scene.destination else None
    return given or ABSENT


def unit_of(path: tuple[str | int, ...]) -> str:
    """The component that a path of a rendered predictor leads to."""
    inside = path[:2] == ("spec", "components") and len(path) > 2
    return str(path[2]).strip("[]") if inside else ""


def names(tree: Node) -> list[str]:
    """The components of a rendered predictor."""
    listing = tree.get("spec", "components")
    return [text(item, "name") for item in (listing.elements if listing else ())]
