"""What an engine may take of the memory of accelerators, and whether its model fits."""

from collections.abc import Iterator
from math import inf

from renderer.engines.fit import Fit, amount_text, explanation, fit, known_model
from renderer.engines.runs import EngineRun
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_LENGTH, _TOKENS, _REQUESTS = "max-model-len", "max-num-batched-tokens", "max-num-seqs"
_STRETCHED = ("hf-overrides", "rope-scaling", "rope-theta")
#: Smaller ones read as a share that is too large: 1.2 is no 1.2 %.
_SMALLEST_PERCENTAGE = 2
_ALLOWS_MORE = "VLLM_ALLOW_LONG_MAX_MODEL_LEN"


@rule("ENG130", Severity.ERROR, ENGINE, since="0.3.0")
def memory_is_a_share(run: EngineRun) -> Iterator[Finding]:
    """`--gpu-memory-utilization` is a share of the memory: more than 0, and 1 at most.

    vLLM refuses others when it starts.

    Fails: containers: [{name: engine, args: [--gpu-memory-utilization=90]}]
    Passes: containers: [{name: engine, args: [--gpu-memory-utilization=0.9]}]
    """
    option = run.options.get("gpu-memory-utilization")
    share = option.share if option else None
    if option and share is not None and not 0 < share <= 1:
        fix = "write a number above 0 and not above 1, such as 0.9 for 90 %"
        if _SMALLEST_PERCENTAGE <= share <= 100:  # noqa: PLR2004
            fix = f"write {share / 100:g} for {share:g} %"
        what = "--gpu-memory-utilization is a share of the memory, 1 at most"
        message = f"{what}, not {option.value}"
        yield run.at(option.place, message, fix)


@rule("ENG131", Severity.ERROR, ENGINE, since="0.3.0")
def contexts_are_those_of_models(run: EngineRun) -> Iterator[Finding]:
    """`--max-model-len` is no longer than what the model was made for.

    vLLM refuses a longer one, unless VLLM_ALLOW_LONG_MAX_MODEL_LEN is set or positions are
    stretched. The longest context is known where `models` of the environment has the model.

    Fails: containers: [{name: engine, args: [--model=acme/tiny, --max-model-len=9000]}]
    Passes: containers: [{name: engine, args: [--model=acme/tiny, --max-model-len=4096]}]
    """
    option, model = run.options.get(_LENGTH), known_model(run)
    length = option.number if option else None
    is_free = any(run.options.get(name) for name in _STRETCHED) or run.has_variable(_ALLOWS_MORE)
    if option and length and model and model.context and length > model.context and not is_free:
        most = f"the {model.context} that {model.name} was made for"
        message = f"a context of {length} tokens is longer than {most}"
        yield run.at(option.place, message, f"write {model.context} or less")


@rule("ENG132", Severity.ERROR, ENGINE, since="0.3.0")
def batches_hold_requests(run: EngineRun) -> Iterator[Finding]:
    """`--max-num-batched-tokens` is not smaller than `--max-num-seqs`.

    Each request that runs gets a token of a batch at least: vLLM refuses others when it starts.

    Fails: containers: [{name: engine, args: [--max-num-batched-tokens=128, --max-num-seqs=256]}]
    Passes: containers: [{name: engine, args: [--max-num-batched-tokens=2048, --max-num-seqs=256]}]
    """
    tokens, requests = run.options.get(_TOKENS), run.options.get(_REQUESTS)
    if tokens and requests and (tokens.number or inf) < (requests.number or 0):
        message = f"--{_TOKENS} {tokens.number} is less than --{_REQUESTS} {requests.number}"
        yield run.at(tokens.place, message, f"write {requests.number} or more")


@rule("ENG133", Severity.ERROR, ENGINE, since="0.3.0")
def whole_prompts_fit_in_batches(run: EngineRun) -> Iterator[Finding]:
    """Without chunked prefill, a batch holds the longest prompt.

    `--max-num-batched-tokens` is not smaller than `--max-model-len` then: vLLM refuses it.

    Fails:
        containers:
          - name: engine
            args: [--no-enable-chunked-prefill, --max-num-batched-tokens=2048, --max-model-len=4096]
    Passes:
        containers:
          - {name: engine, args: [--max-num-batched-tokens=2048, --max-model-len=4096]}
    """
    tokens, length = run.options.get(_TOKENS), run.options.get(_LENGTH)
    switch = run.options.get("enable-chunked-prefill")
    is_off = "no-enable-chunked-prefill" in run.options.by_name or (
        switch is not None and switch.value.lower() == "false"
    )
    if is_off and tokens and length and (tokens.number or inf) < (length.number or 0):
        less = f"--{_TOKENS} {tokens.number} is less than --{_LENGTH} {length.number}"
        message = f"{less}, without chunked prefill"
        yield run.at(
            tokens.place, message, f"write {length.number} or more, or enable chunked prefill"
        )


@rule("ENG200", Severity.ERROR, ENGINE, since="0.3.0")
def weights_fit_in_memory(run: EngineRun) -> Iterator[Finding]:
    """The weights of a model alone fit in what an engine may take of its accelerators' memory.

    Each has a part of them: they are divided by tensor and pipeline parallelism. How large they are
    says `models` of the environment; how much memory there is, the table of accelerators and
    `accelerators` of the environment, by the node selector and affinity of the pod.

    Fails:
        nodeSelector: {nvidia.com/gpu.product: Tesla-T4}
        containers:
          - name: engine
            args: [--model=acme/large]
            resources: {limits: {nvidia.com/gpu: 1}}
    Passes with: nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}
    """
    found = fit(run)
    if found and found.weights > found.budget:
        whose = f"{amount_text(found.budget)} of {found.accelerator.product}"
        message = f"{amount_text(found.weights)} of weights do not fit in {whose}"
        fix = "use more accelerators (--tensor-parallel-size), or larger ones"
        yield _finding(run, found, f"{message} ({'; '.join(explanation(found))})", fix)


@rule("ENG201", Severity.WARNING, ENGINE, since="0.3.0")
def contexts_fit_in_memory(run: EngineRun) -> Iterator[Finding]:
    """Beside the weights there is memory for the cache of one request of the longest context.

    vLLM ends at start if there is less. What it needs beside weights and cache is not known before
    it runs, so this is no error.

    Fails:
        nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}
        containers:
          - name: engine
            args: [--model=acme/long]
            resources: {limits: {nvidia.com/gpu: 1}}
    Passes with: containers: [{name: engine, args: [--model=acme/long, --max-model-len=8192]}]
    """
    found = fit(run)
    if found and found.cache is not None and found.weights <= found.budget < found.total:
        needed = f"{amount_text(found.total)} are needed"
        message = f"{needed}, and the engine has {amount_text(found.budget)}"
        message = f"{message} ({'; '.join(explanation(found))})"
        fix = "write a smaller --max-model-len, or use more accelerators"
        yield _finding(run, found, message, fix)


def _finding(run: EngineRun, found: Fit, message: str, fix: str) -> Finding:
    """At what asks for the most: the length of contexts, the spread, what chose the accelerator."""
    for name in (_LENGTH, "tensor-parallel-size"):
        if option := run.options.get(name):
            return run.at(option.place, message, fix)
    place = found.chosen.place
    return run.where(place, message, fix) if place else run.beside(message, fix)


RULES = rules_with_source(
    (
        memory_is_a_share,
        contexts_are_those_of_models,
        batches_hold_requests,
        whole_prompts_fit_in_batches,
        weights_fit_in_memory,
        contexts_fit_in_memory,
    ),
    VLLM_SOURCE,
)
