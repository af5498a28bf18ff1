"""The inventory of a destination as text: which files are ours, and what we last wrote."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from renderer.errors import RendererError
from renderer.publish.files import is_safe
from renderer.values.output import OutputFile

FORMAT = 1
MOST = 64 << 20  # a quarter of a million files; what is larger is cut off and so not an inventory
_DIGEST = re.compile(r"[0-9a-f]{64}")
_CONFLICT = re.compile(rb"^(<<<<<<<|=======|>>>>>>>)", re.MULTILINE)
_FIELDS = {"sha256", "object", "source"}
_text = json.JSONEncoder(ensure_ascii=False).encode


class Entry(NamedTuple):
    """A file of ours: the SHA-256 of what we wrote, the object in it and the spec it is from."""

    digest: str
    identity: str
    source: str


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def entry_of(file: OutputFile) -> Entry:
    return Entry(file.digest, file.identity, file.source)


def dump(entries: Mapping[str, Entry]) -> str:
    """One line per file, sorted, so that a change of one file is a diff of one line."""
    lines = [f"    {_text(path)}: {_line(entry)}" for path, entry in sorted(entries.items())]
    body = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
    return f'{{\n  "format": {FORMAT},\n  "files": {body}\n}}\n'


def parse(data: bytes, where: Path) -> dict[str, Entry]:
    """The entries by path below the destination; whatever is odd ends the run.

    What cannot be read is not guessed at: taking it for empty would turn our own files into
    foreign ones that are never pruned again.
    """
    try:
        document = json.loads(data)
        _refuse_other_format(document, where)
        return {path: _entry(path, fields) for path, fields in document["files"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise RendererError(f"{where}: {_complaint(data)}") from error


def _refuse_other_format(document: Any, where: Path) -> None:
    number = document["format"]
    if type(number) is int and number > FORMAT:
        message = f"{where}: format {number} is of a newer servingctl; upgrade to render here"
        raise RendererError(message)
    if number != FORMAT:
        raise ValueError(number)


def _entry(path: str, fields: Any) -> Entry:
    if not is_safe(path) or set(fields) != _FIELDS:
        raise ValueError(path)
    entry = Entry(fields["sha256"], fields["object"], fields["source"])
    if not all(isinstance(value, str) for value in entry) or not _DIGEST.fullmatch(entry.digest):
        raise ValueError(path)
    "".join(entry).encode()  # half of a surrogate pair cannot be written again
    return entry


def _complaint(data: bytes) -> str:
    if _CONFLICT.search(data):
        return "it holds a merge conflict; take either side (git checkout --ours) and render again"
    return (
        "it is not an inventory; restore it from Git, or delete it: then files that are as "
        "rendered are adopted and the others are named"
    )


def _line(entry: Entry) -> str:
    fields = {"sha256": entry.digest, "object": entry.identity, "source": entry.source}
    return _text(fields)
