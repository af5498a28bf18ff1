"""A diff in brief: classes of impact by how bad they are, counts, and amounts in words."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from renderer.outputs.diff.report import DiffReport, ShownObject
from renderer.values.changes import Capacity, Effect, Impact
from renderer.values.named_tuple import NamedTuple

#: From the worst on: what ends pods or objects is worse than what does not happen at all.
RANKING = (
    Effect.REFUSED,
    Effect.BREAKS,
    Effect.ORPHANS,
    Effect.RECREATE,
    Effect.UNKNOWN,
    Effect.DELETE,
    Effect.REPLACE,
    Effect.IGNORED,
    Effect.DEFERRED,
    Effect.ROLLING,
    Effect.RUNS,
    Effect.CREATE,
    Effect.IN_PLACE,
)
FAILING = frozenset(RANKING[:2])
#: What is hardly intended; the rest is.
DOUBTFUL = frozenset((Effect.ORPHANS, Effect.RECREATE, Effect.UNKNOWN, Effect.IGNORED))
_KIBI = 1024
_UNITS = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_ENOUGH = Decimal("0.01")
_MUCH = Decimal("1.2")


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


def telling_rows(capacity: Iterable[Capacity]) -> list[Capacity]:
    """The rows that people look at: another amount than before, or a much higher one meanwhile."""
    return [row for row in capacity if row.before != row.after or row.peak > row.before * _MUCH]


def calm_text(capacity: Sequence[Capacity]) -> str:
    """What is said of the other rows; nothing if there are none."""
    rest = len(capacity) - len(telling_rows(capacity))
    if not rest:
        return ""
    rows = "1 row is" if rest == 1 else f"{rest:,} rows are"
    return f"{rows} left out: the same before and after, and less than 20 % more in between."


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
