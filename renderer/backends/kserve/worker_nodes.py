"""A model on several nodes: how many KServe makes, and the accelerators that they have together."""

from collections.abc import Iterator

from renderer.backends.fields import elements, members, whole_number
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

TENSOR, PIPELINE = "tensorParallelSize", "pipelineParallelSize"
GPU_KINDS = ("nvidia.com/gpu", "amd.com/gpu", "intel.com/gpu", "habana.ai/gaudi")
GPU_SLICES = "nvidia.com/mig"
_EXECUTOR, _OWN_PROCESSES = "multinode/executor-backend", "mp"


class NodeGroup(NamedTuple):
    """The nodes that serve a model together, as KServe counts them since 0.16.

    The `head` and each of the workers have so many accelerators, of which `wanted` are needed.
    """

    nodes: int
    head: int
    worker: int
    wanted: int

    @property
    def accelerators(self) -> int:
        return self.head + self.worker * (self.nodes - 1)


@cached_by_identity
def node_group(service: PlacelessService) -> NodeGroup | None:
    """The nodes of a predictor; nothing if it has one, or its runtime is not known."""
    model, runtime = service.model, service.runtime_container
    own, dialect = service.predictor.node.get("workerSpec"), service.settings.dialect
    if model is None or own is None or runtime is None or not dialect.counts_nodes:
        return None
    tensor, pipeline = parallel_sizes(service)
    if _runs_own_processes(service):
        return NodeGroup(pipeline, tensor, tensor, tensor * pipeline)
    head = _accelerators((model.node, runtime))
    workers = [elements(item, "containers")[:1] for item in _worker_layers(service)]
    worker = _accelerators(tuple(item for listed in workers for item in listed))
    return _counted(head, worker, tensor * pipeline)


def parallel_sizes(service: PlacelessService) -> tuple[int, int]:
    """Tensor and pipeline parallelism, which are 1 where nothing says them."""
    tensor, pipeline = stated_sizes(service)
    return tensor or 1, pipeline or 1


def stated_sizes(service: PlacelessService) -> tuple[int | None, int | None]:
    """Tensor and pipeline parallelism: of the service, else of its runtime."""
    tensor, pipeline = (
        next((n for item in _worker_layers(service) if (n := whole_number(item, key))), None)
        for key in (TENSOR, PIPELINE)
    )
    return tensor, pipeline


def _worker_layers(service: PlacelessService) -> list[Node]:
    spec = service.runtime.spec if service.runtime else None
    layers = (service.predictor.node, spec.tree if spec else None)
    return [item for layer in layers if layer and (item := layer.get("workerSpec"))]


def _runs_own_processes(service: PlacelessService) -> bool:
    """Whether a runtime starts a process on each node itself, without Ray."""
    spec = service.runtime.spec if service.runtime else None
    given = spec.tree.get("annotations", _EXECUTOR) if spec else None
    return given is not None and given.value == _OWN_PROCESSES


def _accelerators(layers: tuple[Node, ...]) -> int:
    """What containers ask for of the first kind of GPU; limits do not count here."""
    merged: dict[str, Node] = {}
    for layer in reversed(layers):
        merged.update(members(layer, "resources", "requests"))
    return next(_amounts(merged), 0)


def _amounts(requests: dict[str, Node]) -> Iterator[int]:
    for name, node in requests.items():
        text = str(node.value)
        if (name in GPU_KINDS or name.startswith(GPU_SLICES)) and text.isdecimal():
            yield int(text[:9])


def _counted(head: int, worker: int, wanted: int) -> NodeGroup:
    """As many nodes as KServe makes: each worker has what it asks for, or one accelerator."""
    if worker:
        nodes = -(-wanted // worker)
        if nodes == 1 or head >= wanted:
            return NodeGroup(1, wanted, 0, wanted)
        return NodeGroup(nodes, head or wanted - worker * (nodes - 1), worker, wanted)
    if head:
        return NodeGroup(1 + max(wanted - head, 0), head, 1, wanted)
    return NodeGroup(wanted, 1, 1, wanted)
