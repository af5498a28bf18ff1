"""What cannot be laid over what is below it: values that undo nothing, choices that add up."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.merge import says_nothing
from renderer.backends.kserve.llm.merged import merged, nearest
from renderer.backends.kserve.llm.rules.sources import MERGE
from renderer.backends.kserve.llm.service import PREFILL, SCHEDULER, LlmView
from renderer.kubernetes.pod_rules.probes import HANDLERS
from renderer.kubernetes.pods import PROBES
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node, walk

_SINCE = "0.3.0"
_SERVER = "main"
_ROLES: tuple[Path, ...] = ((), (PREFILL,))
_INLINE: Path = (*SCHEDULER, "config", "inline")
_ONE = "keep it in one of both"
_ADAPTERS: Path = ("model", "lora", "adapters")
_SOURCES = ("value", "valueFrom")


@rule("KSV578", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def nothing_is_undone(view: LlmView) -> Iterator[Finding]:
    """A service adds to what is below it, and takes nothing away.

    `false`, an empty text and an empty list say nothing to KServe where its types leave them out:
    what the configuration or the preset says stays.

    Fails: {baseRefs: [{name: fixed}], parallelism: {tensor: 2, expert: false}}
    Passes: {baseRefs: [{name: fixed}], parallelism: {tensor: 2}}
    """
    found = merged(view)
    for path, node in walk(view.tree):
        if not path or not isinstance(path[-1], str) or not says_nothing(path[-1], node):
            continue
        below = _same_place(found.bases, found.own, path)
        if below is not None and not says_nothing(path[-1], below):
            message = f"this does not undo {path[-1]}: the configuration below has {_said(below)}"
            fix = f"delete {path[-1]} from that configuration, or name another one in baseRefs"
            yield Finding(path, message, fix)


def _said(node: Node) -> str:
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    if isinstance(node.value, tuple):
        return "a list" if node.value else "an empty list"
    return repr(node.value) if isinstance(node.value, str) else str(node.plain())


def _same_place(bases: Node, own: Node, path: Path) -> Node | None:
    """The value below one of the service; items of lists are those of the same name."""
    below: Node | None = bases
    here: Node | None = own
    for step in path:
        if below is None or here is None:
            return None
        here = here.step(step)
        if isinstance(step, int):
            name = text(here, "name") if here else ""
            known = (item for item in below.elements if name and text(item, "name") == name)
            below = next(known, None)
        else:
            below = below.step(step)
    return below


@rule("KSV579", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def choices_do_not_add_up(view: LlmView) -> Iterator[Finding]:
    """A volume, probe or variable keeps the one source that it has below.

    Another one comes beside it: a volume that is an emptyDir and a claim, a probe that asks twice,
    a variable with `value` and `valueFrom`. The API server refuses the Deployment.

    Fails: {template: {volumes: [{name: model-cache, persistentVolumeClaim: {claimName: big}}]}}
    Passes: {template: {volumes: [{name: weights, persistentVolumeClaim: {claimName: big}}]}}
    """
    found = merged(view)
    for role in _ROLES:
        for pod in ("template", "worker"):
            place: Path = (*role, pod)
            for index, volume in enumerate(elements(view.tree, *place, "volumes")):
                yield from _added_up(found.bases, (*place, "volumes", index), volume, ())
            for key in ("containers", "initContainers"):
                for index, item in enumerate(elements(view.tree, *place, key)):
                    yield from _added_in_container(found.bases, (*place, key, index), item)


def _added_in_container(bases: Node, path: Path, container: Node) -> Iterator[Finding]:
    for index, variable in enumerate(elements(container, "env")):
        yield from _added_up(bases, (*path, "env", index), variable, _SOURCES)
    for probe in PROBES:
        if given := container.get(probe):
            yield from _added_up(bases, (*path, probe), given, HANDLERS)


def _added_up(bases: Node, path: Path, given: Node, kinds: tuple[str, ...]) -> Iterator[Finding]:
    """Where one of some kinds is there, and another one below; any kind, if none are named."""
    below = _below(bases, path, given)
    if below is None:
        return
    sides = [
        [key for key in side.items if (key in kinds if kinds else key != "name")]
        for side in (given, below)
    ]
    for key in sides[0]:
        others = [other for other in sides[1] if other != key]
        if others:
            message = f"{others[0]}, which a preset or configuration has, stays beside {key}"
            fix = f"use {others[0]} as well" if kinds else "give it another name, and mount that"
            yield Finding((*path, key), message, fix, at_key=True)


def _below(bases: Node, path: Path, given: Node) -> Node | None:
    """What stands below a named item, or a member of one."""
    depth = max(place for place, step in enumerate(path) if isinstance(step, int))
    names = text(given, "name")
    before = path[: depth - 1]
    if path[depth - 1] == "env":
        container = path[depth - 2]
        found: Node | None = None
        for item in elements(bases, *path[: depth - 2]) if isinstance(container, int) else ():
            known = (one for one in elements(item, "env") if text(one, "name") == names)
            found = next(known, found)
        return found
    listed = elements(bases, *before, path[depth - 1])
    if depth == len(path) - 1:
        return next((item for item in listed if text(item, "name") == names), None)
    server = next((item for item in listed if text(item, "name") == _SERVER), None)
    return server.get(*path[depth + 1 :]) if server else None


@rule("KSV580", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def scheduler_configuration_stands_once(view: LlmView) -> Iterator[Finding]:
    """`router.scheduler.config.inline` stands in one place, the service or a configuration.

    KServe cannot look into it, so that lists or mappings of both cannot be laid together.

    Fails:
        baseRefs: [{name: picky}]
        router: {route: {}, scheduler: {config: {inline: {plugins: []}}}}
    Passes:
        baseRefs: [{name: picky}]
        router: {route: {}, scheduler: {}}
    """
    if clash := merged(view).effective.clash:
        path = nearest(view.tree, _INLINE)
        yield Finding(path, f"{clash}, and KServe cannot merge them", _ONE, at_key=True)


@rule("KSV581", Severity.ERROR, "LLMInferenceService", since=_SINCE, stops_platform=True)
def adapters_can_be_fetched(view: LlmView) -> Iterator[Finding]:
    """Adapters come from `hf://`, `s3://` or `pvc://`, and something brings them.

    KServe makes nothing of a service whose adapters lie in images, or whose storage initializer is
    off.

    Fails: {model: {lora: {adapters: [{name: sql, uri: 'oci://example/sql:v1'}]}}}
    Passes: {model: {lora: {adapters: [{name: sql, uri: 'pvc://adapters/sql'}]}}}
    """
    spec = merged(view).spec
    off = spec.get("storageInitializer", "enabled")
    for index, adapter in enumerate(elements(spec, *_ADAPTERS)):
        path = nearest(view.tree, (*_ADAPTERS, index, "uri"))
        uri = text(adapter, "uri")
        if uri.partition("://")[0] not in ("hf", "s3", "pvc"):
            message = f"{uri!r} is none of hf://, s3:// and pvc://"
            yield Finding(path, message, "copy the adapter to one of them")
        elif off is not None and off.value is False:
            message = "the storage initializer is off, so that nothing brings the adapter"
            yield Finding(path, message, "write storageInitializer: {enabled: true}")


RULES = rules_with_source(
    (
        nothing_is_undone,
        choices_do_not_add_up,
        scheduler_configuration_stands_once,
        adapters_can_be_fetched,
    ),
    MERGE,
)
