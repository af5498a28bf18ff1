"""Which edits bring the changes of objects about.

A value that a file gave is followed to its place; what is made of other specs (a digest, a name by
content) to what changed these; anything else to the edits of the files that the spec is made of.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from renderer.backends.kinds import references_of
from renderer.changes.edit_places import Causes, EditPlaces
from renderer.changes.pair import EvaluatedState
from renderer.rules import metadata
from renderer.text.expressions import expression
from renderer.values.changes import TOOL, AffectedObject, Change, Edit, EditKind
from renderer.values.diagnostics import Origin
from renderer.values.model import Environment, Reference, Spec
from renderer.values.tree import Node

_DIGEST = expression(r"sha256:[0-9a-f]{64}")
_NAME_BY_CONTENT = expression(r'-[0-9a-f]{10}(?="$)')
_SpecName = tuple[str, str, str]
_ObjectsAndEdits = tuple[tuple[AffectedObject, ...], tuple[Edit, ...]]


def add_causes(
    objects: Iterable[AffectedObject],
    before: EvaluatedState | None,
    after: EvaluatedState | None,
    hand_edited: Collection[str] = (),
) -> _ObjectsAndEdits:
    """Objects with the edits that cause each change, and all edits.

    Rendered output does not say what was edited since. Compared with it, the cause of a change is
    the line that sets the value now; if no line does, it is the tool. Rendered files that were
    edited by hand (`hand_edited`) are causes themselves. Where nothing changes, no edit matters.
    """
    changed = list(objects)
    if not changed:
        return (), ()
    if before and after:
        places = EditPlaces(before, after)
        direct = [item._replace(causes=places.causes_of_changes(item)) for item in changed]
        indirect = _IndirectCauses(direct, (before, after), places.causes_around)
        return tuple(map(indirect.complete, direct)), tuple(places.edits)
    edits = _OutputEdits(hand_edited, changed)
    direct = [item._replace(causes=edits.causes_of_changes(item)) for item in changed]
    states = [state for state in (before, after) if state]
    indirect = _IndirectCauses(direct, states, edits.fallback_causes)
    return tuple(map(indirect.complete, direct)), tuple(edits.edits)


class _OutputEdits:
    """Edits as far as the lines that set values now show them; the first is that of the tool."""

    def __init__(self, hand_edited: Collection[str], changed: Iterable[AffectedObject]) -> None:
        self.edits = [TOOL]
        self._hand_edited = hand_edited
        self._numbers: dict[tuple[object, ...], int] = {}
        self._names = {names for item in changed for names in _names_by_content(item)}

    def causes_of_changes(self, item: AffectedObject) -> tuple[Causes, ...]:
        edited = self._edited_file(item)
        pairs = zip(item.change.changes, item.origins, strict=True)
        found = (self._causes_of_change(change, origin, edited) for change, origin in pairs)
        if item.change.changes:
            return (*found, ())
        return (self.fallback_causes(item) if edited else self._causes_of_object(item),)

    def fallback_causes(self, item: AffectedObject) -> Causes:
        """The edit of the rendered file if there is one, else the tool."""
        edited = self._edited_file(item)
        return (self._number(Edit(EditKind.OUTPUT, Origin(edited))) if edited else 0,)

    def _edited_file(self, item: AffectedObject) -> str:
        """The rendered file of an object, if it was edited, or cannot be read any more."""
        files = {side.tree.origin.file for side in item.change.sides}
        path = f"/{item.change.manifest.path}"
        edited = (f for f in sorted(self._hand_edited) if f in files or f"/{f}".endswith(path))
        return next(edited, "")

    def _edit_of_output(self, file: str, change: Change) -> Causes:
        """At the value in the rendered file, or at its beginning if it is not there any more."""
        values = (node.origin for node in (change.before, change.after) if node)
        where = next((place for place in values if place.file == file), Origin(file))
        return (self._number(Edit(EditKind.OUTPUT, where, *change[:4])),)

    def _causes_of_change(self, change: Change, origin: Origin, edited: str) -> Causes:
        """Nothing for a digest or a name by content: the cause is what changed the content."""
        if (_text(change.before), _text(change.after)) in self._names or _is_digest(change):
            return ()
        if edited:
            return self._edit_of_output(edited, change)
        given = change.after.origin if change.after else origin
        is_ours = not given.file or given.file.startswith("servingctl:")
        if is_ours or not origin.file or metadata.is_ours(str(change.path[-1])):
            return ()
        return (self._number(Edit(EditKind.EDIT, origin, *change[:4])),)

    def _causes_of_object(self, item: AffectedObject) -> Causes:
        where = item.change.manifest.spec.name_node.origin
        return (self._number(Edit(EditKind.EDIT, where._replace(note=""))),)

    def _number(self, edit: Edit) -> int:
        words = edit.origin.place, edit.path, _text(edit.before), _text(edit.after)
        if words not in self._numbers:
            self._numbers[words] = len(self.edits)
            self.edits.append(edit)
        return self._numbers[words]


def _names_by_content(item: AffectedObject) -> Iterator[tuple[str, str]]:
    """The names of an object on both sides, if only the digests at their ends differ."""
    names = [_text(side.tree.get("metadata", "name")) for side in item.change.sides]
    bare = {_NAME_BY_CONTENT.sub("", name) for name in names}
    if item.change.is_renamed and len(bare) == 1 and bare.isdisjoint(names):
        yield names[0], names[1]


def _is_digest(change: Change) -> bool:
    """Whether a digest changed that this program makes; those in files have an origin."""
    nodes = [node for node in (change.before, change.after) if node]
    digests = [_DIGEST.fullmatch(str(node.value)) for node in nodes]
    return all(digests) and not all(node.origin.file for node in nodes)


def _text(node: Node | None) -> str:
    return json.dumps(node.plain(), sort_keys=True) if node else ""


class _IndirectCauses:
    """The causes of changed values that no file gave: edits of other specs, or of whole files."""

    def __init__(
        self,
        direct: Iterable[AffectedObject],
        states: Iterable[EvaluatedState],
        fallback_causes: Callable[[AffectedObject], Causes],
    ) -> None:
        self._fallback_causes = fallback_causes
        self._specs: dict[tuple[str, str], list[tuple[Environment, Spec]]] = {}
        for environment, spec in (pair for state in states for pair in state.specs):
            self._specs.setdefault((environment.name, str(spec)), []).append((environment, spec))
        self._numbers_by_spec: dict[_SpecName, dict[int, None]] = {}
        for item in direct:
            for side in item.change.sides:
                name = _spec_name(side.environment, side.spec)
                known = self._numbers_by_spec.setdefault(name, {})
                known.update((number, None) for some in item.causes for number in some)

    def complete(self, item: AffectedObject) -> AffectedObject:
        """The object with the edits that cause each change, and those for it as a whole."""
        *changes, whole = item.causes
        is_known = all(changes) and (changes or whole)
        others: Causes = ()
        if not is_known:
            others = self._causes_of_prerequisites(item) or self._causes_of_own_spec(item)
        known = () if is_known else others or self._causes_of_users(item)
        rest = () if is_known else known or self._fallback_causes(item)
        found = [some or rest for some in changes]
        together = tuple(dict.fromkeys((*whole, *(n for some in found for n in some)))) or rest
        indirect = tuple(
            not some and (bool(others) or (len(changes) > 1 and _is_digest(change)))
            for some, change in zip(changes, item.change.changes, strict=True)
        )
        assumed = not is_known and not known
        return item._replace(causes=(*found, together), carried=indirect, is_assumed=assumed)

    def _causes_of_own_spec(self, item: AffectedObject) -> Causes:
        """What changed other values of the spec."""
        names = (_spec_name(side.environment, side.spec) for side in item.change.sides)
        return tuple({number: None for name in names for number in self._numbers_by_spec[name]})

    def _causes_of_prerequisites(self, item: AffectedObject) -> Causes:
        """What changed the specs that this one refers to."""
        found: dict[int, None] = {}
        for side in item.change.sides:
            for environment, spec in self._specs.get((side.environment, str(side.spec)), ()):
                for use in references_of(spec, environment):
                    for name in _meant_names(use, environment):
                        found.update(self._numbers_by_spec.get(name, {}))
        return tuple(found)

    def _causes_of_users(self, item: AffectedObject) -> Causes:
        """What changed the specs that refer to this one, so that it comes or goes.

        Where a user comes or goes itself only for its users, these are looked at.
        """
        found: dict[int, None] = {}
        waiting = [_spec_name(side.environment, side.spec) for side in item.change.sides]
        seen = {*waiting}
        while waiting:
            for user in self._users_by_spec.get(waiting.pop(), ()):
                numbers = self._numbers_by_spec.get(user, {})
                found.update(numbers)
                if not numbers and user not in seen:
                    seen.add(user)
                    waiting.append(user)
        return tuple(sorted(found))

    @cached_property
    def _users_by_spec(self) -> dict[_SpecName, dict[_SpecName, None]]:
        """The specs that refer to each one, by name."""
        found: dict[_SpecName, dict[_SpecName, None]] = {}
        for environment, spec in (pair for some in self._specs.values() for pair in some):
            for use in references_of(spec, environment):
                for name in _meant_names(use, environment):
                    users = found.setdefault(name, {})
                    users[_spec_name(environment.name, spec)] = None
        return found


def _meant_names(use: Reference, environment: Environment) -> Iterator[_SpecName]:
    """The specs that a reference means: by its own name, or because they make what it names."""
    yield environment.name, use.kind, use.name
    for spec in environment.named_specs(use):
        if (spec.kind.name, spec.name) != (use.kind, use.name):
            yield _spec_name(environment.name, spec)


def _spec_name(environment: str, spec: Spec) -> _SpecName:
    return environment, spec.kind.name, spec.name
