"""The objects of specs, as KubeRay and the API server would store them."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import ABSENT, is_true, members, text, unless_empty
from renderer.backends.kuberay.compute_templates import DEFAULT_UNIT
from renderer.backends.kuberay.messages.values import name_of
from renderer.backends.kuberay.serve_config.document import config_text
from renderer.backends.kuberay.serve_config.view import FIELD, GRAPH, serve_config_of
from renderer.backends.kuberay.stored_clusters import (
    stored_cluster,
    stored_service,
    stored_template,
)
from renderer.backends.kuberay.vocabulary import CLUSTER_FIELD, SERVICE
from renderer.backends.kuberay.workloads import Workload
from renderer.backends.object_places import file_name, namespace, object_labels
from renderer.backends.registries import registries_of
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.text.digests import canonical
from renderer.text.yaml_writer import write
from renderer.values.model import Environment, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

_DEFAULT = "the default of KubeRay's schema, which the API server would add"
_API = "the KubeRay API server labels its objects so"
_NAME = constant("kuberay", _API)
#: The defaults of a job, and the version that brought each of them.
_JOB_DEFAULTS = {
    "submissionMode": ((1, 1, 0), constant("K8sJobMode", _DEFAULT)),
    "backoffLimit": ((1, 2, 0), constant(0, _DEFAULT)),
    "ttlSecondsAfterFinished": ((1, 0, 0), constant(0, _DEFAULT)),
}
_NO_TIME = constant(0, _DEFAULT)
_SURGE = constant(100, _DEFAULT)
#: A run that Git no longer has must not be pruned while it runs: each engine has its own mark.
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
FLUX_PRUNE = "kustomize.toolkit.fluxcd.io/prune"
_KEPT_BY_FLUX = constant("disabled", "Flux leaves a run that was superseded alone")
KEPT_BY_ARGO = "Prune=false"
_KEPT_BY_ARGO_REASON = "Argo CD leaves a run that was superseded alone"
_KEPT = (("metadata", "name"), ("metadata", "namespace"))


def cluster_plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """A RayCluster. Where Ray scales it, Git does not say how many workers it has."""
    workload = Workload.of(spec, scene.environment)
    keeps = not workload.cluster.is_scaled
    fields = stored_cluster(
        workload.fields, workload.settings.dialect, scene.destination, keeps_replicas=keeps
    )
    labels = _message_labels(workload, ("ray.io/version", "ray.io/environment"))
    yield _render(spec, scene, fields, labels, unless_empty(spec.tree.get("annotations")))


def job_plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """A RayJob, named by its content unless the spec wants a fixed name."""
    workload = Workload.of(spec, scene.environment)
    dialect = workload.settings.dialect
    fields = replace_at(
        _store_cluster(workload, scene),
        ("submitterPodTemplate",),
        lambda template: stored_template(template, registries_of(scene.destination)),
    )
    for key, (since, default) in _JOB_DEFAULTS.items():
        if dialect.knows(since) and key not in fields.items:
            fields = fields.with_members({**fields.items, key: default})
    fields = each(fields, ("deletionStrategy", "deletionRules"), _default_time)
    fields = replace_at(fields, ("runtimeEnvYAML",), _yaml_text)
    fields = replace_at(fields, ("entrypointResources",), _json_text)
    yield _render(spec, scene, fields, _message_labels(workload), _job_annotations(workload))


def service_plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """A RayService with its serve config as text."""
    workload = Workload.of(spec, scene.environment)
    fields = replace_at(_store_cluster(workload, scene), ("serveService",), stored_service)
    fields = replace_at(fields, ("upgradeStrategy", "clusterUpgradeOptions"), _default_surge)
    kept = {key: node for key, node in fields.items.items() if key not in (FIELD, GRAPH)}
    config = serve_config_of(workload)
    whole = fields.with_members({FIELD: config_text(config), **kept} if config else kept)
    labels = _message_labels(workload)
    yield _render(spec, scene, whole, labels, unless_empty(spec.tree.get("annotations")))


def template_plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The ConfigMap that a KubeRay API server reads, if the spec asks for it."""
    if not is_true(spec.tree, "emit"):
        return
    values = {
        "name": spec.name_node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(spec.tree, _template_labels(spec)),
        "annotations": unless_empty(spec.tree.get("annotations")),
        "data": Node(dict(_template_data(spec, scene)), spec.tree.origin),
    }
    schema = "manifests/kuberay/computetemplate.json"
    place = file_name(spec, scene)
    yield Render("kuberay/computetemplate.yaml.j2", values, schema, "configmaps", place, _KEPT)


