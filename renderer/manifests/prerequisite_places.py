"""Where prerequisites go: to what refers to them, to the end of every chain of references."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from renderer.backends.kinds import NAMESPACES, kind_called, owner_of, references_of
from renderer.compose.environment_rules import NO_ROUTE, REFERENCE_CYCLE, UNKNOWN_COMPANY
from renderer.manifests.placement import homes
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.kinds import DESTINATION, WITH
from renderer.values.model import Destination, Environment, Reference, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

Identity = tuple[str, str]
#: Instead of names of destinations: all that there are.
_ALL = "*"


class Place(NamedTuple):
    """A destination and the namespace there; none if neither a spec nor the destination says it."""

    destination: Destination
    namespace: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.destination.name, self.namespace

    def named_place(self, use: Reference) -> "Place":
        """Where a reference from here looks: in the namespace that it names, else in this one."""
        namespace = use.namespace or self.namespace or self.destination.namespace
        return self if namespace == self.namespace else Place(self.destination, namespace)

    @property
    def location(self) -> tuple[str, str]:
        """What two places have in common that are one to the cluster."""
        return self.destination.cluster, self.namespace


Places = tuple[Place, ...]


class User(NamedTuple):
    """What refers to prerequisites: its references, and where they are needed."""

    spec: Spec | Summary
    references: tuple[Reference, ...]
    places: Places


class PlacedPrerequisites(NamedTuple):
    """The places of each prerequisite, by identity, why some have none, and what refers to them."""

    places: Mapping[Identity, Places]
    diagnostics: tuple[Diagnostic, ...]
    users: tuple[User, ...] = ()


def place_prerequisites(
    environment: Environment,
    specs: Sequence[Spec],
    sound: Sequence[Summary],
    every: Sequence[Summary],
) -> PlacedPrerequisites:
    """The places of `specs`, the prerequisites of an environment.

    They go where `sound` users are. One that users with errors need, too, has users: it is
    not said of it that it goes nowhere.
    """
    return _Placing(environment, specs, sound, every).run()


class _Placing:
    """One environment, whose prerequisites are placed one by one, each after its users."""

    def __init__(
        self,
        environment: Environment,
        specs: Sequence[Spec],
        sound: Sequence[Summary],
        every: Sequence[Summary],
    ) -> None:
        self.environment, self.every = environment, every
        self.summaries = {(item.kind, item.stem): item for item in sound}
        self.specs = {spec.identity: spec for spec in specs}
        self.references = {s.identity: references_of(s, environment) for s in specs}
        self.places: dict[Identity, Places] = {}
        self.needs: dict[Identity, dict[tuple[str, str], Place]] = {}
        self.wrong_namespaces: dict[Identity, dict[tuple[str, str], Place]] = {}
        self.found: list[Diagnostic] = []
        self.users: list[User] = []

    def run(self) -> PlacedPrerequisites:
        for summary in self.summaries.values():
            places = self._summary_places(summary, summary.needs)
            self._need(User(summary, summary.references, places))
        waiting = self._earlier()
        while waiting:
            ready = [one for one, others in waiting.items() if others.isdisjoint(waiting)]
            if not ready:
                self.found.append(self._cycle(waiting))
                break
            for identity in ready:
                del waiting[identity]
                self._place(self.specs[identity])
        return PlacedPrerequisites(self.places, tuple(self.found), tuple(self.users))

    def _earlier(self) -> dict[Identity, set[Identity]]:
        """What has to be placed before each prerequisite: its users, and what it goes with."""
        earlier = {one: {*_company(spec)} & self.specs.keys() for one, spec in self.specs.items()}
        for user, uses in self.references.items():
            for identity in self._meant(uses) - {user}:
                earlier[identity].add(user)
        inside = {one for one, spec in self.specs.items() if not _is_namespace(spec)}
        return {one: inside if one not in inside else some for one, some in earlier.items()}

    def _meant(self, uses: Iterable[Reference]) -> set[Identity]:
        named = self.environment.named_specs
        return {spec.identity for use in uses for spec in named(use)}

    def _summary_places(self, summary: Summary, names: Iterable[str]) -> Places:
        own, named = summary.fields.get("namespace"), {*names}
        wanted = [item for item in self.environment.destinations if item.name in named]
        return tuple(Place(item, str(own.value) if own else item.namespace) for item in wanted)

    def _need(self, user: User) -> None:
        """Note where a user needs what it refers to, and the namespace it is in.

        Of several of a name, one that is pinned to a namespace is meant there.
        """
        self.users.append(user)
        for use in user.references:
            if meant := self.environment.named_specs(use):
                for place in user.places:
                    self._note(meant, place.named_place(use))
        for place in user.places if self.environment.made else ():
            inside = Reference(NAMESPACES, place.namespace, ())
            self._note(self.environment.named_specs(inside), place)

    def _note(self, meant: Sequence[Spec], wanted: Place) -> None:
        present = _present_specs(meant, wanted.namespace)
        for spec in present or meant:
            noted = self.needs if present else self.wrong_namespaces
            noted.setdefault(spec.identity, {})[wanted.key] = wanted

    def _place(self, spec: Spec) -> None:
        needed = tuple(self.needs.get(spec.identity, {}).values())
        if spec.kind.is_open:
            places = self._open_places(spec, needed)
        else:
            names = {place.destination.name for place in needed}
            at = homes(spec.kind, names, self.environment)
            places = tuple(Place(item, item.namespace) for item in at)
        if places or needed:
            self.places[spec.identity] = places
        self._need(User(spec, self.references[spec.identity], places))

    def _open_places(self, spec: Spec, needed: Places) -> Places:
        """Where the spec says, else where it is needed, else the only place that there is."""
        company = tuple(self._company_places(spec))  # looked at in any case: it may not be there
        if DESTINATION in spec.tree.items:
            wanted = self._named_places(spec, (*needed, *company))
        elif WITH in spec.tree.items:
            wanted = company
        elif needed or (spec.identity in self._used and not _pinned(spec)):
            wanted = needed
        elif users := self.wrong_namespaces.get(spec.identity):
            wanted = tuple(users.values())  # the clusters are right, which its users point out
        else:
            wanted = self._only_place(spec)
        return _once(spec, wanted)

    def _named_places(self, spec: Spec, others: Places) -> Places:
        """The destinations that a spec names, in the namespaces where the others are there."""
        known = self.environment.platform_destinations(owner_of(spec.kind.name).platform)
        node = spec.tree.items[DESTINATION]
        found: list[Place] = []
        for given in node.elements or (node,):
            named = [item for item in known if given.value in (_ALL, item.name)]
            if not named:
                message = f"there is no destination {given.value!r} of a cluster"
                fix = suggest(str(given.value), [item.name for item in known])
                self._report(NO_ROUTE.at(given.origin, message, fix), spec)
            for item in named:
                there = [place for place in others if place.destination.name == item.name]
                found += there or [Place(item, item.namespace)]
        return tuple(found)

    def _company_places(self, spec: Spec) -> Iterator[Place]:
        """The places of the specs that a prerequisite goes with."""
        for node, identity in zip(_company_nodes(spec), _company(spec), strict=True):
            if spec.identity in self._meant(self._references(identity)):
                message = f"it comes after {node.value}, which refers to it"
                self._report(REFERENCE_CYCLE.at(node.origin, message, f"delete {WITH}"), spec)
            elif identity in self.specs:
                yield from self.places.get(identity, ())
            elif identity in self.summaries:
                summary = self.summaries[identity]
                yield from self._summary_places(summary, summary.own)
            elif not self._is_known(identity):
                names = [*map(str, self.every), *map(str, self.specs.values())]
                message = f"there is no spec {node.value!r} in this environment"
                self._report(
                    UNKNOWN_COMPANY.at(node.origin, message, suggest(str(node.value), names)), spec
                )

    def _is_known(self, identity: Identity) -> bool:
        """Whether there is such a spec, perhaps one with errors."""
        is_unread = identity[1] in self.environment.unread
        return is_unread or any((item.kind, item.stem) == identity for item in self.every)

    @cached_property
    def _used(self) -> set[Identity]:
        """What is referred to at all, by specs with errors, too."""
        return self._meant(use for item in self.every for use in item.references)

    def _references(self, identity: Identity) -> tuple[Reference, ...]:
        summary = self.summaries.get(identity)
        return summary.references if summary else self.references.get(identity, ())

    def _only_place(self, spec: Spec) -> Places:
        platform = owner_of(spec.kind.name).platform
        known = self.environment.platform_destinations(platform)
        if len(known) == 1:
            return (Place(known[0], known[0].namespace),)
        message = f"the environment has no destination of {platform}"
        fix = f"add one to {self.environment.file}: {{name: …, platform: {platform}}}"
        if known:
            names = [item.name for item in known]
            message = (
                f"nothing refers to it, and it is not clear which of {listed(names)} it goes to"
            )
            fix = f"name one, several or all: {self._steering(spec, names[0])}"
        self._report(NO_ROUTE.at(spec.tree.origin, message, fix), spec)
        return ()

    def _steering(self, spec: Spec, name: str) -> str:
        """What sends a spec to a destination, and where it is written if not in its file."""
        words = f"{DESTINATION}: {name}"
        if not spec.source or not spec.kind.copied:
            return words
        first, *rest = spec.kind.copied.steered_at
        inner = f"{{{spec}: {{{words}}}}}"
        for key in reversed(rest):
            inner = f"{{{key}: {inner}}}"
        return f"{first}: {inner} in {self.environment.file}"

    def _cycle(self, waiting: Mapping[Identity, set[Identity]]) -> Diagnostic:
        """The way from one prerequisite back to itself."""
        way = [min(waiting)]
        while (earlier := min(waiting[way[-1]] & waiting.keys())) not in way:
            way.append(earlier)
        loop = [self.specs[one] for one in reversed((*way[way.index(earlier) :], earlier))]
        first, second = loop[0], loop[1]
        uses = (
            u for u in self.references[first.identity] if second in self.environment.named_specs(u)
        )
        use = next(uses, None)
        where = first.tree.locate(use.path if use else (WITH,))
        message = f"it needs itself: {' → '.join(map(str, loop))}"
        return self._add_related(
            REFERENCE_CYCLE.at(where, message, "take one of these references out"), *loop
        )

    def _report(self, finding: Diagnostic, spec: Spec) -> None:
        self.found.append(self._add_related(finding, spec))

    def _add_related(self, finding: Diagnostic, *specs: Spec) -> Diagnostic:
        files = (file for spec in specs for file in spec.files)
        return finding.about(self.environment.name, related=(*files, *self.environment.files))


def meant_specs(environment: Environment, use: Reference, namespace: str) -> list[Spec]:
    """The specs that a reference means in a namespace."""
    return _present_specs(environment.named_specs(use), namespace)


def _present_specs(meant: Sequence[Spec], namespace: str) -> list[Spec]:
    """Those that are pinned to a namespace, else those that go anywhere."""
    pinned = [spec for spec in meant if _pinned(spec) == namespace]
    return pinned or [spec for spec in meant if not _pinned(spec)]


def is_sent_to(spec: Spec, environment: Environment, destination: Destination) -> bool:
    """Whether a spec goes to a cluster; one that names no destinations follows its users."""
    given = spec.tree.get(DESTINATION)
    if given is None:
        return True
    names = {node.value for node in given.elements or (given,)}
    there = (item for item in environment.destinations if {item.name, _ALL} & names)
    return any(item.cluster == destination.cluster for item in there)


def _is_namespace(spec: Spec) -> bool:
    return bool(NAMESPACES) and spec.kind.name == NAMESPACES


def _pinned(spec: Spec) -> str:
    """The only namespace that a prerequisite goes to, if it names one."""
    if not spec.kind.is_open or spec.kind.cluster_wide:
        return ""
    given = spec.tree.get(*spec.kind.name_in, "namespace")
    return str(given.value) if given else ""


def _once(spec: Spec, wanted: Iterable[Place]) -> Places:
    """Each place once, as the cluster has it; what belongs to a cluster goes there once."""
    pinned = _pinned(spec)
    found: dict[tuple[str, str], Place] = {}
    for place in wanted:
        namespace = "" if spec.kind.cluster_wide else pinned or place.namespace
        exact = Place(place.destination, namespace)
        found.setdefault(exact.location, exact)
    return tuple(found.values())


def _company_nodes(spec: Spec) -> tuple[Node, ...]:
    given = spec.tree.get(WITH)
    return given.elements if given else ()


def _company(spec: Spec) -> list[Identity]:
    """The specs that one goes with, by their kinds and stems."""
    words = (str(node.value).partition("/") for node in _company_nodes(spec))
    return [(_kind_name(kind), stem) for kind, _, stem in words]


def _kind_name(word: str) -> str:
    kind = kind_called(word)
    return kind.name if kind else word
