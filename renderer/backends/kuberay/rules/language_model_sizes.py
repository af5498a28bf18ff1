"""Language models of `ray.serve.llm` against the nodes of the cluster: whether there is room."""

from collections.abc import Iterator, Sequence
from math import inf

from renderer.backends.kuberay.rules.serve_replicas import (
    amount_text,
    fits_nowhere,
    total_offers,
    unmet_amounts,
    usable_nodes,
)
from renderer.backends.kuberay.serve_config.applications import (
    GPU,
    Amounts,
    Deployment,
    sum_amounts,
)
from renderer.backends.kuberay.serve_config.language_models import Model, language_models
from renderer.backends.kuberay.serve_config.view import NodeSize, ServeView
from renderer.text.wording import counted, listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_READS, _KIND = ("serveConfigV2", "rayClusterConfig"), "RayService"
_SOURCE = "ray-project/ray: python/ray/llm/_internal/serve, python/ray/_private/accelerators"
_PACK, _SPREAD = "STRICT_PACK", "STRICT_SPREAD"
_ACCELERATOR = "accelerator_type:"
#: Names that Ray has for sizes of an accelerator, and never finds on a node by itself.
_NEVER_FOUND = {"A100-40G": "A100", "A100-80G": "A100"}


@rule("ENG306", Severity.WARNING, _KIND, reads=_READS, since="0.3.0")
def models_find_room(serve: ServeView) -> Iterator[Finding]:
    """The cluster has room for the fewest replicas of all its models.

    A replica takes tensor × pipeline parallelism, or what its bundles say; there are as many
    replicas as `deployment_config` says, and of data parallelism as many for each. Those that find
    no room wait, and the application stays at DEPLOYING. Each bundle is on one node; STRICT_PACK
    keeps a whole replica there, as Ray before 2.51 does with tensor parallelism, and STRICT_SPREAD
    puts each bundle on another. There are as many nodes as `maxReplicas` says with
    `enableInTreeAutoscaling: true`, and as `replicas` says without.

    Fails:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              replicas: 1
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 2}}}]}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - model_loading_config: {model_id: chat}
                    engine_kwargs: {tensor_parallel_size: 4}
    Passes with:
        rayClusterConfig: {workerGroupSpecs: [{groupName: small, replicas: 2}]}
    """
    nodes, models = usable_nodes(serve), _models(serve)
    if not nodes:
        return
    found = [one for model in models for one in _crowded(serve, model, nodes)]
    yield from found
    offered = total_offers(nodes)
    wanted = sum_amounts((_replica(item), item.replicas.fewest) for item in models)
    others = sum_amounts((item.replica, item.replicas.first) for item in _others(serve))
    needed = wanted.get(GPU, 0) + others.get(GPU, 0)
    if models and not found and wanted.get(GPU) and needed > offered.get(GPU, 0):
        largest = max(models, key=lambda item: _replica(item).get(GPU, 0) * item.replicas.fewest)
        what = "the models and other deployments" if others.get(GPU) else "the models"
        offer = amount_text(GPU, offered.get(GPU, 0))
        message = f"{what} ask for {amount_text(GPU, needed)}, and all nodes together offer {offer}"
        fix = f"raise {_bound(nodes)} of a group of workers, or lower tensor_parallel_size"
        yield serve.finding(largest.path, message, fix)


@rule("ENG309", Severity.WARNING, _KIND, reads=_READS, since="0.3.0")
def models_can_grow(serve: ServeView) -> Iterator[Finding]:
    """The cluster can become large enough for the `max_replicas` of each model by itself.

    Ray starts the others as well, and no node ever has room for them: requests wait meanwhile.
    Groups of workers grow up to `maxReplicas`, and only with `enableInTreeAutoscaling: true`.

    Fails:
        rayClusterConfig:
          workerGroupSpecs:
            - groupName: small
              replicas: 1
              template:
                spec: {containers: [{name: ray-worker, resources: {limits: {nvidia.com/gpu: 2}}}]}
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - model_loading_config: {model_id: chat}
                    deployment_config: {autoscaling_config: {min_replicas: 1, max_replicas: 4}}
    Passes with:
        rayClusterConfig: {workerGroupSpecs: [{groupName: small, replicas: 2}]}
    """
    nodes = usable_nodes(serve)
    for model in _models(serve) if nodes else ():
        path = ("deployment_config", "autoscaling_config", "max_replicas")
        room = _room(serve, model, nodes)
        if model.node.get(*path) and model.replicas.fewest <= room < model.replicas.most:
            most = amount_text(GPU, _replica(model).get(GPU, 0) * model.replicas.most)
            fitting = counted(int(room), "replica")
            message = f"max_replicas asks for {most}, and the nodes have room for {fitting}"
            fix = f"lower max_replicas, or raise {_bound(nodes)} of a group of workers"
            yield serve.finding((*model.path, *path), message, fix)


