"""How an engine is spread over accelerators, against those that its pods have."""

from collections.abc import Iterator
from math import isqrt, prod

from renderer.engines.accelerators import devices
from renderer.engines.fit import known_model
from renderer.engines.options import Option
from renderer.engines.runs import EngineRun
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SIZES = ("tensor-parallel-size", "pipeline-parallel-size")
_DATA, _LOCAL = "data-parallel-size", "data-parallel-size-local"
#: Options that spread an engine over several machines: the accelerators of one say too little.
_SEVERAL = ("nnodes", "data-parallel-address", "data-parallel-hybrid-lb", "headless")
_EXECUTOR = "distributed-executor-backend"


@rule("ENG120", Severity.ERROR, ENGINE, since="0.3.0")
def shards_have_accelerators(run: EngineRun) -> Iterator[Finding]:
    """An engine is spread over no more accelerators than its container has.

    It wants one for each: tensor times pipeline times data parallelism, and ends at start with
    fewer. A container without a limit may have any number, and several machines have more. Sizes
    that only the platform sets are left to its own rules.

    Fails:
        containers:
          - name: engine
            args: [--tensor-parallel-size=4]
            resources: {limits: {nvidia.com/gpu: 2}}
    Passes with: containers: [{name: engine, args: [--tensor-parallel-size=2]}]
    """
    wanted, number = _wanted(run), _devices(run)
    given = [option for name in (*_SIZES, _DATA, _LOCAL) if (option := run.options.get(name))]
    is_own = any(item.place.node.origin.file for item in given)
    if wanted is not None and is_own and wanted > number > 0:
        product = " × ".join(f"{item.name} {item.value}" for item in given)
        message = f"{product} needs {wanted} accelerators, and the container has {number}"
        fix = f"write {number}, or raise the limit to {wanted}"
        if len(given) > 1:
            fix = (
                f"lower one of them until their product is {number}, or raise the limit to {wanted}"
            )
        yield run.at(given[0].place, message, fix)


@rule("ENG121", Severity.WARNING, ENGINE, since="0.3.0")
def accelerators_are_used(run: EngineRun) -> Iterator[Finding]:
    """An engine uses all accelerators of its container.

    It takes as many as tensor, pipeline and data parallelism say, which is one if nothing does.
    Others stay idle, and no other pod gets them.

    Fails: containers: [{name: engine, resources: {limits: {nvidia.com/gpu: 4}}}]
    Passes with: containers: [{name: engine, args: [--tensor-parallel-size=4]}]
    """
    wanted, given = _wanted(run), devices(run.container)
    if wanted is None or len(given) != 1 or not run.is_vllm or run.may_have_more:
        return
    number, place = next(iter(given.values()))
    if 0 < wanted < number:
        idle = f"{number - wanted} of {number} accelerators stay idle"
        message = f"{idle}: the engine uses {wanted}"
        yield run.where(place, message, f"add --tensor-parallel-size={number}, or write {wanted}")


@rule("ENG122", Severity.ERROR, ENGINE, since="0.3.0")
def heads_can_be_divided(run: EngineRun) -> Iterator[Finding]:
    """Tensor parallelism divides the attention heads of a model without a rest.

    vLLM refuses others when it starts. The heads are known where `models` of the environment has
    the model, with `heads` or its config.json.

    Fails:
        containers:
          - name: engine
            args: [--model=acme/tiny, --tensor-parallel-size=3]
            resources: {limits: {nvidia.com/gpu: 3}}
    Passes with: containers: [{name: engine, args: [--model=acme/tiny, --tensor-parallel-size=2]}]
    """
    option, model = run.options.get(_SIZES[0]), known_model(run)
    number = option.number if option else None
    if option and model and model.heads and number and model.heads % number:
        message = f"{number} does not divide the {model.heads} attention heads of {model.name}"
        yield run.at(option.place, message, f"write {_divisor(model.heads, number)}")


def _divisor(heads: int, number: int) -> int:
    """The largest number below another one that divides the heads."""
    pairs = ((n, heads // n) for n in range(1, isqrt(heads) + 1) if heads % n == 0)
    return max((n for pair in pairs for n in pair if n < number), default=1)


def _wanted(run: EngineRun) -> int | None:
    """How many accelerators of its machine an engine takes; nothing if that is not known."""
    if run.given.pods != 1 or any(name in run.options.by_name for name in _SEVERAL):
        return None
    if _value(run.options.get(_EXECUTOR)) not in ("", "mp", "uni"):
        return None
    local = _LOCAL if _LOCAL in run.options.by_name else _DATA
    if _LOCAL in run.options.by_name and _DATA not in run.options.by_name:
        return None
    sizes = [run.options.number(name) for name in (*_SIZES, local)]
    known = [size for size in sizes if size]
    return prod(known) if len(known) == len(sizes) else None


def _value(option: Option | None) -> str:
    return option.value if option else ""


def _devices(run: EngineRun) -> int:
    return sum(number for number, _ in devices(run.container).values())


RULES = rules_with_source(
    (shards_have_accelerators, accelerators_are_used, heads_can_be_divided), VLLM_SOURCE
)
