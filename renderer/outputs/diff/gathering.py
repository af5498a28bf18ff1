"""What edits bring about, gathered from the objects that show it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from renderer.outputs.diff.cause import (
    Consequence,
    Difference,
    ReachedEnvironment,
    Reported,
    Touched,
)
from renderer.outputs.diff.patterns import (
    Pattern,
    Words,
    common_pattern,
    form_with_variables,
    has_form,
    join_alike,
    replacement_of,
    words_of,
)
from renderer.outputs.diff.report import ShownChange, ShownEdit, ShownObject
from renderer.outputs.diff.sentence_names import join_names, without_names
from renderer.outputs.diff.summary import RANKING
from renderer.values.changes import Effect, How

_MOST_FORMS = 20
_REFERENCE = "${vars."

_Said = tuple[Effect, str, str]
_Units = dict[_Said, dict[Touched, None]]
#: The last word of a path that was edited, and what both values look like.
_Form = tuple[str, re.Pattern[str]]


class Gathered:
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
        words = (item.kind, *(words_of(change) if change else (item.how,)))
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
            unit = Touched(item.environment, item.place_of(impact), impact.spec, impact.unit)
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

    def consequences(self, reported: Mapping[str, Reported]) -> Iterator[Consequence]:
        """By how bad they are, with the rules that report what they say."""
        by_rule: dict[Reported | None, _Units] = {}
        for words, units in self.units().items():
            by_rule.setdefault(reported.get(words[1]), {})[words] = units
        found = [
            Consequence(*words, tuple(units), rule)
            for rule, some in by_rule.items()
            for words, units in _common_units(some).items()
        ]
        yield from sorted(found, key=lambda item: RANKING.index(item.effect))

    def differences(self, edits: Iterable[ShownEdit]) -> Iterator[Difference]:
        """Each difference with its objects; those of one pattern are one."""
        edited = [edit.change for edit in edits]
        said = {words_of(change)[1:]: _field(change.path) for change in edited}
        with_variables = (change for change in edited if _REFERENCE in str(change.after))
        found = map(_replacement, with_variables)
        replaced = {(field, pattern) for field, pattern in found if pattern and pattern.parts}
        forms = tuple(_forms(edited[:_MOST_FORMS]))
        by_kind: dict[tuple[str, How], list[tuple[object, ...]]] = {}
        for words, objects in self.objects.items():
            by_kind.setdefault((objects[0].kind, objects[0].how), []).append(words)
        for some in by_kind.values():
            for group in join_alike(some, self.changes.__getitem__):
                yield self._difference(group, said, replaced, forms)

    def _difference(
        self,
        group: list[tuple[object, ...]],
        said: Mapping[Words, str],
        replaced: Set[tuple[str, Pattern | None]],
        forms: Sequence[_Form],
    ) -> Difference:
        """A difference; with variables in place of their references it is the edit all the same."""
        changes = [change for words in group if (change := self.changes[words])]
        objects = [item for words in group for item in self.objects[words]]
        fields = [said.get(words_of(item)[1:]) for item in changes]
        is_same = fields == [_field(item.path) for item in changes]
        return Difference(
            objects[0].kind,
            objects[0].how,
            changes[0] if changes else None,
            tuple(objects),
            common_pattern(changes),
            bool(changes) and None not in fields,
            bool(changes)
            and (
                is_same or {*map(_replacement, changes)} <= replaced or _have_forms(changes, forms)
            ),
        )


def _forms(changes: Iterable[ShownChange]) -> Iterator[_Form]:
    for change in changes:
        if form := form_with_variables(change):
            yield _field(change.path), form


def _have_forms(changes: Iterable[ShownChange], forms: Sequence[_Form]) -> bool:
    """Whether each is an edit with the values of variables in place of their references."""
    return all(
        any(field == _field(change.path) and has_form(change, form) for field, form in forms)
        for change in changes
    )


def _replacement(change: ShownChange) -> tuple[str, Pattern | None]:
    """Which parts of a field are replaced by which."""
    return _field(change.path), replacement_of(change)


def _field(path: str) -> str:
    """The last word of a path."""
    return path.rpartition(".")[2]


def _common_units(found: _Units) -> _Units:
    """The same said of many names once, without those names that are not in all of it."""
    alike: dict[tuple[object, ...], list[_Said]] = {}
    for words in found:
        alike.setdefault((words[0], *(without_names(text) for text in words[1:])), []).append(words)
    joined: _Units = {}
    for some in alike.values():
        if len(some) == 1:
            joined[some[0]] = found[some[0]]
            continue
        consequences, advices = ([words[place] for words in some] for place in (1, 2))
        said = some[0][0], join_names(consequences), join_names(advices)
        units = [unit for words in some for unit in found[words]]
        order = list(dict.fromkeys(unit.environment for unit in units))
        in_order = sorted(units, key=lambda unit: order.index(unit.environment))
        joined[said] = dict.fromkeys(in_order)
    return joined
