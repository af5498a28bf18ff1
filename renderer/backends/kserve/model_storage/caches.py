"""Models that nodes keep: the groups of nodes that they name."""

from collections.abc import Iterator

from renderer.backends.kserve.plain_objects import CACHE, NODE_GROUP, ObjectView, is_provided
from renderer.kubernetes.pods import Field
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SOURCE = "kserve/kserve: pkg/controller/v1alpha1/localmodel/reconcilers"


@rule("KSV640", Severity.ERROR, CACHE, since=_SINCE)
def node_groups_are_there(view: ObjectView) -> Iterator[Finding]:
    """The groups of nodes that a cache names are here, or in `references.provided`.

    Without one of them KServe does nothing for the cache, and cannot even delete it.

    Fails: nodeGroups: [gpu-est]
    Passes: nodeGroups: [gpu]
    """
    environment = view.environment
    for group in Field((), view.tree).each("nodeGroups"):
        name = group.text
        if environment.may_have(NODE_GROUP, name) or is_provided(NODE_GROUP, name, environment):
            continue
        other = f"add it, or {NODE_GROUP}/{name} to references.provided if it is there already"
        fix = suggest(name, environment.names(NODE_GROUP), other)
        yield group.wrong(f"there is no LocalModelNodeGroup {name!r}", fix)


@rule("KSV641", Severity.WARNING, CACHE, since=_SINCE)
def node_groups_are_named_once(view: ObjectView) -> Iterator[Finding]:
    """A cache names each group of nodes once.

    Fails: nodeGroups: [gpu, gpu]
    Passes: nodeGroups: [gpu]
    """
    seen: set[str] = set()
    for group in Field((), view.tree).each("nodeGroups"):
        if group.text in seen:
            yield group.wrong(f"{group.text!r} is named already", "delete one of them")
        seen.add(group.text)


RULES = rules_with_source((node_groups_are_there, node_groups_are_named_once), _SOURCE)
