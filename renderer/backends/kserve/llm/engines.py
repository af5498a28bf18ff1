"""The containers of an LLM service that run an engine of language models, as they run."""

from typing import TYPE_CHECKING

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.merged import merged
from renderer.backends.kserve.llm.pods import pods
from renderer.backends.kserve.llm.service import LLM_SERVICE, PREFILL, LlmView
from renderer.backends.kserve.merged_container import ADAPTERS, MODELS
from renderer.engines.marks import names_engine
from renderer.kubernetes.pods import Field
from renderer.values.tree import Node

if TYPE_CHECKING:  # a configuration may run no engine
    from collections.abc import Iterator

    from renderer.engines.runs import EngineContainer

_SERVER_PLACES = (("template",), ("worker",), (PREFILL, "template"), (PREFILL, "worker"))
#: Where the Service of an LLM service sends requests to.
_PORT = "8000"
#: Where KServe mounts what it fetches.
_MOUNTS = (MODELS, ADAPTERS)


def engine_containers(view: LlmView) -> "Iterator[EngineContainer]":
    """Those of an LLM service, laid over presets; else those that have a command of their own."""
    if view.spec.kind.name == LLM_SERVICE:
        effective = merged(view).effective
        if effective.is_whole:
            yield from _whole_containers(view, effective.spec)
            return
    for pod in pods(view):
        if any(names_engine(item.node) for item in pod.spec.each("containers")):
            from renderer.engines.runs import containers_of

            for found in containers_of(pod):
                if "command" in found.container.items:
                    yield found._replace(pods=None, others=None, mounts=_MOUNTS)


def _whole_containers(view: LlmView, spec: Node) -> "Iterator[EngineContainer]":
    """The servers of the spec that runs; a service says by which of its fields it adds to them."""
    from renderer.engines.runs import EngineContainer, sidecars

    for place in _SERVER_PLACES:
        pod = spec.get(*place)
        is_spread = spec.get(*place[:-1], "worker") is not None
        listed = [*elements(pod, "containers"), *(sidecars(pod) if pod else ())]
        port = _PORT if place[-1] == "template" and not _has_own_pool(spec) else ""
        for container in elements(pod, "containers"):
            if names_engine(container):
                known = (path for path in (place, ("model",)) if view.tree.get(*path))
                where = next(known, ())
                node = view.tree.get(*where) or view.tree
                yield EngineContainer(
                    Field(where, node),
                    container,
                    pod or spec,
                    view.tree,
                    pods=None if is_spread else 1,
                    uri=spec.get("model", "uri"),
                    others=tuple(item for item in listed if item is not container),
                    port=port,
                    routed_name=text(spec, "model", "name"),
                    mounts=_MOUNTS,
                )


def _has_own_pool(spec: Node) -> bool:
    """Whether the scheduler sends requests elsewhere than the Service does."""
    pool = spec.get("router", "scheduler", "pool")
    return pool is not None and bool(elements(pool, "spec", "targetPorts") or pool.get("ref"))
