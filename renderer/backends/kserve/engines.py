"""The containers of an InferenceService that may run an engine of language models, as they run."""

from typing import TYPE_CHECKING

from renderer.backends.fields import elements, text
from renderer.backends.kserve.dialect import MODEL_MESH
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.merged_container import (
    ADAPTERS,
    MODELS,
    TRANSFORMER_CONTAINER,
    Metadata,
    RuntimeSpec,
    predictor_pod,
)
from renderer.backends.kserve.model import Model
from renderer.backends.kserve.pods import component_pods, runtime_fields
from renderer.backends.kserve.runtimes import Runtime, server_name
from renderer.backends.kserve.worker_nodes import node_group, parallel_sizes
from renderer.derive.located import located, tree_of
from renderer.engines.marks import HUGGINGFACE, names_engine
from renderer.kubernetes.data import Data, items
from renderer.kubernetes.pods import Pod
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, Plain

if TYPE_CHECKING:  # most services run no engine
    from collections.abc import Iterator

    from renderer.engines.runs import EngineContainer

#: What KServe tells the head of several nodes.
_SIZES = ("TENSOR_PARALLEL_SIZE", "PIPELINE_PARALLEL_SIZE")
#: Where Services of components send requests to if nothing says it.
_PORT = "8080"
_MADE = Origin("", 0, 0, "set by KServe")
_SERVERS = frozenset((HUGGINGFACE, "vllmserver"))


def engine_containers(service: InferenceService) -> "Iterator[EngineContainer]":
    """Those of its pods; that of a model is merged with its runtime's."""
    model, runtime = service.model, service.runtime
    if model and runtime and _may_run_engine(service, model, runtime):
        yield from _model_containers(service, model, runtime)
    has_own_images = "engines" in service.environment.tree.items
    for pod in component_pods(service):
        if has_own_images or any(names_engine(item.node) for item in pod.spec.each("containers")):
            from renderer.engines.runs import containers_of

            for found in containers_of(pod._replace(others=())):
                is_called = _is_called(found.container, pod) and service.mode != MODEL_MESH
                port = _first_port(found.container) if is_called else ""
                mounts = _mounts(service.tree, service.predictor.node)
                yield found._replace(port=port, mounts=mounts)


def _is_called(container: Node, pod: Pod) -> bool:
    """Whether the Service of a component sends requests to a container, and not to workers."""
    listed = elements(pod.spec.node, "containers")
    named = (item for item in listed if text(item, "name") == TRANSFORMER_CONTAINER)
    return pod.spec.path[-1] != "workerSpec" and container is next(named, listed[0])


def _first_port(container: Node) -> str:
    """Where the Service of a component sends requests to."""
    return next((text(item, "containerPort") for item in elements(container, "ports")), _PORT)


def _mounts(*places: Node) -> tuple[str, ...]:
    """Where KServe mounts what it fetches."""
    listed = (item for place in places for item in elements(place, "storageUris"))
    return (MODELS, ADAPTERS, *(text(item, "mountPath") for item in listed))


def _may_run_engine(service: InferenceService, model: Model, runtime: Runtime) -> bool:
    """A quick look, for most models are no language models."""
    below = service.runtime_container
    is_named = server_name(runtime.name, runtime.server_type) in _SERVERS or names_engine(
        model.node
    )
    has_own_images = "engines" in service.environment.tree.items
    return is_named or has_own_images or (below is not None and names_engine(below))


def _model_containers(
    service: InferenceService, model: Model, runtime: Runtime
) -> "Iterator[EngineContainer]":
    from renderer.engines.runs import EngineContainer

    fields = runtime_fields(runtime, service)
    if fields is None:
        return
    about = {key: located(service.tree.get(key)) for key in ("labels", "annotations")}
    metadata = Metadata(
        service.name,
        service.namespace,
        *({name: str(value) for name, value in given.items()} for given in about.values()),
    )
    predictor = located(model.convert_predictor(service.predictor.node, {}))
    spec = RuntimeSpec(runtime.name, located(fields), runtime.server_type)
    pod = predictor_pod(spec, predictor, metadata)
    first, *others = items(pod, "containers")
    first = _add_sizes(first, service)
    group = node_group(service)
    has_workers = service.predictor.has("workerSpec")
    yield EngineContainer(
        model.field,
        tree_of(first, _MADE),
        tree_of(pod, _MADE),
        pods=None if has_workers else 1,
        accelerators=group.accelerators if group else None,
        uri=model.node.get("storageUri"),
        name=service.name,
        others=tuple(tree_of(item, _MADE) for item in others),
        port="" if service.mode == MODEL_MESH else _first_port(tree_of(first, _MADE)),
        mounts=_mounts(service.tree, service.predictor.node),
    )


def _add_sizes(container: Data, service: InferenceService) -> Data:
    """A head of several nodes with the variables that say how many there are.

    The shell of the runtime that KServe ships hands them on before all other arguments.
    """
    if service.predictor.node.get("workerSpec") is None:
        return container
    sizes = dict(zip(_SIZES, map(str, parallel_sizes(service)), strict=True))
    env: list[Plain] = [{"name": name, "value": size} for name, size in sizes.items()]
    found: Data = {**container, "env": [*items(container, "env"), *env]}
    if "command" not in container:
        first = [f"--{name.lower().replace('_', '-')}={size}" for name, size in sizes.items()]
        given = container.get("args")
        found["args"] = [*first, *(given if isinstance(given, list) else ())]
    return found
