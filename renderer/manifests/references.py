"""What specs refer to in the cluster, and what makes each of these objects where it is needed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from renderer.backends.kinds import (
    NAMESPACES,
    REGISTERED,
    functions_of,
    is_always_there,
    kind_called,
)
from renderer.manifests.prerequisite_places import Place, PlacedPrerequisites, User
from renderer.values.diagnostics import Origin, Path
from renderer.values.model import Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.references import Maker, Need, ProvidedObject, ReferenceSettings

#: A spec with a name longer than this may have it cut in what its platform makes.
_LONGEST_KEPT = 40


class ResolvedReferences(NamedTuple):
    """All needs of an environment, and the provided objects that are made here as well."""

    needs: tuple[Need, ...]
    made_twice: tuple[tuple[ProvidedObject, Spec], ...] = ()


def resolve(
    environment: Environment, placed: PlacedPrerequisites, every: Sequence[Summary]
) -> ResolvedReferences:
    """Everything that users name in the cluster; `every` are the specs of the environment."""
    makers = _Makers(environment, placed, every)
    needs = (need for user in placed.users for need in _needs(user, makers))
    return ResolvedReferences(tuple(needs), tuple(makers.made_twice()))


def _needs(user: User, makers: "_Makers") -> Iterator[Need]:
    for use in (*user.references, *_own_namespace(user)):
        if use.kind in REGISTERED or use.origin is None:  # specs of ours have rules of their own
            continue
        for place in _wanted_places(user, use):
            yield makers.need(user, use, place)


def _wanted_places(user: User, use: Reference) -> Iterable[Place]:
    """Where what is referred to has to be, once for each namespace of a cluster."""
    is_everywhere = _is_cluster_wide(use.kind)
    found: dict[tuple[str, str], Place] = {}
    for place in user.places:
        wanted = place._replace(namespace="") if is_everywhere else place.named_place(use)
        found.setdefault(wanted.location, wanted)
    return found.values()


def _own_namespace(user: User) -> Iterator[Reference]:
    """The namespace that a spec names itself; that of its destination is always there."""
    spec = user.spec
    if isinstance(spec, Spec) and spec.kind.cluster_wide:
        return
    path: Path = ("namespace",)
    if isinstance(spec, Spec):
        path = (*spec.kind.name_in, "namespace")
    node = (spec.tree if isinstance(spec, Spec) else spec.fields).get(*path)
    usual = {place.destination.namespace for place in user.places}
    if NAMESPACES and node and isinstance(node.value, str) and {node.value} != usual:
        yield Reference(NAMESPACES, node.value, path, origin=node.origin)


class _Makers:
    """What makes objects in an environment: companions, platforms, and what is there already."""

    def __init__(
        self, environment: Environment, placed: PlacedPrerequisites, every: Sequence[Summary]
    ) -> None:
        self.environment, self.places, self.every = environment, placed.places, every
        self.provided: dict[tuple[str, str], list[ProvidedObject]] = {}
        for item in ReferenceSettings.of(environment).provided:
            self.provided.setdefault((canonical(item.kind), item.name), []).append(item)

    def need(self, user: User, use: Reference, place: Place) -> Need:
        kind = canonical(use.kind)
        maker = self._maker(user, use._replace(kind=kind), place)
        spec = user.spec
        need = Need(
            str(spec),
            spec.files,
            use._replace(kind=kind),
            use.origin or Origin(spec.file),
            place.destination.name,
            place.namespace,
            maker,
        )
        if maker:
            return need
        elsewhere = tuple(self._elsewhere(kind, use.name))
        return need._replace(elsewhere=elsewhere, alike=tuple(self._alike(kind, place)))

    def _maker(self, user: User, use: Reference, place: Place) -> Maker | None:
        namespace = None if _may_be_anywhere(user, use) else place.namespace
        for spec in self._specs(use.kind, use.name):
            if self._is_at(spec, use.kind, place, namespace):
                return _spec_maker(spec, use.kind)
        for item in self.provided.get((use.kind, use.name), ()):
            if item.is_at(place.destination.name, namespace or None):
                where = item.origin
                return Maker("references.provided", where.file, where.line, item.keys, item)
        if self._is_always_there(use, place):
            return Maker("every cluster")
        return self._platform_maker(use, place)

    def _specs(self, kind: str, name: str) -> Sequence[Spec]:
        return (self.environment.made or {}).get((kind, name), ())

    def _is_at(self, spec: Spec, kind: str, place: Place, namespace: str | None) -> bool:
        """Whether a companion, or what is made of it, is there; one without a place may be."""
        places = self.places.get(spec.identity, ())
        is_anywhere = namespace is None or spec.kind.cluster_wide or _is_cluster_wide(kind)
        return not places or any(
            one.destination.cluster == place.destination.cluster
            and (is_anywhere or one.namespace == namespace)
            for one in places
        )

    def _is_always_there(self, use: Reference, place: Place) -> bool:
        ours = self.environment.destinations
        cluster = place.destination.cluster
        usual = {item.namespace for item in ours if item.cluster == cluster}
        return (use.kind == NAMESPACES and use.name in usual) or is_always_there(use.kind, use.name)

    def _platform_maker(self, use: Reference, place: Place) -> Maker | None:
        """A platform that makes objects of this kind, named after a spec that is there."""
        for name, owner, locations in self._derived.get(use.kind, ()):
            is_named = use.name == name or use.name.startswith(f"{name}-")
            if (is_named or len(name) > _LONGEST_KEPT) and (
                not locations or place.location in locations
            ):
                return Maker(owner)
        return None

    @cached_property
    def _derived(self) -> Mapping[str, list[tuple[str, str, set[tuple[str, str]]]]]:
        """By kind, the specs that platforms make such objects of, and where they are."""
        found: dict[str, list[tuple[str, str, set[tuple[str, str]]]]] = {}
        at = {item.name: item for item in self.environment.destinations}
        for summary in self.every:
            own = summary.fields.get("namespace")
            there = [at[name] for name in summary.own if name in at]
            locations = {(d.cluster, str(own.value) if own else d.namespace) for d in there}
            for kind in functions_of(summary.kind).derives(summary.kind):
                row = str(summary.name.value), str(summary), locations
                found.setdefault(kind, []).append(row)
        for spec in self.environment.specs:
            locations = {place.location for place in self.places.get(spec.identity, ())}
            for kind in functions_of(spec.kind.name).derives(spec.kind.name):
                found.setdefault(kind, []).append((spec.name, str(spec), locations))
        return found

    def _elsewhere(self, kind: str, name: str) -> Iterator[str]:
        """Where there is an object of the name."""
        for spec in self._specs(kind, name):
            for place in self.places.get(spec.identity, ()):
                yield f"{_place_text(place)} ({spec.file})"
        for item in self.provided.get((kind, name), ()):
            given = [f"namespace {item.namespace!r}"] if item.namespace else []
            given += [item.destination] if item.destination else []
            yield f"{' of '.join(given)} ({item.origin.file}:{item.origin.line})"

    def _alike(self, kind: str, place: Place) -> Iterator[str]:
        """The names of objects of a kind that are at a place."""
        for of_kind, name in self.environment.made or ():
            if of_kind == kind and any(
                self._is_at(spec, kind, place, place.namespace) for spec in self._specs(kind, name)
            ):
                yield name
        for (of_kind, name), some in self.provided.items():
            if of_kind == kind and any(
                item.is_at(place.destination.name, place.namespace or None) for item in some
            ):
                yield name

    def made_twice(self) -> Iterator[tuple[ProvidedObject, Spec]]:
        """What is said to be there already, although a companion here makes it at that place."""
        for name, some in self.provided.items():
            for item in some:
                for spec in self._specs(*name):
                    places = self.places.get(spec.identity, ())
                    if any(item.is_at(p.destination.name, p.namespace or None) for p in places):
                        yield item, spec
                        break


def _place_text(place: Place) -> str:
    name = place.destination.name
    return f"namespace {place.namespace!r} of {name}" if place.namespace else name


def _spec_maker(spec: Spec, kind: str) -> Maker:
    keys = functions_of(spec.kind.name).made_keys(spec, kind)
    return Maker(str(spec), spec.file, 0, keys)


def _may_be_anywhere(user: User, use: Reference) -> bool:
    """Whether the namespace is not known: what belongs to no namespace names none."""
    spec = user.spec
    return not use.namespace and isinstance(spec, Spec) and spec.kind.cluster_wide


def canonical(kind: str) -> str:
    """The name that specs of a kind have, however it is written."""
    found = kind_called(kind)
    return found.name if found else kind


def _is_cluster_wide(kind: str) -> bool:
    found = kind_called(kind)
    return found is not None and found.cluster_wide
