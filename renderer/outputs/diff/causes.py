"""A diff by its causes: each edit once, with all that it brings about."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial

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
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownEdit, ShownObject
from renderer.outputs.diff.summary import RANKING, every_impact
from renderer.text.wording import listed
from renderer.values.changes import EditKind, Effect, How
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.named_tuple import NamedTuple

#: A name in a sentence.
_NAME = re.compile(r"(`[^`]*`)")
_FEW = 3
_MOST_FORMS = 20
_REFERENCE = "${vars."


class Reported(NamedTuple):
    """The rule by which a consequence is a finding as well, and how bad that is."""

    severity: Severity
    code: str


class Touched(NamedTuple):
    """A unit that something happens to."""

    environment: str
    destination: str
    spec: str
    unit: str


class Consequence(NamedTuple):
    """What happens to some units, in words, what to do about it, and the rule that reports it."""

    effect: Effect
    consequence: str
    advice: str
    units: tuple[Touched, ...]
    reported: Reported | None = None


class Difference(NamedTuple):
    """A change that several objects of a kind have in common; without one they come or go.

    With a pattern their values differ, all in that way, and the change is the first of them. Its
    values may be those of the edit, under another name or under the same: then it is the edit
    itself, in the words of the platform.
    """

    kind: str
    how: How
    change: ShownChange | None
    objects: tuple[ShownObject, ...]
    pattern: Pattern | None = None
    repeats_values: bool = False
    repeats_edit: bool = False


class ReachedEnvironment(NamedTuple):
    """How much of an environment a cause reaches; `broken` are those specs that it makes wrong."""

    name: str
    is_production: bool
    specs: tuple[str, ...]
    units: int
    broken: tuple[str, ...] = ()


class Cause(NamedTuple):
    """An edit, wherever it was made in the same words, and what it brings about.

    With a pattern the values of its edits differ, all in that way. Environments are in the order
    in which they matter, production first.
    """

    numbers: tuple[int, ...]
    edits: tuple[ShownEdit, ...]
    environments: tuple[ReachedEnvironment, ...]
    consequences: tuple[Consequence, ...]
    differences: tuple[Difference, ...]
    is_wrong: bool = False
    pattern: Pattern | None = None

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
    """Edits that say the same as one, those that reach something, in the order they matter."""
    found = _filled(report, _same_edits(report.edits))
    return sorted((item for item in found if item.is_felt), key=lambda item: item.rank)


def same_consequences(causes: Iterable[Cause]) -> list[list[Cause]]:
    """Causes in their order; those that bring about the same are together with the first.

    What happens may differ in names, such as the path that was edited: the first has all of them.
    """
    found: dict[object, list[Cause]] = {}
    for number, cause in enumerate(causes):
        same = cause.environments, cause.is_wrong, *map(_without_names, cause.consequences)
        found.setdefault(same if cause.consequences else number, []).append(cause)
    return [[_join_names(some), *some[1:]] for some in found.values()]


def _without_names(item: Consequence) -> Consequence:
    return item._replace(
        consequence=_NAME.sub("", item.consequence), advice=_NAME.sub("", item.advice)
    )


def _join_names(causes: Sequence[Cause]) -> Cause:
    """The first cause; in what happens stand the names of all of them."""
    together = zip(*(cause.consequences for cause in causes), strict=True)
    said = (
        some[0]._replace(
            consequence=_drop_own_names([item.consequence for item in some]),
            advice=_drop_own_names([item.advice for item in some]),
        )
        for some in together
    )
    return causes[0]._replace(consequences=tuple(said))


def other_findings(report: DiffReport, causes: Iterable[Cause]) -> tuple[Diagnostic, ...]:
    """The findings that are not said as a consequence of a cause."""
    said = {item.consequence for one in report.objects for item in every_impact(one)}
    rules = {item.reported.code for cause in causes for item in cause.consequences if item.reported}
    found = (item.finding for item in report.impact_findings)
    rules -= {item.code for item in found if item.message not in said}
    return tuple(item for item in report.findings if item.code not in rules)


def _same_edits(edits: Sequence[ShownEdit]) -> Iterator[tuple[int, ...]]:
    """The numbers of edits that say the same: whole files by folder, values by their pattern."""
    whole: dict[tuple[object, ...], list[int]] = {}
    values: dict[EditKind, list[int]] = {}
    for number, edit in enumerate(edits):
        if edit.change.path:
            values.setdefault(edit.kind, []).append(number)
            continue
        folder = edit.change.origin.file.rpartition("/")[0]
        words = (How.RENAMED,) if edit.is_renamed_file else words_of(edit.change)
        whole.setdefault((edit.kind, folder, *words), []).append(number)
    alike = (
        group for some in values.values() for group in join_alike(some, partial(_change, edits))
    )
    yield from map(tuple, (*whole.values(), *alike))


def _change(edits: Sequence[ShownEdit], number: int) -> ShownChange:
    return edits[number].change


_Said = tuple[Effect, str, str]
_Units = dict[_Said, dict[Touched, None]]
#: The last word of a path that was edited, and what both values look like.
_Form = tuple[str, re.Pattern[str]]


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
        alike.setdefault((words[0], *(_NAME.sub("", text) for text in words[1:])), []).append(words)
    joined: _Units = {}
    for some in alike.values():
        if len(some) == 1:
            joined[some[0]] = found[some[0]]
            continue
        consequences, advices = ([words[place] for words in some] for place in (1, 2))
        said = some[0][0], _drop_own_names(consequences), _drop_own_names(advices)
        units = [unit for words in some for unit in found[words]]
        order = list(dict.fromkeys(unit.environment for unit in units))
        in_order = sorted(units, key=lambda unit: order.index(unit.environment))
        joined[said] = dict.fromkeys(in_order)
    return joined


def _drop_own_names(texts: list[str]) -> str:
    """What texts have in common that differ only in names; more than a few are left open."""
    parts = zip(*(_NAME.split(text) for text in texts), strict=True)
    return "".join(_all_names([*dict.fromkeys(part)]) for part in parts)


def _all_names(names: list[str]) -> str:
    """One name or none, a few of them, or a sign that there are many."""
    if len(names) == 1:
        return names[0]
    return listed(names) if len(names) <= _FEW else "…"


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
    reported = {
        item.finding.message: Reported(item.finding.severity, item.finding.code)
        for item in report.impact_findings
    }
    for numbers, one in gathered.items():
        edits = tuple(report.edits[number] for number in numbers)
        yield Cause(
            numbers,
            edits,
            tuple(one.reached(report.production)),
            tuple(one.consequences(reported)),
            tuple(one.differences(edits)),
            bool(one.broken),
            common_pattern(edit.change for edit in edits if edit.change.path),
        )
