"""What the formats are given: equal differences of specs as one entry, with secrets hidden."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from renderer.outputs.diff.cause_words import amount, few
from renderer.outputs.diff.report import ShownChange, shown_change
from renderer.text.secrets.files import shown_files
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.environments import EnvironmentComparison, LoneSpec, Reason, SpecDifference
from renderer.values.named_tuple import NamedTuple


class Place(NamedTuple):
    """A spec that has a difference, and where both sides are set; nothing where one is not."""

    spec: str
    before: Origin | None
    after: Origin | None


class Entry(NamedTuple):
    """A difference that several specs of a kind have in common, and why it is expected, if so."""

    kind: str
    change: ShownChange
    reason: Reason | None
    places: tuple[Place, ...]


class EnvironmentReport(NamedTuple):
    """Two environments to be shown."""

    before: str
    after: str
    compared: int
    unexpected: tuple[Entry, ...]
    expected: tuple[Entry, ...]
    alone: tuple[LoneSpec, ...]
    findings: tuple[Diagnostic, ...]
    incomparable: tuple[Diagnostic, ...]
    sources: Mapping[str, str]


def build_report(
    comparison: EnvironmentComparison, sources: Mapping[str, str]
) -> EnvironmentReport:
    """Everything that formats may say; `sources` are the texts of files by their path."""
    entries = _entries(comparison.differences)
    shown = shown_files(sources)
    return EnvironmentReport(
        comparison.before,
        comparison.after,
        comparison.compared,
        tuple(item for item in entries if not item.reason),
        tuple(item for item in entries if item.reason),
        comparison.alone,
        shown.findings(comparison.findings),
        shown.findings(comparison.incomparable),
        shown.texts,
    )


def _entries(found: Iterable[SpecDifference]) -> list[Entry]:
    """Differences in the same words as one, those that most specs have first."""
    entries: dict[tuple[object, ...], tuple[Entry, list[Place]]] = {}
    for item in found:
        kind = item.spec.partition("/")[0]
        change = shown_change(item.change, Origin(""))
        values = (json.dumps(value, sort_keys=True) for value in (change.before, change.after))
        words = kind, item.reason, change.path, change.how, *values, change.lines, change.hidden
        entry = Entry(kind, change, item.reason, ())
        sides = (item.change.before, item.change.after)
        place = Place(item.spec, *(node.origin if node else None for node in sides))
        entries.setdefault(words, (entry, []))[1].append(place)
    whole = (entry._replace(places=tuple(places)) for entry, places in entries.values())
    return sorted(whole, key=lambda item: (-len(item.places), item.places[0].spec))


def specs_text(entry: Entry, most: int) -> str:
    """The only spec, or how many there are and some of them."""
    names = [place.spec for place in entry.places]
    return names[0] if len(names) == 1 else f"{amount(len(names), 'spec')}: {few(names, most)}"


def places_text(entry: Entry) -> str:
    """Where both sides are set in the first of the specs; a value of our own has no place."""
    first = entry.places[0]
    sides = [side for side in (first.before, first.after) if side and side.file]
    return " → ".join(dict.fromkeys(f"{side.file}:{side.line}" for side in sides))


def total_text(report: EnvironmentReport) -> str:
    """How many specs were compared, and what came of it."""
    parts = [
        f"{amount(report.compared, 'spec')} in both",
        amount(len(report.unexpected), "unexpected difference"),
        amount(len(report.expected), "expected difference"),
    ]
    alone = Counter(item.environment for item in report.alone)
    parts += (f"{amount(number, 'spec')} only in {name}" for name, number in sorted(alone.items()))
    errors = sum(item.stands_for for item in (*report.incomparable, *report.findings))
    return ", ".join((*parts, *([amount(errors, "error")] if errors else [])))
