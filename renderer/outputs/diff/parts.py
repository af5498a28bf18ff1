"""Reports of shards: as data for a file, and joined to what one run reports."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from renderer.outputs.diff.impact_words import worded
from renderer.outputs.diff.report import WHOLE, DiffReport, ShownChange, ShownObject
from renderer.values.changes import (
    Breakage,
    Capacity,
    Impact,
    Reach,
    ReachedSpec,
    drop_known_causes,
)
from renderer.values.codec import Decoder
from renderer.values.diagnostics import merge_findings

#: Findings about impacts, whose words depend on all parts.
_OF_IMPACTS = "IMP"


def read(text: str) -> DiffReport:
    """The report of a part; a `ValueError` if it is none."""
    try:
        report = Decoder({Decimal: Decimal}).decode(DiffReport, json.loads(text)["part"])
    except (ArithmeticError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(str(error)) from error
    return report._replace(pictures=())  # which would stand in pages as they are


def join(parts: Iterable[DiffReport]) -> DiffReport:
    """What one run reports; a `ValueError` if the parts are not all of one comparison."""
    reports = sorted(parts, key=lambda item: item.shard)
    first = next((item for item in reports if item.edits), reports[0])
    total = first.shard[1]
    if [item.shard for item in reports] != [(number + 1, total) for number in range(total)]:
        numbers = ", ".join("/".join(map(str, item.shard)) for item in reports)
        raise ValueError(f"there are {numbers}, and not each of {total} once")
    if any(_states(item, first) != _states(first, first) for item in reports):
        raise ValueError("they are of different states")
    impacts = tuple(item for report in reports for item in report.impact_findings)
    others = (
        item
        for report in reports
        for item in report.findings
        if not item.code.startswith(_OF_IMPACTS)
    )
    objects, broken = tuple(_objects(reports)), tuple(drop_known_causes(_broken(reports)))
    if not (objects or broken):
        first = first._replace(edits=(), production=frozenset())
    return first._replace(
        objects=objects,
        findings=tuple(merge_findings((*others, *worded(impacts)))),
        incomparable=tuple(
            merge_findings(item for report in reports for item in report.incomparable)
        ),
        capacity=tuple(_capacity(reports)),
        reach=tuple(_reach(reports, objects)),
        sources={file: text for item in reports for file, text in item.sources.items()},
        specs={file: name for item in reports for file, name in item.specs.items()},
        impact_findings=impacts,
        broken=broken,
        shard=WHOLE,
    )


def _states(report: DiffReport, known: DiffReport) -> tuple[object, ...]:
    """What is compared; a part in which nothing changes does not know the edits."""
    one = report if report.edits else known
    return report.before, report.after, one.edits, one.production


def _broken(reports: list[DiffReport]) -> Iterator[Breakage]:
    """What is broken; of prerequisites, what all parts take to be so."""
    found = Counter(item for report in reports for item in report.broken)
    for item, number in found.items():
        if not item.is_shared or number == len(reports):
            yield item


def _objects(reports: list[DiffReport]) -> list[ShownObject]:
    """In order of their place; those of prerequisites as far as all parts know of them."""
    found: dict[tuple[str, ...], list[ShownObject]] = {}
    for item in (item for report in reports for item in report.objects):
        place = item.environment, item.destination, item.identity
        found.setdefault(place, []).append(item)
    return [
        _object(found[place])
        for place in sorted(found)
        if not found[place][0].is_shared or len(found[place]) == len(reports)
    ]


def _object(same: list[ShownObject]) -> ShownObject:
    """An object as all parts together have it: each knows what happens to its own specs."""
    known = [item for item in same if not item.is_assumed] or same
    return same[0]._replace(
        changes=tuple(
            _change(changes, [item.changes[number] for item in known])
            for number, changes in enumerate(zip(*(item.changes for item in same), strict=True))
        ),
        impacts=_impacts(item.impacts for item in same),
        causes=_causes(item.causes for item in known),
        is_assumed=all(item.is_assumed for item in same),
    )


def _change(same: tuple[ShownChange, ...], known: list[ShownChange]) -> ShownChange:
    if len(same) == 1:
        return same[0]
    return same[0]._replace(
        impacts=_impacts(item.impacts for item in same),
        causes=_causes(item.causes for item in known),
    )


def _causes(some: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """As all parts have them; where these differ, all of them in order."""
    found = list(dict.fromkeys(some))
    return found[0] if len(found) == 1 else tuple(sorted({n for item in found for n in item}))


def _impacts(some: Iterable[tuple[Impact, ...]]) -> tuple[Impact, ...]:
    return tuple(sorted((one for item in some for one in item), key=lambda one: one.spec))


def _capacity(reports: list[DiffReport]) -> list[Capacity]:
    """The sums of all parts, where they change."""
    totals: dict[tuple[str, ...], Capacity] = {}
    for item in (item for report in reports for item in report.capacity):
        known = totals.get(item[:4])
        totals[item[:4]] = (
            known._replace(
                before=known.before + item.before,
                after=known.after + item.after,
                peak=known.peak + item.peak,
            )
            if known
            else item
        )
    return [totals[place] for place in sorted(totals) if totals[place].is_a_change]


def _reach(reports: list[DiffReport], objects: Iterable[ShownObject]) -> list[Reach]:
    """What the edits reach, without prerequisites whose objects not all parts have."""
    left = {(item.environment, item.spec) for item in objects}
    shared = (item for report in reports for item in report.objects if item.is_shared)
    dropped = {(item.environment, item.spec) for item in shared} - left
    files: dict[str, dict[tuple[str, str], dict[str, None]]] = {}
    for item in (item for report in reports for item in report.reach):
        for one in (one for one in item.specs if one[:2] not in dropped):
            units = files.setdefault(item.file, {}).setdefault((one.environment, one.spec), {})
            units.update(dict.fromkeys(one.units))
    return [
        Reach(
            file, tuple(ReachedSpec(*name, tuple(units)) for name, units in sorted(specs.items()))
        )
        for file, specs in sorted(files.items())
    ]
