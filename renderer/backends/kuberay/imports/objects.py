"""Custom resources of KubeRay as specs, and in one form for all that mean the same."""

from collections.abc import Iterator

from renderer.backends.brief_specs import Attempt, brief, written_anyway
from renderer.backends.fields import ABSENT, elements, members, text
from renderer.backends.kuberay.compute_templates import ANNOTATION, DEFAULT_UNIT
from renderer.backends.kuberay.imports.compute_templates import (
    CONFIG_TYPE,
    JSON,
    field_by_key,
    reads_bytes,
    refer_to_templates,
)
from renderer.backends.kuberay.plans import FLUX_PRUNE, KEPT_BY_ARGO, SYNC_OPTIONS
from renderer.backends.kuberay.serve_config.document import config_text, read_serve_config
from renderer.backends.kuberay.serve_config.view import FIELD
from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import Cluster
from renderer.backends.object_places import drop_usual_namespace, place_of
from renderer.backends.registries import registries_of, restore_original_images
from renderer.kubernetes.quantities import canonical
from renderer.kubernetes.stored_pods import replace_at
from renderer.text import json_reader
from renderer.values.diagnostics import Path
from renderer.values.imports import CHANGED, DROPPED, KEPT, ImportedSpec, Note, Source
from renderer.values.model import Environment
from renderer.values.objects import Scene
from renderer.values.tree import Node, constant, drop_paths

GROUP = "ray.io"
VERSION = f"{GROUP}/v1"
KINDS = (CLUSTER, JOB, SERVICE)
_GROUPS = ("spec", "workerGroupSpecs")
_AUTOSCALED = "Ray's autoscaler decides it"
_KEPT_AS_TEXT = "a mapping would be another text, which KubeRay sends to Ray again"
_KEPT_BY_FLUX = "disabled"
_AS_NAMED = constant("none", "a job that is there keeps its name")
_PRUNED = constant(True, "it has no marks that keep it from being pruned")
#: What rendering may write by itself.
_WRITTEN: dict[str, tuple[object, ...]] = {
    "replicas": (0,),
    "minReplicas": (0,),
    "maxReplicas": (2147483647,),
    "numOfHosts": (1,),
    "rayStartParams": ({},),
    "scaleStrategy": ({},),
    "metadata": ({},),
    "resources": ({},),
    "submissionMode": ("K8sJobMode",),
    "backoffLimit": (0,),
    "ttlSecondsAfterFinished": (0,),
    "ttlSeconds": (0,),
    "maxSurgePercent": (100,),
    "protocol": ("TCP",),
    "service": ("",),
}
_NOTHING = {"gpu": "0", "gpu_accelerator": "", "extended_resources": "null"}


def workload(source: Source, environment: Environment) -> ImportedSpec:
    """The spec of a cluster, a job or a service, in the words of its custom resource."""
    notes: list[Note] = []
    if text(source.tree, "apiVersion") != VERSION:
        notes.append(Note("apiVersion", CHANGED, f"servingctl renders {VERSION}"))
    where = place_of(source, environment, PLATFORM).destination
    registries = registries_of(where)
    tree = _drop_autoscaled(source.tree, notes)
    own = replace_at(tree, ("spec",), lambda spec: restore_original_images(spec, registries))
    fields = workload_fields(source._replace(tree=own), environment)
    fields = _serve_config_as_mapping(fields, notes) if source.kind == SERVICE else fields
    attempt = Attempt(source.kind, source.name, Scene(environment, where, {}, {}))
    fields = refer_to_templates(fields, source.kind, environment, attempt)
    needless = list(written_anyway(fields, _WRITTEN))
    fields = brief(fields, needless, attempt, source)
    return ImportedSpec(source.kind, source.name, fields, source.namespace, tuple(notes))


