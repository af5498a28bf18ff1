"""Rendered objects as two states, and their changes, without a repository or a renderer."""

import copy
import json

from renderer.backends.kuscia.backend import KINDS
from renderer.changes import Change, How, ObjectChange, State
from renderer.diagnostics import Origin
from renderer.hashing import digest
from renderer.model import Destination, Environment, Manifest, Spec
from renderer.tree import derived

SERVING, IMAGE = KINDS
ORIGIN = Origin("spec.yaml")
DIGEST = "serving.gitops/appimage-digest"
MODE = "kuscia.secretflow/affinity-mode"
#: What tells the items of lists apart, as the schemas of manifests say it.
KEYS = {
    "parties": ("domainID", "role"),
    "deployTemplates": ("name",),
    "containers": ("name",),
    "ports": ("name",),
    "env": ("name",),
    "configVolumeMounts": ("mountPath",),
}
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
        Destination(name, "kuscia", name, derived({"domains": owned}, ORIGIN))
        for name, owned in (domains or {"east": ["alice", "carol"], "west": ["bob"]}).items()
    )
    tree = derived({"kuscia": {"runtime": runtime}}, ORIGIN)
    return Environment("prod", ("environment.yaml",), tree, destinations, (), {})


def manifest(tree, destination="east", stem=""):
    kind = SERVING if tree["kind"] == "KusciaDeployment" else IMAGE
    name = tree["metadata"]["name"]
    folder = "kusciadeployments" if kind is SERVING else "appimages"
    node = derived(tree, ORIGIN)
    spec = Spec(kind, stem or name, "prod", ("spec.yaml",), node)
    path = f"prod/{destination}/{folder}/{name}.yaml"
    return Manifest(path, "prod", destination, spec, "", node, "", f"{tree['kind']}/{name}")


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
    """The change of one object."""
    found = ()
    if before and after:
        found = tuple(_changes((), before.tree.plain(), after.tree.plain()))
    known = after or before
    return ObjectChange("prod", known.destination, before, after, found)


def _changes(path, old, new):
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from _changes((*path, key), old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and path[-1] in KEYS:
        yield from _items(path, _keyed(old, path[-1]), _keyed(new, path[-1]))
    else:
        how = How.ADDED if old is None else How.REMOVED if new is None else How.CHANGED
        yield Change(path, how, _node(old), _node(new), _same_data(old, new))


def _items(path, old, new):
    for key in [*old, *(key for key in new if key not in old)]:
        yield from _changes((*path, f"[{key}]"), old.get(key), new.get(key))
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Change(path, How.MOVED, None, None)


def _keyed(items, name):
    return {"/".join(filter(None, (item.get(k) for k in KEYS[name]))): item for item in items}


def _node(value):
    return None if value is None else derived(value, ORIGIN)


def _same_data(old, new):
    try:
        return bool(json.loads(old) == json.loads(new))
    except (TypeError, ValueError):
        return False
