"""Impacts once all of them are known: what happens to a unit may hinder what else would."""

from collections.abc import Collection, Iterable, Iterator

from renderer.backends.kinds import KINDS, functions_of
from renderer.values.changes import Affected, Impact

_Unit = tuple[str, str, str, str]


def settled(objects: Iterable[Affected]) -> Iterator[Affected]:
    """The objects with their impacts as the kinds have them in view of all on a unit."""
    affected = list(objects)
    together: dict[_Unit, list[Impact]] = {}
    for item in affected:
        for _, impact in item.impacts:
            together.setdefault(_unit(item, impact), []).append(impact)
    for item in affected:
        impacts = (
            (cause, _settled(impact, together[_unit(item, impact)]))
            for cause, impact in item.impacts
        )
        yield item._replace(impacts=tuple(impacts))


def _unit(item: Affected, impact: Impact) -> _Unit:
    return item.change.environment, impact.destination, impact.spec, impact.unit


def _settled(impact: Impact, together: Collection[Impact]) -> Impact:
    kind = impact.spec.partition("/")[0]
    settle = functions_of(kind).settle if kind in KINDS else None
    return settle(impact, together) if settle else impact
