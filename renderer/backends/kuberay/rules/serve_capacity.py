"""Replicas of a serve config that the cluster has room for."""

from collections.abc import Iterable, Iterator
from math import inf

from renderer.backends.kuberay.serve_config.applications import CPU, GPU, MEMORY, Amounts, total
from renderer.backends.kuberay.serve_config.view import NodeSize, ServeView
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule

_READS = ("serveConfigV2", "rayClusterConfig")
_KIND = "RayService"
_GIBI = 2**30


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
    nodes, allowed = _nodes(serve), [node for node in serve.nodes if node.most > 0]
    large = [
        (item, piece)
        for item in serve.deployments
        for piece in [piece for piece in item.pieces if nodes and _fits_nowhere(piece, nodes)][:1]
    ]
    if len(large) > 1 and [(node.group, node.cpus) for node in nodes] == [("head", 0)]:
        message = "no replica can run: the head offers no CPU, and there are no workers"
        yield serve.at(("applications",), message, "add a group of workers", at_key=True)
        return
    for item, piece in large:
        message = f"a replica of {item.name!r} asks for {_lacking(piece, nodes)}"
        fix = "ask for less, or give a group of workers larger limits"
        since = "" if _fits_nowhere(piece, allowed) else "0.2.0"
        yield serve.at(item.path, message, fix)._replace(since=since)


def _lacking(piece: Amounts, nodes: Iterable[NodeSize]) -> str:
    """What no node offers, and the most that one of them has."""
    nearest = min(nodes, key=lambda node: len(node.lacks(piece)))
    wanted = listed(_shown(name, piece[name]) for name in nearest.lacks(piece))
    name = nearest.lacks(piece)[0]
    largest = max(nodes, key=lambda node: node.offers.get(name, 0))
    place = f", by {largest.places[name]}" if name in largest.places else ""
    most = f" (at most {_shown(name, largest.offers[name])}{place})" if place else ""
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
    nodes, deployments = _nodes(serve), serve.deployments
    if not nodes or any(_fits_nowhere(piece, nodes) for d in deployments for piece in d.pieces):
        return
    needed = total((item.replica, item.replicas.first) for item in deployments)
    offered, allowed = _offered(nodes), _offered(node._replace(fixed=None) for node in serve.nodes)
    field = "maxReplicas" if all(n.fixed is None for n in nodes) else "replicas"
    for name, amount in needed.items():
        if amount > offered.get(name, 0):
            offer = _shown(name, offered[name])
            wanted = f"{_shown(name, amount)}, and all nodes together offer {offer}"
            fix = f"raise {field} of a group of workers, or run fewer replicas"
            found = serve.at(("applications",), f"all replicas ask for {wanted}", fix, at_key=True)
            yield found._replace(since="" if amount > allowed.get(name, 0) else "0.2.0")


def _shown(name: str, amount: float) -> str:
    return f"{amount / _GIBI:.4g}Gi of memory" if name == MEMORY else f"{amount:g} {name}"


def _nodes(serve: ServeView) -> list[NodeSize]:
    return [node for node in serve.nodes if node.number > 0]


def _fits_nowhere(piece: Amounts, nodes: Iterable[NodeSize]) -> bool:
    return all(node.lacks(piece) for node in nodes)


def _offered(nodes: Iterable[NodeSize]) -> Amounts:
    """What all nodes offer; without end if it is not known of one."""
    unknown = {CPU: inf, GPU: inf, MEMORY: inf}
    return total(({**unknown, **node.offers}, node.number) for node in nodes)


RULES = (replicas_fit_on_a_node, replicas_fit_in_the_cluster)
