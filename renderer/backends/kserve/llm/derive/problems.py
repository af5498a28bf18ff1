"""Why an LLM service is not followed: what the webhook refuses, what the controller fails at."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve import LLM_PRESETS
from renderer.backends.kserve.components import STOP
from renderer.backends.kserve.llm.derive.model_files import SCHEMES, skips_storage
from renderer.backends.kserve.llm.derive.plan import LlmPlan, group_size, used_configs
from renderer.backends.kserve.llm.derive.scheduler import has_wrong_version
from renderer.backends.kserve.llm.service import PREFILL
from renderer.derive.located import located
from renderer.kubernetes.data import mapping
from renderer.text.wording import path_text
from renderer.values.derivations import Applied, Derivation, Problem
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

_OTHER_NAME = "Add the service under another name and switch its callers."
_INSTALL = "Add it to the environment, or say in `kserve.llm_configs` that the cluster has it."
_PROVIDE = "Add it, or name it in `references.provided` if the cluster has it."
_CORRECT = "Correct it before it is merged."
_MODEL: Path = ("spec", "model", "uri")
#: Below it anything may stand, null as well.
_RAW = "inline"


def find_problems(applied: Applied, plan: LlmPlan, former: Derivation | None) -> Iterator[Problem]:
    """What the webhook refuses of an update, else what the controller fails at."""
    refused = list(_refusals(applied, former.source if former else None))
    if refused:
        yield from refused
    elif applied.annotation(STOP).lower() != "true":
        yield from _obstacles(plan)
        yield from applied.obstacles


def _refusals(applied: Applied, former: Applied | None) -> Iterator[Problem]:
    if former is None:
        return
    yield from _sizes(applied, former)
    sides = [side.tree.get("spec") for side in (former, applied)]
    if sides[0] and sides[1]:
        for path in _emptied(sides[0], sides[1]):
            reason = f"server-side apply leaves null of `{path_text(path)}`, not an empty mapping"
            remedy = "Leave or write a field in it; or delete it now, and write it empty later."
            yield Problem(reason, ("spec", *path), remedy, refused=True)


def _emptied(old: Node, new: Node) -> Iterator[Path]:
    """Mappings that are still there and have lost all that was in them."""
    for key, node in new.items.items():
        before = old.get(key)
        if before is None or key == _RAW:
            continue
        if before.items and isinstance(node.value, dict) and not node.items:
            yield (key,)
        yield from ((key, *path) for path in _emptied(before, node))
    pairs = zip(old.elements, new.elements, strict=False)
    for index, (before, node) in enumerate(pairs):
        if text(before, "name") == text(node, "name"):
            yield from ((index, *path) for path in _emptied(before, node))


def _sizes(applied: Applied, former: Applied) -> Iterator[Problem]:
    """A group of pods keeps its size: a LeaderWorkerSet cannot get another one."""
    before, after = (located(side.tree.get("spec")) for side in (former, applied))
    for place in ((), (PREFILL,)):
        old, new = mapping(before, *place), mapping(after, *place)
        if place and not (PREFILL in before and PREFILL in after):
            continue
        sizes = [group_size(mapping(side, "parallelism")) for side in (old, new)]
        if sizes[0] != sizes[1]:
            reason = f"a server on {sizes[0]} nodes cannot be put on {sizes[1]}"
            path: Path = ("spec", *place, "parallelism")
            yield Problem(reason, path, _OTHER_NAME, refused=True)


def _obstacles(plan: LlmPlan) -> Iterator[Problem]:
    effective = plan.effective
    if effective.missing:
        missing = [name for name in effective.missing if name not in plan.unknown_configs]
        if missing:
            names = ", ".join(f"`{name}`" for name in missing)
            is_preset = missing[0].startswith(LLM_PRESETS)
            advice = _INSTALL if is_preset else _PROVIDE
            yield Problem(f"there is no configuration {names} (ConfigNotFound)", ("spec",), advice)
        return
    if fault := effective.problem or effective.clash:
        reason = f"the configurations cannot be laid together: {fault}"
        yield Problem(f"{reason} (CombineBaseError)", ("spec",), _CORRECT)
        return
    uri = str(plan.model.get("uri") or "")
    if uri.partition("://")[0] not in SCHEMES and not skips_storage(plan):
        known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        yield Problem(f"`{uri}` is none of {known}", _MODEL, _CORRECT)
    if plan.scheduler is not None and has_wrong_version(plan.scheduler):
        place: Path = ("spec", "router", "scheduler", "annotations")
        yield Problem("`app.kubernetes.io/version` is no version", place, _CORRECT)
    yield from _scaling(plan)


def _scaling(plan: LlmPlan) -> Iterator[Problem]:
    if plan.cluster.prometheus.get("url"):
        return
    for workload in plan.workloads():
        if "keda" in mapping(workload.scaling, "wva"):
            yield Problem(
                "the cluster's configuration has no Prometheus for KEDA (ReconcileScalingError)",
                (*workload.path, "scaling"),
                "Set prometheus.url in its autoscaling-wva-controller-config, and give that "
                "ConfigMap in `kserve.config`.",
            )


def selector_problem(applied: Applied, plan: LlmPlan, former: Derivation, name: str) -> Problem:
    """The labels of a Deployment's pods are its selector, and so cannot change (KServe 0.20)."""
    reason = f"labels of the pods of `{name}` are its selector, which cannot be changed"
    before = former.source.tree.get("spec") if former.source else None
    after = applied.tree.get("spec")
    sides = [before, after]
    if len({side is not None and side.get(PREFILL) is not None for side in sides}) > 1:
        reason = f"with prefill or without it, {reason}"
        return Problem(reason, ("spec", PREFILL), _OTHER_NAME)
    for path in (("spec", "labels"), ("spec", PREFILL, "labels"), ("metadata", "labels")):
        trees = [side.tree.get(*path) if side else None for side in (former.source, applied)]
        if len({str(tree.plain()) if tree else "" for tree in trees}) > 1:
            return Problem(reason, path, _OTHER_NAME)
    source = next(used_configs(applied, plan), None)
    return Problem(reason, ("spec", "labels"), _OTHER_NAME, source=source)
