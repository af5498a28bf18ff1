"""`# servingctl: ignore[CODE] reason`: findings that someone has looked at and accepts."""

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from renderer.backends.kinds import current_code
from renderer.compose.spec_rules import BAD_IGNORE, UNUSED_IGNORE
from renderer.evaluate.rulebook import retired_code_at
from renderer.rules.policy import may_be_changed
from renderer.text.expressions import expression
from renderer.text.wording import LINE_END, listed
from renderer.values.diagnostics import Diagnostic, Origin, family_of
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple

_COMMENT = expression(r"(?:^|(?<=\s))#\s*servingctl:\s*(.*)$")
_NEARLY = expression(r"(?:^|(?<=\s))#\s*(servingctl\W*ignore.*)$", re.IGNORECASE)
_IGNORE = expression(r"ignore\[([^\]]*)\]\s*(.*)")
_CODE = expression(r"[A-Z]{3}[0-9]{3}|[A-Z][A-Z0-9]{3,11}")
_CHANGE_FAMILY = "IMP"  # their rules look at two states
_BLOCK_TEXT = expression(r"(?:^|\s)[|>][-+0-9]*\s*(?:#.*)?$")
_RULES = "'servingctl rules' lists them all"
_BLANK = expression(r"\s*(?:#.*)?$")


class Ignore(NamedTuple):
    """A comment that accepts findings of some codes on some lines of its file."""

    origin: Origin
    codes: tuple[str, ...]
    first: int
    last: int

    def accepting_codes(self, finding: Diagnostic, *, in_production: bool) -> Iterator[str]:
        """Those of its codes that accept a finding; retired ones for what took their place."""
        for code in self.codes if self.meets(finding) else ():
            if current_code(code, in_production=in_production) == finding.code:
                yield code

    def meets(self, finding: Diagnostic) -> bool:
        """Whether a finding stands on its lines, of whichever code."""
        places = ((finding.file, finding.line), finding.via)
        return any(p and p[0] == self.origin.file and self._reaches(p[1]) for p in places)

    def _reaches(self, line: int) -> bool:
        return self.first <= line <= self.last


class Comments(NamedTuple):
    """The ignore comments of some files, and what is wrong with them."""

    by_file: Mapping[str, tuple[Ignore, ...]]
    diagnostics: tuple[Diagnostic, ...] = ()


def read_comments(documents: Iterable[Document], is_known: Callable[[str], bool]) -> Comments:
    """The comments of documents; `is_known` says of the codes in them whether they exist."""
    by_file: dict[str, tuple[Ignore, ...]] = {}
    found: list[Diagnostic] = []
    for document in documents:
        if "servingctl" in document.source.lower() and not document.file.endswith(".json"):
            read = list(_read(document, is_known))
            found += (item for item in read if isinstance(item, Diagnostic))
            if ignores := tuple(item for item in read if isinstance(item, Ignore)):
                by_file[document.file] = ignores
    return Comments(by_file, tuple(found))


def _read(document: Document, is_known: Callable[[str], bool]) -> Iterator[Ignore | Diagnostic]:
    lines = LINE_END.split(document.source)
    filled = [n for n, line in enumerate(lines) if not _BLANK.fullmatch(line)]
    for number, comment in _comments(lines):
        item = _ignore(document.file, lines, filled, number, comment)
        codes = item.codes if isinstance(item, Ignore) else ()
        if isinstance(item, Ignore) and (strange := [c for c in codes if not is_known(c)]):
            yield BAD_IGNORE.at(item.origin, f"there is no rule {listed(strange)}", _RULES)
            continue
        yield item
        if isinstance(item, Ignore):
            yield from (found for code in codes for found in retired_code_at(item.origin, code))


class UsedIgnore(NamedTuple):
    """A comment and one of its codes that took a finding away, or would if it could."""

    ignore: Ignore
    code: str
    is_futile: bool = False


def futile_ignores(used: Iterable[UsedIgnore]) -> Iterator[Diagnostic]:
    """Ignores of what nothing may silence."""
    for item in sorted({item for item in used if item.is_futile}):
        message = f"{item.code} cannot be ignored where production depends on it"
        fix = "mend what it finds, and delete the comment"
        yield BAD_IGNORE.at(item.ignore.origin, message, fix)


