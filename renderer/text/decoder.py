"""From bytes to text that can be shown and parsed safely."""

import re
from collections.abc import Iterator

from renderer.text import rules
from renderer.text.expressions import expression
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import FIRST_VERSION, Diagnostic, Origin
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple

_FORBIDDEN = expression("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_HIDDEN = expression("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_OURS, _SEPARATOR, _THEIRS = (
    expression(marker, re.MULTILINE)
    for marker in (r"^<<<<<<< ([^\r\n]{1,60})", r"^=======\r?$", r"^>>>>>>> ([^\r\n]{1,60})")
)
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_MOST_SHOWN = 20
_SAVE_AS = "save the file as UTF-8 without a byte order mark"


class Limits(NamedTuple):
    """How much of a file is looked at before it is refused."""

    size: int = 1 << 20
    depth: int = 64
    expanded: int = 10_000


SPEC_LIMITS = Limits()


class Reading(NamedTuple):
    """What came of a file: the document, and every problem found on the way."""

    document: Document
    problems: list[Diagnostic]


def position(file: str, text: str, index: int) -> Origin:
    """The line and column of an index into a text."""
    start, line = 0, 1
    for end in LINE_END.finditer(text, 0, index):
        start, line = end.end(), line + 1
    return Origin(file, line, index - start + 1)


def decode(data: bytes, file: str, limits: Limits) -> tuple[str, list[Diagnostic]]:
    """The text of a file, and what forbids to parse it."""
    if len(data) > limits.size:
        message = f"the file is larger than {limits.size:,} bytes"
        return _shown(data, limits), [rules.SIZE.at(Origin(file), message, "split it")]
    if data.startswith(_LFS_POINTER):
        message = "this is a pointer of Git LFS, not the file itself"
        fix = f"fetch it by git lfs pull --include={file!r}, or keep it in Git: git lfs untrack"
        found = rules.LFS_POINTER.at(Origin(file), message, fix)
        # Without it the file was no spec either, and nothing was rendered of it.
        return _shown(data, limits), [found._replace(since=FIRST_VERSION)]
    if data.startswith(_MARKS):
        message = "the file begins with a byte order mark"
        return _shown(data, limits), [rules.ENCODING.at(Origin(file), message, _SAVE_AS)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        where = position(file, before, len(before))
        return _shown(data, limits), [rules.ENCODING.at(where, message, _SAVE_AS)]
    if text.replace("\n", "").isprintable():  # what is forbidden is not
        return text, []
    return text, list(_control_characters(text, file))


def conflicts(text: str, file: str) -> list[Diagnostic]:
    """What Git leaves in a file whose two sides it could not merge."""
    ours = _OURS.search(text) if "<<<<<<< " in text else None
    between = _SEPARATOR.search(text, ours.end()) if ours else None
    theirs = _THEIRS.search(text, between.end()) if between else None
    if not ours or not theirs:
        return []
    message = f"the file has an unresolved merge conflict between {ours[1]} and {theirs[1]}"
    fix = "keep what should be there of both, delete the lines with <<<<<<<, ======= and >>>>>>>"
    return [rules.CONFLICT.at(position(file, text, ours.start()), message, fix)]


def _shown(data: bytes, limits: Limits) -> str:
    return data[: limits.size].decode("utf-8", "replace")


def _control_characters(text: str, file: str) -> Iterator[Diagnostic]:
    for count, match in enumerate(_FORBIDDEN.finditer(text)):
        if count == _MOST_SHOWN:
            return
        yield rules.CONTROL.at(
            position(file, text, match.start()),
            f"the file holds the character U+{ord(match[0]):04X}",
            f'delete it, or write it in double quotes as "\\u{ord(match[0]):04x}"',
        )


def hidden_characters(name: str) -> list[str]:
    """The characters of a name that steer a terminal or a reader instead of being seen."""
    return [] if name.isprintable() else _HIDDEN.findall(name)
