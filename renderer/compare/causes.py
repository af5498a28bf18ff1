"""Which edits bring the changes of objects about.

A value that a file gave is followed to its place; what is made of other specs (a digest, a name by
content) to what changed these; anything else to the edits of the files that the spec is made of.
"""

import json
from collections.abc import Callable, Collection, Iterable
from functools import cached_property

from renderer.backends.kinds import functions_of
from renderer.compare.edit_places import Causes, EditPlaces
from renderer.compare.pair import EvaluatedState
from renderer.values.changes import TOOL, Affected, Change, Edit, EditKind
from renderer.values.diagnostics import Origin
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node

_Name = tuple[str, str, str]
_Caused = tuple[tuple[Affected, ...], tuple[Edit, ...]]


def with_causes(
    objects: Iterable[Affected],
    before: EvaluatedState | None,
    after: EvaluatedState | None,
    by_hand: Collection[str] = (),
) -> _Caused:
    """Objects with what is behind each change, and all edits.

    What was edited before a tree was rendered is not known; there a change is told by the line that
    sets the value, and what no line sets, by the tool. Rendered files that were edited `by_hand`
    are causes themselves. Where nothing changes, no edit matters.
    """
    changed = list(objects)
    if not changed:
        return (), ()
    if before and after:
        places = EditPlaces(before, after)
        direct = [item._replace(causes=places.of_changes(item)) for item in changed]
        carried = _Carried(direct, (before, after), places.of_surroundings)
        return tuple(map(carried.completed, direct)), tuple(places.edits)
    edits = _EditsOfOutput(by_hand)
    direct = [item._replace(causes=edits.of_changes(item)) for item in changed]
    states = [state for state in (before, after) if state]
    carried = _Carried(direct, states, lambda _: (0,))
    return tuple(map(carried.completed, direct)), tuple(edits.edits)


class _EditsOfOutput:
    """Edits as far as the lines that set values now show them; the first is that of the tool."""

    def __init__(self, by_hand: Collection[str]) -> None:
        self.edits = [TOOL]
        self._by_hand = by_hand
        self._numbers: dict[tuple[object, ...], int] = {}

    def of_changes(self, item: Affected) -> tuple[Causes, ...]:
        files = (side.tree.origin.file for side in item.change.sides)
        if edited := next((file for file in files if file in self._by_hand), None):
            return (*(self._edited_in(edited, change) for change in item.change.changes), ())
        pairs = zip(item.change.changes, item.origins, strict=True)
        found = (self._of_change(change, origin) for change, origin in pairs)
        return (*found, () if item.change.changes else self._of_object(item))

    def _edited_in(self, file: str, change: Change) -> Causes:
        """At the value in the rendered file, or at its beginning if it is not there any more."""
        values = (node.origin for node in (change.before, change.after) if node)
        where = next((place for place in values if place.file == file), Origin(file))
        return (self._number(Edit(EditKind.OUTPUT, where, *change[:4])),)

    def _of_change(self, change: Change, origin: Origin) -> Causes:
        given = change.after.origin if change.after else origin
        if not origin.file or not given.file or given.file.startswith("servingctl:"):
            return ()
        return (self._number(Edit(EditKind.EDIT, origin, *change[:4])),)

    def _of_object(self, item: Affected) -> Causes:
        where = item.change.manifest.spec.name_node.origin
        return (self._number(Edit(EditKind.EDIT, where._replace(note=""))),)

    def _number(self, edit: Edit) -> int:
        words = edit.origin.place, edit.path, _text(edit.before), _text(edit.after)
        if words not in self._numbers:
            self._numbers[words] = len(self.edits)
            self.edits.append(edit)
        return self._numbers[words]


def _text(node: Node | None) -> str:
    return json.dumps(node.plain(), sort_keys=True) if node else ""


class _Carried:
    """What is behind changes of values that no file gave: other specs, or whole files."""

    def __init__(
        self,
        direct: Iterable[Affected],
        states: Iterable[EvaluatedState],
        otherwise: Callable[[Affected], Causes],
    ) -> None:
        self._otherwise = otherwise
        self._specs: dict[tuple[str, str], list[tuple[Environment, Spec]]] = {}
        for environment, spec in (pair for state in states for pair in state.specs):
            self._specs.setdefault((environment.name, str(spec)), []).append((environment, spec))
        self._known: dict[_Name, dict[int, None]] = {}
        for item in direct:
            for side in item.change.sides:
                known = self._known.setdefault(_name(side.environment, side.spec), {})
                known.update((number, None) for some in item.causes for number in some)

    def completed(self, item: Affected) -> Affected:
        """The object with the edits behind each change, and behind itself as a whole."""
        *changes, whole = item.causes
        is_known = all(changes) and (changes or whole)
        others = () if is_known else self._of_prerequisites(item) or self._of_itself(item)
        known = () if is_known else others or self._of_users(item)
        rest = () if is_known else known or self._otherwise(item)
        found = [some or rest for some in changes]
        together = tuple(dict.fromkeys((*whole, *(n for some in found for n in some)))) or rest
        carried = tuple(not some and bool(others) for some in changes)
        assumed = not is_known and not known
        return item._replace(causes=(*found, together), carried=carried, is_assumed=assumed)

    def _of_itself(self, item: Affected) -> Causes:
        """What changed other values of the spec."""
        names = (_name(side.environment, side.spec) for side in item.change.sides)
        return tuple({number: None for name in names for number in self._known[name]})

    def _of_prerequisites(self, item: Affected) -> Causes:
        """What changed the specs that this one refers to."""
        found: dict[int, None] = {}
        for side in item.change.sides:
            for environment, spec in self._specs.get((side.environment, str(side.spec)), ()):
                for use in functions_of(spec.kind.name).references(spec, environment):
                    found.update(self._known.get((side.environment, use.kind, use.name), {}))
        return tuple(found)

    def _of_users(self, item: Affected) -> Causes:
        """What changed the specs that refer to this one, so that it comes or goes."""
        found: dict[int, None] = {}
        for side in item.change.sides:
            for user in self._users.get(_name(side.environment, side.spec), ()):
                found.update(self._known.get(user, {}))
        return tuple(sorted(found))

    @cached_property
    def _users(self) -> dict[_Name, dict[_Name, None]]:
        """The specs that refer to each one, by name."""
        found: dict[_Name, dict[_Name, None]] = {}
        for environment, spec in (pair for some in self._specs.values() for pair in some):
            for use in functions_of(spec.kind.name).references(spec, environment):
                users = found.setdefault((environment.name, use.kind, use.name), {})
                users[_name(environment.name, spec)] = None
        return found


def _name(environment: str, spec: Spec) -> _Name:
    return environment, spec.kind.name, spec.name
