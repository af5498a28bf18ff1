"""How large an object may be to be stored, and to be applied in the older way."""

import json
from collections.abc import Iterator

from renderer.manifests import rules as man
from renderer.rules.metadata import SYNC_OPTIONS
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.objects import Manifest
from renderer.values.tree import Node

_ANNOTATIONS, _OBJECT = 256 << 10, 3 << 19
_KIB = 1 << 10
#: JSON is at most twice as long as our YAML, and hardly any object comes near a limit.
_MOST_GROWTH = 2
_SERVER_SIDE = "ServerSideApply=true"
_OPTIONS = ("metadata", "annotations", SYNC_OPTIONS)
_APPLY = "apply it server-side: Flux does, Argo CD with the sync option ServerSideApply=true, "
_APPLY += "kubectl with apply --server-side"


def sizes(manifest: Manifest) -> Iterator[Diagnostic]:
    """What of an object is too large for Kubernetes."""
    if len(manifest.text) * _MOST_GROWTH < _ANNOTATIONS:
        return
    tree = manifest.tree
    annotations = tree.get("metadata", "annotations")
    noted = sum(len(key.encode()) + _raw(node) for key, node in _members(annotations))
    size = _size(tree)
    if noted > _ANNOTATIONS and annotations:
        ours = (node for node in annotations.items.values() if node.origin.file)
        where = _place(max(ours, key=_raw, default=annotations), manifest)
        message = f"the annotations have {_kib(noted)} KiB together, and 256 KiB are the most"
        yield man.ANNOTATIONS_SIZE.at(where, message, "keep long texts elsewhere")
    elif size > _OBJECT:
        message = f"the object has {_kib(size)} KiB, and about 1536 KiB are the most"
        fix = "make it smaller, or divide it; this is the largest part of it"
        yield man.OBJECT_SIZE.at(_heaviest(tree, manifest), message, fix)
    elif noted + size > _ANNOTATIONS and not _is_applied_by_server(tree):
        message = f"client-side apply copies the object ({_kib(size)} KiB) into an annotation, and "
        message += f"annotations may have 256 KiB together, of which {_kib(noted)} are taken"
        yield man.LAST_APPLIED_SIZE.at(_heaviest(tree, manifest), message, _APPLY)


def _members(node: Node | None) -> list[tuple[str, Node]]:
    return list(node.items.items()) if node else []


def _raw(node: Node) -> int:
    return len(str(node.value).encode())


def _size(node: Node) -> int:
    """In bytes, as compact JSON."""
    return len(json.dumps(node.plain(), ensure_ascii=False, separators=(",", ":")).encode())


def _kib(size: int) -> int:
    return -(-size // _KIB)


def _is_applied_by_server(tree: Node) -> bool:
    """Whether the object itself asks for the newer way."""
    options = tree.get(*_OPTIONS)
    return bool(options) and _SERVER_SIDE in str(options and options.value)


def _heaviest(tree: Node, manifest: Manifest) -> Origin:
    """The part that most of the size is due to, as deep as it is a single one."""
    node, size = tree, _size(tree)
    while children := node.elements or tuple(node.items.values()):
        sized = [(_size(child), child) for child in children]
        largest, child = max(sized, key=lambda item: item[0])
        if largest * 2 < size:
            break
        node, size = child, largest
    return _place(node, manifest)


def _place(node: Node, manifest: Manifest) -> Origin:
    return node.origin if node.origin.file else manifest.spec.tree.origin
