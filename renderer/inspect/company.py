"""The objects beside specs in pictures: what each spec needs or has after it, and all by place."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from renderer.backends.kinds import functions_of, kind_called
from renderer.inspect.needs import placed_needs
from renderer.text.wording import counted, few_listed
from renderer.values.kinds import WITH
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import Group, Picture, PictureRow, Place

#: Of more objects beside one spec, those of a kind are counted.
_MOST_NAMES = 20
#: Of more places where nothing else is, one row tells.
_MOST_PLACES = 6


class Company(NamedTuple):
    """Objects beside specs, as `Kind name`: by the specs that they are for, and by places."""

    of_specs: Mapping[str, tuple[str, ...]] = {}
    at_places: Mapping[Place, tuple[str, ...]] = {}

    def names(self, spec: Spec) -> str:
        """`with: ServiceAccount chat, ExternalSecret hub-token`; empty if there are none."""
        found = self.of_specs.get(str(spec), ())
        names = found if len(found) <= _MOST_NAMES else _counts(found)
        return f"with: {', '.join(names)}" if found else ""

    def number(self, spec: Spec) -> str:
        """`with 4 companions`, or which they are, if they are few."""
        found = self.of_specs.get(str(spec), ())
        return f"with {few_listed(found, 'companion')}" if found else ""

    def picture(self, known: Collection[str]) -> Picture:
        """A row for each place that has any; of many places that are not `known` all have one."""
        places = {place: found for place, found in self.at_places.items() if place.title in known}
        others = {place: found for place, found in self.at_places.items() if place not in places}
        if len(others) > _MOST_PLACES:
            every = tuple(title for found in others.values() for title in found)
            others = {Place(counted(len(others), "other place")): every}
        number = sum(map(len, self.at_places.values()))
        groups = tuple(_group(place, found) for place, found in (places | others).items())
        where = f" in {len(self.at_places)} places" if len(self.at_places) > 1 else ""
        return Picture("", f"{counted(number, 'companion')}{where}", groups)


NO_COMPANY = Company()


def _group(place: Place, found: Sequence[str]) -> Group:
    row = PictureRow(f"{place.title}/companions", "companions", note=", ".join(_counts(found)))
    return place.group((row,))


def company_of(environment: Environment) -> Company:
    """What specs need of the companions, to the end of the chain, and what goes with them."""
    beside = {str(spec): spec for spec in environment.specs if _is_beside(spec)}
    if not beside:
        return NO_COMPANY
    placed, needs = placed_needs(environment)
    direct: dict[str, dict[str, None]] = {}
    for need in needs:
        if need.maker and need.maker.name in beside:
            direct.setdefault(need.owner, {})[need.maker.name] = None
    for name, spec in beside.items():
        for other in _goes_with(spec):
            direct.setdefault(other, {})[name] = None
    at_places: dict[Place, list[str]] = {}
    for spec in beside.values():
        for place in placed.places.get(spec.identity, ()):
            where = _drawn_place(place.destination.name, place.namespace, place.destination.cluster)
            at_places.setdefault(where, []).append(_title(spec))
    return Company(
        {name: tuple(_title(beside[one]) for one in _chain(name, direct)) for name in direct},
        {place: tuple(found) for place, found in at_places.items()},
    )


def _is_beside(spec: Spec) -> bool:
    """Whether it is a companion that runs nothing: one that does has a card of its own."""
    return spec.kind.is_open and functions_of(spec.kind.name).derive is None


def _goes_with(spec: Spec) -> Iterator[str]:
    node = spec.tree.get(WITH)
    for item in node.elements if node else ():
        word, _, stem = str(item.value).partition("/")
        kind = kind_called(word)
        yield f"{kind.name if kind else word}/{stem}"


def _chain(name: str, direct: Mapping[str, Iterable[str]]) -> Iterable[str]:
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        new = [one for one in direct.get(waiting.pop(0), ()) if one not in found and one != name]
        found.update(dict.fromkeys(new))
        waiting += new
    return found


def _drawn_place(destination: str, namespace: str, cluster: str) -> Place:
    if not namespace:
        return Place(destination, noun="destination")
    return Place(f"{destination}, namespace {namespace}", cluster=cluster)


def _title(spec: Spec) -> str:
    return f"{spec.kind.name} {spec.name}"


def _counts(titles: Iterable[str]) -> list[str]:
    kinds = Counter(title.partition(" ")[0] for title in titles)
    return [f"{kind} ({number})" if number > 1 else kind for kind, number in sorted(kinds.items())]
