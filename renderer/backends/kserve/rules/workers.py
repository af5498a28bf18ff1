"""Predictors on several nodes: what KServe wants of them and of their workers."""

import json
from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.components import AUTOSCALER
from renderer.backends.kserve.dialect import STANDARD, Dialect
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.sources import (
    RECONCILERS,
    WEBHOOK,
)
from renderer.backends.kserve.rules.versions import has_field
from renderer.backends.kserve.worker_nodes import (
    GPU_KINDS,
    GPU_SLICES,
    PIPELINE,
    TENSOR,
    node_group,
    parallel_sizes,
    stated_sizes,
)
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

GPU_TYPES = "serving.kserve.io/gpu-resource-types"
SIZES = ("PIPELINE_PARALLEL_SIZE", "TENSOR_PARALLEL_SIZE")
_NONE = "none"
_PLAIN = ("cpu", "memory", "storage", "ephemeral-storage")


def has_workers(service: PlacelessService) -> bool:
    """Whether a predictor runs on several nodes, in a version that has workers."""
    is_said = service.predictor.has("workerSpec")
    path = (*service.predictor.path, "workerSpec")
    return is_said and has_field(service.settings.dialect, service.spec.kind, path)


def has_unknown_workers(service: PlacelessService) -> bool:
    """Whether a predictor has workers that its version does not have (KSV170)."""
    return service.predictor.has("workerSpec") and not has_workers(service)


@rule("KSV230", Severity.ERROR, "InferenceService")
def workers_have_one_container(service: PlacelessService) -> Iterator[Finding]:
    """A `workerSpec` has one container at most.

    KServe's webhook refuses more.

    Fails:
        predictor:
          workerSpec:
            containers: [{name: worker-container, image: 'example/worker:v1'}, {name: logs}]
    Passes:
        predictor:
          workerSpec: {containers: [{name: worker-container, image: 'example/worker:v1'}]}
    """
    predictor = service.predictor
    yield from second_containers(predictor.field)


def second_containers(holder: Field) -> Iterator[Finding]:
    """The containers of workers that KServe's webhooks refuse."""
    for container in [*holder.each("workerSpec", "containers")][1:]:
        yield container.wrong(
            "workers have one container, and this is a second one", "delete this one"
        )


@rule("KSV231", Severity.ERROR, "InferenceService")
def sizes_are_fields(service: PlacelessService) -> Iterator[Finding]:
    """How a model is spread over workers is said by fields of `workerSpec`, not by variables.

    KServe's webhook refuses PIPELINE_PARALLEL_SIZE and TENSOR_PARALLEL_SIZE in the env of a model,
    and sets them itself.

    Fails: predictor: {model: {env: [{name: PIPELINE_PARALLEL_SIZE, value: '2'}]}, workerSpec: {}}
    Passes: predictor: {workerSpec: {pipelineParallelSize: 2}}
    """
    if service.model and has_workers(service):
        yield from size_variables(service.model.field)


def size_variables(container: Field) -> Iterator[Finding]:
    """The variables of a container that KServe sets itself."""
    fields = (PIPELINE, TENSOR)
    for variable in container.each("env"):
        name = text(variable.node, "name")
        if name in SIZES:
            fix = f"write workerSpec.{fields[SIZES.index(name)]}"
            yield Finding((*variable.path, "name"), f"KServe refuses the variable {name}", fix)


