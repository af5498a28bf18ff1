"""`# servingctl: ignore[CODE] reason`: findings that someone has looked at and accepts."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from typing import NamedTuple

from renderer.check.policy import Policy, may_be_changed
from renderer.compose.spec_rules import BAD_IGNORE, UNUSED_IGNORE
from renderer.text.expressions import expression
from renderer.text.wording import LINE_END, listed
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Document

_COMMENT = expression(r"(?:^|(?<=\s))#\s*servingctl:\s*(.*)$")
_NEARLY = expression(r"(?:^|(?<=\s))#\s*(servingctl\W*ignore.*)$", re.IGNORECASE)
_IGNORE = expression(r"ignore\[([^\]]*)\]\s*(.*)")
_CODE = expression(r"[A-Z]{3}[0-9]{3}")
_OF_CHANGES = "IMP"  # their rules run when two states are compared
_BLOCK_TEXT = expression(r"(?:^|\s)[|>][-+0-9]*\s*(?:#.*)?$")
_RULES = "'servingctl rules' lists them all"
_BLANK = expression(r"\s*(?:#.*)?$")


class Ignore(NamedTuple):
    """A comment that accepts findings of some codes on some lines of its file."""

    origin: Origin
    codes: tuple[str, ...]
    first: int
    last: int

    def covers(self, finding: Diagnostic) -> bool:
        places = ((finding.file, finding.line), finding.via)
        here = any(p and p[0] == self.origin.file and self._reaches(p[1]) for p in places)
        return here and finding.code in self.codes

    def _reaches(self, line: int) -> bool:
        return self.first <= line <= self.last


class Ignores:
    """The ignores of all files; remembers which of them took something away."""

    def __init__(self, documents: Iterable[Document], known: Callable[[], Container[str]]) -> None:
        """The comments of documents; `known` says, when there is one, which codes exist."""
        self.found: list[Diagnostic] = []
        self._by_file: dict[str, list[Ignore]] = {}
        self._used: dict[tuple[Ignore, str], set[str]] = {}  # by the files of findings
        self._futile: set[tuple[Ignore, str]] = set()
        self._files: set[str] = set()
        for document in documents:
            self._files.add(document.file)
            if "servingctl" in document.source.lower() and not document.file.endswith(".json"):
                self._read(document, known)

    def of(self, files: Container[str]) -> list[Ignore]:
        """The ignores of some files."""
        return [item for file, items in self._by_file.items() if file in files for item in items]

    def used(self, item: Ignore) -> list[str]:
        """The codes that an ignore took away."""
        return [code for code in item.codes if (item, code) in self._used]

    def borrowed(self, files: Collection[str]) -> dict[Ignore, list[str]]:
        """The ignores of other files, and the codes that they took away from some files."""
        found: dict[Ignore, list[str]] = {}
        for (item, code), concerned in self._used.items():
            if item.origin.file not in files and not concerned.isdisjoint(files):
                found.setdefault(item, []).append(code)
        return found

    def add(self, item: Ignore, used: Iterable[str]) -> None:
        """An ignore of a file that was read earlier, or read now, and what it took away then."""
        if item.origin.file not in self._files:
            self._by_file.setdefault(item.origin.file, []).append(item)
        for code in used:
            self._used.setdefault((item, code), set())

    def _read(self, document: Document, known: Callable[[], Container[str]]) -> None:
        lines = LINE_END.split(document.source)
        filled = [n for n, line in enumerate(lines) if not _BLANK.fullmatch(line)]
        for number, comment in _comments(lines):
            item = _ignore(document.file, lines, filled, number, comment)
            codes = item.codes if isinstance(item, Ignore) else ()
            if isinstance(item, Ignore) and (strange := [c for c in codes if c not in known()]):
                item = BAD_IGNORE.at(item.origin, f"there is no rule {listed(strange)}", _RULES)
            if isinstance(item, Ignore):
                self._by_file.setdefault(document.file, []).append(item)
            else:
                self.found.append(item)

    def judge(
        self, finding: Diagnostic, policy: Policy, *, firm: bool = False
    ) -> Diagnostic | None:
        """The finding as the policy has it; nothing if it is ignored, by setting or comment."""
        files = {finding.file, finding.via[0] if finding.via else finding.file}
        nearby = (item for file in files for item in self._by_file.get(file, ()))
        covering = [item for item in nearby if item.covers(finding)]
        for item in covering:
            self._used.setdefault((item, finding.code), set()).update(files, finding.related)
        if firm or policy.is_firm(finding.code):
            self._futile.update((item, finding.code) for item in covering)
            return finding
        return None if covering else policy.judge(finding)

    def futile(self) -> Iterator[Diagnostic]:
        """Ignores of what nothing may silence."""
        for item, code in sorted(self._futile):
            message = f"{code} cannot be ignored where production depends on it"
            yield BAD_IGNORE.at(item.origin, message, "mend what it finds, and delete the comment")

    def unused(self, unread: Container[str]) -> Iterator[Diagnostic]:
        """Ignores that take nothing away any more, in files whose rules could run."""
        for file, items in self._by_file.items():
            for item in items if file not in unread else ():
                idle = [
                    code
                    for code in item.codes
                    if (item, code) not in self._used and not code.startswith(_OF_CHANGES)
                ]
                if idle:
                    message = f"nothing here is found by {listed(idle)}"
                    fix = (
                        "delete the comment" if len(idle) == len(item.codes) else "delete the code"
                    )
                    yield UNUSED_IGNORE.at(item.origin, message, fix)


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
    form = "write '# servingctl: ignore[KUS106] why this is accepted'"
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
