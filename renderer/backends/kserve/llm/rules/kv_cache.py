"""Where the key-value cache goes when an accelerator is full."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.rules.sources import PRESETS, VALIDATION
from renderer.backends.kserve.llm.rules.workloads import workloads
from renderer.backends.kserve.llm.service import LlmView
from renderer.kubernetes.pods import Field
from renderer.kubernetes.quantities import value
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_CACHE = "kvCacheOffloading"
_FLAGS = ("--kv-transfer-config", "--kv_transfer_config")
_MAIN = "main"


def _caches(view: LlmView) -> Iterator[tuple[Field, Field]]:
    """The workloads that have a cache outside of their accelerators, each with that cache."""
    for workload in workloads(view):
        if cache := workload.get(_CACHE):
            yield workload, cache


@rule("KSV530", Severity.ERROR, _SERVICE, since=_SINCE)
def tiers_have_one_place(view: LlmView) -> Iterator[Finding]:
    """A tier behind the cache has a `fileSystem`: an `emptyDir`, or a `pvc` by `spec` or `ref`.

    KServe's webhook refuses a service with none of them, or with more than one, and the controller
    refuses what it makes of a configuration.

    Fails: kvCacheOffloading: {cpu: 8Gi, secondary: [{fileSystem: {}}]}
    Passes: kvCacheOffloading: {cpu: 8Gi, secondary: [{fileSystem: {emptyDir: {size: 50Gi}}}]}
    """
    for _, cache in _caches(view):
        for tier in cache.each("secondary"):
            system = tier.get("fileSystem")
            if system is None:
                yield tier.wrong(
                    "a tier without a fileSystem", "write fileSystem: {emptyDir: {size: 100Gi}}"
                )
                continue
            yield from _one_of(system, ("emptyDir", "pvc"))
            if claim := system.get("pvc"):
                yield from _one_of(claim, ("spec", "ref"))


def _one_of(field: Field, keys: tuple[str, str]) -> Iterator[Finding]:
    given = field.present(keys)
    if not given:
        yield field.wrong_key(f"{field.name} has neither {' nor '.join(keys)}", "write one of both")
    elif len(given) > 1:
        yield given[1].wrong_key(f"{field.name} has both {' and '.join(keys)}", "keep one of both")


@rule("KSV531", Severity.ERROR, _SERVICE, since=_SINCE)
def tiers_are_behind_memory(view: LlmView) -> Iterator[Finding]:
    """A cache with tiers behind it has some memory: `cpu` is more than 0.

    KServe's webhook refuses a service without one. If it comes from a configuration, the controller
    fails instead.

    Fails: kvCacheOffloading: {cpu: '0', secondary: [{fileSystem: {emptyDir: {size: 50Gi}}}]}
    Passes: kvCacheOffloading: {cpu: 8Gi, secondary: [{fileSystem: {emptyDir: {size: 50Gi}}}]}
    """
    for _, cache in _caches(view):
        amount = cache.get("cpu")
        if amount and value(str(amount.node.value)) == 0 and [*cache.each("secondary")]:
            yield amount.wrong(
                "cpu is 0, and there are tiers behind it",
                "write how much memory the cache may take, such as cpu: 10Gi",
            )


@rule("KSV532", Severity.WARNING, _SERVICE, since=_SINCE)
def cache_is_said_once(view: LlmView) -> Iterator[Finding]:
    """The cache is set up by `kvCacheOffloading`, or by `--kv-transfer-config`, not both.

    The script that starts the server leaves its own flag out where an argument or
    VLLM_ADDITIONAL_ARGS gives one (inferred).

    Fails:
        kvCacheOffloading: {cpu: 4Gi}
        template:
          containers: [{name: main, args: ["--kv-transfer-config='{}'"]}]
    Passes: kvCacheOffloading: {cpu: 4Gi}
    """
    for workload, _ in _caches(view):
        for container in _main_containers(workload):
            variables = (item.get("value") for item in container.each("env"))
            for given in (*container.each("args"), *filter(None, variables)):
                if any(flag in given.text for flag in _FLAGS):
                    yield given.wrong(
                        "a flag for the cache is given, so that kvCacheOffloading adds none",
                        "delete it, or kvCacheOffloading",
                    )


@rule("KSV533", Severity.WARNING, _SERVICE, since=_SINCE)
def cache_fits_in_memory(view: LlmView) -> Iterator[Finding]:
    """The memory of the container `main` is more than the cache takes of it.

    `kvCacheOffloading.cpu` is memory of that container: with a limit that is no larger, it is
    killed as the cache fills (inferred).

    Fails:
        kvCacheOffloading: {cpu: 64Gi}
        template: {containers: [{name: main, resources: {limits: {memory: 32Gi}}}]}
    Passes: kvCacheOffloading: {cpu: 4Gi}
    """
    for workload, cache in _caches(view):
        amount = cache.get("cpu")
        taken = value(str(amount.node.value)) if amount else None
        for container in _main_containers(workload):
            limit = container.get("resources", "limits", "memory")
            most = value(str(limit.node.value)) if limit else None
            if amount and limit and taken is not None and most is not None and taken >= most:
                yield amount.wrong(
                    f"the cache takes {amount.node.value} of the {limit.node.value} of memory "
                    "that the container has",
                    "write less, or a larger limit",
                )


def _main_containers(workload: Field) -> Iterator[Field]:
    for place in ("template", "worker"):
        for container in workload.each(place, "containers"):
            if container.node.text_at("name") == _MAIN:
                yield container


@rule("KSV534", Severity.ERROR, _SERVICE, since=_SINCE)
def claims_are_named(view: LlmView) -> Iterator[Finding]:
    """A claim behind the cache has a name.

    KServe's webhook refuses a service without one. If it comes from a configuration, the controller
    fails instead.

    Fails:
        kvCacheOffloading: {cpu: 8Gi, secondary: [{fileSystem: {pvc: {ref: {name: ''}}}}]}
    Passes:
        kvCacheOffloading: {cpu: 8Gi, secondary: [{fileSystem: {pvc: {ref: {name: cache}}}}]}
    """
    for _, cache in _caches(view):
        for tier in cache.each("secondary"):
            name = tier.get("fileSystem", "pvc", "ref", "name")
            if name and name.node.value == "":
                yield name.wrong("the claim behind the cache has no name", "write its name")


_VALIDATED = (tiers_have_one_place, tiers_are_behind_memory, claims_are_named)
CONFIG_RULES = rules_with_source(_VALIDATED, VALIDATION)
RULES = (
    *CONFIG_RULES,
    *rules_with_source((cache_is_said_once, cache_fits_in_memory), PRESETS),
)
