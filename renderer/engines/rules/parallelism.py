"""How an engine is spread over accelerators, against those that its pods have."""

from collections.abc import Iterator
from math import isqrt, prod

from renderer.engines.accelerators import devices
from renderer.engines.fit import known_model
from renderer.engines.options import Option
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SIZES = ("tensor-parallel-size", "pipeline-parallel-size")
_DATA, _LOCAL = "data-parallel-size", "data-parallel-size-local"
#: Options that spread an engine over several machines: the accelerators of one say too little.
_NODES, _BACKEND = "nnodes", "data-parallel-backend"
_SEVERAL = (_NODES, "data-parallel-address", "data-parallel-hybrid-lb", "headless")
_EXECUTOR = "distributed-executor-backend"


@rule("ENG120", Severity.ERROR, ENGINE, since="0.3.0")
def shards_have_accelerators(run: EngineRun) -> Iterator[Finding]:
    """An engine is spread over no more accelerators than its container has.

    It wants one for each: tensor times pipeline times data parallelism, and ends at start with
    fewer. A container without a limit may have any number. Of several machines each has its part,
    by `--data-parallel-size-local` or `--nnodes`. Sizes that only the platform sets are left to its
    own rules.

    Fails:
        containers:
          - name: engine
            args: [--tensor-parallel-size=4]
            resources: {limits: {nvidia.com/gpu: 2}}
    Passes with: containers: [{name: engine, args: [--tensor-parallel-size=2]}]
    """
    given = [item for name in (*_SIZES, _DATA, _LOCAL) if (item := run.options.get(name))]
    wanted, where, machines = _wanted(run), "", 1
    if wanted is None:
        given = [item for item in given if item.name != _DATA]
        wanted, where = _part(run), " on each machine"
        machines = run.options.number(_NODES) or 1
    number, place = _devices(run), _own_place(given)
    if wanted is not None and place and wanted > number > 0:
        message = f"{_product(given)} needs {wanted} accelerators{where}"
        fix = _fix(given, number * machines, f"the limit to {wanted}")
        yield run.at(place, f"{message}, and the container has {number}", fix)


@rule("ENG123", Severity.ERROR, ENGINE, since="0.3.0")
def shards_have_accelerators_of_nodes(run: EngineRun) -> Iterator[Finding]:
    """An engine on several nodes is spread over no more accelerators than they have together.

    It waits at start for those that are missing. How many nodes there are, the platform works out
    from the sizes that it is given.
    """
    number = run.given.accelerators
    given = [item for name in _SIZES if (item := run.options.get(name))]
    wanted = _product_of_sizes(run)
    if number and wanted and (place := _own_place(given)) and wanted > number:
        message = f"{_product(given)} needs {wanted} accelerators, and all nodes have {number}"
        yield run.at(place, message, _fix(given, number, "the sizes that the platform is given"))


def _own_place(given: list[Option]) -> Word | None:
    """Where people say the first of some options that a platform does not say."""
    return next((item.place for item in given if item.place.node.origin.file), None)


def _product(given: list[Option]) -> str:
    return " × ".join(f"--{item.name} {item.value}" for item in given)


def _fix(given: list[Option], number: int, raised: str) -> str:
    if len(given) > 1:
        return f"lower one of them until their product is {number}, or raise {raised}"
    return f"write {number}, or raise {raised}"


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
        heads = f"the {model.heads} attention heads of {model.name}"
        message = f"--tensor-parallel-size {number} does not divide {heads}"
        yield run.at(option.place, message, f"write {_divisor(model.heads, number)}")


def _divisor(heads: int, number: int) -> int:
    """The largest number below another one that divides the heads."""
    pairs = ((n, heads // n) for n in range(1, isqrt(heads) + 1) if heads % n == 0)
    return max((n for pair in pairs for n in pair if n < number), default=1)


def _wanted(run: EngineRun) -> int | None:
    """How many accelerators of its machine an engine takes that has no other machine."""
    if run.given.pods != 1 or any(name in run.options.by_name for name in _SEVERAL):
        return None
    local = _LOCAL if _LOCAL in run.options.by_name else _DATA
    if _LOCAL in run.options.by_name and _DATA not in run.options.by_name:
        return None
    return _times(_product_of_sizes(run), run.options.number(local)) if _starts_own(run) else None


def _part(run: EngineRun) -> int | None:
    """How many it takes of each of several machines; nothing if that is not known."""
    given = run.options.by_name
    is_of_ray = _value(run.options.get(_BACKEND)) not in ("", "mp")
    if not _starts_own(run) or is_of_ray:
        return None
    if _LOCAL in given and _NODES not in given:
        return _times(_product_of_sizes(run), run.options.number(_LOCAL))
    nodes, wanted = run.options.number(_NODES), _product_of_sizes(run)
    if _NODES in given and _DATA not in given and _LOCAL not in given and nodes and wanted:
        return -(-wanted // nodes)
    return None


def _product_of_sizes(run: EngineRun) -> int | None:
    """Tensor times pipeline parallelism; nothing if one is not known."""
    return _times(*(run.options.number(name) for name in _SIZES))


def _times(*sizes: int | None) -> int | None:
    known = [size for size in sizes if size]
    return prod(known) if len(known) == len(sizes) else None


def _starts_own(run: EngineRun) -> bool:
    """Whether an engine starts its processes itself, on its own machine."""
    return _value(run.options.get(_EXECUTOR)) in ("", "mp", "uni")


def _value(option: Option | None) -> str:
    return option.value if option else ""


def _devices(run: EngineRun) -> int:
    return sum(number for number, _ in devices(run.container).values())


RULES = rules_with_source(
    (
        shards_have_accelerators,
        accelerators_are_used,
        heads_can_be_divided,
        shards_have_accelerators_of_nodes,
    ),
    VLLM_SOURCE,
)
