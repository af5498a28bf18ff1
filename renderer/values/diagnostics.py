"""Findings as data: where something is wrong, what, why it matters and how to mend it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from renderer.values.named_tuple import NamedTuple

if TYPE_CHECKING:
    from renderer.values.tree import Node


Path = tuple[str | int, ...]
#: The version of servingctl that had the first rules.
FIRST_VERSION = "0.1.0"
_LONGEST_WORD, _CUT_WORD, _LONGEST_TEXT = 400, 100, 4_000
#: What the examples of a rule stand under. One that it passes with is laid over the failing one.
EXAMPLES = ("Fails", "Passes", "Passes with")


#: Codes of a repository's own rules; three letters and three digits are one of ours.
OWN_CODE = re.compile(r"(?![A-Z]{3}[0-9]{3}$)[A-Z][A-Z0-9]{3,11}")


def family_of(code: str) -> str:
    """The letters of a code of ours; nothing of one that a repository has given."""
    return "" if OWN_CODE.fullmatch(code) else code[:3]


class Severity(IntEnum):
    """How bad a finding is; the higher, the worse."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Origin(NamedTuple):
    """Where a value was set: a place in a file, or (without a file) a reason of our own."""

    file: str
    line: int = 1
    column: int = 1
    note: str = ""

    @property
    def place(self) -> tuple[str, int, int]:
        return self.file, self.line, self.column

    @property
    def is_whole_file(self) -> bool:
        """Whether it is all of a file: no value within one stands at the very first character."""
        return bool(self.file) and self.line == self.column == 1


class Diagnostic(NamedTuple):
    """One finding, ready to be shown; they sort by place.

    `via` is the file and line that led to another file, where the finding is. One that stands for
    others, which were left out, `stands_for` so many. `since` is the version of servingctl that
    was the first to find it. Where many share a code, `found_by` tells them apart.
    """

    file: str
    line: int
    column: int
    code: str
    severity: Severity
    message: str
    why: str = ""
    fix: str = ""
    environments: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    via: tuple[str, int] | None = None
    stands_for: int = 1
    since: str = FIRST_VERSION
    found_by: str = ""

    @property
    def place(self) -> tuple[str, int, int]:
        return self.file, self.line, self.column

    @property
    def place_and_code(self) -> tuple[str, int, int, str]:
        """What a rule says of a place, in whatever words."""
        return self.file, self.line, self.column, self.code

    @property
    def same_finding(self) -> tuple[object, ...]:
        """What two findings share that differ only in their environments and related files."""
        place = self.file, self.line, self.column
        return *place, self.code, self.severity, self.message, self.why, self.fix

    def about(self, *environments: str, related: Iterable[str] = ()) -> "Diagnostic":
        """The same finding, tied to environments and to the files it depends on."""
        return self._replace(
            environments=tuple(sorted({*self.environments, *environments})),
            related=tuple(sorted({*self.related, *related} - {self.file})),
        )

    def summary_of_others(self, count: int) -> "Diagnostic":
        """What stands for so many findings of its rule and file that are too many to show."""
        verb = "is" if count == 1 else "are"
        message = f"{count:,} more of this rule in this file {verb} left out"
        fix = "mend those that are shown, and look again"
        return self._replace(message=message, fix=fix, stands_for=count)


class Finding(NamedTuple):
    """What a rule yields: where in the tree, what is wrong there and how to mend it.

    A path may lead on into a text that holds JSON or YAML; `inside` is an index into the text.
    `tree` is the one of the path, where it is not that of the spec but of one that it uses.
    `origin` is the place itself, `environments` and `related` files what it is about, where a rule
    looks at several trees. `since` is the version that was the first to find it, where the rule
    itself is older.
    """

    path: Path
    message: str
    fix: str = ""
    at_key: bool = False
    inside: int | None = None
    origin: Origin | None = None
    environments: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    tree: "Node | None" = None
    since: str = ""


Check = Callable[[Any], Iterator[Finding]]


