"""Where objects name other objects: tables of paths, and what a tree names by them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from renderer.text.expressions import expression
from renderer.values.diagnostics import Origin, Path
from renderer.values.model import Reference
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

Steps = tuple[str, ...]
_PLACEHOLDER = "{{"


class Mention(NamedTuple):
    """A place that names an object: `*` in its path stands for every item or member.

    `kind` is that of the object; where a field beside the name may say another one, `kind_at` is
    that field, and `kinds` are those that its words stand for, if the words are no kinds; the group
    of another kind is in `group_at`. Fields
    beside the name also say its namespace, the keys of it that are needed, and whether it may be
    missing. Of a text that says more than the name, the first group of `form` is the name; a text
    of another form names nothing. With a `usual_name` the place names a key, of the object that the
    tree names at `name_at`, else of the one of the usual name.
    """

    path: Steps
    kind: str
    kind_at: str = ""
    namespace_at: str = ""
    keys_at: Steps = ()
    optional_at: str = ""
    form: str = ""
    kinds: tuple[tuple[str, str], ...] = ()
    group_at: str = ""
    usual_name: str = ""
    name_at: Steps = ()


def nest(place: Steps, rows: Iterable[Mention]) -> tuple[Mention, ...]:
    """The rows of a table for what stands at a place."""
    return tuple(row._replace(path=(*place, *row.path)) for row in rows)


def _key_mention(place: str, kind: str) -> Mention:
    return Mention((*place.split("."), "name"), kind, keys_at=("key",), optional_at="optional")


def _items_mention(place: str, kind: str, field: str = "name") -> Mention:
    path = (*place.split("."), field)
    return Mention(path, kind, keys_at=("items", "*", "key"), optional_at="optional")


CONTAINER = (
    _key_mention("env.*.valueFrom.secretKeyRef", "Secret"),
    _key_mention("env.*.valueFrom.configMapKeyRef", "ConfigMap"),
    Mention(("envFrom", "*", "secretRef", "name"), "Secret", optional_at="optional"),
    Mention(("envFrom", "*", "configMapRef", "name"), "ConfigMap", optional_at="optional"),
)
VOLUME = (
    _items_mention("secret", "Secret", "secretName"),
    _items_mention("configMap", "ConfigMap"),
    _items_mention("projected.sources.*.secret", "Secret"),
    _items_mention("projected.sources.*.configMap", "ConfigMap"),
    Mention(("persistentVolumeClaim", "claimName"), "PersistentVolumeClaim"),
    Mention(("csi", "nodePublishSecretRef", "name"), "Secret"),
    Mention(("csi", "volumeAttributes", "secretProviderClass"), "SecretProviderClass"),
    Mention(("ephemeral", "volumeClaimTemplate", "spec", "storageClassName"), "StorageClass"),
)
POD = (
    Mention(("serviceAccountName",), "ServiceAccount"),
    Mention(("serviceAccount",), "ServiceAccount"),
    Mention(("imagePullSecrets", "*", "name"), "Secret"),
    Mention(("priorityClassName",), "PriorityClass"),
    Mention(("runtimeClassName",), "RuntimeClass"),
    Mention(("resourceClaims", "*", "resourceClaimName"), "ResourceClaim"),
    Mention(("resourceClaims", "*", "resourceClaimTemplateName"), "ResourceClaimTemplate"),
    *nest(("volumes", "*"), VOLUME),
    *nest(("containers", "*"), CONTAINER),
    *nest(("initContainers", "*"), CONTAINER),
)
#: Labels of an object by which a queue takes it.
QUEUED = (
    Mention(("labels", "kueue.x-k8s.io/queue-name"), "LocalQueue"),
    Mention(("labels", "kueue.x-k8s.io/priority-class"), "WorkloadPriorityClass"),
)


def references(tree: Node, rows: Sequence[Mention]) -> Iterator[Reference]:
    """What a tree names, by a table, each with the place of the name."""
    for row in rows:
        for path, holder, name in _named_places(tree, row.path):
            kind, found = _kind(holder, row), _name(name, row.form)
            keys = [node for node in named_nodes(holder, row.keys_at) if node.value]
            if found and row.usual_name:
                named = tree.get(*row.name_at) if row.name_at else None
                keys, found = [name], (_name(named, "") if named else "") or row.usual_name
            if kind and found:
                yield Reference(
                    kind,
                    found,
                    path,
                    namespace=_text(holder, row.namespace_at),
                    keys=tuple(str(node.value) for node in keys),
                    is_optional=_text(holder, row.optional_at) == "True",
                    origin=name.origin,
                    via=_use(name),
                    key_origins=tuple(node.origin for node in keys),
                )


def _named_places(tree: Node, steps: Steps, path: Path = ()) -> Iterator[tuple[Path, Node, Node]]:
    """The places that a path leads to, each with the mapping it stands in."""
    first, *rest = steps
    if first == "*":
        children = tree.items.items() or enumerate(tree.elements)
        for key, child in children:
            yield from (
                _named_places(child, tuple(rest), (*path, key))
                if rest
                else (((*path, key), tree, child),)
            )
        return
    found = tree.items.get(first)
    if found is not None and rest:
        yield from _named_places(found, tuple(rest), (*path, first))
    elif found is not None:
        yield (*path, first), tree, found


def _kind(holder: Node, row: Mention) -> str:
    word, group = _text(holder, row.kind_at), _text(holder, row.group_at)
    if row.kinds:
        return dict(row.kinds).get(word, "")
    if not word or (word == row.kind.partition(".")[0] and not group):
        return row.kind
    return f"{word}.{group}" if group else word


def _name(node: Node, form: str) -> str:
    value = node.value if isinstance(node.value, str) else ""
    if _PLACEHOLDER in value:  # the platform fills it in
        return ""
    if not form or not value:
        return value
    match = _compiled(form).match(value)
    return match[1] if match else ""


_compiled = cache(expression)


def _text(holder: Node, field: str) -> str:
    node = holder.items.get(field) if field else None
    return str(node.value) if node else ""


def named_nodes(holder: Node, steps: Steps) -> Iterator[Node]:
    """What a path leads to."""
    places = _named_places(holder, steps) if steps else ()
    return (node for _, _, node in places)


def _use(name: Node) -> Origin | None:
    """Where a name is used that a variable of another file sets."""
    return name.key if name.key and name.key.file != name.origin.file else None
