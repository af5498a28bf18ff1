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
            - groupName: gpus
              maxReplicas: 4
              template:
                spec:
                  containers:
                    - name: ray-worker
                      image: rayproject/ray:2.52.0
                      resources: {limits: {cpu: 8, memory: 32Gi, nvidia.com/gpu: 1}}
        serveConfigV2:
          applications:
            - import_path: scorer:app
              deployments: [{name: Scorer, ray_actor_options: {num_gpus: 2}}]

    Passes:

        rayClusterConfig:
          workerGroupSpecs:
            - groupName: gpus
              maxReplicas: 4
              template:
                spec:
                  containers:
                    - name: ray-worker
                      image: rayproject/ray:2.52.0
                      resources: {limits: {cpu: 8, memory: 32Gi, nvidia.com/gpu: 2}}
        serveConfigV2:
          applications:
            - import_path: scorer:app
              deployments: [{name: Scorer, ray_actor_options: {num_gpus: 2}}]
    """
    nodes = _nodes(serve)
    for item in serve.deployments:
        large = [piece for piece in item.pieces if nodes and _fits_nowhere(piece, nodes)]
        for piece in large[:1]:
            nearest = min(nodes, key=lambda node: len(node.lacks(piece)))
            wanted = listed(_shown(name, piece[name]) for name in nearest.lacks(piece))
            message = f"a replica of {item.name!r} asks for {wanted}, and no node offers that"
            fix = "ask for less, or give a group of workers larger limits"
            yield serve.at(item.path, message, fix)


@rule("RAY531", Severity.WARNING, _KIND, reads=_READS)
def replicas_fit_in_the_cluster(serve: ServeView) -> Iterator[Finding]:
    """What all replicas ask for at first, all nodes together offer at their most.

    Those that find no room wait, and the application stays at DEPLOYING.

    Fails:

        rayClusterConfig:
          workerGroupSpecs:
            - groupName: gpus
              maxReplicas: 2
              template:
                spec:
                  containers:
                    - name: ray-worker
                      image: rayproject/ray:2.52.0
                      resources: {limits: {cpu: 8, memory: 32Gi, nvidia.com/gpu: 1}}
        serveConfigV2:
          applications:
            - import_path: scorer:app
              deployments: [{name: Scorer, num_replicas: 4, ray_actor_options: {num_gpus: 1}}]

    Passes:

        rayClusterConfig:
          workerGroupSpecs:
            - groupName: gpus
              maxReplicas: 4
              template:
                spec:
                  containers:
                    - name: ray-worker
                      image: rayproject/ray:2.52.0
                      resources: {limits: {cpu: 8, memory: 32Gi, nvidia.com/gpu: 1}}
        serveConfigV2:
          applications:
            - import_path: scorer:app
              deployments: [{name: Scorer, num_replicas: 4, ray_actor_options: {num_gpus: 1}}]
    """
    nodes, deployments = _nodes(serve), serve.deployments
    if not nodes or any(_fits_nowhere(piece, nodes) for d in deployments for piece in d.pieces):
        return
    needed = total((item.replica, item.replicas.first) for item in deployments)
    offered = _offered(nodes)
    for name, amount in needed.items():
        if amount > offered.get(name, 0):
            offer = _shown(name, offered[name])
            wanted = f"{_shown(name, amount)}, and all nodes together offer {offer}"
            fix = "raise maxReplicas of a group of workers, or run fewer replicas"
            yield serve.at(("applications",), f"all replicas ask for {wanted}", fix, at_key=True)


def _shown(name: str, amount: float) -> str:
    return f"{amount / _GIBI:.4g}Gi of memory" if name == MEMORY else f"{amount:g} {name}"


def _nodes(serve: ServeView) -> list[NodeSize]:
    return [node for node in serve.nodes if node.most > 0]


def _fits_nowhere(piece: Amounts, nodes: Iterable[NodeSize]) -> bool:
    return all(node.lacks(piece) for node in nodes)


def _offered(nodes: Iterable[NodeSize]) -> Amounts:
    """What all nodes offer; without end if it is not known of one."""
    unknown = {CPU: inf, GPU: inf, MEMORY: inf}
    return total(({**unknown, **node.offers}, node.most) for node in nodes)


RULES = (replicas_fit_on_a_node, replicas_fit_in_the_cluster)
