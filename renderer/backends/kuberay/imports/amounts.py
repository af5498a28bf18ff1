"""What objects of KubeRay come to: with the defaults of its schemas, without what it decides."""

from renderer.backends.brief_specs import Attempt
from renderer.backends.fields import members, text
from renderer.backends.kuberay.compute_templates import ANNOTATION, DEFAULT_UNIT
from renderer.backends.kuberay.imports.compute_templates import (
    CONFIG_TYPE,
    JSON,
    field_by_key,
    reads_bytes,
)
from renderer.backends.kuberay.imports.objects import KINDS, VERSION, scaled_by_ray, workload_fields
from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.object_places import without_usual_namespace
from renderer.kubernetes.quantities import canonical
from renderer.text import json_reader
from renderer.values.imports import Source
from renderer.values.model import Environment
from renderer.values.objects import Scene
from renderer.values.tree import Node, drop_paths

_NOTHING = {"gpu": "0", "gpu_accelerator": "", "extended_resources": "null"}


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object of KubeRay in one form for all that mean the same."""
    source = Source(tree)
    if source.kind in KINDS:
        done = _workload(source, environment)
    else:
        done = _template(source, environment)
    return without_usual_namespace(done, environment, PLATFORM)


def _workload(source: Source, environment: Environment) -> Node:
    attempt = Attempt(source.kind, source.name, Scene(environment, None, {}, {}))
    (values,) = attempt.values(workload_fields(source, environment))
    version = source.tree.items["apiVersion"].with_value(VERSION)
    made = {"apiVersion": version, "spec": values["spec"]}
    done = source.tree.with_members({**source.tree.items, **made})
    return drop_paths(done, frozenset(path for path in scaled_by_ray(done) if done.get(*path)))


def _template(source: Source, environment: Environment) -> Node:
    """A ConfigMap as the API server reads it: its name is that of the object."""
    tree, given = source.tree, dict(members(source.tree, "data"))
    start = tree.with_members({})
    missing = "" if reads_bytes(environment) else DEFAULT_UNIT
    unit = text(given["memory_unit"]) if "memory_unit" in given else missing
    known = field_by_key().keys() - {"memory_unit"}
    data = {key: node for key, node in given.items() if key in known}
    data = {key: start.with_value(value) for key, value in _NOTHING.items()} | data
    if "memory" in data:
        amount = f"{text(data['memory'])}{unit}"
        data["memory"] = data["memory"].with_value(canonical(amount))
    for key in JSON:
        read = json_reader.read(text(data[key]).encode(), "").document if key in data else None
        data |= {key: read.tree} if read and read.tree else {}
    done = tree.with_members({**tree.items, "data": start.with_members(data)})
    labels = (CONFIG_TYPE, ANNOTATION)
    return drop_paths(done, {("metadata", "labels", key) for key in labels})
