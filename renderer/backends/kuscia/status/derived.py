"""The objects that Kuscia should have made of a serving, beside those that are there."""

import json
from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.derive.objects import make_objects
from renderer.backends.kuscia.derive.plan import (
    DeploymentPlan,
    PartyPlan,
    plan_deployment,
)
from renderer.backends.kuscia.derive.planes import Incomplete, Plane, serving_planes
from renderer.backends.kuscia.derived_objects import PREFIX
from renderer.backends.kuscia.status.copies import (
    KIND,
    NAMESPACE,
    PORTS,
    Numbers,
    copy_at,
    drawn_numbers,
)
from renderer.derive.deviations import Deviation, deviations
from renderer.text.secrets.masks import hidden
from renderer.text.wording import listed, path_text
from renderer.values.diagnostics import Path
from renderer.values.live import NOTHING_LIVE, LiveObject, LiveObjects
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import LiveDifference, ObservedObject
from renderer.values.tree import Plain

_UID = f"{PREFIX}kd-uid"
_DATA = ("spec", "data")
_ACCESS = f"{PREFIX}access-domain"


class OwnParty(NamedTuple):
    """A party that a control plane of ours runs, and what is there of it.

    `missing` are ports without a number; if any party has such, Kuscia fails at all of them.
    """

    plan: DeploymentPlan
    party: PartyPlan
    here: LiveObjects
    missing: tuple[str, ...]
    is_stuck: bool


def own_parties(observed: ObservedObject) -> Iterator[OwnParty]:
    """Each party at the control plane that runs it, with the ports that Kuscia drew for it."""
    for plane in serving_planes(observed.applied):
        copy = copy_at(observed, plane.places.values()) if plane.is_ours else None
        if copy is None or not _is_looked_into(copy):
            continue
        try:
            plan = plan_deployment(observed.applied, plane)
        except Incomplete:
            continue
        yield from _add_drawn_ports(observed, plane, plan, drawn_numbers(copy))


def _is_looked_into(copy: LiveObject) -> bool:
    """Whether Kuscia got as far as to make something; else its status says why not."""
    has_parties = copy.tree.get("status", "partyDeploymentStatuses") is not None
    return has_parties and text(copy.tree, "status", "phase") != "Failed"


def _add_drawn_ports(
    observed: ObservedObject, plane: Plane, plan: DeploymentPlan, numbers: Numbers
) -> Iterator[OwnParty]:
    drawn = plan._replace(parties=tuple(_add_numbers(item, numbers) for item in plan.parties))
    own = list(drawn.own_parties())
    missing = [_missing_ports(party, numbers) for party in own]
    for party, ports in zip(own, missing, strict=True):
        here = observed.live.get(plane.destination(party.domain), NOTHING_LIVE)
        yield OwnParty(drawn, party, here, ports, any(missing))


def _missing_ports(party: PartyPlan, numbers: Numbers) -> tuple[str, ...]:
    known = numbers.get((party.domain, party.role), {})
    return tuple(name for name in party.ports if name not in known)


def _add_numbers(party: PartyPlan, numbers: Numbers) -> PartyPlan:
    drawn = numbers.get((party.domain, party.role), {})
    return party._replace(numbers={**party.numbers, **drawn})


def stale(own: OwnParty) -> Iterator[LiveDifference]:
    """What is not as the spec and its AppImages would make it."""
    party = own.party
    if own.missing:
        place = path_text(("metadata", "annotations", PORTS))
        ports: list[Plain] = [*own.missing]
        yield LiveDifference(place, ports, None, f"{KIND} {NAMESPACE}/{own.plan.serving.name}")
    if own.is_stuck:
        return
    for item in make_objects(own.plan, party):
        wanted = LiveObject(item.tree)
        if wanted.kind not in own.here.unread:
            found = own.here.find(wanted.kind, wanted.namespace, wanted.name, wanted.group)
            yield from _object_differences(wanted, found)


def _object_differences(wanted: LiveObject, found: LiveObject | None) -> Iterator[LiveDifference]:
    if found is None:
        yield LiveDifference("", "made by Kuscia", None, str(wanted))
        return
    for path, ours, theirs in deviations(_compared(wanted), found.tree.plain(), _is_same):
        inner = list(_text_deviations(ours, theirs)) or [((), ours, theirs)]
        for rest, one, other in inner:
            yield LiveDifference(path_text((*path, *rest)), one, other, str(wanted))


def _compared(wanted: LiveObject) -> dict[str, Plain]:
    """What a spec decides of an object: not who made it, nor under which identity."""
    kept = {
        key: _anonymous(node.plain()) for key, node in wanted.tree.items.items() if key in _DATA
    }
    if access := wanted.tree.get("metadata", "annotations", _ACCESS):
        kept["metadata"] = {"annotations": {_ACCESS: access.plain()}}
    return kept


def _anonymous(data: Plain) -> Plain:
    """Without the identity of the KusciaDeployment, which Kubernetes draws."""
    if isinstance(data, dict):
        return {key: _anonymous(value) for key, value in data.items() if key != _UID}
    return data


def ports_missing(own: OwnParty) -> str:
    """Why a port that came later never gets a number."""
    if not own.missing:
        return ""
    what = f"{own.party.unit} has no number for {listed(own.missing)}"
    return f"{what}: Kuscia draws them once and fails at later ones; use a new serving_id"


def _is_same(wanted: str, found: str, path: Path) -> bool:
    """Whether two texts differ in an order only that Kuscia does not keep."""
    if path[-1] == _ACCESS:
        return sorted(wanted.split(",")) == sorted(found.split(","))
    return _ordered(wanted) == _ordered(found)


def _text_deviations(ours: Plain, theirs: Plain) -> Iterator[Deviation]:
    """Where two JSON texts differ, as Kuscia writes long ones that begin alike.

    What is secret anywhere in one is hidden wherever it stands.
    """
    one, other = (_parsed(text) if isinstance(text, str) else None for text in (ours, theirs))
    if one is not None and other is not None:
        yield from deviations(hidden(one), hidden(other), lambda *_: False)


def _ordered(text: str) -> Plain:
    """The data of a JSON text in a fixed order, as Kuscia's own is random; else the text."""
    data = _parsed(text)
    return text if data is None else json.dumps(data, sort_keys=True)


def _parsed(text: str) -> Plain:
    """The data of a JSON text that is a mapping, with services and ports in order."""
    if not text.startswith("{"):
        return None
    try:
        return _sorted(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _sorted(data: Plain) -> Plain:
    """Services and ports by their names; other lists have an order."""
    if isinstance(data, dict):
        return {key: _sorted(value) for key, value in data.items()}
    if isinstance(data, list):
        items = [_sorted(item) for item in data]
        has_names = all(isinstance(i, dict) and i.keys() & {"portName", "scope"} for i in items)
        return sorted(items, key=json.dumps) if has_names else items
    return data
