"""Rendered files read back: the objects that inventories list, and the specs they name."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from renderer.backends import BACKENDS
from renderer.backends.kinds import KINDS, kind_of_tree
from renderer.errors import RendererError
from renderer.publish import inventory
from renderer.publish.inventory import (
    INVENTORIES,
    DestinationFolder,
    InventoryEntry,
    destination_of,
    is_current,
)
from renderer.text import rules as problems
from renderer.text.decoder import Limits
from renderer.text.yaml_reader import read as read_yaml
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files, Unreadable
from renderer.values.kinds import Kind
from renderer.values.model import Spec
from renderer.values.objects import Manifest, Output, StoredKind
from renderer.values.tree import Node, constant

_LIMITS = Limits(size=16 << 20)


def is_rendered(files: Files) -> bool:
    """Whether some environment's output is there."""
    return any(True for _ in _inventories(files))


def reread(files: Files, shown_as: str) -> Output:
    """The objects of a rendered tree, whose files are called by their path below `shown_as`.

    What is left of earlier content is none of them: a new tree would not have it.
    """
    manifests: list[Manifest] = []
    found: list[Diagnostic] = []
    edited: set[str] = set()
    for path in _inventories(files):
        destination = destination_of(path)
        shown = Path(shown_as) / path
        try:
            entries = inventory.parse(files.read(path, _LIMITS.size), shown)
        except Unreadable as error:
            raise RendererError(f"{shown}: the inventory is not read: {error}") from error
        for name, entry in entries.items():
            if entry.identity and not entry.is_former:
                made = _manifest(files, destination, f"{destination.path}/{name}", entry, shown_as)
                if isinstance(made, Diagnostic):
                    found.append(made)
                    edited.add(made.file)
                    continue
                manifests.append(made)
                if inventory.digest_of(made.text.encode()) != entry.digest:
                    edited.add(made.tree.origin.file)
    in_order = sorted(manifests, key=lambda item: item.path)
    return Output(tuple(in_order), tuple(found), frozenset(edited))


def _inventories(files: Files) -> Iterator[str]:
    for environment in files.names(""):
        if not environment.startswith("."):
            folder = f"{environment}/{INVENTORIES}"
            paths = [f"{folder}/{name}" for name in files.names(folder)]
            yield from (path for path in paths if is_current(path, paths))


def _manifest(
    files: Files, destination: DestinationFolder, path: str, entry: InventoryEntry, shown_as: str
) -> Manifest | Diagnostic:
    shown = str(PurePosixPath(shown_as) / path)
    try:
        data = files.read(path, _LIMITS.size)
    except Unreadable as error:
        message = f"the file is not read: {error}"
        finding = problems.UNREADABLE.at(Origin(shown), message, "render again")
        return finding.about(destination.environment)
    reading = read_yaml(data, shown, _LIMITS)
    tree = reading.document.tree
    if tree is None or reading.problems:
        return reading.problems[0].about(destination.environment)
    stored = _stored_kind(tree)
    kind = KINDS[stored.spec] if stored else kind_of_tree(tree)
    spec = _spec(destination.environment, entry.source, kind or Kind("", ""))
    schema = stored.schema if stored else ""
    text = data.decode("utf-8")
    return Manifest(path, *destination, spec, schema, tree, text, entry.identity)


def _stored_kind(tree: Node) -> StoredKind | None:
    """What kind of object it is, if it is one of a platform's."""
    version, kind = (tree.get(key) for key in ("apiVersion", "kind"))
    group = str(version.value).rpartition("/")[0] if version else ""
    known = (item for backend in BACKENDS for item in backend.stored)
    return next((i for i in known if kind and (i.group, i.kind) == (group, kind.value)), None)


def _spec(environment: str, source: str, kind: Kind) -> Spec:
    """The spec that an object was made of, of which only the name is known."""
    nothing = constant({}, "only what was made of it is known")._replace(origin=Origin(source))
    return Spec(kind, PurePosixPath(source).stem, environment, (source,), nothing)
