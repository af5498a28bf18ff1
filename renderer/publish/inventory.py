"""Whose part of the output tree a file is, and the inventories that say which files are ours."""

import hashlib
import json
import re
from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any

from renderer.errors import RendererError
from renderer.text.wording import LINE_END
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import OutputFile

INVENTORIES = ".inventory"
_SUFFIX = ".json"
_INVENTORY_PARTS = 3
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # cannot be written as a name, nor into an inventory
#: What every version reads, and what those read that keep former generations.
FORMAT, FORMER_FORMAT = 1, 2
MOST = 64 << 20  # a quarter of a million files; what is larger is cut off and so not an inventory
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ANCESTOR, _SEPARATOR = "||||||| ", "======="
_MARKERS = ("<<<<<<< ", _SEPARATOR, ">>>>>>> ")
_FILE_LINE = re.compile(r'    ("(?:[^"\\]|\\.)*": \{.*\}),?')
_FORMAT_LINE = re.compile(r'  "format": ([0-9]{1,9}),?')
_FRAME = ("{", "}", "},", '"files": {', '"files": {}', "")
_FIELDS = {"sha256", "object", "source"}
#: Stands in the line of a file that another one has taken the place of, and nowhere else.
_FORMER = "former"
_text = json.JSONEncoder(ensure_ascii=False).encode


class DestinationFolder(NamedTuple):
    """A destination of an environment: one inventory, and what a shard owns or leaves alone."""

    environment: str
    name: str

    @property
    def path(self) -> str:
        return f"{self.environment}/{self.name}"

    @property
    def inventory(self) -> str:
        """Without a suffix: other tools take every `*.json` below a folder for a manifest.

        A name with a dot keeps it, so that a path tells whose inventory it is, if it is one.
        """
        former = self.former_inventory
        return former if "." in self.name else former.removesuffix(_SUFFIX)

    @property
    def former_inventory(self) -> str:
        """What it was called once: read where there is no other, and replaced by a render."""
        return f"{self.environment}/{INVENTORIES}/{self.name}{_SUFFIX}"


def destination_of(path: str) -> DestinationFolder:
    """Which destination a path belongs to; an inventory belongs to the one it describes."""
    environment, *rest = path.split("/")
    if is_inventory(path):
        return DestinationFolder(environment, rest[-1].removesuffix(_SUFFIX))
    return DestinationFolder(environment, rest[0] if rest else "")


def is_inventory(path: str) -> bool:
    """Under its name of today, or the former one; other files there are not ours."""
    parts = path.split("/")
    is_named_so = parts[-1].endswith(_SUFFIX) or "." not in parts[-1]
    return len(parts) == _INVENTORY_PARTS and parts[1] == INVENTORIES and is_named_so


def is_current(path: str, paths: Container[str]) -> bool:
    """Is it an inventory to go by, among all paths that are there?"""
    if not is_inventory(path):
        return False
    name = destination_of(path).inventory
    return path == name or name not in paths


def is_safe(path: str) -> bool:
    """Does it stay below its folder, spelled in the one normal way?"""
    is_name = "\0" not in path and not _HALF_A_PAIR.search(path)
    return is_name and all(part not in ("", ".", "..") for part in path.split("/"))


def parents(path: str) -> list[str]:
    """The folders above a path, outermost first, without the output folder itself."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


class Scope(NamedTuple):
    """Which part of the tree a run is responsible for; no names = all, vanished ones included."""

    environments: frozenset[str] | None = None
    owns: Callable[[str, str], bool] = lambda environment, destination: True  # noqa: ARG005

    def covers(self, destination: DestinationFolder) -> bool:
        selected = self.environments is None or destination.environment in self.environments
        return selected and self.owns(destination.environment, destination.name)


class InventoryEntry(NamedTuple):
    """A file of ours: the SHA-256 of what we wrote, the object in it and the spec it is from.

    One that `is_former` is left of an earlier content, of which another file has taken the place.
    """

    digest: str
    identity: str
    source: str
    is_former: bool = False


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def entry_of(file: OutputFile) -> InventoryEntry:
    return InventoryEntry(file.digest, file.identity, file.source, file.is_former)


def dump(entries: Mapping[str, InventoryEntry]) -> str:
    """One line per file, sorted, so that a change of one file is a diff of one line."""
    lines = [f"    {_text(path)}: {_line(entry)}" for path, entry in sorted(entries.items())]
    body = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    has_former = any(entry.is_former for entry in entries.values())
    number = FORMER_FORMAT if has_former else FORMAT
    return f'{{\n  "format": {number},\n  "files": {body}\n}}\n'


def parse(data: bytes, where: Path) -> dict[str, InventoryEntry]:
    """The entries by path below the destination; whatever is odd ends the run.

    What cannot be read is not guessed at: taking it for empty would turn our own files into
    foreign ones that are never pruned again. In one with a merge conflict, ours is what either
    side says, so that the next render mends it.
    """
    try:
        document = _both_sides(data) if _has_conflict(data) else json.loads(data)
        _refuse_other_format(document, where)
        return {path: _entry(path, fields) for path, fields in document["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RendererError(f"{where}: {_complaint(data)}") from error


def _has_conflict(data: bytes) -> bool:
    return data.startswith(b"<<<<<<< ") or b"\n<<<<<<< " in data


def _both_sides(data: bytes) -> dict[str, Any]:
    """The files that either side of a conflict lists; one is a line, whatever the commas are."""
    files: dict[str, Any] = {}
    formats: list[int] = []
    in_ancestor = False
    for line in LINE_END.split(data.decode("utf-8")):
        in_ancestor = line.startswith(_ANCESTOR) or (in_ancestor and line != _SEPARATOR)
        if in_ancestor or line.startswith(_MARKERS):
            continue
        if file := _FILE_LINE.fullmatch(line):
            files.update(json.loads(f"{{{file[1]}}}"))
        elif number := _FORMAT_LINE.fullmatch(line):
            formats.append(int(number[1]))
        elif line.strip() not in _FRAME:
            raise ValueError(line)
    return {"format": max(formats), "files": files}


def _refuse_other_format(document: Any, where: Path) -> None:
    number = document["format"]
    if type(number) is int and number > FORMER_FORMAT:
        message = f"{where}: format {number} is of a newer servingctl; upgrade to render here"
        raise RendererError(message)
    if number not in (FORMAT, FORMER_FORMAT):
        raise ValueError(number)


def _entry(path: str, fields: Any) -> InventoryEntry:
    if not is_safe(path) or set(fields) - {_FORMER} != _FIELDS:
        raise ValueError(path)
    is_former = fields.get(_FORMER, False)
    texts = fields["sha256"], fields["object"], fields["source"]
    are_texts = all(isinstance(value, str) for value in texts)
    if not are_texts or not _DIGEST.fullmatch(texts[0]) or type(is_former) is not bool:
        raise ValueError(path)
    "".join(texts).encode()  # half of a surrogate pair cannot be written again
    return InventoryEntry(*texts, is_former)


def _complaint(data: bytes) -> str:
    if _has_conflict(data):
        return "it holds a merge conflict that cannot be read; take either side and render again"
    return (
        "it is not an inventory; restore it from Git, or delete it: then files that are as "
        "rendered are adopted and the others are named"
    )


def _line(entry: InventoryEntry) -> str:
    fields = {"sha256": entry.digest, "object": entry.identity, "source": entry.source}
    return _text({**fields, **({_FORMER: True} if entry.is_former else {})})
