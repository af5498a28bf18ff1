"""Routers of graphs in each mode: what Knative refuses of them, and what Standard passes over."""

from collections.abc import Iterator

from renderer.backends.fields import text, whole_number
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.graphs.graph import graph_mode
from renderer.backends.kserve.plain_objects import GRAPH, ObjectView
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SOURCE = "kserve/kserve: pkg/controller/v1alpha1/inferencegraph; knative/serving: pkg/apis"
_CLASS, _HPA_CLASS = "autoscaling.knative.dev/class", "hpa.autoscaling.knative.dev"
_BY_REQUESTS, _BY_LOAD = ("concurrency", "rps"), ("cpu", "memory")
#: Fields of a graph, and the flag of Knative's config-features that allows them.
_FLAGS = {
    "affinity": "kubernetes.podspec-affinity",
    "nodeSelector": "kubernetes.podspec-nodeselector",
    "tolerations": "kubernetes.podspec-tolerations",
}
_LONGEST_TIMEOUT = 600


def _order_findings(view: ObjectView) -> Iterator[Finding]:
    least, most = (whole_number(view.tree, key) for key in ("minReplicas", "maxReplicas"))
    if least is not None and most and most < least:
        message = f"maxReplicas is {most}, and minReplicas is {least}"
        yield Finding(("maxReplicas",), message, f"write {least} or more, or delete it")


@rule("KSV611", Severity.WARNING, GRAPH, since=_SINCE)
def replicas_of_graphs_are_in_order(view: ObjectView) -> Iterator[Finding]:
    """In the mode Standard, `maxReplicas` of a graph is not below `minReplicas`.

    KServe raises it without a word (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        minReplicas: 3
        maxReplicas: 2
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        minReplicas: 2
        maxReplicas: 3
    """
    if graph_mode(view) == STANDARD:
        yield from _order_findings(view)


@rule("KSV613", Severity.ERROR, GRAPH, since=_SINCE)
def knative_can_scale_the_graph(view: ObjectView) -> Iterator[Finding]:
    """In Knative mode a graph scales as Knative can.

    `maxReplicas` is not below `minReplicas`, and `scaleMetric` is concurrency or rps, or with the
    annotation `autoscaling.knative.dev/class: hpa.autoscaling.knative.dev` cpu or memory. Knative
    refuses the router otherwise, and the graph never gets a status (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Knative}
        minReplicas: 3
        maxReplicas: 2
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Knative}
        minReplicas: 2
        maxReplicas: 3
    """
    if graph_mode(view) != KNATIVE:
        return
    yield from _order_findings(view)
    by_load = text(view.tree, "annotations", _CLASS) == _HPA_CLASS
    known = _BY_LOAD if by_load else _BY_REQUESTS
    metric = Field((), view.tree).get("scaleMetric")
    if metric and metric.text in (*_BY_LOAD, *_BY_REQUESTS) and metric.text not in known:
        message = f"the autoscaler of Knative here does not follow {metric.text}"
        yield metric.wrong(message, f"write {listed(known, 'or')}, or use Standard mode")


@rule("KSV614", Severity.WARNING, GRAPH, since=_SINCE, stops_platform=True)
def knative_allows_fields_of_the_graph(view: ObjectView) -> Iterator[Finding]:
    """In Knative mode, fields of a graph need no flag of Knative, and `timeout` is at most 600.

    Unless `config-features` of the cluster allows them, or `config-defaults` a longer time, Knative
    refuses the router, and the graph never gets a status (observed for affinity, nodeSelector and
    timeout).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Knative}
        nodeSelector: {pool: web}
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        nodeSelector: {pool: web}
    """
    if graph_mode(view) != KNATIVE:
        return
    fix = "check that the cluster allows it, or use Standard mode"
    for item in Field((), view.tree).present(_FLAGS):
        if item.node.value not in ({}, ()):
            message = f"Knative takes {item.name} only with the flag {_FLAGS[item.name]}"
            yield item.wrong_key(message, fix)
    timeout = whole_number(view.tree, "timeout")
    if timeout is not None and timeout > _LONGEST_TIMEOUT:
        message = f"{timeout} is more than Knative takes unless it is configured to"
        yield Finding(("timeout",), message, f"write {_LONGEST_TIMEOUT} or less, or {fix}")


@rule("KSV615", Severity.WARNING, GRAPH, since=_SINCE)
def metric_of_the_graph_is_followed(view: ObjectView) -> Iterator[Finding]:
    """In the mode Standard, `scaleMetric` of a graph is cpu or memory.

    KServe passes over concurrency and rps, and `scaleTarget` with it: the autoscaler follows 80 %
    of the requested CPU (observed).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        scaleMetric: concurrency
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        scaleMetric: memory
    """
    metric = Field((), view.tree).get("scaleMetric")
    if metric and metric.text in _BY_REQUESTS and graph_mode(view) == STANDARD:
        message = f"no autoscaler of a Deployment follows {metric.text}: it follows cpu at 80 %"
        yield metric.wrong(message, f"write {listed(_BY_LOAD, 'or')}")


RULES = rules_with_source(
    (
        replicas_of_graphs_are_in_order,
        knative_can_scale_the_graph,
        knative_allows_fields_of_the_graph,
        metric_of_the_graph_is_followed,
    ),
    _SOURCE,
)