@rule("KSV232", Severity.ERROR, "InferenceService")
def devices_of_workers_are_known(service: PlacelessService) -> Iterator[Finding]:
    """A model on several nodes asks for GPUs that KServe knows.

    KServe's webhook refuses others than nvidia.com/gpu, amd.com/gpu, intel.com/gpu and
    habana.ai/gaudi, unless the annotation serving.kserve.io/gpu-resource-types lists them.

    Fails: predictor: {model: {resources: {limits: {example.com/gpu: 1}}}, workerSpec: {}}
    Passes with: annotations: {serving.kserve.io/gpu-resource-types: '["example.com/gpu"]'}
    """
    predictor, model = service.predictor, service.model
    if not has_workers(service):
        return
    known = known_devices(service.tree)
    if known is None:
        message = f"{text(service.tree, 'annotations', GPU_TYPES)!r} is no list in JSON"
        yield Finding(("annotations", GPU_TYPES), message, """write '["example.com/gpu"]'""")
        return
    containers = [model.field] if model else []
    containers += predictor.field.each("workerSpec", "containers")
    for container in containers:
        yield from unknown_devices(container, known)


def known_devices(node: Node) -> tuple[str, ...] | None:
    """The GPUs that KServe knows, with those of an annotation; nothing if that is not a list."""
    given = text(node, "annotations", GPU_TYPES)
    if not given:
        return GPU_KINDS
    try:
        added = json.loads(given)
    except (ValueError, RecursionError):
        return None
    is_right = isinstance(added, list) and added and all(isinstance(i, str) and i for i in added)
    return (*GPU_KINDS, *added) if is_right else None


def unknown_devices(container: Field, known: tuple[str, ...]) -> Iterator[Finding]:
    """The amounts of a container that KServe takes for GPUs and does not know."""
    seen = {*_PLAIN, *known}
    for kind in ("limits", "requests"):
        for name, amount in container.members("resources", kind).items():
            if name not in seen and not name.startswith(GPU_SLICES):
                message = f"KServe does not know {name}, and takes it for a GPU"
                fix = f"list it in the annotation {GPU_TYPES}, or write one of {listed(known)}"
                yield amount.wrong_key(message, fix)
            seen.add(name)


@rule("KSV233", Severity.ERROR, "InferenceService", reads=("predictor",))
def workers_share_the_model(service: PlacelessService) -> Iterator[Finding]:
    """A model on several nodes is on a claim, or (since 0.16) in an image.

    KServe's webhook refuses another storageUri than pvc:// and oci://, and none.

    Fails: predictor: {model: {storageUri: 's3://models/llm/v1'}, workerSpec: {}}
    Passes with: predictor: {model: {storageUri: 'pvc://models/llm/v1'}}
    """
    model = service.model
    if model is None or not has_workers(service):
        return
    given = text(model.node, "storageUri")
    schemes = _schemes(service.settings.dialect)
    if given.partition("://")[0] not in schemes:
        message = f"workers cannot share {given!r}" if given else "workers have no storageUri"
        wanted = listed((f"{item}://" for item in schemes), "or")
        yield Finding((*model.path, "storageUri"), message, f"write a storageUri with {wanted}")


def _schemes(dialect: Dialect) -> tuple[str, ...]:
    """What workers can share: images came with the class none."""
    return ("pvc", "oci") if _NONE in dialect.autoscalers else ("pvc",)


@rule("KSV234", Severity.ERROR, "InferenceService", reads=("annotations", "predictor"))
def workers_are_not_scaled(service: PlacelessService) -> Iterator[Finding]:
    """A predictor on several nodes has the annotation autoscalerClass: none.

    KServe's webhook refuses others, and none at all (before 0.16 it was external): the number of
    pods is that of the workers.

    Fails:
        annotations: {serving.kserve.io/autoscalerClass: hpa}
        predictor: {workerSpec: {}}
    Passes with: annotations: {serving.kserve.io/autoscalerClass: none}
    """
    if service.model is None or not has_workers(service):
        return
    wanted = _NONE if _NONE in service.settings.dialect.autoscalers else "external"
    given = text(service.tree, "annotations", AUTOSCALER)
    if given != wanted:
        message = f"with workers, {AUTOSCALER} is not {given!r}" if given else f"no {AUTOSCALER}"
        yield Finding(("annotations", AUTOSCALER), message, f"write {AUTOSCALER}: {wanted}")


