"""Whether a model fits the accelerators of its pods: weights, cache and what else is needed."""

from collections.abc import Iterator

from renderer.engines.accelerators import Accelerator, Choice, choose, devices
from renderer.engines.answers import served_names
from renderer.engines.model_sizes import BYTES, ModelSize, model_size
from renderer.engines.options import Option
from renderer.engines.runs import EngineRun
from renderer.engines.settings import model_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

GIBI = 2**30
#: What an engine takes beside weights and cache is not known; this is taken for it.
OVERHEAD = GIBI
_UTILIZATION = 0.9
_PARALLEL = ("tensor-parallel-size", "pipeline-parallel-size")
#: How much weights shrink that are quantized while they are loaded.
_SHRINKING = {"fp8": 0.5, "bitsandbytes": 0.25, "experts-int8": 0.5}


class Fit(NamedTuple):
    """What a model needs of each accelerator, and what one has, in bytes.

    `cache` is for one request of the longest `context`; nothing if it is not known. `chosen` has
    the other accelerators that the pod may get as well.
    """

    model: ModelSize
    chosen: Choice
    accelerator: Accelerator
    shares: int
    weights: float
    budget: float
    utilization: float
    context: int | None = None
    cache: float | None = None

    @property
    def total(self) -> float:
        return self.weights + (self.cache or 0) + OVERHEAD


def model_uris(run: EngineRun) -> tuple[str, ...]:
    """Where a model comes from, in all words that say it."""
    found = [str(run.given.uri.value)] if run.given.uri else []
    if option := run.options.get("model", "model-id"):
        found.append(option.value)
    elif run.line.takes_model and run.line.words and not run.line.words[0].text.startswith("-"):
        found.append(run.line.words[0].text)
    return tuple(name for item in found for name in (item, item.partition("://")[2]) if name)


def known_model(run: EngineRun) -> ModelSize | None:
    """The size of the model that an engine serves, if the environment says it."""
    if "models" not in run.environment.tree.items:
        return None
    entry = model_of(model_uris(run), served_names(run), run.environment)
    return model_size(entry) if entry else None


def chosen_accelerators(run: EngineRun) -> Choice:
    """The accelerators that a pod may get; none if it has none, or nothing says which."""
    if run.given.chosen:
        return run.given.chosen
    given = devices(run.container)
    resource = next(iter(given), "")
    return choose(run.given.pod, resource, run.environment) if resource else Choice(())


def fit(run: EngineRun) -> Fit | None:
    """What can be said of the memory; nothing if a figure is missing."""
    model, chosen = known_model(run), chosen_accelerators(run)
    accelerator = chosen.smallest
    shares = [run.options.number(name) for name in _PARALLEL]
    if model is None or not model.weights or accelerator is None or None in shares:
        return None
    parts = max((shares[0] or 1) * (shares[1] or 1), 1)
    share = _utilization(run)
    weights = model.weights * _shrinking(run, model) / parts
    context = _context(run, model)
    offloaded = run.options.get("cpu-offload-gb")
    spared = (offloaded.share or 0) * GIBI if offloaded else 0
    return Fit(
        model,
        chosen,
        accelerator,
        parts,
        max(weights - spared, 0),
        accelerator.memory * share,
        share,
        context,
        _cache(run, model, context, shares[0] or 1, shares[1] or 1),
    )


def _utilization(run: EngineRun) -> float:
    option = run.options.get("gpu-memory-utilization")
    share = option.share if option else None
    return share if share is not None and 0 < share <= 1 else _UTILIZATION


def _context(run: EngineRun, model: ModelSize) -> int | None:
    option = run.options.get("max-model-len", "max-length")
    return (option.number if option else None) or (None if option else model.context)


def _shrinking(run: EngineRun, model: ModelSize) -> float:
    """The part of the weights that stays of them once they are loaded."""
    method = run.options.get("quantization")
    if method and not model.is_quantized:
        return _SHRINKING.get(method.value.replace("_", "-"), 1.0)
    dtype = run.options.get("dtype")
    is_cut = model.dtype == "float32" and (dtype is None or dtype.value not in ("float32", "float"))
    return 0.5 if is_cut else 1.0


def _cache(
    run: EngineRun, model: ModelSize, context: int | None, tensor: int, pipeline: int
) -> float | None:
    """What one request of the longest context needs on each accelerator."""
    if context is None or model.cache_per_token is None:
        return None
    option = run.options.get("kv-cache-dtype")
    is_eight_bits = option is not None and option.value.startswith(("fp8", "int8"))
    size = 1.0 if is_eight_bits else min(BYTES.get(model.dtype, 2.0), 2.0)
    shared = min(tensor, model.kv_heads or 1) if model.heads_share_it else 1
    return model.cache_per_token * size * context / shared / pipeline


def explanation(found: Fit) -> Iterator[str]:
    """What was computed, and from which lines, a sentence each."""
    each = "each accelerator" if found.shares > 1 else "the accelerator"
    yield f"weights {amount_text(found.weights)} on {each}, {_lines(found.model.node, 'weights')}"
    if found.cache is not None:
        yield f"cache {amount_text(found.cache)} for one request of {found.context} tokens"
    yield f"about {amount_text(OVERHEAD)} for everything else, which is an assumption"
    share = f"{found.utilization:.0%} of {amount_text(found.accelerator.memory)}"
    yield f"{found.accelerator.product}: {share} is {amount_text(found.budget)}{_source(found)}"
    if len(found.chosen.candidates) > 1:
        names = ", ".join(item.product for item in found.chosen.candidates[1:4])
        yield f"the pod may get {names} as well; the smallest is judged"


def _lines(node: Node, key: str) -> str:
    said = node.get(key) or node
    return f"by {said.origin.file}:{said.origin.line}"


def _source(found: Fit) -> str:
    origin = found.chosen.place.origin if found.chosen.place else None
    if origin is None or not (origin.file or origin.note):
        return ""
    return f", by {f'{origin.file}:{origin.line}' if origin.file else origin.note}"


def amount_text(amount: float) -> str:
    """An amount as people say it."""
    return f"{amount / GIBI:.1f} Gi"


def value_of(option: Option | None) -> str:
    """The value of an option in small letters; empty without one."""
    return option.value.lower() if option and option.is_known else ""
