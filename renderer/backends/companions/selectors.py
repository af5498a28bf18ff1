"""Selectors of workloads, which must match the labels of the pods that they make."""

from collections.abc import Iterator

from renderer.backends.base import OBJECT
from renderer.backends.companions.objects import CompanionView
from renderer.backends.fields import members
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Path, Severity, rule

#: Kinds that find their pods by `spec.selector`, which people write.
_SELECTING = ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
_SELECTOR: Path = ("spec", "selector")
_SELECTED: Path = (*_SELECTOR, "matchLabels")
_LABELS = ("spec", "template", "metadata", "labels")


@rule("MAN241", Severity.ERROR, OBJECT, since="0.2.0")
def selector_matches_template(view: CompanionView) -> Iterator[Finding]:
    """The selector of a workload matches the labels of its own pods.

    The API server refuses a Deployment, StatefulSet, DaemonSet or ReplicaSet otherwise: it would
    never find the pods that it makes. An empty selector is refused as well.

    Fails:

        apiVersion: apps/v1
        kind: ReplicaSet
        spec:
          selector: {matchLabels: {app: gateway}}
          template:
            metadata: {labels: {app: gatway}}
            spec: {containers: [{name: server, image: "example/gateway:1.0"}]}

    Passes:

        apiVersion: apps/v1
        kind: ReplicaSet
        spec:
          selector: {matchLabels: {app: gateway}}
          template:
            metadata: {labels: {app: gateway}}
            spec: {containers: [{name: server, image: "example/gateway:1.0"}]}
    """
    if view.spec.kind.name not in _SELECTING:
        return
    selector = view.spec.tree.get(*_SELECTOR)
    if selector and not any(node.value for node in selector.items.values()):
        message = f"the selector of {view.spec.name} is empty"
        yield Finding(_SELECTOR, message, "write matchLabels with a label of its pods")
    labels = members(view.spec.tree, *_LABELS)
    for key, node in members(selector, "matchLabels").items():
        given, wanted = labels.get(key), str(node.value)
        if given is None or given.value != node.value:
            has = f"is {visible(str(given.value))!r}" if given else "is not there"
            message = f"it selects {key}={visible(wanted)}, and this label of its pods {has}"
            fix = f"write the same value here and in spec.template.metadata.labels[{key!r}]"
            yield Finding((*_SELECTED, key), message, fix)
