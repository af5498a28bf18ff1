"""What KServe makes of a trained model: an entry in the list of its server."""

import json

from renderer.backends.kserve.model_storage.picture import is_on
from renderer.backends.kserve.plain_objects import TRAINED_MODEL
from renderer.derive.located import located, made
from renderer.kubernetes.data import Data, mapping
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.tree import Node

LISTED = "entry"
#: As the list has them.
_FIELDS = ("storageUri", "framework", "memory")
_SHARED = (
    "the ConfigMap is that of the server, with its models that are in the repository: KServe "
    "writes the entry once the server is ready and has the memory"
)
_AGENT = "the agent beside the server reads it, and fetches and loads the model; no pod is replaced"


def derive(applied: Applied, former: Derivation | None) -> Derivation:  # noqa: ARG001
    """The list of the server, in which each model of it has an entry."""
    server = applied.tree.text_at("spec", "inferenceService")
    entries = {
        spec.name: _entry(spec.name, spec.tree)
        for spec in applied.environment.specs
        if spec.kind.name == TRAINED_MODEL and is_on(spec, server, applied)
    }
    entries[applied.name] = _entry(applied.name, applied.tree.get("spec") or applied.tree)
    listed = json.dumps([entries[name] for name in sorted(entries)], separators=(",", ":"))
    content: Data = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": f"modelconfig-{server}-0",
            "namespace": applied.namespace or "<namespace>",
        },
        "data": {"models.json": listed},
    }
    lines = (("models", ", ".join(sorted(entries))),)
    unit = DerivedUnit(applied.destination, LISTED, path=("spec",), notes=(_SHARED, _AGENT))
    return Derivation((unit._replace(objects=(made(content, "KServe", lines),)),))


def _entry(name: str, fields: Node) -> Data:
    model = mapping(located(fields), "model")
    kept = {key: str(model.get(key) or "") for key in _FIELDS}
    return {"modelName": name, "modelSpec": {**kept}}
