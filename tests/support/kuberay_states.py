"""Rendered objects of KubeRay as two states, and their changes, without a repository."""

import json

from renderer.backends.kuberay import KUBERAY
from renderer.changes import impact
from renderer.changes.trees import differences, shape_of
from renderer.values.changes import ObjectChange, State
from renderer.values.diagnostics import Origin
from renderer.values.model import Destination, Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import uniform_tree

ORIGIN = Origin("spec.yaml")
KINDS = {kind.name: kind for kind in KUBERAY.kinds}
SCHEMAS = {item.kind: item.schema for item in KUBERAY.stored}


def environment(**settings):
    tree = uniform_tree({"namespace": "ray"}, ORIGIN)
    places = (Destination("east", "kubernetes", "east", tree),)
    return Environment(
        "prod", ("environment.yaml",), uniform_tree({"kuberay": settings}, ORIGIN), places, (), {}
    )


def manifest(data):
    kind, metadata = data["kind"], data["metadata"] or {"name": "x"}
    node, name = uniform_tree(data, ORIGIN), metadata["name"]
    spec = Spec(KINDS[kind], name, "prod", ("spec.yaml",), node)
    path = f"prod/east/{kind.lower()}s/{name}.yaml"
    identity = f"ray.io/{kind}/{metadata.get('namespace', '')}/{name}"
    return Manifest(path, "prod", "east", spec, SCHEMAS[kind], node, json.dumps(data), identity)


def state(*manifests, env=None):
    return State({"prod": env or environment()}, tuple(manifests))


def compared(before, after):
    """The change of one object, found as a comparison finds it."""
    found = tuple(differences(before.tree, after.tree, shape_of(after.schema)))
    return ObjectChange("prod", "east", before, after, found)


def impacts(change, before, after):
    """What an object's changes do."""
    return list(impact.impacts(change, before, after))
