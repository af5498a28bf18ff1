"""Applications that `ray.serve.llm` builds: their models, and what replicas of them ask for."""

from collections.abc import Iterator

from renderer.backends.fields import elements, is_true, text, whole_number
from renderer.backends.kuberay.serve_config.applications import (
    CPU,
    GPU,
    Amounts,
    Application,
    ReplicaBounds,
    amounts_of,
    replica_bounds,
)
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.engines.marks import RAY_GROUPS, RAY_MODULE
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Where the arguments of a builder have one configuration each.
_PLACES = ("llm_config", "prefill_config", "decode_config")
_OF_ONE_MODEL = ("build_llm_deployment", "build_dp_deployment")
_GROUP, TPU = "placement_group_config", "TPU"
#: Until then, tensor parallelism alone keeps a replica on one node.
_SPREADS_SHARDS = (2, 51, 0)
#: No engine is spread over more accelerators.
_LARGEST = 10_000


class Model(NamedTuple):
    """A configuration of a model, with its path in the serve config.

    `replicas` are as many as `deployment_config` says, each time for all of a data parallel group.
    """

    path: Path
    node: Node
    replicas: ReplicaBounds

    @property
    def accelerator_type(self) -> str:
        """The accelerator that its nodes must have, by Ray's name; empty if it may be any."""
        name = text(self.node, "accelerator_type")
        return "A10G" if name == "A10" else name

    @property
    def has_own_server(self) -> bool:
        """Whether another server than Ray's runs the engine, which decides what it is given."""
        return self.node.get("server_cls") is not None

    @property
    def hardware(self) -> str:
        """What it runs on: CPU, GPU or TPU."""
        kind = text(self.node, "accelerator_config", "kind").upper()
        if kind or is_true(self.node, "use_cpu"):
            return kind or CPU
        return TPU if self.accelerator_type.startswith(TPU) else GPU

    @property
    def size(self) -> int | None:
        """Tensor times pipeline parallelism; nothing if that is no number that makes sense."""
        sizes = [self._size(f"{name}_parallel_size") for name in ("tensor", "pipeline")]
        found = sizes[0] * sizes[1] if sizes[0] and sizes[1] else 0
        return found if 0 < found <= _LARGEST else None

    def _size(self, key: str) -> int | None:
        is_given = self.node.get("engine_kwargs", key) is not None
        return whole_number(self.node, "engine_kwargs", key) if is_given else 1

    @property
    def bundles(self) -> tuple[tuple[Path, Amounts], ...]:
        """What each replica asks for, in pieces that are on one node each, with what says so.

        None where another server than Ray's, or hardware other than GPUs, decides that.
        """
        if self.hardware != GPU or self.has_own_server:
            return ()
        own = elements(self.node, _GROUP, "bundles")
        if own:
            path = (*self.path, _GROUP, "bundles")
            return tuple(((*path, n), amounts_of(item.items)) for n, item in enumerate(own))
        for keys in ((_GROUP, "bundle_per_worker"), ("resources_per_bundle",)):
            if given := self.node.get(*keys):
                return (((*self.path, *keys), amounts_of(given.items)),) * (self.size or 0)
        return ((self.path, {GPU: 1}),) * (self.size or 0)

    def strategy(self, version: tuple[int, int, int] | None) -> str:
        """How the bundles of a replica are spread over nodes."""
        own = text(self.node, _GROUP, "strategy")
        is_old = version is not None and version < _SPREADS_SHARDS
        stays = is_old and self._size("pipeline_parallel_size") == 1
        return own or ("STRICT_PACK" if stays else "PACK")


class LanguageModels(NamedTuple):
    """An application that Ray builds of arguments, by one of its functions for language models."""

    application: Application
    builder: str
    args: Node

    @property
    def path(self) -> Path:
        return (*self.application.path, "args")

    @property
    def models(self) -> Iterator[Model]:
        """The configurations of its models."""
        for path, node in self._configs():
            groups = whole_number(node, "engine_kwargs", "data_parallel_size") or 1
            times = groups if self.builder in RAY_GROUPS else 1
            bounds = replica_bounds(node.get("deployment_config") or node)
            each = ReplicaBounds(*(number * times for number in bounds))
            yield Model((*self.path, *path), node, each)

    def _configs(self) -> Iterator[tuple[Path, Node]]:
        if self.builder in _OF_ONE_MODEL:
            yield (), self.args
        for number, item in enumerate(elements(self.args, "llm_configs")):
            if item.items:
                yield ("llm_configs", number), item
        for key in _PLACES:
            found = self.args.get(key)
            if found and found.items:
                yield (key,), found


def language_models(serve: ServeView) -> Iterator[LanguageModels]:
    """The applications of a serve config that serve language models."""
    for application in serve.applications:
        module, _, builder = text(application.node, "import_path").partition(":")
        args = application.node.get("args")
        if module == RAY_MODULE and builder and args is not None:
            yield LanguageModels(application, builder, args)
