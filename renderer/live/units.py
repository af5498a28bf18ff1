"""How units fare by the objects that run them, whatever the platform says of them."""

from collections.abc import Iterator, Sequence

from renderer.derive.pods import unit_bounds
from renderer.kubernetes.status import WorkloadStatus, runs_pods, workload_status
from renderer.text.wording import counted, listed
from renderer.values.derivations import DerivedObject, DerivedUnit
from renderer.values.live import NOTHING_LIVE, Live, LiveObject
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health, UnitStatus

#: From the worst; several things together fare as the worst of them.
_ORDER = (Health.FAILED, Health.PROGRESSING, Health.UNKNOWN, Health.SUSPENDED, Health.READY)
_IDLE = "no pods are wanted"
_OUTAGE = "pods that ran are not available any more, and no new version is on its way: look at them"


def worst(healths: Sequence[Health]) -> Health:
    return min(healths, key=_ORDER.index, default=Health.READY)


def derived_workloads(unit: DerivedUnit) -> Iterator[DerivedObject]:
    """The objects of a unit that run pods and have a name that is known before."""
    for item in unit.objects:
        if runs_pods(item.group, item.kind) and item.kind != "Pod":
            yield item


def live_workloads(unit: DerivedUnit, live: Live) -> list[LiveObject] | None:
    """Those that are there, nothing if they cannot be read."""
    here = live.get(unit.destination)
    wanted = list(derived_workloads(unit))
    if here is None or not wanted or any(item.kind in here.unread for item in wanted):
        return None
    found = (here.find(i.kind, i.namespace, i.name, i.group) for i in wanted)
    return [item for item in found if item]


class _Sum(NamedTuple):
    """All objects of a unit as one."""

    health: Health
    ready: int | None
    asked: int | None
    cause: WorkloadStatus
    is_rolled_out: bool


def judge_unit(
    reported: UnitStatus,
    unit: DerivedUnit,
    found: Sequence[LiveObject],
    *,
    is_waited_for: bool = True,
) -> UnitStatus:
    """A unit by the objects that run it; `reported` is what the platform says of it.

    Of a platform that says that all is well, nothing more is waited for.
    """
    statuses = [item for item in map(workload_status, found) if item]
    least, most = unit_bounds(unit)
    if not statuses:
        return _judge_missing(reported, unit, least, is_waited_for=is_waited_for)
    whole = _sum(statuses)
    asked = least if whole.asked is None else whole.asked
    wanted = max(least, asked if most is None else min(asked, most))
    ready = reported.ready if whole.ready is None else whole.ready
    health, why = _judge_sum(reported, whole, (least, most, wanted))
    cause = whole.cause
    return _merge(
        reported._replace(ready=ready, wanted=wanted), health, cause.reason, cause.message or why,
        cause.since,
    )  # fmt: skip


def _judge_missing(
    reported: UnitStatus, unit: DerivedUnit, least: int, *, is_waited_for: bool
) -> UnitStatus:
    found = reported._replace(ready=0, wanted=least)
    if not least:
        return _merge(found, Health.READY, "", "", "")
    names = [f"{item.kind} {item.namespace}/{item.name}" for item in derived_workloads(unit)]
    what = f"{listed(names)} is not there" if names else "none of its pods is there"
    if is_waited_for and reported.health is not Health.READY:
        return _merge(found, Health.PROGRESSING, "", f"{what} yet", "")
    return _merge(found, Health.FAILED, "", what, "")


def _sum(statuses: Sequence[WorkloadStatus]) -> _Sum:
    health = worst([item.health for item in statuses])
    ready, asked = (
        None if all(n is None for n in numbers) else sum(n or 0 for n in numbers)
        for numbers in ([i.ready for i in statuses], [i.asked for i in statuses])
    )
    cause = next(item for item in statuses if item.health is health)
    behind = [item for item in statuses if item.health is Health.PROGRESSING]
    return _Sum(health, ready, asked, cause, all(item.is_rolled_out for item in behind))


def _judge_sum(
    reported: UnitStatus, whole: _Sum, bounds: tuple[int, int | None, int]
) -> tuple[Health, str]:
    """How a unit fares, and why, where its objects do not say so themselves."""
    least, most, wanted = bounds
    ready = whole.ready
    if whole.health is Health.READY:
        if most == 0 and whole.asked == 0:
            return Health.SUSPENDED, _IDLE
        if ready is None or ready >= wanted:
            return Health.READY, ""
        return Health.PROGRESSING, f"no more than {counted(whole.asked or 0, 'pod')} asked for"
    if whole.health is not Health.PROGRESSING or not whole.is_rolled_out or ready is None:
        return whole.health, ""
    is_lost = reported.ready is not None and reported.ready > ready
    is_down = reported.health is Health.READY and not ready and least > 0
    if reported.reason or is_lost or is_down:
        return Health.FAILED, _OUTAGE
    is_scaled = least != most and ready >= max(least, 1)  # an autoscaler adds the rest
    return (Health.READY if is_scaled else Health.PROGRESSING), ""


def _merge(
    reported: UnitStatus, health: Health, reason: str, message: str, since: str
) -> UnitStatus:
    """The platform's own words where they fit what runs, else those of what runs."""
    if reported.health is Health.FAILED:
        return reported
    if reported.health is health:
        return reported._replace(
            state=reported.state or health.value,
            reason=reported.reason or reason,
            message=reported.message or message,
        )
    return reported._replace(
        state=health.value,
        health=health,
        reason=reported.reason or reason,
        message=reported.message or message,
        since=since or reported.since,
        reported=reported.state,
    )


def unreadable_unit(reported: UnitStatus, unit: DerivedUnit) -> UnitStatus:
    """A unit whose objects cannot be read: what the platform says, of what the spec wants."""
    least, most = unit_bounds(unit)
    is_fixed = unit.pods and (reported.wanted is None or least == most)
    return reported._replace(wanted=least) if is_fixed else reported


def unreported_unit(unit: DerivedUnit, live: Live) -> UnitStatus:
    """A unit of which no platform says anything."""
    here = live.get(unit.destination, NOTHING_LIVE)
    is_hidden = any(item.kind in here.unread for item in derived_workloads(unit))
    state, health = ("not visible", Health.UNKNOWN) if is_hidden else ("", Health.PROGRESSING)
    return UnitStatus(unit.unit, unit.destination, state, health, wanted=unit_bounds(unit)[0])
