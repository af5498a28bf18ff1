"""Findings about impacts in words: whom one of them is about, a few of many."""

from collections.abc import Iterable, Iterator

from renderer.text.wording import listed
from renderer.values.changes import ImpactFinding
from renderer.values.diagnostics import Diagnostic, merge_findings

_MOST_NAMED = 3


def worded(found: Iterable[ImpactFinding]) -> list[Diagnostic]:
    """Each finding once, with the specs and units that it is about in front."""
    whom: dict[tuple[object, ...], tuple[Diagnostic, dict[str, tuple[str, ...]]]] = {}
    for item in found:
        same = *item.finding.same_finding, item.finding.environments, item.finding.via
        known, specs = whom.setdefault(same, (item.finding, {}))
        whom[same] = known.about(related=item.finding.related), {**specs, **dict(item.whom)}
    return merge_findings(_once(_finding(*about) for about in whom.values()))


def _finding(finding: Diagnostic, whom: dict[str, tuple[str, ...]]) -> Diagnostic:
    named = [_named(spec, whom[spec]) for spec in sorted(whom)]
    more = [f"{len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
    message = f"{listed([*named[:_MOST_NAMED], *more])}: {finding.message}"
    return finding._replace(message=message)


def _named(spec: str, units: Iterable[str]) -> str:
    names = [unit for unit in units if unit]
    return f"{spec} ({listed(names)})" if names else spec


def _once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The same words of the same units once: where several lines cause them, at the first."""
    said: set[tuple[object, ...]] = set()
    for item in sorted(found, key=lambda item: (not item.line, *item.place)):
        words = item.code, item.message, item.fix, item.environments
        if words not in said:
            said.add(words)
            yield item
