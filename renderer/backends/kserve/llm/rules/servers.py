"""The pods that serve: what they ask for, how long they may take to start, what nothing reads."""

from collections.abc import Iterator

from renderer.backends.fields import elements, members, text, whole_number
from renderer.backends.kserve.llm.rules.layers import cluster, is_known_whole, layered, layers, root
from renderer.backends.kserve.llm.rules.sources import PRESETS, STORAGE, WORKLOAD
from renderer.backends.kserve.llm.rules.workloads import workloads
from renderer.backends.kserve.llm.service import LLM_CONFIG, PREFILL, LlmView
from renderer.engines.fit import amount_text
from renderer.engines.model_sizes import model_size
from renderer.engines.settings import model_of
from renderer.kubernetes.data import mapping
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import value
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_MAIN, _INITIALIZER = "main", "storage-initializer"
_DEVICE = ("metadata", "annotations", "serving.kserve.io/exp-dra-device-class")
_FETCHED = ("hf://", "s3://")
_MINUTES = 10
#: A disk or network that is not fast; and a model that is large for what fetches it.
_BYTES_PER_MINUTE = 60 * 200 * 10**6
_TIMES_OF_MEMORY = 20


def _containers(tree: Node, *place: str) -> Iterator[Node]:
    return (item for item in elements(tree, *place) if text(item, "name") == _MAIN)


@rule("KSV551", Severity.WARNING, _SERVICE, since=_SINCE)
def servers_ask_for_resources(view: LlmView) -> Iterator[Finding]:
    """The container `main` says what it needs, in `resources`.

    The presets say nothing of it: without, a pod gets no accelerator, and lies on any node that
    there is (inferred). It may stand in a base configuration as well.

    Fails: template: {containers: [{name: main, resources: null}]}
    Passes:
        template: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]}
    """
    if view.spec.kind.name == LLM_CONFIG or not is_known_whole(view) or view.tree.get(*_DEVICE):
        return
    for workload in workloads(view):
        given = elements(workload.node, "template", "containers")
        is_misnamed = given and not any(text(item, "name") == _MAIN for item in given)
        if not is_misnamed and not any(_asks(tree, workload.path) for tree in layers(view)):
            found = workload.get("template") or workload
            yield found.wrong_key(
                "no container main says what it needs: no accelerator is asked for",
                "write template: {containers: [{name: main, resources: …}]}, or a base "
                "configuration that says it",
            )


def _asks(tree: Node, path: tuple[str | int, ...]) -> bool:
    places = ((*map(str, path), key, "containers") for key in ("template", "worker"))
    return any(
        members(container, "resources") or elements(tree, *place[:-1], "resourceClaims")
        for place in places
        for container in _containers(tree, *place)
    )


@rule("KSV552", Severity.WARNING, _SERVICE, since=_SINCE)
def several_nodes_have_workers(view: LlmView) -> Iterator[Finding]:
    """A model is spread over nodes only where there is a `worker`.

    Without one, a Deployment runs each pod by itself, and `pipeline`, `data` and `dataLocal` have
    no effect (inferred): accelerators that were meant for them are idle.

    Fails: parallelism: {pipeline: 2}
    Passes: parallelism: {tensor: 2}
    """
    if not is_known_whole(view):
        return
    for workload in workloads(view):
        path = tuple(map(str, workload.path))
        if layered(view, *path, "worker") is not None:
            continue
        spread = [item for item in _spread(workload) if (whole_number(item.node) or 0) > 1]
        if spread:
            names = " and ".join(given.name for given in spread)
            yield spread[0].wrong_key(
                f"there is no worker: {names} has no effect",
                "add a worker, or delete it and write tensor",
            )


def _spread(workload: Field) -> Iterator[Field]:
    for key in ("pipeline", "data"):
        if given := workload.get("parallelism", key):
            yield given


