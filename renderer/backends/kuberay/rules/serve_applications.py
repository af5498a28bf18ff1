"""Applications and deployments of a serve config: names, routes, code, and how replicas scale."""

from collections.abc import Iterator
from itertools import count

from renderer.backends.fields import elements, is_true, text
from renderer.backends.kuberay.runtime_env import address_problem, code_addresses, is_local
from renderer.backends.kuberay.serve_config.applications import (
    AUTO,
    is_autoscaled,
    runtime_environments,
)
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_FIELD = "serveConfigV2"
_SCHEMA = "ray-project/ray: python/ray/serve/schema.py"
_KIND = "RayService"
#: Ray's default of `max_ongoing_requests`.
_DEFAULT_ONGOING = 5


@rule("RAY503", Severity.ERROR, _KIND, reads=(_FIELD,))
def applications_have_names_of_their_own(serve: ServeView) -> Iterator[Finding]:
    """Every application has a name of its own; one without is called `default`.

    Ray refuses the whole config if two have the same.

    Fails:
        serveConfigV2:
          applications:
            - {import_path: "scorer:app"}
            - {name: default, import_path: "ranker:app", route_prefix: /rank}
    Passes:
        serveConfigV2:
          applications:
            - {import_path: "scorer:app"}
            - {name: ranker, import_path: "ranker:app", route_prefix: /rank}
    """
    seen: set[str] = set()
    for item in serve.applications:
        if item.name in seen:
            message = f"another application is called {item.name!r} already"
            yield serve.finding((*item.path, "name"), message, "give each one a name of its own")
        seen.add(item.name)


@rule("RAY504", Severity.ERROR, _KIND, reads=(_FIELD,))
def applications_have_routes_of_their_own(serve: ServeView) -> Iterator[Finding]:
    """Every application has a route of its own; one without takes `/`.

    Ray refuses the whole config if two have the same.

    Fails:
        serveConfigV2:
          applications:
            - {name: scorer, import_path: "scorer:app"}
            - {name: ranker, import_path: "ranker:app"}
    Passes with:
        serveConfigV2:
          applications:
            - {name: scorer, route_prefix: /score}
            - {name: ranker, route_prefix: /rank}
    """
    seen: dict[str, str] = {}
    taken = {item.route_prefix for item in serve.applications}
    for item in serve.applications:
        if item.route_prefix is not None:
            other = seen.setdefault(item.route_prefix, item.name)
            if item.name != other:
                message = f"{other!r} has the route {item.route_prefix} already"
                free = next(route for route in _routes(item.name) if route not in taken)
                taken.add(free)
                fix = f"write another one, as in {free}"
                yield serve.finding((*item.path, "route_prefix"), message, fix)


def _routes(name: str) -> Iterator[str]:
    """Routes that an application of a name may have, the best first."""
    yield f"/{name}"
    yield from (f"/{name}-{number}" for number in count(2))


@rule("RAY505", Severity.ERROR, _KIND, reads=(_FIELD,))
def code_is_at_an_address(serve: ServeView) -> Iterator[Finding]:
    """`working_dir` and `py_modules` of a runtime environment are addresses of archives.

    The config is read in the cluster, where a path on your own machine leads nowhere: Ray takes
    https, s3, gs, azure, abfss and file, newer versions http, too. The archive is a zip or a wheel,
    for newer versions also one of tar.

    Fails: serveConfigV2: {applications: [{runtime_env: {working_dir: ./src}}]}
    Passes:
        serveConfigV2:
          applications: [{runtime_env: {working_dir: "https://example.com/scorer-1.2.zip"}}]
    """
    for application in serve.applications:
        for path, node in runtime_environments(application):
            for place, item in code_addresses(node):
                value = item.value
                if not isinstance(value, str):
                    continue
                if problem := address_problem(str(place[0]), value, serve.ray_version):
                    fix = "put an archive where the cluster can fetch it, and write its address"
                    found = serve.finding((*path, *place), f"{value[:60]!r} {problem}", fix)
                    yield found._replace(since="" if is_local(value) else "0.2.0")


@rule("RAY520", Severity.ERROR, _KIND, reads=(_FIELD,))
def replicas_are_fixed_or_scaled(serve: ServeView) -> Iterator[Finding]:
    """A deployment has a number of replicas or an `autoscaling_config`, not both.

    Ray refuses the config. `num_replicas: auto` goes with an `autoscaling_config`.

    Fails:
        serveConfigV2:
          applications:
            - deployments:
                - {name: Scorer, num_replicas: 2, autoscaling_config: {max_replicas: 4}}
    Passes:
        serveConfigV2:
          applications:
            - deployments:
                - {name: Scorer, autoscaling_config: {min_replicas: 2, max_replicas: 4}}
    """
    for item in serve.deployments:
        number = text(item.node, "num_replicas")
        if number and number != AUTO and is_autoscaled(item.node):
            message = f"{item.name!r} has {number} replicas and an autoscaling_config"
            fix = "delete num_replicas, and write min_replicas and max_replicas"
            yield serve.finding((*item.path, "num_replicas"), message, fix, at_key=True)