def workload_fields(source: Source, environment: Environment) -> Node:
    """The fields of a spec: the object's own labels and annotations beside those of its spec."""
    metadata = members(source.tree, "metadata")
    annotations = metadata.get("annotations")
    fields = dict(place_of(source, environment, PLATFORM).fields)
    if source.kind == JOB:
        fields["name_suffix"] = _AS_NAMED
        annotations = _drop_prune_marks(annotations)
        if annotations is None:
            fields["prune"], annotations = _PRUNED, metadata.get("annotations")
    found = {"labels": metadata.get("labels"), "annotations": annotations}
    fields |= {key: node for key, node in found.items() if node and node.value}
    return source.tree.with_members({**fields, **members(source.tree, "spec")})


def _drop_prune_marks(annotations: Node | None) -> Node | None:
    """Without the marks that keep a job from being pruned; nothing if it has them not."""
    options = text(annotations or ABSENT, SYNC_OPTIONS).split(",")
    if annotations is None or options[-1] != KEPT_BY_ARGO:
        return None
    if text(annotations, FLUX_PRUNE) != _KEPT_BY_FLUX:
        return None
    kept = dict(annotations.items)
    given = kept[SYNC_OPTIONS]
    kept[SYNC_OPTIONS] = given.with_value(",".join(options[:-1]))
    if len(options) == 1:
        del kept[SYNC_OPTIONS]
    if [*annotations.items][-1] == FLUX_PRUNE:  # where rendering writes it
        del kept[FLUX_PRUNE]
    return annotations.with_members(kept)


def _drop_autoscaled(tree: Node, notes: list[Note]) -> Node:
    """Without what the autoscaler writes into a cluster."""
    if text(tree, "kind") != CLUSTER or not Cluster.of((), tree.get("spec") or ABSENT).is_scaled:
        return tree
    paths: list[Path] = []
    for number, group in enumerate(elements(tree, *_GROUPS)):
        named = (("replicas",), ("scaleStrategy", "workersToDelete"))
        paths += ((*_GROUPS, number, *path) for path in named if group.get(*path))
    notes += (Note(_field_path(path), DROPPED, _AUTOSCALED) for path in paths)
    return drop_paths(tree, frozenset(paths))


def _field_path(path: Path) -> str:
    return ".".join(str(part) for part in path if isinstance(part, str))


def _serve_config_as_mapping(fields: Node, notes: list[Note]) -> Node:
    """With the serve config as a mapping, if that is written as the text is, byte for byte."""
    given = fields.get(FIELD)
    if given is None or not isinstance(given.value, str):
        return fields
    config = read_serve_config(given, (FIELD,))
    as_mapping = config._replace(source=config.tree)
    is_same = not config.problems and not config.misfits and config.tree.value
    if not is_same or config_text(as_mapping).value != given.value:
        notes.append(Note(f"spec.{FIELD}", KEPT, _KEPT_AS_TEXT))
        return fields
    mapping = Node(config.tree.value, given.origin, given.key)
    return fields.with_members({**fields.items, FIELD: mapping})


def autoscaled_paths(tree: Node) -> Iterator[Path]:
    """What the autoscaler decides in a cluster that it scales."""
    if text(tree, "kind") == CLUSTER and Cluster.of((), tree.get("spec") or ABSENT).is_scaled:
        for number, _ in enumerate(elements(tree, *_GROUPS)):
            yield (*_GROUPS, number, "replicas")
            yield (*_GROUPS, number, "scaleStrategy")


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object of KubeRay in one form for all that mean the same."""
    source = Source(tree)
    if source.kind in KINDS:
        done = _workload(source, environment)
    else:
        done = _template(source, environment)
    return drop_usual_namespace(done, environment, PLATFORM)


def _workload(source: Source, environment: Environment) -> Node:
    attempt = Attempt(source.kind, source.name, Scene(environment, None, {}, {}))
    (values,) = attempt.values(workload_fields(source, environment))
    version = source.tree.items["apiVersion"].with_value(VERSION)
    made = {"apiVersion": version, "spec": values["spec"]}
    done = source.tree.with_members({**source.tree.items, **made})
    return drop_paths(done, frozenset(path for path in autoscaled_paths(done) if done.get(*path)))


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
