"""What becomes wrong when presets, configurations and a service are laid together."""

import json
from collections.abc import Iterator

from renderer.backends.fields import elements, text, whole_number
from renderer.backends.kserve.llm import presets
from renderer.backends.kserve.llm.merged import merged, nearest
from renderer.backends.kserve.llm.rules import service_rules
from renderer.backends.kserve.llm.rules.sources import MERGE, VALIDATION
from renderer.backends.kserve.llm.service import (
    LLM_CONFIG,
    PREFILL,
    LlmView,
    base_names,
)
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node, walk

_SINCE = "0.3.0"
_SERVER = "main"
_ROLES: tuple[Path, ...] = ((), (PREFILL,))
_ROUTED = (presets.ROUTE, presets.SCHEDULER_POD, presets.LATENCY_PREDICTOR)
_PARALLEL = ("tensor", "data", "dataLocal", "dataRPCPort", "expert")
_MODEL_NAME: Path = ("model", "name")


@rule("KSV570", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def webhook_takes_the_merged_spec(view: LlmView) -> Iterator[Finding]:
    """What the webhook checks holds for the spec that runs as well.

    KServe checks it again once configurations are laid below the service, and makes nothing if it
    does not hold (CombineBaseError): `replicas` in a base and `scaling` in the service, or
    `pipeline` in one and `data` in the other.

    Fails: {replicas: null, baseRefs: [{name: fixed}], scaling: {maxReplicas: 4, wva: {keda: {}}}}
    Passes: {replicas: null, baseRefs: [{name: fixed}]}
    """
    found = merged(view)
    if not found.named:
        return
    whole = view._replace(spec=view.spec._replace(tree=found.spec))
    for one in service_rules():
        check = one.check
        is_webhook_s = one.source == VALIDATION and one.severity is Severity.ERROR
        if check is None or not is_webhook_s or any(check(view)):
            continue
        for finding in check(whole):
            origin = found.spec.locate(finding.path, at_key=True)
            where = f", of {origin.file}:{origin.line}" if origin.file else ""
            message = f"with its configurations below it, {finding.message}{where}"
            yield Finding(nearest(view.tree, finding.path), message, finding.fix, at_key=True)


@rule("KSV571", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def templates_can_be_filled(view: LlmView) -> Iterator[Finding]:
    """KServe can fill in every template of the spec that runs.

    All texts of a service are read as templates, those with `{{` in them fail unless they are some.
    Templates of presets see only what the service itself says: parallelism that only a
    configuration has is nothing to them (CombineBaseError).

    Fails: {template: {containers: [{name: main, args: ['--chat-template={{ messages }}']}]}}
    Passes: {template: {containers: [{name: main, args: ['--chat-template=/etc/chat.jinja']}]}}
    """
    found = merged(view)
    if problem := found.effective.problem:
        path, fix = _cause_of_broken_template(view, text(found.effective.spec, *_MODEL_NAME))
        yield Finding(path, f"KServe cannot fill in a template: {problem}", fix)


def _cause_of_broken_template(view: LlmView, model: str) -> tuple[Path, str]:
    """What makes a template fail: one of the service, the model's name, else what is not there."""
    own = next((path for path, node in walk(view.tree) if _is_template(node)), None)
    if own:
        return own, "write a brace as {{ `{{` }}, or put the text into a file"
    if json.dumps(model, ensure_ascii=False)[1:-1] != model:
        fix = "leave quotes, backslashes and ends of lines out of the model's name"
        return nearest(view.tree, _MODEL_NAME), fix
    fix = "repeat the parallelism of the configuration in the service"
    return nearest(view.tree, ("parallelism",)), fix


def _is_template(node: Node) -> bool:
    return isinstance(node.value, str) and "{{" in node.value


@rule("KSV572", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def presets_are_there(view: LlmView) -> Iterator[Finding]:
    """The cluster has the presets that a service of this shape needs.

    KServe ships none for pipeline parallelism over nodes: such a service is never ready
    (ConfigNotFound) without a configuration of that name.

    Fails: {worker: {containers: [{name: main}]}, parallelism: {pipeline: 2}}
    Passes:
        worker: {containers: [{name: main}]}
        parallelism: {data: 2, dataLocal: 1}
    """
    found = merged(view)
    given = {name for _, name in base_names(view.tree)}
    missing = [name for name in found.effective.missing if name not in given]
    if not found.cluster.knows_presets:
        missing = [name for name in missing if "pipeline" in name]
    for name in missing:
        if "pipeline" in name:
            path: Path = ("parallelism", "pipeline")
            fix = f"use data parallelism, or add an LLMInferenceServiceConfig {name}"
        else:
            path = ("router",) if name.endswith(_ROUTED) else ("model",)
            fix = f"install {name}, or name it in kserve.llm_configs if the cluster has it"
        message = f"there is no configuration {name!r} in the cluster"
        yield Finding(nearest(view.tree, path), message, fix, at_key=True)


@rule("KSV582", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def configurations_are_there(view: LlmView) -> Iterator[Finding]:
    """The configurations that `baseRefs` names are here, or in `references.provided`.

    KServe looks for them in the namespace of the service and in `kserve`, and makes nothing without
    one of them (ConfigNotFound).

    Fails: {baseRefs: [{name: fixd}]}
    Passes: {baseRefs: [{name: fixed}], parallelism: {tensor: 2}}
    """
    found, environment = merged(view), view.environment
    missing = found.effective.missing
    for index, name in base_names(view.tree):
        if name not in missing or name in (*environment.unread, *found.cluster.unseen):
            continue
        path: Path = ("baseRefs", index, "name")
        message = f"there is no {LLM_CONFIG} {name!r}"
        if spec := environment.spec_named(LLM_CONFIG, name):
            place = text(spec.tree, "namespace")
            message += f" in the namespace of the service; {spec.file} is in {place!r}"
            yield Finding(path, message, "bring both into one namespace")
            continue
        other = f"add it, or {LLM_CONFIG}/{name} to references.provided if it is there already"
        yield Finding(path, message, suggest(name, environment.names(LLM_CONFIG), other))


@rule("KSV573", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def parallelism_stands_in_the_service(view: LlmView) -> Iterator[Finding]:
    """Parallelism stands in the service, not in a configuration alone.

    The templates of presets see what the service says and nothing else: without it there, the
    server gets no `--tensor-parallel-size` and the accelerators are idle.

    Fails: {baseRefs: [{name: fixed}]}
    Passes: {baseRefs: [{name: fixed}], parallelism: {tensor: 2, expert: true}}
    """
    found = merged(view)
    for index, layer in found.named:
        for role in _ROLES:
            for key in _PARALLEL:
                place = (*role, "parallelism", key)
                if layer.spec.get(*place) and view.tree.get(*place) is None:
                    said = layer.spec.text_at(*place)
                    message = f"{layer.name} says {key}: {said}, which no template sees there"
                    fix = f"write {'.'.join(map(str, place))}: {said} in the service as well"
                    yield Finding(("baseRefs", index, "name"), message, fix)


@rule("KSV574", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def accelerators_fit_the_parallelism(view: LlmView) -> Iterator[Finding]:
    """A server asks for as many accelerators as its parallelism uses.

    `tensor` accelerators for each copy on the node. With fewer, the server does not start; those
    beyond that are paid for and idle.

    Fails:
        parallelism: {tensor: 4}
        template: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]}
    Passes with: {parallelism: {tensor: 2}}
    """
    found = merged(view)
    for role in _ROLES:
        parallel = found.spec.get(*role, "parallelism")
        tensor = whole_number(parallel, "tensor") or 1
        if parallel is None or whole_number(parallel, "pipeline"):
            continue
        wanted = tensor * (whole_number(parallel, "dataLocal") or 1)
        for pod in ("template", "worker"):
            amount = _accelerators(found.spec.get(*role, pod))
            if amount and amount[1] != wanted:
                name, count = amount
                message = f"{name}: {count}, and the parallelism uses {wanted} on a node"
                fix = f"ask for {wanted}, or change the parallelism"
                path = nearest(view.tree, (*role, "parallelism"))
                yield Finding(path, message, fix, at_key=True)
                break


def _accelerators(pod: Node | None) -> tuple[str, int] | None:
    """The accelerator that the server asks for, and how many of it."""
    for container in elements(pod, "containers"):
        limits = container.get("resources", "limits")
        if text(container, "name") != _SERVER or limits is None:
            continue
        for name, node in limits.items.items():
            if "/" in name and "gpu" in name and str(node.value).isdecimal():
                return name, int(str(node.value))
    return None


@rule("KSV577", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def bases_leave_the_name_alone(view: LlmView) -> Iterator[Finding]:
    """A service and a configuration that it builds on do not both say `model.name`.

    That of the configuration takes the place of the service's own: all services that build on it
    answer to one name. That is right for a configuration that is a model with all that belongs to
    it; its services say no other name.

    Fails: {baseRefs: [{name: christened}], model: {name: chat}}
    Passes: {baseRefs: [{name: christened}], model: {name: null}}
    """
    own = text(view.tree, "model", "name")
    for _, layer in merged(view).named:
        name = text(layer.spec, "model", "name")
        if own and name and own != name:
            message = f"the model is called {name!r}, as {layer.name} says, and not {own!r}"
            yield Finding(("model", "name"), message, f"delete it, or model.name in {layer.name}")


RULES = rules_with_source(
    (
        webhook_takes_the_merged_spec,
        templates_can_be_filled,
        presets_are_there,
        configurations_are_there,
        parallelism_stands_in_the_service,
        accelerators_fit_the_parallelism,
        bases_leave_the_name_alone,
    ),
    MERGE,
)