@rule("ENG310", Severity.WARNING, _KIND, reads=_READS, since="0.3.0")
def models_find_their_accelerator(serve: ServeView) -> Iterator[Finding]:
    """Some nodes of the cluster have the accelerator that `accelerator_type` asks for.

    Ray finds out what a node has: it calls an NVIDIA A100 so whatever its memory is. A100-40G and
    A100-80G are only on nodes whose `rayStartParams` say so. A replica that finds no node waits,
    and the application stays at DEPLOYING. What nodes have is known by the node selector and the
    affinity of groups.

    Fails:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs:
                  - {model_loading_config: {model_id: chat}, accelerator_type: A100-80G}
    Passes:
        serveConfigV2:
          applications:
            - import_path: ray.serve.llm:build_openai_app
              args:
                llm_configs: [{model_loading_config: {model_id: chat}, accelerator_type: A100}]
    """
    named = {name for node in serve.nodes for name in node.resources}
    for model in _models(serve):
        wanted = model.accelerator_type
        resource = f"{_ACCELERATOR}{wanted}"
        place = (*model.path, "accelerator_type")
        if not wanted or resource in named or not model.bundles:
            continue
        if wanted in _NEVER_FOUND:
            said = f"""resources: "'{{\\"{resource}\\": 1}}'\""""
            message = f"Ray finds no {wanted} on any node: it calls each {_NEVER_FOUND[wanted]}"
            fix = f"write {_NEVER_FOUND[wanted]}, or {said} in rayStartParams of the group"
            yield serve.finding(place, message, fix)
        elif (others := _accelerators(serve)) and wanted not in others:
            message = f"the model runs on {wanted} only, and the nodes have {listed(others)}"
            fix = f"write {listed(others, 'or')}, or add a group of workers with {wanted}"
            yield serve.finding(place, message, fix)


def _models(serve: ServeView) -> list[Model]:
    return [model for found in language_models(serve) for model in found.models]


def _others(serve: ServeView) -> Iterator[Deployment]:
    """The deployments of applications that serve no language models."""
    own = [found.application.path for found in language_models(serve)]
    for application in serve.applications:
        if application.path not in own:
            yield from application.deployments


def _replica(model: Model) -> Amounts:
    """What a replica asks of all nodes together, but for the accelerator that it is to find."""
    return sum_amounts((_drop_hint(amounts), 1) for _, amounts in model.bundles)


def _drop_hint(amounts: Amounts) -> Amounts:
    return {name: n for name, n in amounts.items() if not name.startswith(_ACCELERATOR)}


def _crowded(serve: ServeView, model: Model, nodes: Sequence[NodeSize]) -> Iterator[Finding]:
    """What of a model alone finds no room."""
    for path, amounts in dict(model.bundles).items():
        if fits_nowhere(_drop_hint(amounts), nodes):
            message = f"a bundle asks for {unmet_amounts(_drop_hint(amounts), nodes)}"
            fix = "divide it into bundles that fit, or give a group of workers larger limits"
            yield serve.finding(path, message, fix)
            return
    room, fewest = _room(serve, model, nodes), model.replicas.fewest
    if room >= fewest:
        return
    strategy = model.strategy(serve.ray_version)
    where = {_PACK: " on one node", _SPREAD: f" on {len(model.bundles)} nodes"}.get(strategy, "")
    asked = f"{amount_text(GPU, _replica(model).get(GPU, 0))}{where}"
    fitting = f"{int(room)} of {counted(fewest, 'replica')}"
    message = f"each replica asks for {asked}, and the nodes have room for {fitting}"
    fix = f"raise {_bound(nodes)} or limits of a group of workers, or lower tensor_parallel_size"
    yield serve.finding(model.path, message, fix)


def _room(serve: ServeView, model: Model, nodes: Sequence[NodeSize]) -> float:
    """How many replicas of a model find a place, if there is nothing else; by their GPUs."""
    pieces = [amounts.get(GPU, 0) for _, amounts in model.bundles]
    total = sum(node.number * _gpus(node) for node in nodes)
    strategy = model.strategy(serve.ray_version)
    if not pieces or not sum(pieces) or total == inf:
        return inf
    if strategy == _PACK:
        return sum(node.number * (_gpus(node) // sum(pieces)) for node in nodes)
    if strategy == _SPREAD and sum(node.number for node in nodes if _gpus(node)) < len(pieces):
        return 0
    if len({*pieces}) > 1:
        return total // sum(pieces)
    return sum(node.number * (_gpus(node) // pieces[0]) for node in nodes) // len(pieces)


def _gpus(node: NodeSize) -> float:
    return inf if node.gpus is None else node.gpus


def _bound(nodes: Sequence[NodeSize]) -> str:
    """The field that says how many nodes there can be."""
    is_scaled = any(node.fixed is None for node in nodes if node.group != "head")
    return "maxReplicas" if is_scaled else "replicas"


def _accelerators(serve: ServeView) -> list[str]:
    """What Ray finds on the nodes with GPUs; nothing if that is not known of one of them."""
    if serve.workload is None:
        return []
    from renderer.backends.kuberay.node_accelerators import ray_types

    return ray_types(serve.workload)


RULES = rules_with_source(
    (models_find_room, models_can_grow, models_find_their_accelerator), _SOURCE
)
