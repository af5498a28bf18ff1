"""What replicas of a serve config ask for, how they log, and whether the cluster has room."""

from collections.abc import Iterable, Iterator
from math import inf

from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.serve_config.applications import (
    CPU,
    GPU,
    MEMORY,
    Amounts,
    Deployment,
    sum_amounts,
)
from renderer.backends.kuberay.serve_config.view import NodeSize, ServeView
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node

_FIELD, _KIND = "serveConfigV2", "RayService"
_SOURCE = "ray-project/ray: python/ray/serve/schema.py, asked of 2.52.1 and 2.60.0"
_BUNDLES, _OPTIONS = "placement_group_bundles", "ray_actor_options"
_OWN_OPTIONS = {CPU: "num_cpus", GPU: "num_gpus", "memory": "memory"}
_TLS = ("ssl_certfile", "ssl_keyfile")
_LEVELS = ("CRITICAL", "FATAL", "ERROR", "WARNING", "WARN", "INFO", "DEBUG", "NOTSET")
_LEVEL_NUMBERS = (0, 10, 20, 30, 40, 50)
_ATTRIBUTES = (
    "args", "asctime", "created", "exc_info", "exc_text", "filename", "funcName", "levelname",
    "levelno", "lineno", "message", "module", "msecs", "msg", "name", "pathname", "process",
    "processName", "relativeCreated", "stack_info", "taskName", "thread", "threadName",
)  # fmt: skip
_READS = ("serveConfigV2", "rayClusterConfig")
_GIBI = 2**30


