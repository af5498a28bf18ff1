"""Which runtime KServe chooses for a model, and why it takes none of the others."""

from collections.abc import Iterable, Sequence

from renderer.backends.kserve.components import Component
from renderer.backends.kserve.model import Model
from renderer.backends.kserve.runtimes import (
    CLUSTER_RUNTIME,
    RUNTIME_KINDS,
    SERVING_RUNTIME,
    Format,
    Runtime,
    protocol_rank,
)
from renderer.text.wording import listed
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple


class Request(NamedTuple):
    """What a model asks of a runtime; without a protocol any will do."""

    format: str
    version: str = ""
    protocol: str = "v1"
    multi_node: bool = False

    def __str__(self) -> str:
        return f"{self.format} {self.version}".strip()


class RejectedRuntime(NamedTuple):
    """A runtime that is not chosen, and why."""

    runtime: Runtime
    reason: str


class Choice(NamedTuple):
    """The runtime that KServe chooses, and those that it does not.

    `rivals` are those between which only the age of the objects in the cluster decides, so that
    nothing is chosen here.
    """

    winner: Runtime | None = None
    rivals: tuple[Runtime, ...] = ()
    fallen: tuple[RejectedRuntime, ...] = ()

    def concerned(self, request: Request) -> list[RejectedRuntime]:
        """Those of the others that list the format at all."""
        return [item for item in self.fallen if item.runtime.lists(request.format)]


@cached_by_identity
def request_for(model: Model, predictor: Component) -> Request:
    """What the model of a predictor asks of runtimes."""
    # Without a protocol KServe looks for v1, but takes a runtime that is named as it is.
    protocol = model.protocol or ("" if model.runtime else "v1")
    return Request(model.format, model.version, protocol, predictor.has("workerSpec"))


def join_runtimes(
    own: Iterable[Runtime], namespace: str, others: Iterable[Runtime]
) -> list[Runtime]:
    """What KServe has to choose from: of the namespace and of the cluster, then other ones.

    One of the cluster that is applied from this repository stands for another of its name.
    """
    near = [item for item in own if item.namespace in ("", namespace)]
    names = {item.name for item in near if item.kind == CLUSTER_RUNTIME}
    return [*near, *(item for item in others if item.name not in names)]


def find_runtime(model: Model, request: Request, known: Sequence[Runtime]) -> Choice:
    """The runtime that a model names, else the one that KServe chooses."""
    return Choice(named_runtime(model.runtime, known)) if model.runtime else choose(request, known)


def named_runtime(name: str, known: Sequence[Runtime]) -> Runtime | None:
    """The runtime that KServe takes for a name: one of the namespace comes first."""
    wanted = [(kind, name) for kind in RUNTIME_KINDS]
    return next((item for key in wanted for item in known if (item.kind, item.name) == key), None)


def choose(request: Request, runtimes: Iterable[Runtime]) -> Choice:
    """The runtime for a model that names none, of those that are in its reach."""
    fallen: list[RejectedRuntime] = []
    able: list[Runtime] = []
    for runtime in runtimes:
        reason = exclusion_reason(request, runtime)
        able += [] if reason else [runtime]
        fallen += [RejectedRuntime(runtime, reason)] if reason else []
    if not able:
        return Choice(None, (), tuple(fallen))
    # Among equals KServe takes the object that was created last, which no file says.
    best = min(_order(request, item) for item in able)
    first = [item for item in able if _order(request, item) == best]
    if len(first) > 1:
        return Choice(None, tuple(first), tuple(fallen))
    beaten = (
        RejectedRuntime(item, _lost_reason(request, item, first[0]))
        for item in able
        if item not in first
    )
    return Choice(first[0], (), (*fallen, *beaten))


def exclusion_reason(request: Request, runtime: Runtime) -> str:
    """Why a runtime is not even considered; empty if it is."""
    if reason := unfit_reason(request, runtime):
        return reason
    if runtime.multi_node and not request.multi_node:
        return "it is for models with workers (workerSpec)"
    if runtime.multi_model:
        return "it serves several models at once (multiModel)"
    if not any(item.auto_select for item in matching_formats(request, runtime)):
        return "it may only be chosen by its name (no autoSelect)"
    return ""


def unfit_reason(request: Request, runtime: Runtime) -> str:
    """Why a runtime cannot serve a model, even one that names it; empty if it can."""
    if runtime.disabled:
        return "it is disabled"
    entries = runtime.lists(request.format)
    if not entries:
        return f"it does not list the format {request.format}"
    if not matching_formats(request, runtime):
        versions = listed(item.version or "no version" for item in entries)
        return f"it lists {request.format} with {versions}, not {request.version}"
    if request.protocol and not runtime.speaks(request.protocol):
        return f"it speaks {listed(runtime.protocols)}, not {request.protocol}"
    if request.multi_node and not runtime.multi_node:
        return "it has no workers (workerSpec)"
    return ""


def matching_formats(request: Request, runtime: Runtime) -> list[Format]:
    """Its entries that a model asks for: the version is compared as text, none means any."""
    entries = runtime.lists(request.format)
    return [item for item in entries if request.version in ("", item.version)]


def _order(request: Request, runtime: Runtime) -> tuple[int, int, int]:
    """What comes first: its own namespace, then priorities, then the simplest protocol."""
    priority = runtime.priority(request.format)
    first = min((protocol_rank(item) for item in runtime.protocols), default=protocol_rank(""))
    rank = 1 if priority is None else -priority
    return int(runtime.kind != SERVING_RUNTIME), rank, first


def _lost_reason(request: Request, runtime: Runtime, winner: Runtime) -> str:
    if runtime.kind != winner.kind:
        return f"{winner.name} is one of the namespace"
    if runtime.priority(request.format) != winner.priority(request.format):
        return f"{winner.name} has a higher priority"
    return f"{winner.name} speaks a simpler protocol"
