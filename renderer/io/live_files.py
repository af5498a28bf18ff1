"""Live objects from files: what `kubectl get -o json` or `-o yaml` printed, one or many."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from renderer.errors import RendererError
from renderer.text.decoder import Limits
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject, LiveObjects, Query
from renderer.values.tree import Plain, derived

STDIN = "-"
_LIMITS = Limits(size=64 << 20)
_HOW = "save what 'kubectl get … -o json' prints"
_DEEPEST = 100
_NOT_SAVED = "there are none in the files"


class LiveFile(NamedTuple):
    """A file of objects, and the destination they are of; without one, of all of them."""

    path: str
    destination: str = ""

    @property
    def shown(self) -> str:
        return "standard input" if self.path == STDIN else self.path


def live_file(given: str, destinations: Iterable[str]) -> LiveFile:
    """`FILE`, or `DESTINATION=FILE`; a name with `=` that is no destination's is a file's."""
    name, equals, path = given.partition("=")
    return LiveFile(path, name) if equals and name in destinations else LiveFile(given)


def read_files(
    files: Iterable[LiveFile], queries: Sequence[Query], destinations: Iterable[str]
) -> dict[str, LiveObjects]:
    """The objects of files by destination; kinds of which there is nothing were not saved."""
    read = [(item, tuple(parse_objects(_data(item), item.shown))) for item in files]
    live: dict[str, LiveObjects] = {}
    for name in destinations:
        found = [one for item, all_ in read if item.destination in ("", name) for one in all_]
        kinds = {item.kind for item in found}
        asked = (item for item in queries if item.destination == name and not item.required)
        unread = {item.kind: _NOT_SAVED for item in asked if item.kind not in kinds}
        live[name] = LiveObjects(tuple(found), unread)
    return live


def _data(file: LiveFile) -> bytes:
    try:
        if file.path == STDIN:
            return _limited(sys.stdin.buffer, file)
        with Path(file.path).open("rb") as stream:
            return _limited(stream, file)
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{file.shown} is not read: {reason}") from error


def _limited(stream: BinaryIO, file: LiveFile) -> bytes:
    data = stream.read(_LIMITS.size + 1)
    if len(data) > _LIMITS.size:
        message = f"{file.shown} is larger than {_LIMITS.size:,} bytes"
        raise RendererError(f"{message}; ask for fewer kinds or namespaces")
    return data


def parse_objects(data: bytes, shown: str) -> Iterator[LiveObject]:
    """The objects in a text, those of lists one by one."""
    if not data.strip():
        raise RendererError(f"{shown} is empty; {_HOW}")
    is_json = data.lstrip()[:1] in (b"{", b"[")
    documents = [_json(data, shown)] if is_json else _yaml(data, shown)
    origin = Origin(shown)
    for document in documents:
        yield from (LiveObject(derived(item, origin)) for item in _items(document, shown))


def _json(data: bytes, shown: str) -> Plain:
    try:
        document: Plain = json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise RendererError(f"{shown} is not UTF-8: byte {error.start}; {_HOW}") from error
    except json.JSONDecodeError as error:
        place = f"{shown}:{error.lineno}:{error.colno}"
        raise RendererError(f"{place}: no JSON: {error.msg.lower()}; {_HOW}") from error
    except (ValueError, RecursionError) as error:
        raise RendererError(f"{shown} is no JSON that can be read; {_HOW}") from error
    return document


def _refuse(name: str) -> None:
    """JSON knows no NaN and no infinity."""
    raise ValueError(name)


def _yaml(data: bytes, shown: str) -> list[Plain]:
    from renderer.text.yaml_reader import read

    reading = read(data, shown, _LIMITS, several=True)
    if reading.problems or reading.document.tree is None:
        first = reading.problems[0] if reading.problems else None
        place = f"{shown}:{first.line}:{first.column}: {first.message}" if first else shown
        raise RendererError(f"{place}; {_HOW}")
    documents = (node.plain() for node in reading.document.tree.elements)
    return [item for item in documents if item is not None]


def _items(document: Plain, shown: str) -> Iterator[dict[str, Plain]]:
    """An object, or those of a list; anything else is none."""
    if isinstance(document, list):
        for item in document:
            yield from _items(item, shown)
    elif isinstance(document, dict) and isinstance(document.get("items"), list):
        yield from _items(document["items"], shown)
    elif isinstance(document, dict) and isinstance(document.get("metadata"), dict):
        _refuse_deep(document, shown)
        yield document
    else:
        raise RendererError(f"{shown} holds something else than Kubernetes objects; {_HOW}")


def _refuse_deep(document: Mapping[str, Plain], shown: str) -> None:
    """Kubernetes itself takes nothing that is nested so deeply."""
    level: list[Plain] = [{**document}]
    for _ in range(_DEEPEST):
        level = [below for item in level for below in _below(item)]
        if not level:
            return
    raise RendererError(f"{shown} holds values that are nested more than {_DEEPEST} deep; {_HOW}")


def _below(item: Plain) -> Iterator[Plain]:
    children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    return (child for child in children if isinstance(child, dict | list))
