"""What KServe's webhook makes of an LLM service: it writes the whole object again."""

from renderer.backends.kserve.llm.merge import PLAIN_FLAGS
from renderer.backends.kserve.llm.service import POD_PLACES
from renderer.backends.kserve.stored_components import add_resources
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.diagnostics import Path
from renderer.values.model import Spec
from renderer.values.tree import Node, constant, drop_paths, walk

ROUTING_GROUP = "serving.kserve.io/routing-group"
#: Of caches that the webhook finds in the cluster; it takes away what anybody else writes there.
LOCAL_MODEL = "internal.serving.kserve.io/localmodel"
_WEBHOOK = "what KServe's webhook would write"
_NO_CONTAINERS = constant([], "KServe's webhook writes it, empty as it is")
_NO_ADDRESS = constant("", _WEBHOOK)
#: Lists and mappings that are kept although they are empty.
_KEPT = ("containers", "nodeSelectorTerms")
#: Mappings of names that people choose, which are left out where they are empty.
_FREE = frozenset(("labels", "annotations", "nodeSelector", "limits", "requests", "matchLabels"))
_RAW = "inline"


def written_again(fields: Node, spec: Spec) -> Node:
    """The fields of a service with what the webhook adds, and without what it leaves out."""
    for place in POD_PLACES:
        fields = replace_at(fields, place, _complete_pod)
    empty = {path for path, node in walk(fields) if path and _is_left_out(path, node)}
    return _name_model(drop_paths(fields, empty) if empty else fields, spec)


def _complete_pod(pod: Node) -> Node:
    for key in ("containers", "initContainers"):
        pod = each(pod, (key,), add_resources)
    return pod.with_members({"containers": _NO_CONTAINERS, **pod.items})


def _is_left_out(path: Path, node: Node) -> bool:
    """Whether Go leaves a value out that says nothing; what is compulsory is never empty."""
    *above, key = path
    if isinstance(key, int) or _RAW in above or not _FREE.isdisjoint(above):
        return False
    if key == "value" and "env" in above:
        return node.value == ""
    if node.value == ():
        return key not in _KEPT
    return (node.value == {} and key in _FREE) or (node.value is False and key in PLAIN_FLAGS)


def _name_model(fields: Node, spec: Spec) -> Node:
    """A model without a name gets that of the service, which has a model in any case."""
    name = spec.name_node.value
    silent = constant(name, _WEBHOOK) if isinstance(name, str) else spec.name_node
    model = fields.get("model") or Node({}, fields.origin)
    given = model.get("name")
    named = given if given and given.value else silent
    whole = {**model.items, "name": named}
    whole.setdefault("uri", _NO_ADDRESS)
    return fields.with_members({**fields.items, "model": model.with_members(whole)})


def own_metadata(tree: Node) -> Node:
    """The metadata of a service: the webhook writes the group of the route, and no other."""
    metadata = tree.get("metadata") or Node({}, tree.origin)
    others = {path for path, _ in walk(metadata) if path[1:] and is_webhooks(str(path[-1]))}
    metadata = drop_paths(metadata, others)
    group = tree.get("router", "route", "group")
    if group is None:
        return metadata
    labels = metadata.get("labels") or Node({}, metadata.origin)
    labels = labels.with_members({ROUTING_GROUP: group, **labels.items})
    return metadata.with_members({**metadata.items, "labels": labels})


def is_webhooks(key: str) -> bool:
    """Whether a label or annotation is one that the webhook alone decides about."""
    return key == ROUTING_GROUP or key.startswith(LOCAL_MODEL)
