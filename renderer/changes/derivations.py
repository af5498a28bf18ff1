"""What the objects of a state become, and how that differs between two states."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kinds import KINDS, functions_of
from renderer.changes.trees import differences
from renderer.compose.shapes import Shape
from renderer.derive.applied import needed_objects, object_name, prerequisites
from renderer.derive.behaviour import Difference
from renderer.schema.bundle import Schema
from renderer.values.changes import Change, How, ObjectChange, State
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit, ObjectName
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from renderer.values.tree import Node, constant

NOTHING = Derivation()
_Needed = Mapping[str, Mapping[ObjectName, Node]]
UnitKey = tuple[str, str]
"""The destination and the name of a unit."""


def _list(key: str, **properties: Schema) -> Schema:
    return {"x-list-key": [key], "items": {"properties": properties}}


_AMOUNTS: Schema = {"additionalProperties": {"x-quantity": True}}
_CONTAINERS = _list(
    "name",
    env=_list("name"),
    ports=_list("containerPort"),
    volumeMounts=_list("mountPath"),
    resources={"properties": {"requests": _AMOUNTS, "limits": _AMOUNTS}},
)
_POD: Schema = {
    "containers": _CONTAINERS,
    "initContainers": _CONTAINERS,
    "volumes": _list("name"),
}
_TEMPLATE: Schema = {"properties": {"spec": {"properties": _POD}}}
_OBJECT: Schema = {
    "properties": {"spec": {"properties": {"template": _TEMPLATE, "ports": _list("port"), **_POD}}}
}
#: By which keys items of lists are known in what platforms make.
_SHAPE = Shape(_OBJECT, _OBJECT)


def can_derive(manifest: Manifest) -> bool:
    """Whether it is known what becomes of an object by itself."""
    kind = manifest.spec.kind.name
    return kind in KINDS and functions_of(kind).derive is not None


@cached_by_identity
def applied(manifest: Manifest, state: State, other: State) -> Applied:
    """An object of a state as it is applied; the other state may describe its environment."""
    name = manifest.environment
    environment = state.environments.get(name) or other.environments.get(name)
    environment = environment or _undescribed(name)
    needed = _prerequisites(state, environment)
    return Applied(manifest.spec, environment, manifest.tree, needed, manifest.destination)


@cached_by_identity
def derivation(item: Applied, former: Derivation | None) -> Derivation:
    """What becomes of an applied object, where the platform made something before."""
    derive = functions_of(item.spec.kind.name).derive
    return derive(item, former)._replace(source=item) if derive else NOTHING


def derivations_of(
    change: ObjectChange, before: State, after: State
) -> tuple[Derivation, Derivation]:
    """What becomes of an object on both sides; one that stays is made of what was there before."""
    was = applied(change.before, before, after) if change.before else None
    now = applied(change.after, after, before) if change.after else None
    former = derivation(was, None) if was else NOTHING
    known = former if was and not change.is_renamed else None
    return former, derivation(now, known) if now else NOTHING


def _undescribed(name: str) -> Environment:
    return Environment(name, ("",), constant({}, "nobody described it"), (), (), {})


@cached_by_identity
def _prerequisites(state: State, environment: Environment) -> _Needed:
    return needed_objects(state.below(f"{environment.name}/"), environment)


@cached_by_identity
def changed_prerequisites(before: State, after: State) -> Collection[tuple[str, ObjectName]]:
    """The environments and names of objects that others refer to and that are not the same."""
    sides = (
        {item.path: item for item in prerequisites(state.manifests)} for state in (before, after)
    )
    old, new = sides
    return {
        (item.environment, object_name(item))
        for path, item in (old | new).items()
        if path not in old or path not in new or old[path].text != new[path].text
    }


class UnitPair(NamedTuple):
    """A unit on both sides; nothing on a side that does not have it."""

    before: DerivedUnit | None
    after: DerivedUnit | None

    @property
    def present(self) -> DerivedUnit:
        found = self.after or self.before
        assert found is not None, "a unit is on one side at least"  # noqa: S101
        return found


def unit_pairs(former: Derivation, present: Derivation) -> dict[UnitKey, UnitPair]:
    """Every unit of two derivations, in the order of the present one."""
    old, new = (
        {(item.destination, item.unit): item for item in side.units} for side in (former, present)
    )
    return {key: UnitPair(old.get(key), new.get(key)) for key in {**new, **old}}


def unit_differences(pair: UnitPair) -> Iterator[Difference]:
    """What the platform makes otherwise for a unit: objects that come and go, and their values."""
    old, new = (
        {item.identity: item for item in side.objects} if side else {}
        for side in (pair.before, pair.after)
    )
    for identity, item in (old | new).items():
        was, now = old.get(identity), new.get(identity)
        if was and now:
            yield from _object_differences(was, now)
        else:
            how = How.ADDED if now else How.REMOVED
            yield Difference(item, Change((), how, was and was.tree, now and now.tree))


def _object_differences(was: DerivedObject, now: DerivedObject) -> Iterator[Difference]:
    if was.tree is not now.tree:
        yield from (Difference(now, item) for item in differences(was.tree, now.tree, _SHAPE))