def unused_ignores(
    comments: Mapping[str, tuple[Ignore, ...]],
    used: Iterable[UsedIgnore],
    unread: Container[str],
    found: Iterable[Diagnostic],
    of_changes: Container[str] = (),
) -> Iterator[Diagnostic]:
    """Ignores that take nothing away any more, in files whose rules could run.

    What was `found` on their lines is perhaps what they were meant for. Of codes `of_changes`, only
    two states tell.
    """
    needed = {(item.ignore, item.code) for item in used}
    by_file: dict[str, list[Diagnostic]] = {}
    for finding in found:
        by_file.setdefault(finding.file, []).append(finding)
    for item in (item for file, some in comments.items() if file not in unread for item in some):
        codes = [
            code
            for code in item.codes
            if family_of(code) != _CHANGE_FAMILY and code not in of_changes
        ]
        if idle := [code for code in codes if (item, code) not in needed]:
            verb = "finds" if len(idle) == 1 else "find"
            message = f"{listed(idle)} {verb} nothing here"
            fix = "delete the comment" if len(idle) == len(item.codes) else "delete the code"
            near = (other for other in by_file.get(item.origin.file, ()) if item.meets(other))
            others = {other.code for other in near if other.place != item.origin.place}
            yield UNUSED_IGNORE.at(item.origin, message, _instead(others) or fix)


def _instead(codes: set[str]) -> str:
    """What to do about other findings on the lines of a comment; nothing if there are none."""
    if changeable := sorted(code for code in codes if may_be_changed(code)):
        return f"name {listed(changeable)}, which is found here"
    return f"delete the comment, and mend what {listed(sorted(codes))} finds" if codes else ""


def _comments(lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The comments addressed to us, outside of block texts; lines are counted from 0."""
    text_below: int | None = None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if text_below is not None and (indent > text_below or not line.strip()):
            continue
        text_below = indent if _BLOCK_TEXT.search(line) else None
        if match := _COMMENT.search(line) or _NEARLY.search(line):
            yield number, match


def _ignore(
    file: str, lines: list[str], filled: list[int], number: int, comment: re.Match[str]
) -> Ignore | Diagnostic:
    where = Origin(file, number + 1, comment.start() + 1)
    match = _IGNORE.fullmatch(comment[1].strip())
    codes = tuple(code.strip() for code in match[1].split(",")) if match else ()
    wrong = [code for code in codes if not _CODE.fullmatch(code) or not may_be_changed(code)]
    form = "write '# servingctl: ignore[CODE] why this is accepted'"
    if wrong and all(_CODE.fullmatch(code.upper()) for code in wrong) and wrong != _capitals(wrong):
        fix = f"write {listed(_capitals(wrong))}"
        return BAD_IGNORE.at(where, f"there is no rule {listed(wrong)}", fix)
    if not match or wrong:
        what = f"{listed(wrong)} cannot be ignored" if wrong else "this is no ignore comment"
        return BAD_IGNORE.at(where, what, form)
    if not match[2].strip():
        return BAD_IGNORE.at(where, "the ignore gives no reason", form)
    if lines[number][: comment.start()].strip():
        return Ignore(where, codes, number + 1, number + 1)
    return Ignore(where, codes, number + 1, _end_of_block(lines, filled, number) + 1)


def _capitals(codes: list[str]) -> list[str]:
    return [code.upper() for code in codes]


def _end_of_block(lines: list[str], filled: list[int], number: int) -> int:
    """The last line of the block that begins below a line; `filled` are the lines of any."""
    below = (filled[index] for index in range(bisect_right(filled, number), len(filled)))
    first = next(below, number)
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = first
    opens_list = lines[first].split(" #")[0].rstrip().endswith(":")
    for current in below:
        own = len(lines[current]) - len(lines[current].lstrip())
        is_item = opens_list and own == indent and lines[current].lstrip().startswith("- ")
        if own <= indent and not is_item:
            break
        last = current
    return last