@rule("RAY510", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def deployments_are_said_once(serve: ServeView) -> Iterator[Finding]:
    """The deployments of an application have names of their own.

    Ray takes a second entry of the same name silently (observed), and uses it instead of the first.

    Fails:
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, num_replicas: 2}, {name: Scorer, num_replicas: 4}]}
    Passes:
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, num_replicas: 2}, {name: Ranker, num_replicas: 4}]}
    """
    for application in serve.applications:
        seen: set[str] = set()
        for item in application.deployments:
            if item.name and item.name in seen:
                message = f"a second deployment is called {item.name!r}, and counts instead"
                fix = "keep one of the two, or correct its name"
                yield serve.finding((*item.path, "name"), message, fix)
            seen.add(item.name)


@rule("RAY511", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def bundles_hold_replicas(serve: ServeView) -> Iterator[Finding]:
    """The first of a deployment's bundles has room for the replica itself, and none is empty.

    Ray refuses others when it deploys the application (observed), as well as a
    `placement_group_strategy` without bundles.

    Fails:
        serveConfigV2:
          applications:
            - deployments:
                - name: Scorer
                  placement_group_bundles: [{CPU: 1}]
                  ray_actor_options: {num_gpus: 1}
    Passes with:
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, placement_group_bundles: [{CPU: 1, GPU: 1}]}]}
    """
    for item in serve.deployments:
        for key, message, fix in _wrong_bundles(item):
            yield serve.finding((*item.path, *key), message, fix)


def _wrong_bundles(item: Deployment) -> Iterator[tuple[Path, str, str]]:
    given, bundles = item.node.items.get(_BUNDLES), elements(item.node, _BUNDLES)
    if given is not None and given.value == ():
        yield (_BUNDLES,), f"{item.name!r} has an empty list of bundles", "add one, or delete it"
    for index, bundle in enumerate(bundles):
        if not any(node.value for node in bundle.items.values()):
            yield (_BUNDLES, index), "the bundle has nothing in it", "write amounts, as in CPU: 1"
    if text(item.node, "placement_group_strategy") and given is None:
        message = f"{item.name!r} has a placement_group_strategy, and no bundles"
        yield ("placement_group_strategy",), message, f"add {_BUNDLES}, or delete it"
    lacking = [*_lacking(item, bundles[0])] if bundles else []
    if lacking:
        message = f"the first bundle has less {listed(lacking)} than the replica asks for"
        yield (_BUNDLES, 0), message, f"write as much as {_OPTIONS} says, or more"


def _lacking(item: Deployment, bundle: Node) -> Iterator[str]:
    """What a replica asks for and its bundle does not have."""
    asked = {
        name: item.node.get(_OPTIONS, option)
        for name, option in ((CPU, "num_cpus"), (GPU, "num_gpus"), ("memory", "memory"))
    }
    amounts = {name: node.value for name, node in asked.items() if node}
    for name, amount in amounts.items():
        found = bundle.items.get(name)
        has = found.value if found else 0
        if isinstance(amount, int | float) and isinstance(has, int | float) and amount > has:
            yield name


@rule("RAY512", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def resources_have_options_of_their_own(serve: ServeView) -> Iterator[Finding]:
    """CPU, GPU and memory of a replica are set by options of their own, not by `resources`.

    Ray refuses them there when it deploys the application (observed).

    Fails:
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, ray_actor_options: {resources: {GPU: 1}}}]}
    Passes:
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, ray_actor_options: {num_gpus: 1}}]}]
    """
    for item in serve.deployments:
        for name in members(item.node, _OPTIONS, "resources"):
            if name in _OWN_OPTIONS:
                path = (*item.path, _OPTIONS, "resources", name)
                fix = f"write {_OWN_OPTIONS[name]} beside resources"
                yield serve.finding(path, f"Ray does not take {name} here", fix, at_key=True)


@rule("RAY513", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def logs_are_as_python_has_them(serve: ServeView) -> Iterator[Finding]:
    """Levels and attributes of logs have the names that Python has for them, levels in capitals.

    Ray refuses the config otherwise (observed).

    Fails: serveConfigV2: {logging_config: {log_level: debug}}
    Passes: serveConfigV2: {logging_config: {log_level: DEBUG}}
    """
    for path, node in _logs(serve):
        level = node.items.get("log_level")
        if level and level.value not in (*_LEVELS, *_LEVEL_NUMBERS, None):
            message = f"{str(level.value)[:60]!r} is no level of logs"
            fix = suggest(str(level.value), _LEVELS, f"write {listed(_LEVELS[2:7], 'or')}")
            yield serve.finding((*path, "log_level"), message, fix)
        for index, item in enumerate(elements(node, "additional_log_standard_attrs")):
            if item.value not in _ATTRIBUTES:
                place = (*path, "additional_log_standard_attrs", index)
                message = f"{str(item.value)[:60]!r} is no attribute of a record of logs"
                yield serve.finding(
                    place, message, suggest(str(item.value), _ATTRIBUTES, "delete it")
                )


def _logs(serve: ServeView) -> Iterator[tuple[Path, Node]]:
    """All settings of logs, with their paths in the config."""
    if serve.config:
        owners: list[tuple[Path, Node]] = [((), serve.config.tree)]
        owners += ((item.path, item.node) for item in (*serve.applications, *serve.deployments))
        for path, node in owners:
            if found := node.items.get("logging_config"):
                yield (*path, "logging_config"), found


@rule("RAY514", Severity.ERROR, _KIND, reads=(_FIELD,), since="0.2.0")
def certificates_have_keys(serve: ServeView) -> Iterator[Finding]:
    """`ssl_certfile` and `ssl_keyfile` of `http_options` come together.

    Ray refuses a certificate without its key (observed), and a key without its certificate leaves
    requests unencrypted (inferred).

    Fails: serveConfigV2: {http_options: {ssl_certfile: /tls/tls.crt}}
    Passes with: serveConfigV2: {http_options: {ssl_keyfile: /tls/tls.key}}
    """
    options = members(serve.config.tree, "http_options") if serve.config else {}
    given = [key for key in _TLS if (node := options.get(key)) and node.value]
    if len(given) == 1:
        missing = next(key for key in _TLS if key not in given)
        message = f"{given[0]} goes with {missing}, which is missing"
        yield serve.finding(("http_options", given[0]), message, f"add {missing}", at_key=True)


@rule("RAY530", Severity.WARNING, _KIND, reads=_READS)
def replicas_fit_on_a_node(serve: ServeView) -> Iterator[Finding]:
    """What a replica asks for, some node offers: the head, or one of a group of workers.

    A replica runs on one node, and each bundle of a placement group does. If none is large enough
    the application stays at DEPLOYING, however many nodes there are. A node offers the limits of
    its Ray container, or what rayStartParams say.

    Fails:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 1}}}]}
        serveConfigV2:
          applications: [{deployments: [{name: Scorer, ray_actor_options: {num_gpus: 2}}]}]
    Passes with:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 2}}}]}
    """
    nodes, allowed = usable_nodes(serve), [node for node in serve.nodes if node.most > 0]
    large = [
        (item, piece)
        for item in serve.deployments
        for piece in [piece for piece in item.pieces if nodes and fits_nowhere(piece, nodes)][:1]
    ]
    if len(large) > 1 and [(node.group, node.cpus) for node in nodes] == [("head", 0)]:
        message = "no replica can run: the head offers no CPU, and there are no workers"
        yield serve.finding(("applications",), message, "add a group of workers", at_key=True)
        return
    for item, piece in large:
        message = f"a replica of {item.name!r} asks for {unmet_amounts(piece, nodes)}"
        fix = "ask for less, or give a group of workers larger limits"
        since = "" if fits_nowhere(piece, allowed) else "0.2.0"
        yield serve.finding(item.path, message, fix)._replace(since=since)


def unmet_amounts(piece: Amounts, nodes: Iterable[NodeSize]) -> str:
    """What no node offers, and the most that one of them has."""
    nearest = min(nodes, key=lambda node: len(node.lacks(piece)))
    wanted = listed(amount_text(name, piece[name]) for name in nearest.lacks(piece))
    name = nearest.lacks(piece)[0]
    largest = max(nodes, key=lambda node: node.offers.get(name, 0))
    place = f", by {largest.places[name]}" if name in largest.places else ""
    most = f" (at most {amount_text(name, largest.offers[name])}{place})" if place else ""
    return f"{wanted}, and no node offers that{most}"


@rule("RAY531", Severity.WARNING, _KIND, reads=_READS)
def replicas_fit_in_the_cluster(serve: ServeView) -> Iterator[Finding]:
    """What all replicas ask for at first, all nodes together offer at their most.

    Those that find no room wait, and the application stays at DEPLOYING. There are as many nodes
    as `maxReplicas` says with `enableInTreeAutoscaling: true`, and as `replicas` says without.

    Fails:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              replicas: 2
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 1}}}]}
        serveConfigV2:
          applications:
            - {deployments: [{name: Scorer, num_replicas: 4, ray_actor_options: {num_gpus: 1}}]}
    Passes with:
        rayClusterConfig: {workerGroupSpecs: [{groupName: small, replicas: 4, maxReplicas: 4}]}
    """
    nodes, deployments = usable_nodes(serve), serve.deployments
    if not nodes or any(fits_nowhere(piece, nodes) for d in deployments for piece in d.pieces):
        return
    needed = sum_amounts((item.replica, item.replicas.first) for item in deployments)
    offered, allowed = (
        total_offers(nodes),
        total_offers(node._replace(fixed=None) for node in serve.nodes),
    )
    field = "maxReplicas" if all(n.fixed is None for n in nodes) else "replicas"
    for name, amount in needed.items():
        if amount > offered.get(name, 0):
            offer = amount_text(name, offered[name])
            wanted = f"{amount_text(name, amount)}, and all nodes together offer {offer}"
            fix = f"raise {field} of a group of workers, or run fewer replicas"
            found = serve.finding(
                ("applications",), f"all replicas ask for {wanted}", fix, at_key=True
            )
            yield found._replace(since="" if amount > allowed.get(name, 0) else "0.2.0")


def amount_text(name: str, amount: float) -> str:
    """An amount as people say it."""
    return f"{amount / _GIBI:.4g}Gi of memory" if name == MEMORY else f"{amount:g} {name}"


def usable_nodes(serve: ServeView) -> list[NodeSize]:
    """The nodes that there may be."""
    return [node for node in serve.nodes if node.number > 0]


def fits_nowhere(piece: Amounts, nodes: Iterable[NodeSize]) -> bool:
    """Whether each of some nodes has less than is asked of one."""
    return all(node.lacks(piece) for node in nodes)


def total_offers(nodes: Iterable[NodeSize]) -> Amounts:
    """What all nodes offer; without end if it is not known of one."""
    unknown = {CPU: inf, GPU: inf, MEMORY: inf}
    return sum_amounts(({**unknown, **node.offers}, node.number) for node in nodes)


RULES = (
    *rules_with_source(
        (
            deployments_are_said_once,
            bundles_hold_replicas,
            resources_have_options_of_their_own,
            logs_are_as_python_has_them,
            certificates_have_keys,
        ),
        _SOURCE,
    ),
    replicas_fit_on_a_node,
    replicas_fit_in_the_cluster,
)
