"""A serve config that Ray takes, in a form and version that it reads, with proxies that answer."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.serve_config.applications import (
    EVERY_NODE,
    http_port,
    proxy_location,
)
from renderer.backends.kuberay.serve_config.document import is_in_span, versioned_values
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.schema.versions import Span
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

FIELD = "serveConfigV2"
GRAPH = "serveDeploymentGraphSpec"
_SCHEMA = "ray-project/ray: python/ray/serve/schema.py"
_KIND = "RayService"
_HEAD_ONLY = "HeadOnly"
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
#: Since when the operator probes the proxy of every worker of a service.
_PROBED_SINCE = (1, 1, 0)


@rule("RAY500", Severity.ERROR, _KIND)
def serve_config_is_yaml(serve: ServeView) -> Iterator[Finding]:
    """The text of a serve config is a YAML mapping that every reader reads alike.

    Kubernetes takes any text. The operator turns it into JSON, and sends nothing if it is no
    YAML (observed): a new service never becomes ready, and one that runs keeps its applications and
    stays Ready. What is YAML but no mapping, it leaves to Ray's dashboard; an empty text it sends
    as no configuration at all (observed).

    Fails:
        serveConfigV2: |
          applications: [{import_path: "scorer:app"}
    Passes:
        serveConfigV2: |
          applications: [{import_path: "scorer:app"}]
    """
    config = serve.config
    if config and not config.is_converted:
        yield from config.problems


@rule("RAY501", Severity.ERROR, _KIND)
def serve_config_fits(serve: ServeView) -> Iterator[Finding]:
    """A serve config has the keys and values that Ray Serve knows, all in snake_case.

    From Ray 2.7 on, a key that it does not know is ignored silently, so that a misspelt one
    changes nothing. Values that do not fit are refused, but only when the operator sends them. A
    mapping is checked with the spec that it is a part of.

    Fails:
        serveConfigV2: |
          applications:
            - {import_path: "scorer:app", routePrefix: /score}
    Passes:
        serveConfigV2: |
          applications:
            - {import_path: "scorer:app", route_prefix: /score}
    """
    config = serve.config
    yield from config.misfits if config else ()


@rule("RAY502", Severity.ERROR, _KIND, reads=(GRAPH,))
def deployment_graph_can_be_converted(serve: ServeView) -> Iterator[Finding]:
    """A deployment graph of KubeRay's old API server amounts to one application.

    No operator takes a graph any more: it is rendered as `serveConfigV2`, where a route belongs to
    an application, and options are data instead of texts.

    Fails:
        serveDeploymentGraphSpec:
          serveConfigs:
            - {deploymentName: Scorer, routePrefix: /score}
            - {deploymentName: Ranker, routePrefix: /rank}
    Passes with:
        serveDeploymentGraphSpec: {serveConfigs: [{deploymentName: Ranker, routePrefix: null}]}
    """
    config = serve.config
    if config and config.is_converted:
        yield from config.problems


@rule("RAY506", Severity.WARNING, _KIND, reads=(FIELD,))
def target_capacity_is_left_to_the_operator(serve: ServeView) -> Iterator[Finding]:
    """`target_capacity` is not set: the operator sets it during incremental upgrades.

    Below 100 it runs only a part of the replicas, for as long as it stands there.

    Fails: serveConfigV2: {target_capacity: 50}
    Passes with: serveConfigV2: {target_capacity: null}
    """
    config = serve.config
    if config and text(config.tree, "target_capacity"):
        message = "the operator sets target_capacity itself"
        yield config.finding(("target_capacity",), message, "delete it", at_key=True)


@rule("RAY507", Severity.WARNING, _KIND, reads=(FIELD,))
def serve_config_fits_the_version(serve: ServeView) -> Iterator[Finding]:
    """A serve config has what the version of Ray knows, under the names that it has there.

    Ray refuses what it does not know up to 2.6, and ignores it from 2.7 on.

    Fails:
        rayClusterConfig: {rayVersion: 2.49.0}
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, max_concurrent_queries: 10}]}]
    Passes:
        rayClusterConfig: {rayVersion: 2.49.0}
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, max_ongoing_requests: 10}]}]
    """
    config, version = serve.config, serve.ray_version
    for path, value, span in versioned_values(config.tree) if config and version else ():
        if config and version and not is_in_span(version, span):
            name = f"{path[-1]}: {value}" if value else str(path[-1])
            message = _version_message(name, span, ".".join(map(str, version)))
            fix = f"write {span.instead}" if span.instead else "delete it, or use another version"
            if span.since and span.instead:
                fix = f"take Ray {span.since} or later there, or {fix}"
            yield config.finding(path, message, fix, at_key=True)


def _version_message(name: str, span: Span, version: str) -> str:
    if span.since:
        return f"Ray {version} does not have {name} yet: it came with {span.since}"
    return f"Ray {version} does not have {name} any more: {span.until} was the last"


@rule("RAY508", Severity.ERROR, _KIND, reads=(FIELD, "rayClusterConfig"))
def serve_listens_where_the_head_says(serve: ServeView) -> Iterator[Finding]:
    """Serve listens on the port that the head's container calls `serve`.

    The service for requests leads to the container's port, 8000 if it has none. Serve listens on
    `http_options.port`, 8000 by default. If they differ, no request is answered.

    Fails: serveConfigV2: {http_options: {port: 8010}}
    Passes: serveConfigV2: {http_options: {port: 8000}}
    """
    config, wanted = serve.config, serve.serve_port
    if config and config.tree.items and wanted and http_port(config) != wanted:
        message = f"Serve listens on {http_port(config)}, and the head's port serve is {wanted}"
        fix = f"write http_options: {{port: {wanted}}}, or change the container's port"
        yield config.finding(("http_options", "port"), message, fix)


@rule("RAY509", Severity.WARNING, _KIND, reads=(FIELD,))
def workers_have_proxies(serve: ServeView) -> Iterator[Finding]:
    """Proxies run on every node that has a replica.

    From KubeRay 1.1 on a worker of a service is ready when its proxy answers, wherever proxies
    run: without one it never is (kuberay#4994). Readiness probes of your own are left alone.

    Fails: serveConfigV2: {proxy_location: HeadOnly}
    Passes: serveConfigV2: {proxy_location: EveryNode}
    """
    if _has_no_proxy(serve):
        return
    is_probed = serve.probe_proxies and (serve.kuberay_version or _PROBED_SINCE) >= _PROBED_SINCE
    if serve.config and is_probed and proxy_location(serve.config) != EVERY_NODE:
        where = proxy_location(serve.config)
        message = f"with proxy_location {where} no worker ever becomes ready"
        fix = "write EveryNode, or give the workers a readinessProbe of their own"
        yield serve.config.finding(("proxy_location",), message, fix)


@rule("RAY519", Severity.ERROR, _KIND, reads=(FIELD,), since="0.2.0")
def some_proxy_is_in_the_service(serve: ServeView) -> Iterator[Finding]:
    """The head is in the service for requests if the only proxy runs there.

    With `proxy_location: HeadOnly` no worker answers, and with `excludeHeadPodFromServeSvc: true`
    the head gets no requests: none is answered.

    Fails:
        excludeHeadPodFromServeSvc: true
        serveConfigV2: {proxy_location: HeadOnly}
    Passes with: serveConfigV2: {proxy_location: EveryNode}
    """
    if serve.config and _has_no_proxy(serve):
        message = (
            "the only proxy is on the head, and excludeHeadPodFromServeSvc leaves the head out"
        )
        fix = "write EveryNode, or delete excludeHeadPodFromServeSvc"
        yield serve.config.finding(("proxy_location",), message, fix)


def _has_no_proxy(serve: ServeView) -> bool:
    is_on_the_head = serve.config is not None and proxy_location(serve.config) == _HEAD_ONLY
    return is_on_the_head and serve.is_head_excluded


@rule("RAY517", Severity.ERROR, _KIND, reads=(FIELD,), since="0.2.0")
def proxies_listen_to_others(serve: ServeView) -> Iterator[Finding]:
    """Proxies listen where requests from other pods arrive.

    With `http_options.host` 127.0.0.1 or localhost only the pod itself reaches them, and the
    Service of the RayService does not.

    Fails: serveConfigV2: {http_options: {host: 127.0.0.1}}
    Passes: serveConfigV2: {http_options: {host: 0.0.0.0}}
    """
    host = text(serve.config.tree, "http_options", "host") if serve.config else ""
    if host in _LOCAL_HOSTS:
        message = f"with the host {host} no request reaches Serve from outside its pod"
        yield serve.finding(("http_options", "host"), message, "write 0.0.0.0, or delete it")


RULES = rules_with_source(
    (
        serve_config_is_yaml,
        serve_config_fits,
        deployment_graph_can_be_converted,
        target_capacity_is_left_to_the_operator,
        serve_config_fits_the_version,
        serve_listens_where_the_head_says,
        workers_have_proxies,
        some_proxy_is_in_the_service,
        proxies_listen_to_others,
    ),
    _SCHEMA,
)
