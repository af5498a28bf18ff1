"""Runtimes: what KServe's webhooks refuse, and what can never serve a model."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.rules.containers import blocked_variables
from renderer.backends.kserve.rules.placeholders import texts_of, why_broken
from renderer.backends.kserve.rules.sources import CONTROLLER, RUNTIME_WEBHOOK
from renderer.backends.kserve.rules.workers import (
    known_devices,
    second_containers,
    size_variables,
    unknown_devices,
)
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Signs of lists and ranges.
_SEVERAL = expression(r"[,;<>=~^|\s]")
_BLOCKED_SINCE = (0, 18, 0)
_WORKER = "worker-container"
#: What only ModelMesh reads.
_OF_MODEL_MESH = (
    "grpcEndpoint", "grpcDataEndpoint", "httpDataEndpoint", "replicas", "storageHelper",
    "builtInAdapter",
)  # fmt: skip


def _whole(view: RuntimeView) -> Field:
    return Field((), view.spec.tree)


def _serving(view: RuntimeView) -> Iterator[Field]:
    """The container that serves models, as it stands in the spec."""
    for container in _whole(view).each("containers"):
        if text(container.node, "name") == SERVING_CONTAINER:
            yield container


@rule("KSV302", Severity.ERROR, "ServingRuntime", reads=("containers",))
def runtime_serves(view: RuntimeView) -> Iterator[Finding]:
    """A runtime has a container that is called kserve-container.

    It is the one that the model's fields are added to. The runtime is accepted without it, but no
    service that uses it ever becomes ready (InvalidPredictorSpec).

    Fails: containers: [{name: server}, {name: kserve-container, $remove: true}]
    Passes: containers: [{name: kserve-container, image: 'example/server:v1'}]
    """
    if view.runtime.multi_model or view.runtime.disabled or list(_serving(view)):
        return
    containers = elements(view.spec.tree, "containers")
    name = text(containers[0], "name") if len(containers) == 1 else ""
    path = ("containers", 0, "name") if name else ("containers",)
    message = f"there is no {SERVING_CONTAINER}" + (f", but {name!r}" if name else "")
    yield Finding(path, message, f"call the one that serves {SERVING_CONTAINER}", at_key=not name)


@rule("KSV303", Severity.ERROR, "ServingRuntime")
def runtime_sets_no_python_path(view: RuntimeView) -> Iterator[Finding]:
    """No container of a runtime has a variable PYTHONPATH.

    KServe's webhook refuses it since 0.18, as code could be loaded from elsewhere with it.

    Fails: containers: [{name: kserve-container, env: [{name: PYTHONPATH, value: /opt}]}]
    Passes with: containers: [{name: kserve-container, env: null}]
    """
    if view.runtime.disabled or not view.settings.dialect.knows(_BLOCKED_SINCE):
        return
    for keys in (("containers",), ("workerSpec", "containers")):
        for container in _whole(view).each(*keys):
            yield from blocked_variables(container)


@rule("KSV304", Severity.ERROR, "ServingRuntime")
def runtime_workers_are_right(view: RuntimeView) -> Iterator[Finding]:
    """Workers of a runtime have one container, sizes in fields, and GPUs that KServe knows.

    KServe's webhook refuses more containers, the variables PIPELINE_PARALLEL_SIZE and
    TENSOR_PARALLEL_SIZE, and GPUs that neither it nor the annotation
    serving.kserve.io/gpu-resource-types knows.

    Fails:
        workerSpec:
          containers: [{name: worker-container, image: 'example/server:v1'}, {name: logs}]
    Passes: workerSpec: {containers: [{name: worker-container, image: 'example/server:v1'}]}
    """
    if view.runtime.disabled or not view.runtime.multi_node:
        return
    whole = _whole(view)
    yield from second_containers(whole)
    known = known_devices(view.spec.tree) or ()
    workers = list(whole.each("workerSpec", "containers"))[:1]
    for container in _serving(view):
        yield from size_variables(container)
    for container in (*_serving(view), *(i for i in workers if text(i.node, "name") == _WORKER)):
        yield from unknown_devices(container, known)


@rule("KSV305", Severity.ERROR, "ServingRuntime")
def placeholders_are_known(view: RuntimeView) -> Iterator[Finding]:
    """A placeholder in a runtime is one that KServe can fill in.

    It knows the metadata of the service: {{.Name}}, {{.Namespace}}, {{.Labels.x}},
    {{.Annotations.x}}. With others, or with braces that are not closed, no service that uses the
    runtime ever becomes ready (InvalidPredictorSpec).

    Fails: containers: [{name: kserve-container, args: ['--name={{.Model}}']}]
    Passes: containers: [{name: kserve-container, args: ['--name={{.Name}}']}]
    """
    for container in _serving(view):
        for field in texts_of(container):
            if reason := why_broken(field.text):
                message = f"KServe cannot fill this in: there is {reason}"
                yield field.wrong(message, "write {{.Name}}, or another field of the metadata")


@rule("KSV306", Severity.WARNING, "ServingRuntime")
def runtime_fields_count(view: RuntimeView) -> Iterator[Finding]:
    """Fields of a runtime have an effect.

    Some are read by ModelMesh alone: grpcEndpoint, grpcDataEndpoint, httpDataEndpoint, replicas,
    storageHelper and builtInAdapter. hostIPC is not carried into pods (inferred from the source).

    Fails: replicas: 2
    Passes with: replicas: null
    """
    if view.runtime.multi_model:
        return
    for field in _whole(view).present(_OF_MODEL_MESH):
        yield field.wrong_key(f"only ModelMesh reads {field.name}", "delete it")
    for field in _whole(view).present(("hostIPC",)):
        if field.node.value:
            yield field.wrong_key("hostIPC does not reach pods (inferred)", "delete it")


@rule("KSV307", Severity.WARNING, "ServingRuntime", reads=("supportedModelFormats",))
def runtime_lists_formats(view: RuntimeView) -> Iterator[Finding]:
    """A runtime lists the formats that it takes, with versions that are compared as text.

    Without any it serves nothing, whoever names it. A version `*` is no wildcard: leave the version
    out, and models that ask for none match. Nor is there a list or a range in a version.

    Fails: supportedModelFormats: [{name: ours, version: '*'}]
    Passes: supportedModelFormats: [{name: ours}]
    """
    if not view.runtime.formats:
        message = "it lists no format, so that no model can use it"
        yield Finding(("supportedModelFormats",), message, "add supportedModelFormats")
    for index, item in enumerate(view.runtime.formats):
        path = ("supportedModelFormats", index, "version")
        if "*" in item.version:
            message = f"the version {item.version!r} is no wildcard, but compared as text"
            yield Finding(path, message, "delete it")
        elif _SEVERAL.search(item.version):
            message = f"the version {item.version!r} stands for no others, but is compared as text"
            yield Finding(path, message, "write an entry for each version", since="0.2.0")


RULES = (
    *rules_with_source(
        (
            runtime_sets_no_python_path,
            runtime_workers_are_right,
        ),
        RUNTIME_WEBHOOK,
    ),
    *rules_with_source(
        (runtime_serves, placeholders_are_known, runtime_fields_count, runtime_lists_formats),
        CONTROLLER,
    ),
)
