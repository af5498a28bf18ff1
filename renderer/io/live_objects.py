"""Live objects out of what kubectl printed, as it comes in: only what is asked for is kept."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.errors import RendererError
from renderer.text.json_stream import StreamError, TooLargeError, objects
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject, Query
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

    def of(self, document: Mapping[str, Plain]) -> dict[str, Plain]:
        """Who an object is, and what is asked for."""
        version, kind = str(document.get("apiVersion", "")), str(document.get("kind", ""))
        self.kinds.add(kind)
        queries = self._queries.get((version.rpartition("/")[0], kind), [])
        if not self._queries or any(not query.reads for query in queries):
            return {**document, "metadata": _drop_bookkeeping(document["metadata"])}
        identity: dict[str, Plain] = {"apiVersion": version, "kind": kind}
        identity["metadata"] = _only(document["metadata"], _IDENTITY)
        read = {
            path[0]: _only(document.get(path[0]), path[1:]) for q in queries for path in q.reads
        }
        return {**identity, **{key: value for key, value in read.items() if value is not None}}


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
        kept = selection.of(document)
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
