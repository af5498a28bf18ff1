"""How the specs of an environment fare, from what was rendered and what was found."""

from collections.abc import Collection, Iterator

from renderer.backends import BACKENDS
from renderer.backends.kinds import functions_of, owner_of
from renderer.backends.object_places import MANAGED_BY, OURS
from renderer.live.drift import drift
from renderer.live.expectation import Prerequisites, live_prerequisites
from renderer.live.object_status import object_status
from renderer.text.secrets.masks import hidden, mask_line
from renderer.text.wording import listed
from renderer.values.derivations import Derivation
from renderer.values.live import NOTHING_LIVE, Live, LiveObject
from renderer.values.statuses import (
    NOT_APPLIED,
    EnvironmentStatus,
    Expectation,
    Health,
    LeftoverObject,
    LiveDifference,
    ObjectStatus,
    ObservedObject,
    SpecStatus,
    UnitStatus,
)

#: Of a kind that only holds something for others.
_STORED = ObjectStatus("stored", Health.READY)
_LEAVING = ObjectStatus("being deleted", Health.PROGRESSING)


def judge(
    environment: str, expected: Collection[Expectation], live: Live, rendered: Collection[str]
) -> EnvironmentStatus:
    """The status of what is expected; `rendered` are the objects that any spec stands for.

    These are named by their kinds and places, as `ConfigMap models/sizes`; without any, what
    is left behind is not looked for.
    """
    needed = live_prerequisites(expected, live)
    specs = tuple(_spec_status(item, live, needed) for item in expected)
    left = tuple(_left_behind(live, rendered)) if rendered else ()
    return EnvironmentStatus(environment, specs, left, tuple(_notes(live)))


def _spec_status(item: Expectation, live: Live, needed: Prerequisites) -> SpecStatus:
    manifest = item.manifest
    wanted = LiveObject(manifest.tree)
    here = live.get(manifest.destination, NOTHING_LIVE)
    found = here.find(wanted.kind, wanted.namespace, wanted.name, wanted.group)
    named = SpecStatus(str(manifest.spec), manifest.destination, str(wanted), NOT_APPLIED)
    if found is None:
        return named
    functions = functions_of(manifest.spec.kind.name)
    status = _STORED
    if functions.derive or functions.status:
        # A platform may hide an edit by hand that it cannot carry out: what should run follows
        # from the live object, and whether that is what Git says is reported separately.
        applied = item.applied._replace(tree=found.tree, needed=needed)
        derived = functions.derive(applied, None) if functions.derive else Derivation()
        derivation = _known(derived, item.derivation)
        observed = ObservedObject(applied, manifest.destination, found, live, derivation)
        status = object_status(observed, functions, owner_of(manifest.spec.kind.name).maker)
    differences = tuple(drift(manifest, found, functions.written_back))
    if found.is_being_deleted:
        status = _LEAVING._replace(units=status.units, response=status.response)
    return named._replace(status=_discreet(status), differences=differences)


def _known(live: Derivation, rendered: Derivation) -> Derivation:
    """A derivation; of units that a platform cannot make, what runs is of an earlier spec."""
    earlier = {(item.destination, item.unit): item for item in rendered.units}
    units = [
        item._replace(objects=former.objects, pods=former.pods)
        if item.problem and (former := earlier.get((item.destination, item.unit)))
        else item
        for item in live.units
    ]
    return live._replace(units=tuple(units))


def _discreet(status: ObjectStatus) -> ObjectStatus:
    """A status with all secrets hidden that messages and answers may hold."""
    return status._replace(
        message=mask_line(status.message),
        disagreement=mask_line(status.disagreement),
        units=tuple(_discreet_unit(unit) for unit in status.units),
        differences=tuple(map(_discreet_difference, status.differences)),
        response=hidden(status.response),
    )


def _discreet_unit(unit: UnitStatus) -> UnitStatus:
    return unit._replace(message=mask_line(unit.message))


def _discreet_difference(item: LiveDifference) -> LiveDifference:
    return item._replace(in_git=hidden(item.in_git), live=hidden(item.live))


def _left_behind(live: Live, rendered: Collection[str]) -> Iterator[LeftoverObject]:
    """Objects with our label that no spec stands for; what has an owner is a copy of its label."""
    ours = {(item.group, item.kind) for backend in BACKENDS for item in backend.stored}
    for destination, found in live.items():
        for item in found.objects:
            is_ours = item.label(MANAGED_BY) == OURS.value and (item.group, item.kind) in ours
            has_owner = item.tree.get("metadata", "ownerReferences")
            if is_ours and not has_owner and str(item) not in rendered:
                yield LeftoverObject(destination, str(item))


def _notes(live: Live) -> Iterator[str]:
    for destination, found in live.items():
        for why in dict.fromkeys(found.unread.values()):
            kinds = listed(kind for kind, reason in found.unread.items() if reason == why)
            yield f"{kinds} at {destination} could not be read: {why}"
