"""Rendered objects of KServe as two states, and their changes, without a repository."""

import copy
import json

from renderer.backends.kserve import KSERVE
from renderer.changes.derivations import applied, derivation
from renderer.changes.impact import impacts as compared_impacts
from renderer.changes.trees import differences, shape_of
from renderer.values.changes import ObjectChange, State
from renderer.values.diagnostics import Origin
from renderer.values.model import Destination, Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import uniform_tree

ORIGIN = Origin("spec.yaml")
MODE = "serving.kserve.io/deploymentMode"
KINDS = {kind.name: kind for kind in KSERVE.kinds}
SCHEMAS = {item.kind: item.schema for item in KSERVE.stored}
CONTAINER = {"name": "kserve-container", "image": "example/server:1.0"}


def service(mode="Standard", *, name="iris", labels=None, annotations=None, **spec):
    """An InferenceService; members of its predictor and of its spec may be given.

    `name_` is the name of the predictor.
    """
    notes = {MODE: mode, "modelFormat": "sklearn", **(annotations or {})}
    notes = {key: value for key, value in notes.items() if value is not None}
    metadata = {"name": name, "namespace": "models", "labels": labels, "annotations": notes}
    metadata = {key: value for key, value in metadata.items() if value is not None}
    parts = {key: spec.pop(key) for key in ("transformer", "explainer", "canary") if key in spec}
    predictor = {"model": model(), "name": spec.pop("name_", None), **spec}
    found = {"predictor": {key: value for key, value in predictor.items() if value is not None}}
    return tree("InferenceService", metadata, {**found, **parts})


def model(**fields):
    known = {
        "modelFormat": {"name": "sklearn"},
        "protocolVersion": "v1",
        "runtime": "kserve-sklearnserver",
        "storageUri": "gs://models/iris/1",
    }
    return {key: value for key, value in {**known, **fields}.items() if value is not None}


def runtime(kind="ServingRuntime", *, name="ours", annotations=None, **spec):
    """A runtime; members of its spec may be given."""
    metadata = {"name": name, "annotations": annotations or {}}
    if kind == "ServingRuntime":
        metadata["namespace"] = "models"
    known = {
        "supportedModelFormats": [{"name": "sklearn"}],
        "protocolVersions": ["v1"],
        "containers": [CONTAINER],
    }
    return tree(kind, metadata, {**known, **spec})


def tree(kind, metadata, spec):
    version = "v1beta1" if kind == "InferenceService" else "v1alpha1"
    head = {"apiVersion": f"serving.kserve.io/{version}", "kind": kind}
    return copy.deepcopy({**head, "metadata": metadata, "spec": spec})


def environment(*others, **settings):
    """One with the destination east, and others of the same cluster."""
    tree = uniform_tree({"namespace": "models"}, ORIGIN)
    places = tuple(Destination(name, "kubernetes", "east", tree) for name in ("east", *others))
    settings = uniform_tree({"kserve": settings}, ORIGIN)
    return Environment("prod", ("environment.yaml",), settings, places, (), {})


def manifest(data, destination="east"):
    kind, metadata = data["kind"], data["metadata"]
    node, name = uniform_tree(data, ORIGIN), metadata["name"]
    spec = Spec(KINDS[kind], name, "prod", ("spec.yaml",), node)
    path = f"prod/{destination}/{kind.lower()}s/{name}.yaml"
    identity = f"serving.kserve.io/{kind}/{metadata.get('namespace', '')}/{name}"
    text = json.dumps(data)
    return Manifest(path, "prod", destination, spec, SCHEMAS[kind], node, text, identity)


def state(*manifests, env=None):
    ordered = tuple(sorted(manifests, key=lambda item: item.path))
    return State({"prod": env or environment()}, ordered)


def compared(before, after):
    """The change of one object, found as a comparison finds it."""
    known, found = after or before, ()
    if before and after:
        found = tuple(differences(before.tree, after.tree, shape_of(known.schema)))
    return ObjectChange("prod", known.destination, before, after, found)


def impacts(change, before, after):
    """What an object's changes do."""
    return list(compared_impacts(change, before, after))


def derived_units(item, side):
    """What becomes of an object of a state, by the names of its units."""
    return {unit.unit: unit for unit in derivation(applied(item, side, side), None).units}