@rule("KSV553", Severity.INFO, _SERVICE, since=_SINCE)
def large_models_have_time(view: LlmView) -> Iterator[Finding]:
    """A model that takes more than ten minutes to load has a `startupProbe` that waits longer.

    The presets give a server ten minutes, and then begin again (inferred). How large a model is,
    `models` of the environment say; 200 MB a second are taken for the speed of its storage.

    Fails: model: {uri: 'hf://acme/giant'}
    Passes:
        model: {uri: 'hf://acme/giant'}
        template:
          containers:
            - name: main
              startupProbe: {httpGet: {path: /health, port: 8000}, failureThreshold: 360}
    """
    uri, weights = root(view).get("model", "uri"), _weights(view)
    if not uri or not weights or weights <= _MINUTES * _BYTES_PER_MINUTE:
        return
    if is_known_whole(view) and not any(_waits(tree) for tree in layers(view)):
        yield uri.wrong(
            f"{amount_text(weights)} of weights may take more than {_MINUTES} minutes to load",
            "give the container main startupProbe: {httpGet: {path: /health, port: 8000}, "
            "failureThreshold: 360} for an hour",
        )


def _waits(tree: Node) -> bool:
    places = (("template",), (PREFILL, "template"))
    return any(
        container.get("startupProbe") is not None
        for place in places
        for container in _containers(tree, *place, "containers")
    )


def _weights(view: LlmView) -> float | None:
    """How large the model is, if the environment says it."""
    uri, name = text(view.tree, "model", "uri"), text(view.tree, "model", "name")
    if "models" not in view.environment.tree.items or not uri:
        return None
    entry = model_of((uri, uri.partition("://")[2]), (name,), view.environment)
    return model_size(entry).weights if entry else None


@rule("KSV554", Severity.INFO, _SERVICE, since=_SINCE)
def large_models_have_memory_to_be_fetched(view: LlmView) -> Iterator[Finding]:
    """What fetches a large model from hf or s3 has more memory than KServe gives it.

    The container `storage-initializer` has 1Gi unless the cluster's configuration says otherwise,
    and may be killed for it (inferred). An init container of that name in `template`, `worker` and
    `prefill` has other `resources`. How large a model is, `models` of the environment say.

    Fails: model: {uri: 'hf://acme/giant'}
    Passes:
        model: {uri: 'hf://acme/giant'}
        template:
          initContainers: [{name: storage-initializer, resources: {limits: {memory: 8Gi}}}]
    """
    uri, weights, where = root(view).get("model", "uri"), _weights(view), cluster(view)
    amounts = where.amounts if where else None
    usual = mapping(amounts, "limits").get("memory") if isinstance(amounts, dict) else None
    limit = value(str(usual)) if usual else None
    if not uri or not weights or not limit or not uri.text.startswith(_FETCHED):
        return
    if weights > _TIMES_OF_MEMORY * float(limit) and not any(map(_gives_memory, layers(view))):
        yield uri.wrong(
            f"{amount_text(weights)} of weights are fetched with {usual} of memory",
            "write initContainers: [{name: storage-initializer, resources: …}] in template",
        )


def _gives_memory(tree: Node) -> bool:
    return any(
        text(item, "name") == _INITIALIZER and item.get("resources") is not None
        for item in elements(tree, "template", "initContainers")
    )


@rule("KSV555", Severity.WARNING, _SERVICE, since=_SINCE)
def keda_reads_prometheus(view: LlmView) -> Iterator[Finding]:
    """A service that is scaled by KEDA goes to a cluster whose configuration names its Prometheus.

    The ConfigMap inferenceservice-config that KServe ships does not: no ScaledObject is made, and
    the service is not ready (ReconcileScalingError; inferred). Give the cluster's own in
    `kserve.config` of the environment or the destination.

    Fails: scaling: {maxReplicas: 4, wva: {keda: {}}}
    Passes: scaling: {maxReplicas: 4, wva: {hpa: {}}}
    """
    where = cluster(view)
    if where is None or where.prometheus.get("url"):
        return
    for workload in workloads(view):
        if keda := workload.get("scaling", "wva", "keda"):
            yield keda.wrong_key(
                "the cluster's configuration names no Prometheus for KEDA",
                "set prometheus.url in its autoscaling-wva-controller-config, and give that "
                "ConfigMap as kserve: {config: {file: PATH}}",
            )


CONFIG_RULES = ()
RULES = (
    *rules_with_source((servers_ask_for_resources, large_models_have_time), PRESETS),
    *rules_with_source((several_nodes_have_workers, keda_reads_prometheus), WORKLOAD),
    *rules_with_source((large_models_have_memory_to_be_fetched,), STORAGE),
)
