"""A diff in brief: for each spec, what happens to which of its units; amounts in words."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from renderer.outputs.diff.report import DiffReport, ShownObject
from renderer.text.wording import counted
from renderer.values.changes import Capacity, Effect, Impact

#: From the worst on; what follows the first two and the next three is as intended.
RANKING = (
    Effect.REFUSED,
    Effect.BREAKS,
    Effect.ORPHANS,
    Effect.RECREATE,
    Effect.IGNORED,
    Effect.DELETE,
    Effect.REPLACE,
    Effect.DEFERRED,
    Effect.ROLLING,
    Effect.RUNS,
    Effect.CREATE,
    Effect.IN_PLACE,
)
FAILING = frozenset(RANKING[:2])
DOUBTFUL = frozenset(RANKING[2:5])
_KIBI = 1024
_UNITS = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_ENOUGH = Decimal("0.01")


class EffectSummary(NamedTuple):
    """An effect and the units that have it."""

    effect: Effect
    units: tuple[str, ...]


class SpecSummary(NamedTuple):
    """What happens to a spec in an environment, the worst first."""

    environment: str
    spec: str
    effects: tuple[EffectSummary, ...]


def summarize(report: DiffReport) -> tuple[SpecSummary, ...]:
    """A summary for each spec that a change reaches, the worst first."""
    found: dict[tuple[str, str], dict[Effect, dict[str, None]]] = {}
    for item in report.objects:
        for impact in every_impact(item):
            effects = found.setdefault((item.environment, impact.spec), {})
            effects.setdefault(impact.effect, {})[impact.unit] = None
    for item in report.objects:
        if not any(every_impact(item)):
            found.setdefault((item.environment, item.spec), {})
    summaries = (SpecSummary(*key, tuple(_ranked(effects))) for key, effects in found.items())
    return tuple(sorted(summaries, key=lambda item: (_worst_rank(item), item)))


def by_spec(report: DiffReport) -> dict[tuple[str, str], list[ShownObject]]:
    """The objects of each environment and spec, in whatever destinations they are."""
    groups: dict[tuple[str, str], list[ShownObject]] = {}
    for item in report.objects:
        groups.setdefault((item.environment, item.spec), []).append(item)
    return groups


def every_impact(item: ShownObject) -> Iterator[Impact]:
    """The impacts of an object as a whole, then those of its changes."""
    yield from item.impacts
    for change in item.changes:
        yield from change.impacts


def count_units(report: DiffReport) -> int:
    """How many running units anything happens to."""
    units = {
        (item.environment, impact.spec, impact.unit)
        for item in report.objects
        for impact in every_impact(item)
    }
    return len(units)


def size_text(items: Sequence[ShownObject]) -> str:
    """How much of a spec differs: `3 changes`, or `1 object` that comes or goes as a whole."""
    changes = sum(len(item.changes) for item in items)
    return counted(changes, "change") if changes else counted(len(items), "object")


def _ranked(effects: dict[Effect, dict[str, None]]) -> Iterator[EffectSummary]:
    for effect in RANKING:
        if effect in effects:
            yield EffectSummary(effect, tuple(effects[effect]))


def _worst_rank(item: SpecSummary) -> int:
    return RANKING.index(item.effects[0].effect) if item.effects else len(RANKING)


def distinct(impacts: Iterable[Impact], spec: str) -> list[tuple[Impact, list[str]]]:
    """Impacts that read the same once, each with its units; those of other specs by their name."""
    found: dict[tuple[object, ...], tuple[Impact, list[str]]] = {}
    for item in impacts:
        key = item.effect, item.consequence, item.advice
        owner = "" if item.spec == spec else f"{item.spec} "
        unit = f"{owner}{item.unit} ({item.destination or 'not ours'})"
        found.setdefault(key, (item, []))[1].append(unit)
    return list(found.values())


class AmountTexts(NamedTuple):
    """What is requested of a resource, in words."""

    before: str
    after: str
    change: str
    peak: str


def amount_texts(item: Capacity) -> AmountTexts:
    """The change is signed: `+2`, `-512Mi`, `0`."""
    change = item.after - item.before
    before, after, difference, peak = (
        _amount_text(item.resource, amount)
        for amount in (item.before, item.after, change, item.peak)
    )
    return AmountTexts(before, after, f"+{difference}" if change > 0 else difference, peak)


def _amount_text(resource: str, amount: Decimal) -> str:
    """`1.5` cores, `512Mi`; memory in the largest unit that leaves one or more."""
    power = 0
    if resource == "memory" or resource.startswith(("ephemeral-storage", "hugepages-")):
        while abs(amount) >= _KIBI and power < len(_UNITS) - 1:
            amount /= _KIBI
            power += 1
    rounded = amount.quantize(_ENOUGH) if amount % _ENOUGH else amount
    return f"{rounded.normalize():f}{_UNITS[power]}"
