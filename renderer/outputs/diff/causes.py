"""A diff by its causes: each edit once, with all that it brings about."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from renderer.outputs.diff.cause import Cause, Consequence, Reported
from renderer.outputs.diff.gathering import Gathered
from renderer.outputs.diff.patterns import common_pattern, join_alike, words_of
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownEdit
from renderer.outputs.diff.sentence_names import join_names, without_names
from renderer.outputs.diff.summary import every_impact
from renderer.values.changes import EditKind, How
from renderer.values.diagnostics import Diagnostic


def causes_of(report: DiffReport) -> list[Cause]:
    """Every edit by itself, in the order of their numbers."""
    return list(_filled(report, [(number,) for number in range(len(report.edits))]))


def joined_causes(report: DiffReport) -> list[Cause]:
    """Edits that say the same as one, those that reach something, in the order they matter."""
    found = _filled(report, _same_edits(report.edits))
    return sorted((item for item in found if item.is_felt), key=lambda item: item.rank)


def same_consequences(causes: Iterable[Cause]) -> list[list[Cause]]:
    """Causes in their order; those that bring about the same are together with the first.

    What happens may differ in names, such as the path that was edited: the first has all of them.
    """
    found: dict[object, list[Cause]] = {}
    for number, cause in enumerate(causes):
        same = cause.environments, cause.is_wrong, *map(_without_names, cause.consequences)
        found.setdefault(same if cause.consequences else number, []).append(cause)
    return [[_join_names(some), *some[1:]] for some in found.values()]


def _without_names(item: Consequence) -> Consequence:
    return item._replace(
        consequence=without_names(item.consequence), advice=without_names(item.advice)
    )


def _join_names(causes: Sequence[Cause]) -> Cause:
    """The first cause; in what happens stand the names of all of them."""
    together = zip(*(cause.consequences for cause in causes), strict=True)
    said = (
        some[0]._replace(
            consequence=join_names([item.consequence for item in some]),
            advice=join_names([item.advice for item in some]),
        )
        for some in together
    )
    return causes[0]._replace(consequences=tuple(said))


def other_findings(report: DiffReport, causes: Iterable[Cause]) -> tuple[Diagnostic, ...]:
    """The findings that are not said as a consequence of a cause."""
    said = {item.consequence for one in report.objects for item in every_impact(one)}
    rules = {item.reported.code for cause in causes for item in cause.consequences if item.reported}
    found = (item.finding for item in report.impact_findings)
    rules -= {item.code for item in found if item.message not in said}
    return tuple(item for item in report.findings if item.code not in rules)


def _same_edits(edits: Sequence[ShownEdit]) -> Iterator[tuple[int, ...]]:
    """The numbers of edits that say the same: whole files by folder, values by their pattern."""
    whole: dict[tuple[object, ...], list[int]] = {}
    values: dict[EditKind, list[int]] = {}
    for number, edit in enumerate(edits):
        if edit.change.path:
            values.setdefault(edit.kind, []).append(number)
            continue
        folder = edit.change.origin.file.rpartition("/")[0]
        words = (How.RENAMED,) if edit.is_renamed_file else words_of(edit.change)
        whole.setdefault((edit.kind, folder, *words), []).append(number)
    alike = (
        group for some in values.values() for group in join_alike(some, partial(_change, edits))
    )
    yield from map(tuple, (*whole.values(), *alike))


def _change(edits: Sequence[ShownEdit], number: int) -> ShownChange:
    return edits[number].change


def _filled(report: DiffReport, same: Iterable[tuple[int, ...]]) -> Iterator[Cause]:
    """The causes with what objects show of them."""
    gathered = {numbers: Gathered() for numbers in same}
    owners = {number: numbers for numbers in gathered for number in numbers}
    for item in sorted(report.objects, key=lambda o: o.environment not in report.production):
        for numbers in dict.fromkeys(owners[number] for number in item.causes):
            if not item.changes:
                gathered[numbers].add(item, None)
            gathered[numbers].happens(item, None)
        for change in item.changes:
            for numbers in dict.fromkeys(owners[number] for number in change.causes):
                if not change.carried:
                    gathered[numbers].add(item, change)
                gathered[numbers].happens(item, change)
    for wrong in report.broken:
        for numbers in dict.fromkeys(owners[number] for number in wrong.causes):
            gathered[numbers].broken.setdefault(wrong.environment, {})[wrong.spec] = None
    reported = {
        item.finding.message: Reported(item.finding.severity, item.finding.code)
        for item in report.impact_findings
    }
    for numbers, one in gathered.items():
        edits = tuple(report.edits[number] for number in numbers)
        yield Cause(
            numbers,
            edits,
            tuple(one.reached(report.production)),
            tuple(one.consequences(reported)),
            tuple(one.differences(edits)),
            bool(one.broken),
            common_pattern(edit.change for edit in edits if edit.change.path),
        )
