"""A status for people: what is wrong stands out, what is right takes a line."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from renderer.outputs.layout import BOLD, DIM, GREEN, PLAIN, RED, WIDTH, YELLOW, Layout, wrapped
from renderer.outputs.safe_text import shortened
from renderer.text.wording import counted, visible
from renderer.values.statuses import (
    EnvironmentStatus,
    Health,
    LiveDifference,
    ObjectStatus,
    SpecStatus,
    UnitStatus,
)
from renderer.values.tree import Plain

_COLORS = {
    Health.READY: GREEN,
    Health.PROGRESSING: YELLOW,
    Health.SUSPENDED: YELLOW,
    Health.FAILED: RED,
    Health.UNKNOWN: DIM,
}
_LONGEST = 60
_MOST_DIFFERENCES = 20
_BELOW = " " * 6


def show(statuses: Sequence[EnvironmentStatus], layout: Layout = PLAIN) -> str:
    """Each environment, under its name if there are several."""
    shown = []
    for status in statuses:
        title = [layout.paint(visible(status.environment), BOLD)] if len(statuses) > 1 else []
        shown.append("".join(f"{line}\n" for line in (*title, *_lines(status, layout))))
    return "\n".join(shown)


def _lines(status: EnvironmentStatus, layout: Layout) -> Iterator[str]:
    """Specs with their units, the worst first, what is left behind, and a line that counts."""
    for item in sorted(status.specs, key=lambda item: item.badness):
        if layout.all_names or not item.is_calm:
            yield from _spec_lines(item, layout)
    if not layout.all_names:
        yield from _calm_lines(status, layout)
    for left in status.left_behind:
        said = f"{left.object} at {left.destination} is in no spec of {status.environment}"
        yield layout.paint(visible(said), YELLOW)
    for one in status.missing:
        said = f"{one.object} at {one.destination} is not there, and {one.file} says that it is"
        yield from (layout.paint(line, RED) for line in _wrapped(said, layout, ""))
    for note in status.notes:
        yield from _wrapped(f"note: {note}", layout, "")
    yield visible(_total(status))


def _calm_lines(status: EnvironmentStatus, layout: Layout) -> Iterator[str]:
    """A line for each destination, for all that is ready and as in Git there."""
    calm = Counter(item.destination for item in status.specs if item.is_calm)
    for destination, number in calm.items():
        state = layout.paint("ready", GREEN)
        name = layout.paint(visible(destination), BOLD)
        yield f"{name}: {counted(number, 'object')} {state}, as in Git"


def _wrapped(text: str, layout: Layout, first: str = "    ") -> tuple[str, ...]:
    """A sentence over as many lines as it needs, further ones set in."""
    return wrapped(visible(text), layout.width or WIDTH, first, _BELOW)


def _spec_lines(item: SpecStatus, layout: Layout) -> Iterator[str]:
    title = layout.paint(visible(f"{item.spec} at {item.destination}"), BOLD)
    health = item.status.health
    word = health.value if item.status.disagreement else item.status.state
    state = layout.paint(visible(word), _COLORS[health])
    yield f"{title}: {state}{_git_text(item, layout)}"
    if item.status.disagreement:
        yield from _wrapped(item.status.disagreement, layout)
    if (reason := _reason(item.status)) and not _says_a_unit(item.status):
        yield from _wrapped(reason, layout)
    yield from (visible(f"    {address}") for address in item.status.endpoints)
    yield from _unit_lines(item.status.units, layout)
    found = (*item.differences, *item.status.differences)
    for one in found[:_MOST_DIFFERENCES]:
        yield from _wrapped(_difference(one), layout)
    if len(found) > _MOST_DIFFERENCES:
        yield f"    and {counted(len(found) - _MOST_DIFFERENCES, 'more difference')}"
    for note in item.status.notes:
        yield from _wrapped(f"note: {note}", layout)


def _git_text(item: SpecStatus, layout: Layout) -> str:
    """Whether what is applied is what Git says."""
    if not item.is_applied:
        return ""
    if item.equals_git:
        return ", as in Git"
    return ", " + layout.paint("not as in Git", RED)


def _reason(status: ObjectStatus | UnitStatus) -> str:
    """Reason and message; one that repeats the end of the other stands once."""
    if status.message and status.reason.endswith(status.message):
        return status.reason
    return ": ".join(filter(None, (status.reason, status.message)))


def _says_a_unit(status: ObjectStatus) -> bool:
    """Whether a unit below says the same, and says it of itself."""
    return bool(status.message) and status.message in {unit.message for unit in status.units}


def _unit_lines(units: tuple[UnitStatus, ...], layout: Layout) -> Iterator[str]:
    """A table of units; addresses and reasons stand below."""
    names = [visible(unit.unit) for unit in units]
    states = [visible(unit.state) for unit in units]
    width, room = (max(map(len, column), default=0) for column in (names, states))
    for unit, name, state in zip(units, names, states, strict=True):
        health = layout.paint(f"{state:{room}}", _COLORS[unit.health])
        line = f"    {name:{width}}  {health}  {_replicas(unit):>5}"
        more = f"  since {visible(unit.since)}" if unit.since else ""
        more += f"  (reported as {visible(unit.reported)})" if unit.reported else ""
        yield (line + layout.paint(more, DIM) if more else line).rstrip()
        if reason := _reason(unit):
            yield from _wrapped(reason, layout, _BELOW)
        yield from (visible(f"{_BELOW}{address}") for address in unit.endpoints)


def _replicas(unit: UnitStatus) -> str:
    """`2/3`: those that are ready of those that should be there."""
    if unit.ready is None and unit.wanted is None:
        return ""
    return "/".join("?" if number is None else str(number) for number in (unit.ready, unit.wanted))


def _difference(item: LiveDifference) -> str:
    where = " ".join(filter(None, (item.object, item.path)))
    if item.object and not item.path:
        return f"{where}: {'is not there' if item.live is None else 'should not be there'}"
    if item.object:
        return f"{where}: {_value(item.live)} instead of {_value(item.in_git)}"
    return f"{where}: {_value(item.in_git)} in Git, {_value(item.live)} live"


def _value(value: Plain) -> str:
    if value is None:
        return "nothing"
    return shortened(json.dumps(value, ensure_ascii=False), _LONGEST)


def _total(status: EnvironmentStatus) -> str:
    """`3 specs: 1 as in Git, 1 not as in Git, 1 not applied; 1 failed`."""
    specs = status.specs
    applied = [item for item in specs if item.is_applied]
    equal = sum(item.equals_git for item in applied)
    counts = {
        "as in Git": equal,
        "not as in Git": len(applied) - equal,
        "not applied": len(specs) - len(applied),
    }
    said = ", ".join(f"{number} {what}" for what, number in counts.items() if number)
    states = (Health.FAILED, Health.PROGRESSING, Health.SUSPENDED)
    by_health = [(sum(item.status.health is one for item in specs), one) for one in states]
    healths = ", ".join(f"{number} {one}" for number, one in by_health if number)
    summary = "; ".join(filter(None, (said, healths))) or "nothing to compare"
    return f"{counted(len(specs), 'object')}: {summary}"
