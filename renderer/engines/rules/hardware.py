"""Types of numbers that a generation of accelerators does not have: only what is certain."""

from collections.abc import Iterator

from renderer.engines.fit import chosen_accelerators, value_of
from renderer.engines.runs import EngineRun
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_BFLOAT = (8, 0)
#: The oldest generation that any version of vLLM since 0.6 takes for a method, by the
#: `get_min_capability` of its class.
LEAST = {
    **dict.fromkeys(("bitblas", "bitsandbytes", "compressed-tensors", "gptq-bitblas"), (7, 0)),
    **dict.fromkeys(("moe-wna16", "quark"), (7, 0)),
    **dict.fromkeys(("awq", "awq-marlin", "fp8", "gptq-marlin", "modelopt-fp4"), (7, 5)),
    "torchao": (7, 5),
    **dict.fromkeys(("experts-int8", "fbgemm-fp8", "gptq-marlin-24", "hqq", "marlin"), (8, 0)),
    **dict.fromkeys(("modelopt", "mxfp4", "qqq", "rtn"), (8, 0)),
}


@rule("ENG140", Severity.ERROR, ENGINE, since="0.3.0")
def accelerators_know_bfloat16(run: EngineRun) -> Iterator[Finding]:
    """`--dtype=bfloat16` is for accelerators of compute capability 8.0 and later.

    vLLM refuses it on others when it starts.

    Fails:
        nodeSelector: {nvidia.com/gpu.product: Tesla-T4}
        containers:
          - name: engine
            args: [--dtype=bfloat16]
            resources: {limits: {nvidia.com/gpu: 1}}
    Passes with: containers: [{name: engine, args: [--dtype=half]}]
    """
    option = run.options.get("dtype")
    if option and value_of(option) == "bfloat16" and (old := _older(run, _BFLOAT)):
        yield run.at(option.place, f"{old} has no bfloat16", "write half")


@rule("ENG141", Severity.ERROR, ENGINE, since="0.3.0")
def accelerators_know_quantizations(run: EngineRun) -> Iterator[Finding]:
    """A method of quantization is one that the generation of accelerators can run.

    vLLM compares it with the compute capability when it starts. Only what no version takes is
    found.

    Fails:
        nodeSelector: {nvidia.com/gpu.product: Tesla-V100-SXM2-32GB}
        containers:
          - name: engine
            args: [--quantization=fp8]
            resources: {limits: {nvidia.com/gpu: 1}}
    Passes with: nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}
    """
    option = run.options.get("quantization")
    least = LEAST.get(value_of(option).replace("_", "-"))
    if option and least and (old := _older(run, least)):
        wanted = ".".join(map(str, least))
        message = f"{old} cannot run --quantization={option.value}, which needs {wanted}"
        fix = f"choose nodes with accelerators of {wanted} or later, or another method"
        yield run.at(option.place, message, fix)


def _older(run: EngineRun, least: tuple[int, int]) -> str:
    """The accelerators that a pod may get, if all of them are older; empty otherwise."""
    candidates = chosen_accelerators(run).candidates
    known = [item.capability for item in candidates]
    if not known or any(item is None or item >= least for item in known):
        return ""
    newest = max(candidates, key=lambda item: item.capability or (0, 0))
    version = ".".join(map(str, newest.capability or ()))
    return f"{newest.product} (compute capability {version})"


RULES = rules_with_source(
    (accelerators_know_bfloat16, accelerators_know_quantizations), VLLM_SOURCE
)
