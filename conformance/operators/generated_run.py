"""A run over all variations of a table, some at a time; one that was cut goes on where it was."""

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from conformance.kubernetes.client import Object
from conformance.operators.generated_rows import NAME, beginning, renamed
from conformance.operators.generation import (
    ABSENT,
    ALL_TENTHS,
    Table,
    Variation,
    manifest_of,
    tenth_of,
    variations,
)
from conformance.operators.records import Row, Rows, compare, compare_some
from conformance.operators.tables import merged


class Question(NamedTuple):
    """A variation, and what its object is called: a name that no other question has."""

    variation: Variation
    name: str

    @property
    def is_base(self) -> bool:
        """Whether it is a base as it is, to which others of the same are compared."""
        return not self.variation.path

    def steps(self, table: Table, namespace: str) -> tuple[Object, ...]:
        """What is applied: the state, or in an edit the one before and the one after.

        Names of other objects in it begin with its own, so that no two questions share them.
        """
        one = self.variation
        values = [one.before, one.after] if one.is_edit else [one.after]
        metadata = {"metadata": {"name": self.name, "namespace": namespace}}
        given = (renamed(manifest_of(table, one, value), NAME, self.name) for value in values)
        return tuple(merged(manifest, metadata) for manifest in given)


class Run(NamedTuple):
    """How a platform is asked: so many questions at once, and where answers are kept meanwhile.

    `label` is the version that is asked. `ask` answers some questions, in their order. The bases of
    all of them are among them, so that no answer depends on those that were given before. Only so
    many `tenths` of all variations are asked, by their names, one tenth after the other.
    """

    label: str
    together: int
    kept: Path
    ask: Callable[[list[Question]], list[Row]]
    tenths: int

    def answers(self, table: Table) -> Iterator[tuple[Variation, Row]]:
        """The answer to every variation that is asked, tenth by tenth."""
        groups, done = self._groups(table), 0
        for group in groups:
            for start in range(0, len(group), self.together):
                asked = group[start : start + self.together]
                yield from zip(asked, self._answers(table, asked, done), strict=True)
                done += len(asked)
                _report(self.label, done, sum(map(len, groups)))
        shutil.rmtree(self.kept, ignore_errors=True)

    def _groups(self, table: Table) -> list[list[Variation]]:
        """By tenths, so that a run of more begins with that of fewer."""
        found = list(variations(table))
        return [[one for one in found if tenth_of(one.name) == n] for n in range(self.tenths)]

    def _answers(self, table: Table, asked: list[Variation], start: int) -> list[Row]:
        """Those that were kept, if the same was asked before the run was cut."""
        questions = _questions(asked, start)
        given = [one.steps(table, "") for one in questions]
        digest = sha256(json.dumps([self.label, given], sort_keys=True).encode()).hexdigest()
        path = self.kept / f"{digest}.json"
        if not path.exists():
            answered = self.ask(questions)[-len(asked) :]
            self.kept.mkdir(parents=True, exist_ok=True)
            path.with_suffix(".new").write_text(json.dumps(answered), "utf-8")
            path.with_suffix(".new").rename(path)
        rows: list[Row] = json.loads(path.read_text("utf-8"))
        return rows


def _questions(asked: list[Variation], start: int) -> list[Question]:
    """Bases come first, those that are not asked about themselves among them."""
    there = {one.base for one in asked if not one.path}
    missing = sorted({one.base for one in asked} - there)
    bases = [Variation(f"{base}: as it is", base, (), None, ABSENT) for base in missing]
    extra = [Question(one, f"b{start}-{number}") for number, one in enumerate(bases)]
    return [*extra, *(Question(one, f"g{start + number}") for number, one in enumerate(asked))]


def by_base(table: Table, answers: Iterable[tuple[Variation, Row]]) -> dict[str, Rows]:
    """Rows of cases and of edits, a file for each base, in the order of the table."""
    rows = {variation.name: row for variation, row in answers}
    found: dict[str, Rows] = {"cases": {}, "edits": {}}
    for one in variations(table):
        if one.name in rows:
            kind = "edits" if one.is_edit else "cases"
            found[kind].setdefault(one.base, []).append(rows[one.name])
    return found


def compare_generated(place: Path, found: Mapping[str, Rows], tenths: int, *, update: bool) -> None:
    """Fail if something else is recorded; of a part of the rows, only those that were asked."""
    for kind, rows in found.items():
        if tenths == ALL_TENTHS:
            compare(place / kind, rows, update=update, steady=beginning)
        else:
            compare_some(place / kind, rows, beginning)


def _report(label: str, done: int, number: int) -> None:
    """A run takes half an hour or more."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {label}: {done} of {number}\n")
    sys.stderr.flush()
