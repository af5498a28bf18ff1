"""What pictures say of models on a shared server: where they come from, and who loads them."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.plain_objects import SERVICE, TRAINED_MODEL, has_service, is_beside
from renderer.derive.drawn_units import namespace_place
from renderer.values.derivations import Applied, Derivation
from renderer.values.model import Spec
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Link,
    LinkKind,
    PictureRow,
    Place,
    SharedThing,
)
from renderer.values.tree import Node


def draw_model(applied: Applied, derivation: Derivation) -> DrawnSpec:  # noqa: ARG001
    """A model by itself, and the server that loads it."""
    place, fields = namespace_place(applied), applied.tree.get("spec") or applied.tree
    unit = _draw(applied.name, fields, place)
    server = text(fields, "inferenceService")
    note = "applied here" if has_service(server, applied) else "must be there"
    shared = SharedThing(SERVICE, server, note, "loads", (unit.row.key,))
    return DrawnSpec("1 model on a server", place, (unit,), (shared,))


def draw_models(applied: Applied, place: Place) -> Iterator[DrawnUnit]:
    """The models of the repository that a service loads."""
    for spec in applied.environment.specs:
        if spec.kind.name == TRAINED_MODEL and is_on(spec, applied.name, applied):
            yield _draw(spec.name, spec.tree, place)


def is_on(spec: Spec, server: str, applied: Applied) -> bool:
    """Whether a model names a server, and goes to the namespace and cluster of what is applied."""
    return text(spec.tree, "inferenceService") == server and is_beside(spec, applied)


def _draw(name: str, fields: Node, place: Place) -> DrawnUnit:
    model = fields.get("model") or fields
    uri, form = text(model, "storageUri"), text(model, "framework")
    memory = text(model, "memory")
    key = f"model/{name}"
    card = Card(name, (TRAINED_MODEL,), (f"{form} {uri}",), (PictureRow(key, "memory", memory),))
    return DrawnUnit(card, PictureRow(key, f"model {name}", form, note=memory), place)


def loading_link(server: str, models: tuple[DrawnUnit, ...]) -> Iterator[Link]:
    """From the server to what it loads."""
    if models:
        keys = tuple(item.row.key for item in models)
        yield Link(LinkKind.CALL, server, "loads the models", (server,), keys)
