"""A diff by its causes: each edit once, with all that it brings about."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.outputs.diff.report import DiffReport, ShownChange, ShownEdit, ShownObject
from renderer.outputs.diff.summary import RANKING
from renderer.values.changes import Effect, How

#: A name in a sentence.
_NAME = re.compile(r"(`[^`]*`)")
_FEW = 3


class Touched(NamedTuple):
    """A unit that something happens to."""

    environment: str
    destination: str
    spec: str
    unit: str


class Consequence(NamedTuple):
    """What happens to some units, in words, and what to do about it."""

    effect: Effect
    consequence: str
    advice: str
    units: tuple[Touched, ...]


class Difference(NamedTuple):
    """A change that several objects of a kind have in common; without one they come or go."""

    kind: str
    how: How
    change: ShownChange | None
    objects: tuple[ShownObject, ...]


class ReachedEnvironment(NamedTuple):
    """How much of an environment a cause reaches; `broken` are those specs that it makes wrong."""

    name: str
    is_production: bool
    specs: tuple[str, ...]
    units: int
    broken: tuple[str, ...] = ()


class Cause(NamedTuple):
    """An edit, wherever it was made in the same words, and what it brings about.

    Environments are in the order in which they matter, production first.
    """

    numbers: tuple[int, ...]
    edits: tuple[ShownEdit, ...]
    environments: tuple[ReachedEnvironment, ...]
    consequences: tuple[Consequence, ...]
    differences: tuple[Difference, ...]
    is_wrong: bool = False

    @property
    def edit(self) -> ShownEdit:
        return self.edits[0]

    @property
    def is_felt(self) -> bool:
        """Whether any object changes with it, or cannot be made any more."""
        return bool(self.environments) or self.is_wrong

    @property
    def classes(self) -> dict[Effect, int]:
        """How many units each class of impact hits, the worst first."""
        units: dict[Effect, set[Touched]] = {}
        for item in self.consequences:
            units.setdefault(item.effect, set()).update(item.units)
        return {effect: len(units[effect]) for effect in RANKING if effect in units}

    @property
    def rank(self) -> tuple[bool, int, tuple[str, int, int]]:
        """Production first, then the worst, then by place."""
        is_production = any(item.is_production for item in self.environments)
        return not is_production, self.badness, self.edit.change.origin.place

    @property
    def badness(self) -> int:
        """The lower, the worse; nothing is worse than an error."""
        worst = min(map(RANKING.index, self.classes), default=len(RANKING))
        return -1 if self.is_wrong else worst


def causes_of(report: DiffReport) -> list[Cause]:
    """Every edit by itself, in the order of their numbers."""
    return list(_filled(report, [(number,) for number in range(len(report.edits))]))


def joined_causes(report: DiffReport) -> list[Cause]:
    """Edits in the same words as one, those that reach something, in the order they matter."""
    same: dict[tuple[object, ...], list[int]] = {}
    for number, edit in enumerate(report.edits):
        folder = "" if edit.change.path else edit.change.origin.file.rpartition("/")[0]
        words = (How.RENAMED,) if edit.is_renamed_file else _words_of(edit.change)
        same.setdefault((edit.kind, folder, *words), []).append(number)
    found = _filled(report, [tuple(numbers) for numbers in same.values()])
    return sorted((item for item in found if item.is_felt), key=lambda item: item.rank)


def _words_of(change: ShownChange) -> tuple[object, ...]:
    """What is said of a change, wherever it is."""
    values = (json.dumps(value, sort_keys=True) for value in (change.before, change.after))
    has = change.has_before, change.has_after
    return change.path, change.how, *has, *values, change.lines, change.hidden


_Said = tuple[Effect, str, str]
_Units = dict[_Said, dict[Touched, None]]


class _Gathered:
    """What an edit brings about, while it is being gathered."""

    def __init__(self) -> None:
        self.direct: _Units = {}
        self.carried: _Units = {}
        self.specs: dict[str, dict[str, None]] = {}
        self.owners: dict[str, dict[str, None]] = {}
        self.objects: dict[tuple[object, ...], list[ShownObject]] = {}
        self.changes: dict[tuple[object, ...], ShownChange | None] = {}
        self.broken: dict[str, dict[str, None]] = {}

    def add(self, item: ShownObject, change: ShownChange | None) -> None:
        """An object that comes or goes, or a change of it."""
        words = (item.kind, *(_words_of(change) if change else (item.how,)))
        self.objects.setdefault(words, []).append(item)
        self.changes[words] = change

    def happens(self, item: ShownObject, change: ShownChange | None) -> None:
        """What is done to the units of a spec, or nothing to any."""
        units = self.carried if change and change.carried else self.direct
        specs = self.specs.setdefault(item.environment, {})
        self.owners.setdefault(item.environment, {})[item.spec] = None
        for impact in change.impacts if change else item.impacts:
            specs[impact.spec] = None
            words = impact.effect, impact.consequence, impact.advice
            place = item.becomes(impact.destination)
            unit = Touched(item.environment, place, impact.spec, impact.unit)
            units.setdefault(words, {})[unit] = None

    def units(self) -> _Units:
        """The units by what is said of them; what is carried to one is said if nothing else is."""
        said = {(words[0], unit) for words, units in self.direct.items() for unit in units}
        left = {
            words: {unit: None for unit in units if (words[0], unit) not in said}
            for words, units in self.carried.items()
        }
        joined = {words: {**self.direct.get(words, {}), **units} for words, units in left.items()}
        return {words: units for words, units in (self.direct | joined).items() if units}

    def reached(self, production: frozenset[str]) -> Iterator[ReachedEnvironment]:
        names = {*self.specs, *filter(None, self.broken)}
        for name in sorted(names, key=lambda name: (name not in production, name)):
            units = {u for some in self.units().values() for u in some if u.environment == name}
            broken = {*self.broken.get(name, ())} - {""}
            specs = broken | (self.specs.get(name) or self.owners.get(name, {})).keys()
            found = tuple(sorted(specs)), len(units), tuple(sorted(broken))
            yield ReachedEnvironment(name, name in production, *found)

    def consequences(self) -> Iterator[Consequence]:
        found = _common_units(self.units())
        for words in sorted(found, key=lambda words: RANKING.index(words[0])):
            yield Consequence(*words, tuple(found[words]))

    def differences(self) -> Iterator[Difference]:
        for words, objects in self.objects.items():
            yield Difference(objects[0].kind, objects[0].how, self.changes[words], tuple(objects))


def _common_units(found: _Units) -> _Units:
    """The same said of many names once, without those names that are not in all of it."""
    alike: dict[tuple[object, ...], list[_Said]] = {}
    for words in found:
        alike.setdefault((words[0], *(_NAME.sub("", text) for text in words[1:])), []).append(words)
    joined: _Units = {}
    for some in alike.values():
        if len(some) <= _FEW:
            joined.update((words, found[words]) for words in some)
            continue
        consequences, advices = ([words[place] for words in some] for place in (1, 2))
        said = some[0][0], _drop_own_names(consequences), _drop_own_names(advices)
        units = [unit for words in some for unit in found[words]]
        order = list(dict.fromkeys(unit.environment for unit in units))
        in_order = sorted(units, key=lambda unit: order.index(unit.environment))
        joined[said] = dict.fromkeys(in_order)
    return joined


def _drop_own_names(texts: list[str]) -> str:
    """What texts have in common that differ only in names; a name of some is left open."""
    parts = zip(*(_NAME.split(text) for text in texts), strict=True)
    return "".join(part[0] if len({*part}) == 1 else "…" for part in parts)


def _filled(report: DiffReport, same: Iterable[tuple[int, ...]]) -> Iterator[Cause]:
    """The causes with what objects show of them."""
    gathered = {numbers: _Gathered() for numbers in same}
    owners = {number: numbers for numbers in gathered for number in numbers}
    for item in sorted(report.objects, key=lambda o: o.environment not in report.production):
        for numbers in dict.fromkeys(owners[number] for number in item.causes):
            if not item.changes:
                gathered[numbers].add(item, None)
            gathered[numbers].happens(item, None)
        for change in item.changes:
            for numbers in dict.fromkeys(owners[number] for number in change.causes):
                if not change.carried:
                    gathered[numbers].add(item, change)
                gathered[numbers].happens(item, change)
    for wrong in report.broken:
        for numbers in dict.fromkeys(owners[number] for number in wrong.causes):
            gathered[numbers].broken.setdefault(wrong.environment, {})[wrong.spec] = None
    for numbers, one in gathered.items():
        yield Cause(
            numbers,
            tuple(report.edits[number] for number in numbers),
            tuple(one.reached(report.production)),
            tuple(one.consequences()),
            tuple(one.differences()),
            bool(one.broken),
        )