class Rule(NamedTuple):
    """A check with its documentation; without a function it belongs to a reader or checker.

    It cannot say anything of a spec in which something that it `reads` is not legible. `since` is
    the version of servingctl that had it first. What it finds `stops_platform` if the object is
    stored, and the platform then fails at it, so that no change of the object takes effect. One
    that `is_about_new_files` looks at what no version before it read: nothing that passed an
    earlier version fails by it, and it counts whatever `rules_as_of` says.
    """

    code: str
    name: str
    severity: Severity
    docstring: str
    kind: str = ""
    check: Check | None = None
    source: str = ""
    reads: tuple[str, ...] = ()
    since: str = FIRST_VERSION
    stops_platform: bool = False
    is_about_new_files: bool = False

    @property
    def doc(self) -> str:
        """The documentation without its indentation, each example as a block of its own.

        `inspect` takes the indentation away as well, and costs start-up.
        """
        first, *rest = self.docstring.strip().split("\n")
        margin = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
        lines = "\n".join([first, *_indent_blocks(line[margin:] for line in rest)])
        return lines.replace("\n\n\n", "\n\n")

    @property
    def summary(self) -> str:
        return self.doc.partition("\n")[0]

    @property
    def why(self) -> str:
        """What the documentation says between its first line and its examples."""
        return _reason(self)

    def at(self, origin: Origin, message: str, fix: str = "", why: str = "") -> Diagnostic:
        if origin.file and origin.note:
            message = f"{message} ({origin.note})"
        return Diagnostic(
            origin.file,
            origin.line,
            origin.column,
            self.code,
            self.severity,
            brief(message),
            why or self.why,
            brief(fix),
            since=FIRST_VERSION if self.is_about_new_files else self.since,
        )


def _indent_blocks(lines: Iterable[str]) -> Iterator[str]:
    """Lines in which an example stands below its label; a short one is written behind it."""
    for line in lines:
        label, _, example = line.partition(":")
        if label in EXAMPLES:
            yield from ("", f"{label}:", "")
            if example:
                yield f"   {example}"
        else:
            yield line


def brief(text: str) -> str:
    """Words for a person: long values that are quoted in them are cut, and so is very much of it.

    A value of any size may be in a spec, and a finding is shown in many formats.
    """
    if len(text) <= _LONGEST_WORD:
        return text
    words = (
        word if len(word) <= _LONGEST_WORD else f"{word[:_CUT_WORD]}…{word[-1]}"
        for word in text.split(" ")
    )
    whole = " ".join(words)
    return whole if len(whole) <= _LONGEST_TEXT else f"{whole[:_LONGEST_TEXT]}…"


@cache  # of rules, of which there are some hundred
def _reason(rule: Rule) -> str:
    body = rule.doc.partition("\n")[2].partition("\nFails:")[0]
    return " ".join(body.split())


def rule(
    code: str,
    severity: Severity,
    kind: str = "",
    *,
    reads: tuple[str, ...] = (),
    since: str = FIRST_VERSION,
    stops_platform: bool = False,
) -> Callable[[Check], Rule]:
    """Make a rule of a function whose docstring documents it."""

    def attach(function: Check) -> Rule:
        name = function.__name__.replace("_", "-")
        doc = function.__doc__ or ""
        made = Rule(code, name, severity, doc, kind, function, reads=reads, since=since)
        return made._replace(stops_platform=stops_platform)

    return attach


def documented_rule(
    code: str,
    name: str,
    doc: str,
    severity: Severity = Severity.ERROR,
    *,
    since: str = FIRST_VERSION,
    is_about_new_files: bool = False,
) -> Rule:
    """A rule whose check lives in a reader or a checker."""
    made = Rule(code, name, severity, doc, since=since)
    return made._replace(is_about_new_files=is_about_new_files)


def rules_with_source(rules: Iterable[Rule], source: str) -> tuple[Rule, ...]:
    """Rules whose facts come from one place."""
    return tuple(rule._replace(source=source) for rule in rules)


def merge_findings(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, in order of place, naming every environment it was found in."""
    found: dict[tuple[object, ...], list[Diagnostic]] = {}
    for item in diagnostics:
        found.setdefault(item.same_finding, []).append(item)
    return sorted(some[0] if len(some) == 1 else join_findings(some) for some in found.values())


def join_findings(same: Sequence[Diagnostic]) -> Diagnostic:
    """The first of some findings, tied to all that any of them is tied to."""
    names = (name for item in same for name in item.environments)
    return same[0].about(*names, related={path for item in same for path in item.related})


def worst_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Errors, then warnings, then the rest; each of them in order of place."""
    return sorted(diagnostics, key=lambda item: (-item.severity, item))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(item.severity is Severity.ERROR for item in diagnostics)


@cache
def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, four of them, so that 1.0 is 1; 0.2.0.dev0 counts as 0.2.0."""
    given = [int(number) for number in re.findall(r"[0-9]+", version)[:4]]
    return tuple((*given, 0, 0, 0, 0)[:4])


def is_newer(version: str, than: str) -> bool:
    """Whether a version came after another one; nothing comes after the version ''."""
    return bool(than) and release(version) > release(than)
