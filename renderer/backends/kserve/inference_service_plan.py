"""An InferenceService that KServe's webhook has nothing to add to."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import ABSENT, members
from renderer.backends.kserve.components import FORMAT, MODE, PREDICTOR, Component
from renderer.backends.kserve.dialect import MODEL_MESH, parse_mode
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model import MODEL, Model
from renderer.backends.kserve.stored_components import default_component, stored_component
from renderer.backends.object_places import file_name, namespace, object_labels
from renderer.backends.registries import Registries, registries_of
from renderer.kubernetes.stored_pods import replace_at
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

_SILENT = "what KServe would choose without saying so"
_ANY_FORMAT = constant({"name": ""}, "KServe's webhook writes it, empty as it is")
_KEPT = (
    ("metadata", "name"),
    ("metadata", "namespace"),
    ("spec", PREDICTOR, MODEL, "modelFormat", "name"),
    ("spec", PREDICTOR, MODEL, "runtime"),
)


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The InferenceService, with all that KServe would choose written down."""
    service = InferenceService.of(spec, scene.environment)
    stored = {
        item.unit: _stored_component(item, service, scene.destination)
        for item in service.components
    }
    canary = spec.tree.get("canary")
    values = {
        "name": spec.name_node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(spec.tree, {}),
        "annotations": _annotations(service),
        "predictor": stored["predictor"],
        "transformer": stored.get("transformer", ABSENT),
        "explainer": stored.get("explainer", ABSENT),
        "canary": _canaries(canary, service, stored) if canary else ABSENT,
    }
    template = "kserve/inferenceservice.yaml.j2"
    schema = "manifests/kserve/inferenceservice.json"
    yield Render(template, values, schema, "inferenceservices", file_name(spec, scene), _KEPT)


def _annotations(service: InferenceService) -> Node:
    """The user's, the mode as the version spells it, and the format where the webhook notes it."""
    tree, dialect = service.tree, service.settings.dialect
    found = dict(members(tree, "annotations"))
    given = found.get(MODE)
    if given is None:
        found[MODE] = constant(dialect.spelling(service.mode), _SILENT)
    elif mode := parse_mode(str(given.value)):
        found[MODE] = given.with_value(dialect.spelling(mode))
    if service.model and dialect.notes_the_format and service.mode != MODEL_MESH:
        name = service.model.converted().get("modelFormat", "name")
        found.setdefault(FORMAT, name or ABSENT)
    return Node(found, tree.locate(("annotations",)))


def _stored_component(
    component: Component, service: InferenceService, where: Destination | None
) -> Node:
    """A component as it is stored; a canary only has what differs, so it gets no defaults."""
    model = service.model if component is service.predictor else None
    name = service.runtime.name if service.runtime else ""
    return _store_component(component, model, name, service.protocol, registries_of(where))


@cached_by_identity
def _store_component(
    component: Component, model: Model | None, runtime: str, protocol: str, registries: Registries
) -> Node:
    node = component.node
    if model:
        node = _convert_model(node, model, runtime, protocol)
    if component.is_canary:
        node = replace_at(node, (MODEL,), _add_empty_format)
    else:
        node = default_component(component._replace(node=node))
    return stored_component(node, registries)


def _add_empty_format(model: Node) -> Node:
    """The webhook writes an empty format for a canary that inherits it."""
    return model.with_members({"modelFormat": _ANY_FORMAT, **model.items})


def _convert_model(predictor: Node, model: Model, runtime: str, protocol: str) -> Node:
    """The predictor with its model in the present form, and with what KServe would choose."""
    chosen = {"runtime": runtime, "protocolVersion": protocol}
    defaults = {key: constant(value, _SILENT) for key, value in chosen.items() if value}
    return model.convert_predictor(predictor, defaults)


def _canaries(canary: Node, service: InferenceService, stored: Mapping[str, Node]) -> Node:
    by_place = {item.path[1]: stored[item.unit] for item in service.canaries}
    items = (
        item.with_members({**item.items, PREDICTOR: by_place.get(index, ABSENT)})
        for index, item in enumerate(canary.elements)
    )
    return canary.with_members(tuple(items))
