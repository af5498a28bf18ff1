"""What becomes of an LLM service: the pods of each role, and the objects that lead to them."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.derive.devices import claim_template
from renderer.backends.kserve.llm.derive.kept import changed_selector, keep
from renderer.backends.kserve.llm.derive.model_files import SERVER
from renderer.backends.kserve.llm.derive.plan import (
    SCHEDULER_UNIT,
    LlmPlan,
    Workload,
    needed_config_map,
    plan_llm,
    used_configs,
)
from renderer.backends.kserve.llm.derive.problems import find_problems, selector_problem
from renderer.backends.kserve.llm.derive.routing import find_addresses, make_entrance
from renderer.backends.kserve.llm.derive.scheduler import config_text, make_scheduler
from renderer.backends.kserve.llm.derive.summaries import summarise
from renderer.backends.kserve.llm.derive.workloads import bounds, make_workload
from renderer.backends.kserve.llm.effective import LATENCY_PLUGIN
from renderer.backends.kserve.llm.presets import VERSIONS
from renderer.backends.kserve.llm.service import SCHEDULER
from renderer.derive.located import located
from renderer.kubernetes.data import Data, container_named, items, mapping
from renderer.text.wording import listed
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit, Pods
from renderer.values.tree import Node

_TEMPLATE = ("spec", "template", "spec")
_STOPPED = "the service is stopped (annotation serving.kserve.io/stop)"
_NO_PRESETS = "the presets of KServe {} are not known here, those of {} are"
_UNSEEN = "the content of {}, laid below it from `references.provided`, is not known here"
_PINNED = (
    "which presets a service has is written into its status when KServe first looks at it; their "
    "content follows the cluster"
)
_OLD_POOL = (
    "the route asks for the pool in its older group first; KServe changes that once the gateway "
    "knows the newer one"
)
_CREDENTIALS = "whoever downloads the model gets what Secrets the ServiceAccount {} has"
_GROUP = (
    "rules of the route also lead to the other members of the group, once they are ready: each by "
    "its weight"
)
_NO_PREDICTORS = (
    "the ConfigMap has the plugin predicted-latency-producer, and the servers that it asks are "
    "missing: KServe adds them only where the configuration stands in `scheduler.config.inline`"
)
_SHIPPED = (
    "certificates, gateway and amounts are those of the configuration that KServe ships; a cluster "
    "may have others (kserve.config)"
)


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """The roles of a service where it is applied."""
    plan = plan_llm(applied)
    problems = tuple(find_problems(applied, plan, former))
    gap = _unknown(plan)
    reason = _STOPPED if plan.is_stopped else next((item.reason for item in problems), gap)
    known = {unit.unit: unit for unit in former.units} if former else {}
    units = []
    for unit in _bare_units(applied, plan):
        last = known.get(unit.unit)
        if plan.effective.is_whole and not plan.is_stopped:
            made = _fill(plan, unit, last)
            if former and (stuck := changed_selector(made, former)):
                found = selector_problem(applied, plan, former, stuck)
                return former._replace(problems=(*problems, found))
            units.append(keep(plan, made, last))
        elif last and last.objects and not plan.is_stopped:
            units.append(last._replace(path=unit.path, needs=unit.needs))
        else:
            units.append(unit._replace(problem=reason))
    if plan.unknown_configs:  # they may bring a scheduler
        names = {unit.unit for unit in units}
        units += [unit for name, unit in known.items() if name not in names]
    return Derivation(tuple(units), problems, gap, applied)


def _unknown(plan: LlmPlan) -> str:
    """Why it is not known what KServe makes: a configuration that nobody here can see."""
    if not plan.cluster.knows_presets:
        return _NO_PRESETS.format(plan.cluster.dialect, " and ".join(VERSIONS))
    names = [f"`{name}`" for name in plan.unknown_configs]
    return _UNSEEN.format(listed(names)) if names else ""


def _bare_units(applied: Applied, plan: LlmPlan) -> Iterator[DerivedUnit]:
    needs = tuple(used_configs(applied, plan))
    for workload in plan.workloads():
        yield DerivedUnit(applied.destination, workload.unit, path=workload.path, needs=needs)
    if plan.scheduler is not None:
        path = ("spec", "router", "scheduler")
        needs = (*needs, *needed_config_map(applied, plan))
        yield DerivedUnit(applied.destination, SCHEDULER_UNIT, path=path, needs=needs)


def _fill(plan: LlmPlan, unit: DerivedUnit, former: DerivedUnit | None) -> DerivedUnit:
    if unit.unit == SCHEDULER_UNIT:
        made = [*make_scheduler(plan, plan.scheduler or {}, _former_config(former))]
        return unit._replace(
            objects=tuple(map(summarise, made)),
            pods=(_scheduler_pods(summarise(made[0])),),
            notes=tuple(_scheduler_notes(plan)),
        )
    workload = next(item for item in plan.workloads() if item.unit == unit.unit)
    content = [*make_workload(plan, workload)]
    if not workload.is_prefill:
        content += [*claim_template(plan), *make_entrance(plan)]
    objects = tuple(map(summarise, content))
    return unit._replace(
        objects=objects,
        pods=tuple(_pods(workload, objects[0])),
        addresses=() if workload.is_prefill else tuple(find_addresses(plan)),
        notes=tuple(_notes(plan, workload, content[0])),
    )


def _scheduler_notes(plan: LlmPlan) -> Iterator[str]:
    yield _OLD_POOL
    # of a ConfigMap it is a text, which KServe has not read when it looks for presets
    if LATENCY_PLUGIN in text(plan.effective.spec, *SCHEDULER, "config", "inline"):
        yield _NO_PREDICTORS


def _former_config(former: DerivedUnit | None) -> str:
    """The configuration that a scheduler has."""
    found = former.objects[0].tree.get(*_TEMPLATE) if former and former.objects else None
    return config_text(located(found))


def _scheduler_pods(made: DerivedObject) -> Pods:
    spec, count = _at(made, "spec", "template", "spec"), _count(made)
    return Pods(count, count, count, spec, stop_first=True)


def _pods(workload: Workload, made: DerivedObject) -> Iterator[Pods]:
    """Of groups: the leader of each, and the workers, which come and go together."""
    (least, most), start = bounds(workload)
    if not workload.is_spread:
        yield Pods(least, most, start, _at(made, "spec", "template", "spec"), surge="25%")
        return
    group = ("spec", "leaderWorkerTemplate")
    workers = workload.size - 1
    leader = made.tree.get(*group, "leaderTemplate", "spec")
    worker = _at(made, *group, "workerTemplate", "spec")
    yield Pods(least, most, start, leader or worker, surge="0")
    if workers:
        top = None if most is None else most * workers
        yield Pods(least * workers, top, start * workers, worker, surge="0")


def _at(made: DerivedObject, *path: str) -> Node:
    return made.tree.get(*path) or made.tree


def _count(made: DerivedObject) -> int:
    found = made.tree.get("spec", "replicas")
    return found.value if found and isinstance(found.value, int) else 1


def _notes(plan: LlmPlan, workload: Workload, made: Data) -> Iterator[str]:
    if not workload.is_prefill:
        layers = plan.effective.layers
        yield "laid together, each over those before it: " + ", ".join(
            [*(layer.name for layer in layers), f"the service {plan.name}"]
        )
        if gap := _unknown(plan):
            yield gap
        yield _PINNED
        if not plan.cluster.is_own:
            yield _SHIPPED
        if "group" in mapping(plan.router, "route"):
            yield _GROUP
    scheme = str(plan.model.get("uri") or "").partition("://")[0]
    if scheme in ("s3", "hf"):
        pod = _template(made)
        yield _CREDENTIALS.format(pod.get("serviceAccountName") or "default")
    if container_named(items(_template(made), "containers"), SERVER) is None:
        yield f"no container is called {SERVER}: no model is mounted"


def _template(made: Data) -> Data:
    spec = mapping(made, "spec")
    group = mapping(spec, "leaderWorkerTemplate")
    found = mapping(spec, "template", "spec") or mapping(group, "leaderTemplate", "spec")
    return found or mapping(group, "workerTemplate", "spec")
