"""Findings that have one cause: what one edit mends is one finding, however many it makes wrong.

A line that several findings of a rule point at is their cause. Findings at several lines have one
if a rule says the same of all of them, word by word: what it names, a destination or another spec
that is not there, is then to be mended once. The own name of each spec makes no difference.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from posixpath import basename

from renderer.outputs.safe_text import encodable
from renderer.text.digests import digest
from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic, join_findings
from renderer.values.named_tuple import NamedTuple

#: `line 14`, `spec.yaml:14:3`: where something else stands, as messages say it.
_POSITIONS = re.compile(r"(\bline|\.(?:ya?ml|json|j2))[ :]\d+(?::\d+)?")
_NAME = re.compile(r"[\w-]+")
_FEW = 2
_MOST_PLACES = 5
_Words = tuple[str, str]


class Cause(NamedTuple):
    """Findings that one edit may mend, in their order; the first of them is shown for all."""

    findings: Sequence[Diagnostic]

    @property
    def worst(self) -> Sequence[Diagnostic]:
        """Without those that are the same as another one, only less bad in other environments."""
        return [item for item in self.findings if item.severity is self.findings[0].severity]

    @property
    def first(self) -> Diagnostic:
        """With all environments and files that any of the worst is about."""
        return join_findings(self.worst)

    def milder_text(self) -> str:
        """Where the same is less bad: `warning in dev`; nothing if it is not."""
        milder = [item for item in self.findings if item.severity < self.findings[0].severity]
        names = sorted({name for item in milder for name in item.environments})
        return f"{milder[0].severity} in {listed(names)}" if milder else ""

    @property
    def places(self) -> int:
        """How many places are wrong; one that is wrong in several environments is one."""
        sizes: dict[tuple[object, ...], int] = {}
        for item in self.worst:
            sizes[item.place] = max(sizes.get(item.place, 0), item.stands_for)
        return sum(sizes.values())

    @property
    def is_one_line(self) -> bool:
        return len({item.place for item in self.findings}) == 1

    def others_text(self, specs: Mapping[str, str]) -> str:
        """How many more there are, and a few of them or of the specs; nothing if there is one."""
        others = self.worst[1:]
        more = sum(item.stands_for for item in others)
        if not others:
            return ""
        if self.is_one_line:
            return _few([item.message for item in others], more, "; ")
        places = [f"{item.file}:{item.line}" for item in others]
        if len(others) <= _MOST_PLACES and more == len(others):
            return listed(places)
        names = self.specs(specs)
        shown = f", of {_specs_text(names)}" if len(names) > 1 else f": {_few(places, more)}"
        return f"{more:,} more places{shown}"

    def specs_text(self, specs: Mapping[str, str]) -> str:
        """How many specs a single line makes wrong, and a few of them; `specs` are by file."""
        names = self.specs(specs) if self.is_one_line else []
        return _specs_text(names) if len(names) > 1 else ""

    def specs(self, specs: Mapping[str, str]) -> list[str]:
        """The specs that the findings are about."""
        files = {file for item in self.findings for file in (item.file, *item.related)}
        return sorted({specs[file] for file in files if file in specs})


def _specs_text(names: Sequence[str]) -> str:
    return f"{len(names):,} specs: {_few(names, len(names))}"


def _few(texts: Sequence[str], count: int, between: str = ", ") -> str:
    """`a, b and 298 more`; three are all named."""
    if count == len(texts) <= _FEW + 1:
        return listed(texts) if between == ", " else between.join(texts)
    shown = texts[:_FEW]
    return f"{between.join(shown)} and {count - len(shown):,} more"


def group_by_cause(found: Sequence[Diagnostic]) -> list[Cause]:
    """Findings by their causes, which stand where the first finding of each does.

    What is the same in other environments and only less bad there, has the cause of the worst.
    """
    causes: dict[str, list[Diagnostic]] = {}
    same: dict[tuple[object, ...], str] = {}
    for item, cause in zip(found, cause_ids(found), strict=True):
        said = (item.code, *item.place, item.message, item.fix)
        causes.setdefault(same.setdefault(said, cause), []).append(item)
    return [Cause(some) for some in causes.values()]


def cause_ids(found: Iterable[Diagnostic]) -> list[str]:
    """For each finding what tells its cause apart from others, the same in every run."""
    found = list(found)
    said: dict[tuple[object, ...], set[_Words]] = defaultdict(set)
    for item in found:
        said[_line(item)].add(_words(item))
    ids: dict[tuple[object, ...], str] = {}
    for line, words in said.items():
        ids[line] = digest([*map(str, line[:2]), *chain(*sorted(words))])[:16]
    return [ids[_line(item)] for item in found]


def _line(item: Diagnostic) -> tuple[object, ...]:
    return item.code, item.severity, *item.place, item.found_by


def _words(item: Diagnostic) -> _Words:
    """What is said of a place, without where other things stand and the name of its own file."""
    stem = basename(item.file).rpartition(".")[0]
    return _drop_name(stem, lasting(item.message)), _drop_name(stem, lasting(item.fix))


def _drop_name(name: str, text: str) -> str:
    if name not in text:
        return text
    return _NAME.sub(lambda found: "…" if found[0] == name else found[0], text)


def lasting(message: str) -> str:
    """A message without the lines that it names, which move."""
    return _POSITIONS.sub(r"\1", encodable(message))
