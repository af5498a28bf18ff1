"""Rendered objects as two states, and their changes, without a repository or a renderer."""

import copy
import json

from renderer.backends.kuscia import KUSCIA
from renderer.changes import impact as engine
from renderer.changes.trees import differences, shape_of
from renderer.text.digests import digest
from renderer.values.changes import ObjectChange, State
from renderer.values.diagnostics import Origin
from renderer.values.model import Destination, Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import uniform_tree

SERVING, IMAGE = KUSCIA.kinds
ORIGIN = Origin("spec.yaml")
DIGEST = "serving.gitops/appimage-digest"
MODE = "kuscia.secretflow/affinity-mode"
SCHEMAS = {item.spec: item.schema for item in KUSCIA.stored}
CONTAINER = {
    "name": "main",
    "workingDir": "/work",
    "command": ["serve"],
    "ports": [
        {"name": "service", "protocol": "HTTP", "scope": "Domain"},
        {"name": "inner", "protocol": "HTTP", "scope": "Local"},
    ],
    "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2"}},
}


def image(name="scorer", **changes):
    """An AppImage; members of its spec may be replaced."""
    spec = {
        "image": {"name": "example/scorer", "tag": "v1"},
        "configTemplates": {"a.conf": "x"},
        "deployTemplates": [{"name": "main", "replicas": 1, "spec": {"containers": [CONTAINER]}}],
    }
    tree = {"kind": "AppImage", "metadata": {"name": name}, "spec": {**spec, **changes}}
    return copy.deepcopy(tree)


def party(domain, role="", ref="scorer", **template):
    """A party; members of its template may be given."""
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%"}}
    known = {"replicas": 2, "strategy": strategy, "spec": {}}
    found = {"domainID": domain, "appImageRef": ref, "template": {**known, **template}}
    return copy.deepcopy({**found, "role": role} if role else found)


def deployment(*parties, name="risk", config='{"a":1}', initiator="alice"):
    labels = {"kuscia.secretflow/app-type": "serving"}
    metadata = {"name": name, "namespace": "cross-domain", "labels": labels, "annotations": {}}
    spec = {"initiator": initiator, "inputConfig": config, "parties": list(parties)}
    return copy.deepcopy({"kind": "KusciaDeployment", "metadata": metadata, "spec": spec})


def environment(runtime="runc", **domains):
    """An environment whose destinations own domains; `shared` ones are of one cluster."""
    destinations = tuple(
        Destination(name, "kuscia", name, uniform_tree({"domains": owned}, ORIGIN))
        for name, owned in (domains or {"east": ["alice", "carol"], "west": ["bob"]}).items()
    )
    tree = uniform_tree({"kuscia": {"runtime": runtime}}, ORIGIN)
    return Environment("prod", ("environment.yaml",), tree, destinations, (), {})


def manifest(tree, destination="east", stem=""):
    kind = SERVING if tree["kind"] == "KusciaDeployment" else IMAGE
    name = tree["metadata"]["name"]
    folder = "kusciadeployments" if kind is SERVING else "appimages"
    node = uniform_tree(tree, ORIGIN)
    spec = Spec(kind, stem or name, "prod", ("spec.yaml",), node)
    path = f"prod/{destination}/{folder}/{name}.yaml"
    identity = f"{tree['kind']}/{name}"
    schema = SCHEMAS[kind.name]
    return Manifest(path, "prod", destination, spec, schema, node, json.dumps(tree), identity)


def state(*manifests, env=None):
    ordered = tuple(sorted(manifests, key=lambda item: item.path))
    return State({"prod": env or environment()}, ordered)


def carrying(tree, *images):
    """A deployment with the digest of its AppImages, as plain naming writes it."""
    used = {item["metadata"]["name"]: item["spec"] for item in images}
    tree = copy.deepcopy(tree)
    tree["metadata"]["annotations"][DIGEST] = f"sha256:{digest(used)}"
    return tree


def compared(before, after):
    """The change of one object, found as a comparison finds it."""
    found = ()
    known = after or before
    if before and after:
        found = tuple(differences(before.tree, after.tree, shape_of(known.schema)))
    return ObjectChange("prod", known.destination, before, after, found)


def impacts(change, before, after):
    """What the backend says that an object's changes do."""
    return engine.impacts(change, before, after)
