"""Runtimes: what KServe's webhooks refuse, and what can never serve a model."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.merged_container import TRANSFORMER_CONTAINER
from renderer.backends.kserve.rules.containers import blocked_variables
from renderer.backends.kserve.rules.placeholders import template_texts, why_broken
from renderer.backends.kserve.rules.sources import CONTROLLER, RUNTIME_WEBHOOK
from renderer.backends.kserve.rules.workers import (
    known_devices,
    second_containers,
    size_variables,
    unknown_devices,
)
from renderer.backends.kserve.runtimes import (
    CLUSTER_RUNTIME,
    SERVING_CONTAINER,
    SERVING_RUNTIME,
    Runtime,
)
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Signs of lists and ranges.
_SEVERAL = expression(r"[,;<>=~^|\s]")
_BLOCKED_SINCE = (0, 18, 0)
_WORKER = "worker-container"
#: What only ModelMesh reads.
_MODEL_MESH_FIELDS = (
    "grpcEndpoint", "grpcDataEndpoint", "httpDataEndpoint", "replicas", "storageHelper",
    "builtInAdapter",
)  # fmt: skip


_PRIORITIES_SINCE = (0, 11, 1)


def _tree_field(view: RuntimeView) -> Field:
    return Field((), view.spec.tree)


def _serving_containers(view: RuntimeView) -> Iterator[Field]:
    """The container that serves models, as it stands in the spec."""
    for container in _tree_field(view).each("containers"):
        if text(container.node, "name") == SERVING_CONTAINER:
            yield container


def _filled_containers(view: RuntimeView) -> Iterator[Field]:
    """The containers in which KServe fills in placeholders."""
    for container in _tree_field(view).each("containers"):
        if text(container.node, "name") in (SERVING_CONTAINER, TRANSFORMER_CONTAINER):
            yield container


@rule("KSV302", Severity.ERROR, "ServingRuntime", reads=("containers",))
def runtime_serves(view: RuntimeView) -> Iterator[Finding]:
    """A runtime has a container that is called kserve-container.

    It is the one that the model's fields are added to. The runtime is accepted without it, but no
    service that uses it ever becomes ready (InvalidPredictorSpec).

    Fails: containers: [{name: server}, {name: kserve-container, $remove: true}]
    Passes: containers: [{name: kserve-container, image: 'example/server:v1'}]
    """
    if view.runtime.multi_model or view.runtime.disabled or list(_serving_containers(view)):
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
        for container in _tree_field(view).each(*keys):
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
    whole = _tree_field(view)
    yield from second_containers(whole)
    known = known_devices(view.spec.tree) or ()
    workers = list(whole.each("workerSpec", "containers"))[:1]
    for container in _serving_containers(view):
        yield from size_variables(container)
    for container in (
        *_serving_containers(view),
        *(i for i in workers if text(i.node, "name") == _WORKER),
    ):
        yield from unknown_devices(container, known)


@rule("KSV305", Severity.ERROR, "ServingRuntime")
def placeholders_are_known(view: RuntimeView) -> Iterator[Finding]:
    """A placeholder in a runtime is one that KServe can fill in.

    It knows the metadata of the service: {{.Name}}, {{.Namespace}}, {{.Labels.x}},
    {{.Annotations.x}}. With others, or with braces that are not closed, no service that uses the
    runtime ever becomes ready (InvalidPredictorSpec). KServe fills in kserve-container and
    transformer-container, and leaves other containers as they are.

    Fails: containers: [{name: kserve-container, args: ['--name={{.Model}}']}]
    Passes: containers: [{name: kserve-container, args: ['--name={{.Name}}']}]
    """
    for container in _filled_containers(view):
        for field in template_texts(container):
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
    for field in _tree_field(view).present(_MODEL_MESH_FIELDS):
        yield field.wrong_key(f"only ModelMesh reads {field.name}", "delete it")
    for field in _tree_field(view).present(("hostIPC",)):
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


@rule("KSV300", Severity.ERROR, "ServingRuntime")
def format_has_one_priority(view: RuntimeView) -> Iterator[Finding]:
    """All entries of a format that may be chosen have the same priority.

    KServe's webhook refuses a runtime with two priorities for one format.

    Fails:
        supportedModelFormats:
          - {name: ours, version: '1', autoSelect: true, priority: 1}
          - {name: ours, version: '2', autoSelect: true, priority: 2}
    Passes with: supportedModelFormats: [{name: ours, version: '2', priority: 1}]
    """
    if not _is_first(view):
        yield from _differing_priorities(view.runtime)


@rule("KSV308", Severity.WARNING, "ServingRuntime")
def first_runtime_has_one_priority(view: RuntimeView) -> Iterator[Finding]:
    """The first runtime of a namespace has one priority for a format, too.

    KServe's webhook looks at it only if there is a runtime in the namespace already: it takes this
    one (observed), and refuses it as soon as it is to be changed (inferred).

    Fails:
        supportedModelFormats:
          - {name: ours, version: '1', autoSelect: true, priority: 1}
          - {name: ours, version: '2', autoSelect: true, priority: 2}
    Passes with: supportedModelFormats: [{name: ours, version: '2', priority: 1}]
    """
    if _is_first(view):
        yield from _differing_priorities(view.runtime, "; KServe will refuse the next change of it")


def _is_first(view: RuntimeView) -> bool:
    """Whether the webhook finds no other runtime where it looks for them."""
    own = view.runtime
    near = (item for item in _neighbours(view) if item.namespace == own.namespace)
    return own.kind == SERVING_RUNTIME and all(item.name == own.name for item in near)


def _differing_priorities(runtime: Runtime, consequence: str = "") -> Iterator[Finding]:
    seen: dict[str, int | None] = {}
    for index, item in enumerate(runtime.formats):
        if runtime.disabled or not item.auto_select:
            continue
        first = seen.setdefault(item.name, item.priority)
        if None not in (first, item.priority) and first != item.priority:
            given = f"priority {first} above, and {item.priority} here"
            message = f"the format {item.name} has {given}{consequence}"
            path = ("supportedModelFormats", index, "priority")
            yield Finding(path, message, f"write {first} in both")


@rule("KSV301", Severity.ERROR, "ServingRuntime")
def priorities_differ(view: RuntimeView) -> Iterator[Finding]:
    """Two runtimes that may be chosen for one format and version have different priorities.

    KServe's webhook refuses the second one, if both are of one kind (and namespace), speak a
    protocol in common and are both of the same multiModel. Letters may be small or capital.

    Fails:
        supportedModelFormats: [{name: sklearn, version: '1', autoSelect: true, priority: 1}]
        protocolVersions: [v1]
    Passes with: supportedModelFormats: [{name: sklearn, version: '1', priority: 5}]
    """
    if view.runtime.disabled or not view.settings.dialect.knows(_PRIORITIES_SINCE):
        return
    taken: dict[tuple[str, str, int], str] = {}
    for other in _neighbours(view):
        if _compete(view.runtime, other):
            for key in _claimed_priorities(other):
                taken.setdefault(key, other.name)
    for key, index in _claimed_priorities(view.runtime).items():
        if key in taken:
            message = f"{taken[key]!r} has the priority {key[2]} for {key[0]} too"
            path = ("supportedModelFormats", index, "priority")
            yield Finding(path, message, "write another number")


def _neighbours(view: RuntimeView) -> Iterator[Runtime]:
    """The other runtimes of its kind that it may meet in a cluster."""
    specs = (item for item in view.environment.specs if item.kind.name == view.runtime.kind)
    own = [Runtime.of(item) for item in specs]
    yield from own
    if view.runtime.kind == CLUSTER_RUNTIME:
        names = {item.name for item in own}
        yield from (item for item in view.settings.runtimes if item.name not in names)


def _compete(one: Runtime, other: Runtime) -> bool:
    is_near = one.kind != SERVING_RUNTIME or one.namespace == other.namespace
    share = set(one.protocols) & set(other.protocols)
    is_other = one.name != other.name and not other.disabled
    return is_other and is_near and one.multi_model == other.multi_model and bool(share)


def _claimed_priorities(runtime: Runtime) -> dict[tuple[str, str, int], int]:
    """The formats, versions and priorities for which a runtime may be chosen, and their places."""
    return {
        (item.name.lower(), item.version, item.priority): index
        for index, item in enumerate(runtime.formats)
        if item.auto_select and item.priority is not None
    }


RULES = (
    *rules_with_source(
        (
            format_has_one_priority,
            first_runtime_has_one_priority,
            priorities_differ,
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