def names_by_content(spec: Spec, environment: Environment) -> bool:  # noqa: ARG001
    """A job runs once: only one with another name runs again."""
    return text(spec.tree, "name_suffix") != "none"


def _render(
    spec: Spec, scene: Scene, fields: Node, labels: Mapping[str, Node], annotations: Node
) -> Render:
    kind = spec.kind.name
    name = scene.name_of(kind, spec.name)
    node = spec.name_node.with_value(name)
    if labels and kind != SERVICE:
        labels = {"ray.io/cluster-name": node, **labels}
    values = {
        "name": node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(spec.tree, labels),
        "annotations": annotations,
        "spec": fields,
    }
    plural, place = f"{kind.lower()}s", file_name(spec, scene, name)
    schema = f"manifests/kuberay/{kind.lower()}.json"
    return Render(f"kuberay/{kind.lower()}.yaml.j2", values, schema, plural, place, _KEPT)


def _store_cluster(workload: Workload, scene: Scene) -> Node:
    path = CLUSTER_FIELD[workload.spec.kind.name]
    dialect = workload.settings.dialect
    return replace_at(
        workload.fields, path, lambda node: stored_cluster(node, dialect, scene.destination)
    )


def _message_labels(workload: Workload, more: tuple[str, ...] = ()) -> dict[str, Node]:
    """The labels that the API server gives to what it makes of messages."""
    if not workload.is_message:
        return {}
    tree = workload.spec.tree
    found = {"app.kubernetes.io/name": _NAME}
    for key in ("user", "version"):
        name, node = f"ray.io/{key}", tree.get(key)
        if node and node.value and (key == "user" or name in more):
            found[name] = node
    if "ray.io/environment" in more:
        given = tree.get("environment")
        name = name_of(given, "environment")
        found["ray.io/environment"] = given.with_value(name) if given else constant(name, _API)
    return found


def _job_annotations(workload: Workload) -> Node:
    """Those of the spec, and the marks that keep a run that was superseded."""
    tree = workload.spec.tree
    found = {**(members(tree, "metadata") if workload.is_message else {})}
    found |= members(tree, "annotations")
    if not is_true(tree, "prune"):
        given = found.get(SYNC_OPTIONS)
        kept = given.with_value(f"{given.value},{KEPT_BY_ARGO}") if given else None
        found[SYNC_OPTIONS] = kept or constant(KEPT_BY_ARGO, _KEPT_BY_ARGO_REASON)
        found.setdefault(FLUX_PRUNE, _KEPT_BY_FLUX)
    return Node(found, tree.locate(("annotations",))) if found else ABSENT


def _default_surge(options: Node) -> Node:
    return options.with_members({"maxSurgePercent": _SURGE, **options.items})


def _default_time(rule: Node) -> Node:
    """A rule of deletion with how long to wait."""
    return replace_at(
        rule,
        ("condition",),
        lambda given: given.with_members({"ttlSeconds": _NO_TIME, **given.items}),
    )


def _yaml_text(given: Node) -> Node:
    return given if isinstance(given.value, str) else given.with_value(write(given))


def _json_text(given: Node) -> Node:
    return given if isinstance(given.value, str) else given.with_value(canonical(given.plain()))


def _template_labels(spec: Spec) -> dict[str, Node]:
    kind = constant("compute-template", "the API server finds templates by it")
    return {"ray.io/config-type": kind, "ray.io/compute-template": spec.name_node}


def _template_data(spec: Spec, scene: Scene) -> Iterator[tuple[str, Node]]:
    """What the API server reads back, all of it as text; a unit that is missing means bytes."""
    tree = spec.tree
    yield "name", spec.name_node
    yield "namespace", namespace(spec, scene)
    for key, name, default in (
        ("cpu", "cpu", "0"),
        ("memory", "memory", "0"),
        ("memoryUnit", "memory_unit", DEFAULT_UNIT),
        ("gpu", "gpu", "0"),
        ("gpuAccelerator", "gpu_accelerator", ""),
    ):
        given, value = tree.get(key), text(tree, key)
        missing = constant(default, "what the API server writes where nothing is said")
        yield name, given.with_value(value) if given and value else missing
    more = tree.get("extendedResources")
    yield "extended_resources", _json_text(more) if more else constant("null", "none are given")
    tolerations = tree.get("tolerations")
    if tolerations and tolerations.elements:
        yield "tolerations", _json_text(tolerations)
