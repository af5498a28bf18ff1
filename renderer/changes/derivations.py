"""What the objects of a state become, and how that differs between two states."""

from collections.abc import Collection, Iterator, Mapping

from renderer.backends.kinds import functions_of, is_known
from renderer.changes.obstacles import obstacle_problems
from renderer.changes.trees import differences
from renderer.compose.shapes import Shape
from renderer.derive.behaviour import Difference
from renderer.kubernetes.stored_objects import may_be_default, stored_tree
from renderer.kubernetes.unread_fields import ALL_READ, read_fields
from renderer.kubernetes.versions import NEWEST, Version
from renderer.schema.bundle import Schema
from renderer.values.changes import Change, How, State
from renderer.values.derivations import (
    Applied,
    Derivation,
    DerivedObject,
    DerivedUnit,
    ObjectName,
    needed_objects,
    object_name,
    prerequisites,
)
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
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
    """Whether it is known what becomes of an object by itself, be it nothing."""
    if not is_known(manifest.spec.kind):
        return False
    functions = functions_of(manifest.spec.kind.name)
    return functions.derive is not None or bool(functions.behaviour and functions.behaviour().unit)


@cached_by_identity
def _known_applied(state: State, other: State) -> dict[int, Applied]:  # noqa: ARG001
    """What was worked out of a state so far, by the ids of manifests that the state holds."""
    return {}


@cached_by_identity
def _known_derivations(
    before: State,  # noqa: ARG001
    after: State,  # noqa: ARG001
) -> dict[tuple[int, int], Derivation]:
    """The same of two states, by the ids of both manifests; 0 where there is none."""
    return {}


def applied(manifest: Manifest, state: State, other: State) -> Applied:
    """An object of a state as it is applied; the other state may describe its environment."""
    known = _known_applied(state, other)
    if id(manifest) not in known:
        name = manifest.environment
        environment = state.environments.get(name) or other.environments.get(name)
        environment = environment or _undescribed_environment(name, state)
        needed = _prerequisites(state, environment)
        found = Applied(manifest.spec, environment, manifest.tree, needed, manifest.destination)
        if stopping := state.obstacles.get(manifest.spec.key):
            found = found._replace(obstacles=obstacle_problems(stopping, manifest.tree))
        known[id(manifest)] = found
    return known[id(manifest)]


def derivation(item: Applied, former: Derivation | None) -> Derivation:
    """What becomes of an applied object, where the platform made something before."""
    functions = functions_of(item.spec.kind.name)
    if functions.derive:
        return functions.derive(item, former)._replace(source=item)
    if functions.behaviour:
        unit = DerivedUnit(item.destination, functions.behaviour().unit)
        return Derivation((unit,), source=item)
    return NOTHING


def derivations(
    old: Manifest | None, new: Manifest | None, before: State, after: State
) -> tuple[Derivation, Derivation]:
    """What becomes of an object on both sides, worked out once.

    One that stays is made of what was there before.
    """
    known, key = _known_derivations(before, after), (id(old), id(new))
    if (key[0], 0) not in known:
        known[key[0], 0] = derivation(applied(old, before, after), None) if old else NOTHING
    former = known[key[0], 0]
    if key not in known:
        stays = old is not None and new is not None and old.identity == new.identity
        item = applied(new, after, before) if new else None
        found = derivation(item, former if stays else None) if item else NOTHING
        if stays and old and new and (refusals := after.find_refusals(new, old)):
            found = found._replace(problems=(*found.problems, *refusals))
        known[key] = found
    return former, known[key]


@cached_by_identity
def _undescribed_environment(name: str, state: State) -> Environment:  # noqa: ARG001
    """One of which nothing is known; one for all objects of a state."""
    return Environment(name, ("",), constant({}, "not described"), (), (), {})


@cached_by_identity
def _prerequisites(state: State, environment: Environment) -> _Needed:
    return needed_objects(state.manifests_below(f"{environment.name}/"), environment)


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


def unit_differences(pair: UnitPair, version: Version = NEWEST) -> Iterator[Difference]:
    """What the platform makes otherwise for a unit: objects that come and go, and their values.

    They are compared as that version of Kubernetes stores them.
    """
    if pair.before and pair.after and pair.before.objects is pair.after.objects:
        return  # so they need not be made
    old, new = (
        {item.identity: item for item in side.objects} if side else {}
        for side in (pair.before, pair.after)
    )
    for identity, item in (old | new).items():
        was, now = old.get(identity), new.get(identity)
        if was and now:
            yield from _object_differences(was, now, version)
        else:
            how = How.ADDED if now else How.REMOVED
            yield Difference(item, Change((), how, was and was.tree, now and now.tree))


def _object_differences(
    was: DerivedObject, now: DerivedObject, version: Version
) -> Iterator[Difference]:
    """Where two objects differ as they are stored: to write a default changes nothing."""
    if was.tree is now.tree:
        return
    found = tuple(differences(was.tree, now.tree, _SHAPE))
    if found and (version < ALL_READ or any(may_be_default(item.path) for item in found)):
        old, new = (stored_tree(read_fields(side.tree, version)) for side in (was, now))
        found = tuple(differences(old, new, _SHAPE))
    yield from (Difference(now, item) for item in found)
