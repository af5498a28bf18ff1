"""Text that a spec takes from a file: `{file: path}` beside the spec or among the templates."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from renderer.assets import has_template, read_template
from renderer.compose.spec_rules import TEXT_FILE
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.text.rules import LFS_POINTER
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files, Unreadable
from renderer.values.kinds import Kind
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class Resolution(NamedTuple):
    """A tree with its texts in place, the files they came from, and what was not found."""

    tree: Node
    files: tuple[str, ...]
    found: tuple[Diagnostic, ...]


def resolve(files: Files, spec: str, tree: Node, kind: Kind) -> Resolution:
    """Replace every `{file: …}` where the kind takes text from files."""
    used: list[str] = []
    found: list[Diagnostic] = []

    def text_of(node: Node, folder: str) -> Node:
        given = node.get("file")
        if not given or len(node.items) > 1 or not isinstance(given.value, str):
            return node  # not a reference; the schema says what is wrong with it
        try:
            path, data = _read_text(files, spec, given.value, folder)
        except Unreadable as error:
            message = f"the file {given.value!r} is not taken: {error}"
            found.append(TEXT_FILE.at(given.origin, message, error.fix))
            return node
        text, faults = decode(data, path, SPEC_LIMITS)
        for fault in faults:
            finding = TEXT_FILE.at(given.origin, f"{path}: {fault.message}", fault.fix)
            if fault.code == LFS_POINTER.code:  # a pointer was taken for the text itself before
                finding = finding._replace(since=LFS_POINTER.since)
            found.append(finding.about(related=(path,)))
        used.append(path)
        return Node(text, Origin(path), node.key)

    for place in kind.text_files:
        tree = _replace(tree, place.path, place.folder, text_of)
    return Resolution(tree, tuple(used), tuple(found))


class _TextOf(Protocol):
    def __call__(self, node: Node, folder: str) -> Node: ...


def _replace(node: Node, path: tuple[str, ...], folder: str, text_of: _TextOf) -> Node:
    if not path:
        return text_of(node, folder)
    if node.elements and path[0] == "*":
        items = tuple(_replace(child, path[1:], folder, text_of) for child in node.elements)
        return node._replace(value=items)
    if not isinstance(node.value, Mapping):
        return node
    wanted = node.value if path[0] == "*" else {path[0]}
    changed = {
        key: _replace(child, path[1:], folder, text_of) if key in wanted else child
        for key, child in node.value.items()
    }
    return node._replace(value=changed)


def _read_text(files: Files, spec: str, name: str, folder: str) -> tuple[str, bytes]:
    """The first of: beside the spec, the repository's templates, the bundled templates."""
    parts = name.split("/")
    if not name or name.startswith("/") or "\\" in name or {"", ".", ".."} & set(parts):
        raise Unreadable("it is not a plain path", "write a relative path without '..'")
    places = list(_places(spec, name, folder))
    if spec in places:
        raise Unreadable("it is the spec itself", "name another file")
    for path in places:
        if files.exists(path):
            return path, files.read(path, SPEC_LIMITS.size)
    bundled = f"{folder}/{name}"
    if has_template(bundled):
        return f"servingctl:templates/{bundled}", read_template(bundled)
    raise Unreadable("there is no such file", f"create {places[0]} or {places[1]}")


def _places(spec: str, name: str, folder: str) -> Iterator[str]:
    yield f"{spec.rsplit('/', 1)[0]}/{name}"
    yield f"templates/{folder}/{name}"
