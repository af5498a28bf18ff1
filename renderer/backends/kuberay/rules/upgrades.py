"""How a new cluster of a service takes over from the old one."""

from collections.abc import Iterator

from renderer.backends.fields import whole_number
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_STRATEGY, _OPTIONS = "upgradeStrategy", "clusterUpgradeOptions"
_INCREMENTAL, _GATE = "NewClusterWithIncrementalUpgrade", "RayServiceIncrementalUpgrade"
#: The first to refuse a step that is larger than the surge.
_ORDERED = (1, 7, 0)
_READS = (_STRATEGY, "rayClusterConfig.enableInTreeAutoscaling")
_SURGE, _STEP, _INTERVAL = "maxSurgePercent", "stepSizePercent", "intervalSeconds"
_WHOLE = 100


@rule("RAY420", Severity.ERROR, SERVICE, reads=_READS)
def steps_are_complete(workload: PlacelessWorkload) -> Iterator[Finding]:
    """An upgrade step by step says its steps, in a cluster that Ray scales.

    For `NewClusterWithIncrementalUpgrade` the operator wants `enableInTreeAutoscaling: true` and
    `clusterUpgradeOptions`: shares from 0 to 100, an interval of 1 second or more, the class of a
    Gateway, and since 1.7 a step no larger than the surge.

    Fails: upgradeStrategy: {type: NewClusterWithIncrementalUpgrade}
    Passes:
        upgradeStrategy:
          type: NewClusterWithIncrementalUpgrade
          clusterUpgradeOptions: {stepSizePercent: 10, intervalSeconds: 30, gatewayClassName: istio}
        rayClusterConfig: {enableInTreeAutoscaling: true}
    """
    strategy = _strategy(workload)
    if strategy is None or not _is_incremental(strategy) or not _has_gate(workload):
        return
    if workload.has_cluster and not workload.cluster.is_scaled:
        fix = "add enableInTreeAutoscaling: true to rayClusterConfig"
        yield strategy.wrong("an upgrade step by step needs Ray's autoscaler", fix)
    options = strategy.get(_OPTIONS)
    if options is None:
        yield strategy.wrong(f"{_OPTIONS} is missing: the steps of the upgrade", f"add {_OPTIONS}")
    else:
        yield from _wrong_options(options)
        if workload.settings.dialect.knows(_ORDERED):
            yield from _wrong_order(options)


def _wrong_options(options: Field) -> Iterator[Finding]:
    surge, step = _number(options, _SURGE, _WHOLE), _number(options, _STEP)
    for name, share in ((_SURGE, surge), (_STEP, step)):
        if not 0 <= share <= _WHOLE:
            yield from _wrong(options, name, f"{share} is no share in percent", "write 0 to 100")
    if _number(options, _INTERVAL, 1) <= 0:
        message = "there must be time between two steps"
        yield from _wrong(options, _INTERVAL, message, "write 1 or more")
    if (gateway := options.get("gatewayClassName")) and not gateway.text:
        yield gateway.wrong("no Gateway divides the requests", "write a class of Gateways")


def _wrong_order(options: Field) -> Iterator[Finding]:
    surge, step = _number(options, _SURGE, _WHOLE), _number(options, _STEP)
    if 0 <= surge < step <= _WHOLE:
        message = f"a step of {step} is larger than the surge of {surge}"
        yield from _wrong(options, _STEP, message, f"write {surge} or less")


@rule("RAY421", Severity.ERROR, SERVICE, reads=(_STRATEGY,))
def steps_are_switched_on(workload: PlacelessWorkload) -> Iterator[Finding]:
    """An upgrade step by step needs the feature gate RayServiceIncrementalUpgrade.

    It came with 1.5, and is on by default since 1.7. Where it is off the operator takes the type
    silently and acts as with None (observed): it starts no second cluster, so that another image
    never reaches what runs. An older operator refuses the service.

    Fails: upgradeStrategy: {type: NewClusterWithIncrementalUpgrade}
    Passes: upgradeStrategy: {type: NewCluster}
    """
    strategy, settings = _strategy(workload), workload.settings
    if strategy is None or not _is_incremental(strategy) or _has_gate(workload):
        return
    kind = Field((*strategy.path, "type"), strategy.node)
    if _has_steps(workload):
        gate = f"the feature gate {_GATE} is off in KubeRay {settings.dialect}"
        message = f"{gate}, so that the cluster is never upgraded"
        fix = f"write NewCluster, or set kuberay.feature_gates.{_GATE} if the operator has it on"
        yield kind.wrong(message, fix)
    else:
        yield kind.wrong(f"KubeRay {settings.dialect} does not know it", "write NewCluster")


@rule("RAY422", Severity.WARNING, SERVICE, reads=(_STRATEGY,))
def steps_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`clusterUpgradeOptions` are for the type NewClusterWithIncrementalUpgrade.

    With another type they have no effect.

    Fails:
        upgradeStrategy:
          type: NewCluster
          clusterUpgradeOptions: {stepSizePercent: 10, intervalSeconds: 30, gatewayClassName: istio}
    Passes: upgradeStrategy: {type: NewCluster}
    """
    strategy = _strategy(workload)
    options = strategy.get(_OPTIONS) if strategy else None
    if strategy and options and not _is_incremental(strategy):
        message = f"the steps have no effect: the type is not {_INCREMENTAL}"
        yield options.wrong_key(message, f"delete them, or write type: {_INCREMENTAL}")


def _strategy(workload: PlacelessWorkload) -> Field | None:
    return Field((), workload.spec.tree).get(_STRATEGY)


def _is_incremental(strategy: Field) -> bool:
    kind = strategy.get("type")
    return kind is not None and kind.text == _INCREMENTAL


def _has_gate(workload: PlacelessWorkload) -> bool:
    return _has_steps(workload) and workload.settings.has(_GATE)


def _has_steps(workload: PlacelessWorkload) -> bool:
    return workload.has_field((_STRATEGY, "type"), _INCREMENTAL)


def _number(options: Field, name: str, otherwise: int = 0) -> int:
    found = whole_number(options.node, name)
    return otherwise if found is None else found


def _wrong(options: Field, name: str, message: str, fix: str) -> Iterator[Finding]:
    yield from (field.wrong(message, fix) for field in options.present([name]))


RULES = rules_with_source((steps_are_complete, steps_are_switched_on, steps_count), VALIDATION)
