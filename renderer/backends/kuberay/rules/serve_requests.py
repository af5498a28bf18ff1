"""How requests reach the code of a serve config: modules, addresses, and replicas that scale."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_FIELD, _KIND = "serveConfigV2", "RayService"
_SOURCE = "ray-project/ray: python/ray/serve/schema.py"
_HOSTS_OF_ITS_OWN = ("localhost", "127.0.0.1", "::1")
_DEFAULT_ONGOING = 5


@rule("RAY515", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def import_paths_name_modules(serve: ServeView) -> Iterator[Finding]:
    """`import_path` names a module as Python imports it, not the path of a file.

    Folders are separated by dots, and the ending of the file is left out.

    Fails: serveConfigV2: {applications: [{import_path: "apps/scorer.py:app"}]}
    Passes: serveConfigV2: {applications: [{import_path: "apps.scorer:app"}]}
    """
    for item in serve.applications:
        given = text(item.node, "import_path")
        module = given.partition(":")[0]
        if "/" in module or module.endswith(".py"):
            meant = module.removesuffix(".py").strip("./").replace("/", ".")
            message = f"{given[:60]!r} is the path of a file, and Python imports modules"
            fix = f"write {meant}:{given.partition(':')[2] or 'app'}"
            yield serve.at((*item.path, "import_path"), message, fix)


@rule("RAY516", Severity.WARNING, _KIND, reads=(_FIELD,), since="0.2.0")
def accelerators_are_products(serve: ServeView) -> Iterator[Finding]:
    """`accelerator_type` is the name of a product, such as A100, and no resource of Kubernetes.

    Ray looks for nodes that say they have it; none says the name of a resource.

    Fails:
        serveConfigV2:
          applications:
            - deployments:
                - {name: Scorer, ray_actor_options: {accelerator_type: nvidia.com/gpu}}
    Passes:
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, ray_actor_options: {accelerator_type: A100}}]}
    """
    for item in serve.deployments:
        given = text(item.node, "ray_actor_options", "accelerator_type")
        if "/" in given:
            path = (*item.path, "ray_actor_options", "accelerator_type")
            message = f"{given[:60]!r} is a resource of Kubernetes, and no node of Ray says it"
            yield serve.at(path, message, "write a product, such as A100, and num_gpus")


@rule("RAY517", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def proxies_listen_to_others(serve: ServeView) -> Iterator[Finding]:
    """Proxies listen where requests from other pods arrive.

    With `http_options.host` 127.0.0.1 or localhost only the pod itself reaches them, and the
    Service of the RayService does not.

    Fails: serveConfigV2: {http_options: {host: 127.0.0.1}}
    Passes: serveConfigV2: {http_options: {host: 0.0.0.0}}
    """
    host = text(serve.config.tree, "http_options", "host") if serve.config else ""
    if host in _HOSTS_OF_ITS_OWN:
        message = f"with the host {host} no request reaches Serve from outside its pod"
        yield serve.at(("http_options", "host"), message, "write 0.0.0.0, or delete it")


@rule("RAY518", Severity.WARNING, _KIND, reads=(_FIELD,), since="0.2.0")
def replicas_take_what_they_scale_by(serve: ServeView) -> Iterator[Finding]:
    """`max_ongoing_requests` is at least `target_ongoing_requests`.

    A replica never has as many requests as would have another one started, and Ray logs that it
    will not scale (read in its source). Without a word the former is 5.

    Fails:
        serveConfigV2:
          applications:
            - deployments:
                - name: Scorer
                  max_ongoing_requests: 1
                  autoscaling_config: {max_replicas: 4, target_ongoing_requests: 5}
    Passes with:
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, max_ongoing_requests: 10}]}]
    """
    for item in serve.deployments:
        most = _number(item.node, "max_ongoing_requests")
        most = _DEFAULT_ONGOING if most is None else most
        target = _number(item.node, "autoscaling_config", "target_ongoing_requests")
        if target is not None and most < target:
            message = f"{item.name!r} never scales: a replica takes {most:g} requests at most"
            path = (*item.path, "autoscaling_config", "target_ongoing_requests")
            fix = f"write {most:g} or less, or raise max_ongoing_requests"
            yield serve.at(path, message, fix)


def _number(node: Node, *path: str) -> float | None:
    found = node.get(*path)
    value = found.value if found else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


RULES = rules_with_source(
    (
        import_paths_name_modules,
        accelerators_are_products,
        proxies_listen_to_others,
        replicas_take_what_they_scale_by,
    ),
    _SOURCE,
)
