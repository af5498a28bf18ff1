"""Live objects: out of kubectl's streams, of files and of standard input, within bounds."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from renderer.errors import RendererError
from renderer.text.decoder import Limits
from renderer.text.json_stream import StreamError, TooLargeError, objects
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject, LiveObjects, Query
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain, uniform_tree

HOW = "save what 'kubectl get … -o json' prints"
_DEEPEST = 100
_MIB = 1 << 20
_LARGEST_OBJECT = 16 * _MIB  # ten times what Kubernetes stores
#: Of no interest to anybody who asks how an object fares, and often half of it.
_BOOKKEEPING = "managedFields"
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
#: Of the metadata of an object of which not all is asked for.
_IDENTITY = (
    "name", "namespace", "labels", "generation", "deletionTimestamp", "ownerReferences",
)  # fmt: skip


class MoreThanAllowedError(RendererError):
    """It is no use to read on."""


class Bounds:
    """How much may still be read and kept; all sources of a run share it."""

    def __init__(self, size: int = 512 * _MIB, values: int = 3_000_000) -> None:
        self._most, self._left, self._values = size, size, values

    def limited(self, chunks: Iterator[bytes], shown: str) -> Iterator[bytes]:
        for chunk in chunks:
            self._left -= len(chunk)
            if self._left < 0:
                what = (
                    f"{shown}, with all that was read before, is larger than {self._most:,} bytes"
                )
                raise MoreThanAllowedError(f"{what}; {_FEWER}")
            yield chunk

    def keep(self, values: int, shown: str) -> None:
        self._values -= values
        if self._values < 0:
            raise MoreThanAllowedError(f"{shown} holds more than can be kept in memory; {_FEWER}")


_FEWER = "name the specs to ask about, or fewer kinds and namespaces"


class Selection:
    """What of an object is kept, by the queries that ask for it; without any, all of it."""

    def __init__(self, queries: Sequence[Query] = ()) -> None:
        self._queries: dict[tuple[str, str], list[Query]] = {}
        for query in queries:
            group = query.api_version.rpartition("/")[0]
            self._queries.setdefault((group, query.kind), []).append(query)
        self.kinds: set[str] = set()  # all that were seen

    def reduce(self, document: Mapping[str, Plain]) -> dict[str, Plain]:
        """Who an object is, and what is asked for."""
        version, kind = str(document.get("apiVersion", "")), str(document.get("kind", ""))
        self.kinds.add(kind)
        queries = self._queries.get((version.rpartition("/")[0], kind), [])
        if not self._queries or any(not query.reads for query in queries):
            return {**document, "metadata": _drop_bookkeeping(document["metadata"])}
        identity: dict[str, Plain] = {"apiVersion": version, "kind": kind}
        identity["metadata"] = _only(document["metadata"], _IDENTITY)
        read = {key: _only(document.get(key), keys) for key, keys in _wanted(queries).items()}
        return {**identity, **{key: value for key, value in read.items() if value is not None}}


def _wanted(queries: Sequence[Query]) -> dict[str, list[str]]:
    """What queries read of an object, by its fields; no keys stand for all of a field."""
    paths = [path for query in queries for path in query.reads]
    whole = {path[0] for path in paths if len(path) == 1}
    return {
        first: []
        if first in whole
        else [key for path in paths if path[0] == first for key in path[1:]]
        for first in dict.fromkeys(path[0] for path in paths)
    }


def _drop_bookkeeping(metadata: Plain) -> Plain:
    if not isinstance(metadata, dict):
        return metadata
    kept = {key: value for key, value in metadata.items() if key != _BOOKKEEPING}
    notes = kept.get("annotations")
    if isinstance(notes, dict) and _LAST_APPLIED in notes:
        kept["annotations"] = {key: notes[key] for key in notes if key != _LAST_APPLIED}
    return kept


def _only(value: Plain, keys: Sequence[str]) -> Plain:
    """The members of a mapping that are called so; all without keys."""
    if not keys or not isinstance(value, dict):
        return value
    return {key: value[key] for key in keys if key in value}


def live_objects(
    chunks: Iterator[bytes], shown: str, selection: Selection, bounds: Bounds
) -> Iterator[LiveObject]:
    """The objects in a JSON text, those of lists one by one."""
    found = objects(bounds.limited(chunks, shown), _LARGEST_OBJECT)
    try:
        yield from select_objects(found, shown, selection, bounds)
    except TooLargeError as error:
        what = f"{shown} holds an object of more than {_LARGEST_OBJECT:,} bytes"
        raise MoreThanAllowedError(f"{what}, and Kubernetes stores none so large; {HOW}") from error
    except StreamError as error:
        raise RendererError(f"{shown}{error}; {HOW}") from error


def select_objects(
    documents: Iterator[Plain], shown: str, selection: Selection, bounds: Bounds
) -> Iterator[LiveObject]:
    """What is kept of objects; anything else than objects is refused."""
    origin = Origin(shown)
    for document in documents:
        if not isinstance(document, dict) or not isinstance(document.get("metadata"), dict):
            raise RendererError(f"{shown} holds something else than Kubernetes objects; {HOW}")
        kept = selection.reduce(document)
        bounds.keep(_size(kept, shown), shown)
        yield LiveObject(uniform_tree(kept, origin))


def _size(document: Mapping[str, Plain], shown: str) -> int:
    """How many values it has; Kubernetes itself takes nothing that is nested so deeply."""
    level: list[Plain] = [{**document}]
    values = 1
    for _ in range(_DEEPEST):
        level = [child for item in level for child in _children(item)]
        values += len(level)
        if not level:
            return values
    raise RendererError(f"{shown} holds values that are nested more than {_DEEPEST} deep; {HOW}")


def _children(item: Plain) -> Iterator[Plain]:
    return iter(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())


STDIN = "-"
_CHUNK = 256 << 10
_YAML = Limits(size=16 << 20)  # of which a tree is made at once
_NOT_SAVED = "there are none in the files"


class LiveFile(NamedTuple):
    """A file of objects, and the destination they are of; without one, of all of them."""

    path: str
    destination: str = ""

    @property
    def shown(self) -> str:
        return "standard input" if self.path == STDIN else self.path


class _FileContent(NamedTuple):
    """What a file holds, and the kinds of all that is in it."""

    destination: str
    objects: tuple[LiveObject, ...]
    kinds: frozenset[str]


def live_file(given: str, destinations: Iterable[str]) -> LiveFile:
    """`FILE`, or `DESTINATION=FILE`; a name with `=` that is no destination's is a file's."""
    name, equals, path = given.partition("=")
    return LiveFile(path, name) if equals and name in destinations else LiveFile(given)


def read_files(
    files: Iterable[LiveFile], queries: Sequence[Query], destinations: Iterable[str]
) -> dict[str, LiveObjects]:
    """The objects of files by destination; kinds of which there is nothing were not saved."""
    bounds = Bounds()
    read = [_read_file(item, queries, bounds) for item in files]
    live: dict[str, LiveObjects] = {}
    for name in destinations:
        here = [item for item in read if item.destination in ("", name)]
        kinds = frozenset[str]().union(*(item.kinds for item in here))
        asked = (item for item in queries if item.destination == name and not item.required)
        unread = {item.kind: _NOT_SAVED for item in asked if item.kind not in kinds}
        live[name] = LiveObjects(tuple(one for item in here for one in item.objects), unread)
    return live


def _read_file(file: LiveFile, queries: Sequence[Query], bounds: Bounds) -> _FileContent:
    selection = Selection(queries)
    with _opened(file) as stream:
        chunks = iter(lambda: stream.read(_CHUNK), b"")
        objects = tuple(read_objects(chunks, file.shown, selection, bounds))
    return _FileContent(file.destination, objects, frozenset(selection.kinds))


@contextmanager
def _opened(file: LiveFile) -> Iterator[BinaryIO]:
    try:
        if file.path == STDIN:
            yield sys.stdin.buffer
        else:
            with Path(file.path).open("rb") as stream:
                yield stream
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{file.shown} is not read: {reason}") from error


def read_objects(
    chunks: Iterator[bytes], shown: str, selection: Selection, bounds: Bounds
) -> Iterator[LiveObject]:
    """The objects in a text, JSON or YAML, those of lists one by one."""
    first = next((chunk for chunk in chunks if chunk.strip()), b"")
    if not first:
        raise RendererError(f"{shown} is empty; {HOW}")
    text = chain([first], chunks)
    if first.lstrip()[:1] in (b"{", b"["):
        return live_objects(text, shown, selection, bounds)
    return select_objects(_yaml_objects(text, shown), shown, selection, bounds)


def _yaml_objects(chunks: Iterator[bytes], shown: str) -> Iterator[Plain]:
    from renderer.text.yaml_reader import read

    reading = read(_limited(chunks, shown), shown, _YAML, several=True)
    if reading.problems or reading.document.tree is None:
        first = reading.problems[0] if reading.problems else None
        place = f"{shown}:{first.line}:{first.column}: {first.message}" if first else shown
        raise RendererError(f"{place}; {HOW}")
    for node in reading.document.tree.elements:
        yield from _items(node.plain())


def _limited(chunks: Iterator[bytes], shown: str) -> bytes:
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > _YAML.size:
            message = f"{shown} is larger than {_YAML.size:,} bytes of YAML"
            raise RendererError(f"{message}; save it with '-o json', or ask for fewer objects")
    return data


def _items(document: Plain) -> Iterator[Plain]:
    """An object, or those of a list."""
    if isinstance(document, list):
        for item in document:
            yield from _items(item)
    elif isinstance(document, dict) and isinstance(document.get("items"), list):
        yield from _items(document["items"])
    elif document is not None:
        yield document