@rule("RAY521", Severity.ERROR, _KIND, reads=(_FIELD,))
def numbers_of_replicas_are_in_order(serve: ServeView) -> Iterator[Finding]:
    """`min_replicas` is at most `initial_replicas`, and that at most `max_replicas`.

    By default both ends are 1, with `num_replicas: auto` the upper one is 100. Ray refuses the
    config if they are not in order.

    Fails:
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, autoscaling_config: {min_replicas: 2}}]}]
    Passes with:
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, autoscaling_config: {max_replicas: 4}}]}]
    """
    for item in serve.deployments:
        fewest, first, most = item.replicas
        if not fewest <= first <= most:
            key = _overridden(item.node) or ("max" if fewest > most else "initial") + "_replicas"
            numbers = f"min_replicas {fewest}, initial_replicas {first} and max_replicas {most}"
            message = f"{item.name!r} has {numbers}"
            fix = "write min_replicas <= initial_replicas <= max_replicas"
            yield serve.finding((*item.path, "autoscaling_config", key), message, fix)


def _overridden(deployment: Node) -> str:
    """The one bound that a more specific file sets, where the others are set elsewhere."""
    scaling = deployment.items.get("autoscaling_config")
    own = {key: node.origin.file for key, node in scaling.items.items()} if scaling else {}
    bounds = {
        key: own[key] for key in ("min_replicas", "initial_replicas", "max_replicas") if key in own
    }
    specific = [key for key, file in bounds.items() if scaling and file == scaling.origin.file]
    return specific[0] if len(specific) == 1 and len(bounds) > 1 else ""


@rule("RAY522", Severity.ERROR, _KIND, reads=(_FIELD,))
def bundles_are_not_counted_by_node(serve: ServeView) -> Iterator[Finding]:
    """A deployment has `max_replicas_per_node` or `placement_group_bundles`, not both.

    Ray refuses the config.

    Fails:
        serveConfigV2:
          applications:
            - deployments:
                - {name: Scorer, max_replicas_per_node: 1, placement_group_bundles: [{CPU: 1}]}
    Passes:
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, placement_group_bundles: [{CPU: 1}]}]}]
    """
    for item in serve.deployments:
        bundles = elements(item.node, "placement_group_bundles")
        if bundles and text(item.node, "max_replicas_per_node"):
            message = f"{item.name!r} has placement_group_bundles and max_replicas_per_node"
            place = (*item.path, "max_replicas_per_node")
            yield serve.finding(place, message, "delete one of the two", at_key=True)


@rule("RAY523", Severity.ERROR, _KIND, reads=(_FIELD,))
def replicas_are_scaled_by_one(serve: ServeView) -> Iterator[Finding]:
    """The deployments of an application with `external_scaler_enabled` do not scale themselves.

    Ray refuses the config.

    Fails:
        serveConfigV2:
          applications:
            - {external_scaler_enabled: true, deployments: [{name: Scorer, num_replicas: auto}]}
    Passes with: serveConfigV2: {applications: [{deployments: [{name: Scorer, num_replicas: 2}]}]}
    """
    for application in serve.applications:
        is_scaled_outside = is_true(application.node, "external_scaler_enabled")
        for item in application.deployments:
            if is_scaled_outside and is_autoscaled(item.node):
                given = "autoscaling_config" in item.node.items
                key = "autoscaling_config" if given else "num_replicas"
                message = f"{item.name!r} scales itself, and its application is scaled from outside"
                fix = "write a number of replicas, or delete external_scaler_enabled"
                yield serve.finding((*item.path, key), message, fix, at_key=True)


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
            yield serve.finding((*item.path, "import_path"), message, fix)


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
            yield serve.finding(path, message, "write a product, such as A100, and num_gpus")


@rule("RAY518", Severity.WARNING, _KIND, reads=(_FIELD,), since="0.2.0")
def replicas_take_what_they_scale_by(serve: ServeView) -> Iterator[Finding]:
    """`max_ongoing_requests` is at least `target_ongoing_requests`.

    A replica never has as many requests as would have another one started, and Ray logs that it
    will not scale (read in its source). By default the former is 5.

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
            yield serve.finding(path, message, fix)


def _number(node: Node, *path: str) -> float | None:
    found = node.get(*path)
    value = found.value if found else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


RULES = rules_with_source(
    (
        applications_have_names_of_their_own,
        applications_have_routes_of_their_own,
        code_is_at_an_address,
        replicas_are_fixed_or_scaled,
        numbers_of_replicas_are_in_order,
        bundles_are_not_counted_by_node,
        replicas_are_scaled_by_one,
        import_paths_name_modules,
        accelerators_are_products,
        replicas_take_what_they_scale_by,
    ),
    _SCHEMA,
)