@rule("KSV235", Severity.WARNING, "InferenceService")
def workers_stay(service: PlacelessService) -> Iterator[Finding]:
    """KServe 0.20.0 makes workers and deletes them again, without end.

    Known as kserve/kserve#6113: what belongs to the workers is deleted and made anew whenever the
    controller looks at the service.

    Fails: predictor: {workerSpec: {}}
    Passes: predictor: {maxReplicas: 4}
    """
    dialect = service.settings.dialect
    is_there = service.mode == STANDARD and service.predictor.has("workerSpec")
    if is_there and not dialect.keeps_workers:
        message = f"KServe {dialect} makes workers and deletes them again (kserve/kserve#6113)"
        path = (*service.predictor.path, "workerSpec")
        yield Finding(path, message, "use another version of KServe", at_key=True)


@rule("KSV382", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor",))
def workers_have_work(service: PlacelessService) -> Iterator[Finding]:
    """A predictor with workers is spread over more than one pod.

    With a pipelineParallelSize and a tensorParallelSize of 1 the first pod does all, and there are
    no replicas of workers (inferred from the source).

    Fails: predictor: {workerSpec: {pipelineParallelSize: 1, tensorParallelSize: 1}}
    Passes with: predictor: {workerSpec: {pipelineParallelSize: 2}}
    """
    own = service.predictor.node.get("workerSpec")
    if own is None or not has_workers(service):
        return
    if stated_sizes(service) == (1, 1):
        keys = [key for key in (PIPELINE,) if key in own.items]
        path = (*service.predictor.path, "workerSpec", *keys)
        message = "with sizes of 1 there are no workers: the first pod does all (inferred)"
        fix = "write a pipelineParallelSize of 2 or more, or delete workerSpec"
        yield Finding(path, message, fix, at_key=not keys)


@rule("KSV383", Severity.ERROR, "InferenceService", since="0.3.0", reads=("predictor",))
def nodes_have_accelerators(service: PlacelessService) -> Iterator[Finding]:
    """The nodes of a predictor have as many accelerators as its parallelism needs.

    KServe makes as many nodes as workers of their size would need for tensor × pipeline
    parallelism, and the first one is one of them. If that one asks for fewer accelerators than a
    worker, some may lack, and KServe makes nothing (InvalidGPUAllocation).

    Fails:
        predictor:
          model: {resources: {requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}}
          workerSpec:
            tensorParallelSize: 4
            pipelineParallelSize: 2
            containers:
              - name: worker-container
                resources: {requests: {nvidia.com/gpu: 4}, limits: {nvidia.com/gpu: 4}}
    Passes with:
        predictor:
          model: {resources: {requests: {nvidia.com/gpu: 4}, limits: {nvidia.com/gpu: 4}}}
    """
    group = node_group(service) if has_workers(service) else None
    if group is None or group.accelerators >= group.wanted:
        return
    sizes = "tensor {} × pipeline {}".format(*parallel_sizes(service))
    has = f"{group.nodes} nodes have {group.accelerators}: the first one {group.head}"
    message = f"{sizes} needs {group.wanted} accelerators, and {has}, each other {group.worker}"
    path = (*service.predictor.path, "workerSpec")
    keys = [key for key in (TENSOR, PIPELINE) if service.predictor.node.get("workerSpec", key)]
    needed = group.wanted - group.worker * (group.nodes - 1)
    fix = f"ask for {needed} in the model, or for more in the workers"
    yield Finding((*path, *keys[:1]), message, fix, at_key=not keys)


RULES = (
    *rules_with_source(
        (
            workers_have_one_container,
            sizes_are_fields,
            devices_of_workers_are_known,
            workers_share_the_model,
            workers_are_not_scaled,
            workers_stay,
        ),
        WEBHOOK,
    ),
    *rules_with_source((workers_have_work, nodes_have_accelerators), RECONCILERS),
)
