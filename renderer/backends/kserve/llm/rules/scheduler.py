"""What chooses a pod for each request: its configuration, its version and its pool."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.rules.layers import is_elsewhere, root
from renderer.backends.kserve.llm.rules.sources import GATEWAY_API, SCHEDULER, VALIDATION, WORKLOAD
from renderer.backends.kserve.llm.service import PREFILL, LlmView
from renderer.backends.kserve.llm.service import SCHEDULER as _SCHEDULER
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_CONFIG = (*_SCHEDULER, "config")
_POOL = (*_SCHEDULER, "pool")
_VERSION = "app.kubernetes.io/version"
_THREE_NUMBERS = expression(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
#: What is made with a pool of KServe's own.
_MADE = ("replicas", "labels", "annotations", "template", "config")


@rule("KSV535", Severity.ERROR, _SERVICE, reads=(".".join(_CONFIG),), since=_SINCE)
def scheduler_is_configured_once(view: LlmView) -> Iterator[Finding]:
    """`scheduler.config` is `inline`, or a `ref` to a ConfigMap: one of both, and not empty.

    KServe's webhook refuses a service with none of them, with both, or with an empty one, and the
    controller what it makes of a configuration.

    Fails: router: {route: {}, scheduler: {config: {}}}
    Passes: router: {route: {}, scheduler: {config: {ref: {name: picker, key: epp}}}}
    """
    config = root(view).get(*_CONFIG)
    if config is None:
        return
    inline, ref = config.get("inline"), config.get("ref")
    if inline is None and ref is None:
        yield config.wrong_key(
            "config has neither inline nor ref",
            "write inline: {plugins: […]}, or ref: {name: CONFIGMAP}, or delete it",
        )
    if inline and ref:
        yield ref.wrong_key("config has both inline and ref", "keep one of both")
    if inline and not inline.node.value:
        yield inline.wrong_key("the configuration is empty", "write its plugins, or delete config")
    if ref and not text(ref.node, "name"):
        yield ref.wrong_key("the ConfigMap has no name", "write its name")


@rule("KSV536", Severity.ERROR, _SERVICE, since=_SINCE)
def scheduler_version_is_three_numbers(view: LlmView) -> Iterator[Finding]:
    """`app.kubernetes.io/version` in the scheduler's annotations is a version of three numbers.

    KServe reads it to know how to write the scheduler's configuration, and fails at any other text
    (SchedulerReconcileError; inferred). The presets set it.

    Fails:
        router: {route: {}, scheduler: {annotations: {app.kubernetes.io/version: v0.9}}}
    Passes:
        router: {route: {}, scheduler: {annotations: {app.kubernetes.io/version: 0.9.0}}}
    """
    version = root(view).get(*_SCHEDULER, "annotations", _VERSION)
    if version and version.text and not _THREE_NUMBERS.fullmatch(version.text):
        yield version.wrong(
            f"{version.text!r} is no version of three numbers",
            "delete it, or write one such as 0.9.0",
        )


@rule("KSV537", Severity.ERROR, _SERVICE, since=_SINCE)
def picker_has_a_port(view: LlmView) -> Iterator[Finding]:
    """The `endpointPickerRef` of a pool says the port of its Service.

    The API server refuses the object.

    Fails:
        router:
          route: {}
          scheduler:
            pool:
              spec:
                selector: {matchLabels: {app: chat}}
                targetPorts: [{number: 8000}]
                endpointPickerRef: {name: picker}
    Passes with:
        router:
          scheduler:
            pool: {spec: {endpointPickerRef: {port: {number: 9002}}}}
    """
    picker = root(view).get(*_POOL, "spec", "endpointPickerRef")
    if picker and text(picker.node, "kind") in ("", "Service") and not picker.get("port"):
        yield picker.wrong_key("the Service has no port", "write port: {number: 9002}")


@rule("KSV538", Severity.ERROR, _SERVICE, since=_SINCE)
def pool_has_each_port_once(view: LlmView) -> Iterator[Finding]:
    """The `targetPorts` of a pool differ.

    The API server refuses the object.

    Fails:
        router:
          route: {}
          scheduler:
            pool:
              spec:
                selector: {matchLabels: {app: chat}}
                targetPorts: [{number: 8000}, {number: 8000}]
                endpointPickerRef: {name: picker, port: {number: 9002}}
    Passes with:
        router:
          scheduler:
            pool: {spec: {targetPorts: [{number: 8000}]}}
    """
    seen: set[str] = set()
    for port in root(view).each(*_POOL, "spec", "targetPorts"):
        number = text(port.node, "number")
        if number in seen:
            yield port.wrong(f"port {number} is there twice", "delete one of both")
        seen.add(number)


@rule("KSV539", Severity.WARNING, _SERVICE, since=_SINCE)
def scheduler_of_another_pool_is_not_made(view: LlmView) -> Iterator[Finding]:
    """A scheduler whose pool is made elsewhere (`pool.ref`) says nothing else of itself.

    KServe makes no scheduler for such a pool: replicas, labels, annotations, template, config and
    `pool.spec` have no effect (inferred).

    Fails: router: {route: {}, scheduler: {pool: {ref: {name: shared}}, replicas: 2}}
    Passes: router: {route: {}, scheduler: {pool: {ref: {name: shared}}}}
    """
    scheduler = root(view).get(*_SCHEDULER)
    if scheduler is None or not scheduler.get("pool", "ref"):
        return
    others = (*scheduler.present(_MADE), scheduler.get("pool", "spec"))
    for field in filter(None, others):
        yield field.wrong_key(
            f"{field.name} has no effect, as the pool is made elsewhere", "delete it, or pool.ref"
        )


@rule("KSV540", Severity.WARNING, _SERVICE, since=_SINCE)
def prefill_needs_a_scheduler(view: LlmView) -> Iterator[Finding]:
    """A service with `prefill` has a `scheduler`.

    Without one, requests go to a Service that has the pods of both roles, and each gets all of a
    request or none (inferred).

    Fails: {prefill: {}, router: {route: {}}}
    Passes: {prefill: {}, router: {route: {}, scheduler: {}}}
    """
    prefill = root(view).get(PREFILL)
    if prefill and not is_elsewhere(view, *_SCHEDULER):
        yield prefill.wrong_key(
            "nothing divides requests between prefill and the other pods",
            "write router: {route: {}, scheduler: {}}, or delete prefill",
        )


_STORED = rules_with_source((picker_has_a_port, pool_has_each_port_once), GATEWAY_API)
_VERSIONED = (scheduler_version_is_three_numbers,)
_MADE_BY_CONTROLLER = (*_VERSIONED, scheduler_of_another_pool_is_not_made)
CONFIG_RULES = (
    *rules_with_source((scheduler_is_configured_once,), VALIDATION),
    *rules_with_source(_VERSIONED, SCHEDULER),
    *_STORED,
)
RULES = (
    *rules_with_source((scheduler_is_configured_once,), VALIDATION),
    *rules_with_source(_MADE_BY_CONTROLLER, SCHEDULER),
    *rules_with_source((prefill_needs_a_scheduler,), WORKLOAD),
    *_STORED,
)
