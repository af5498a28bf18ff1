"""Live objects from files: what `kubectl get -o json` or `-o yaml` printed, one or many."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from renderer.errors import RendererError
from renderer.io.live_objects import HOW, Bounds, Selection, live_objects, select_objects
from renderer.text.decoder import Limits
from renderer.values.live import LiveObject, LiveObjects, Query
from renderer.values.tree import Plain

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
