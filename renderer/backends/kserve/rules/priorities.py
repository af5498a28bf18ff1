"""The priorities of runtimes: which one KServe chooses among several."""

from collections.abc import Iterator

from renderer.backends.kserve.rules.sources import RUNTIME_WEBHOOK
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_RUNTIME, Runtime
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_PRIORITIES_SINCE = (0, 11, 1)


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
        yield from _other_priorities(view.runtime)


@rule("KSV308", Severity.WARNING, "ServingRuntime")
def first_runtime_has_one_priority(view: RuntimeView) -> Iterator[Finding]:
    """The first runtime of a namespace has one priority for a format, too.

    KServe's webhook looks at it only if there is a runtime in the namespace already: it takes this
    one, and refuses it as soon as it is to be changed (observed).

    Fails:
        supportedModelFormats:
          - {name: ours, version: '1', autoSelect: true, priority: 1}
          - {name: ours, version: '2', autoSelect: true, priority: 2}
    Passes with: supportedModelFormats: [{name: ours, version: '2', priority: 1}]
    """
    if _is_first(view):
        yield from _other_priorities(view.runtime)


def _is_first(view: RuntimeView) -> bool:
    """Whether the webhook finds no other runtime where it looks for them."""
    own = view.runtime
    near = (item for item in _neighbours(view) if item.namespace == own.namespace)
    return own.kind == SERVING_RUNTIME and all(item.name == own.name for item in near)


def _other_priorities(runtime: Runtime) -> Iterator[Finding]:
    seen: dict[str, int | None] = {}
    for index, item in enumerate(runtime.formats):
        if runtime.disabled or not item.auto_select:
            continue
        first = seen.setdefault(item.name, item.priority)
        if None not in (first, item.priority) and first != item.priority:
            message = f"{item.name} has the priority {first} above, and {item.priority} here"
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
        if _meet(view.runtime, other):
            for key in _claims(other):
                taken.setdefault(key, other.name)
    for key, index in _claims(view.runtime).items():
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


def _meet(one: Runtime, other: Runtime) -> bool:
    is_near = one.kind != SERVING_RUNTIME or one.namespace == other.namespace
    share = set(one.protocols) & set(other.protocols)
    is_other = one.name != other.name and not other.disabled
    return is_other and is_near and one.multi_model == other.multi_model and bool(share)


def _claims(runtime: Runtime) -> dict[tuple[str, str, int], int]:
    """The formats, versions and priorities for which a runtime may be chosen, and their places."""
    return {
        (item.name.lower(), item.version, item.priority): index
        for index, item in enumerate(runtime.formats)
        if item.auto_select and item.priority is not None
    }


RULES = rules_with_source(
    (format_has_one_priority, first_runtime_has_one_priority, priorities_differ), RUNTIME_WEBHOOK
)
