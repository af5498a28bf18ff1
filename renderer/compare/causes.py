"""Which edits bring the changes of objects about.

A value that a file gave is followed to its place; what is made of other specs (a digest, a name by
content) to what changed these; anything else to the edits of the files that the spec is made of.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from renderer.backends.kinds import functions_of
from renderer.compare.edits import edits, tree_of
from renderer.compare.location import located
from renderer.compare.pair import EvaluatedState
from renderer.compose.variables import variables_in
from renderer.evaluate.project import Project
from renderer.values.changes import Affected, Change, Edit, EditKind
from renderer.values.diagnostics import Origin
from renderer.values.model import Environment, Spec, environment_of
from renderer.values.tree import walk

_Place = tuple[str, int, int]
_Name = tuple[str, str, str]
_Causes = tuple[int, ...]
#: Parts of an environment that reach objects by way of values, which are found where they stand.
_BY_PLACE = (("vars",), ("defaults",), ("rules",))
_TOOL = Edit(EditKind.TOOL, Origin(""))


def with_causes(
    objects: Iterable[Affected], before: EvaluatedState, after: EvaluatedState
) -> tuple[tuple[Affected, ...], tuple[Edit, ...]]:
    """Objects of two repositories with what is behind each change, and all edits."""
    places = _Places(before, after)
    direct = [item._replace(causes=places.causes(item)) for item in objects]
    indirect = _Indirect(direct, places, (before, after))
    affected = (item._replace(causes=indirect.causes(item)) for item in direct)
    return tuple(affected), tuple(places.edits)


class _Places:
    """The edits between two states, by the places of the values that they take and give."""

    def __init__(self, before: EvaluatedState, after: EvaluatedState) -> None:
        self._states = before, after
        self.edits = [*edits(before.project, after.project), _TOOL]
        self._by_file: dict[str, list[int]] = {}
        for number, edit in enumerate(self.edits):
            self._by_file.setdefault(edit.origin.file, []).append(number)
        self._whole = {f: ns[0] for f, ns in self._by_file.items() if not self.edits[ns[0]].path}
        self._sides: tuple[dict[_Place, int], dict[_Place, int]] = ({}, {})
        for number, edit in enumerate(self.edits):
            for side, node in zip(self._sides, (edit.before, edit.after), strict=True):
                for _, one in walk(node) if node else ():
                    side[one.origin.place] = number
        self._texts: dict[str, Mapping[_Place, str]] = {}

    def causes(self, item: Affected) -> tuple[_Causes, ...]:
        """For each change the edits of its values; if there are none, those of their variables."""
        found = (
            tuple(dict.fromkeys(self._of_values(change, origin, item)))
            or tuple(self._of_variables(change, origin, item))
            for change, origin in zip(item.change.changes, item.origins, strict=True)
        )
        whole = () if item.change.before and item.change.after else self.of_files(item)
        return (*found, whole)

    def _of_values(self, change: Change, origin: Origin, item: Affected) -> Iterator[int]:
        wanted = [(self._sides[1], origin)]
        sides = zip(
            self._sides,
            (change.before, change.after),
            (item.change.before, item.change.after),
            self._states,
            strict=True,
        )
        for places, node, manifest, state in sides:
            if node is not None and manifest is not None:
                where = located(change.path, node, manifest, state.project)
                wanted += [(places, where), (places, node.origin)]
        for places, where in wanted:
            number = places.get(where.place, self._whole.get(where.file))
            if where.file and number is not None:
                yield number

    def _of_variables(self, change: Change, origin: Origin, item: Affected) -> Iterator[int]:
        """The edits of variables that stand in the text of a value, which itself is the same."""
        node = change.after or change.before
        names = self._variables_at(origin) | (self._variables_at(node.origin) if node else set())
        files = self.environment_files(item.change.environment)
        edited = (n for file in sorted(files) for n in self._by_file.get(file, ()))
        for number in edited if names else ():
            match self.edits[number].path:
                case ("vars",):
                    yield number
                case ("vars", name, *_) if name in names:
                    yield number

    def _variables_at(self, origin: Origin) -> set[str]:
        file = origin.file
        if file not in self._texts:
            tree = tree_of(file, self._states[1].project)
            nodes = (node for _, node in walk(tree)) if tree else ()
            self._texts[file] = {
                node.origin.place: node.value for node in nodes if isinstance(node.value, str)
            }
        return variables_in(self._texts[file].get(origin.place, ""))

    def environment_files(self, name: str) -> set[str]:
        environments = (e for state in self._states for e in state.project.shared.environments)
        return {file for item in environments if item.name == name for file in item.files}

    def of_files(self, item: Affected) -> _Causes:
        """The edits of the files that speak of a spec, even that it is off; whole files first."""
        folders = {environment_of(f) for f in self.environment_files(item.change.environment)}
        files: set[str] = set()
        for spec in {side.spec.identity: side.spec for side in item.change.sides}.values():
            files.update(spec.files)
            for project in (state.project for state in self._states):
                said = (*project.inputs.groups.get(spec.stem, ()), *_shared_files(spec, project))
                files.update(file for file in said if environment_of(file) in folders)
        edited = [file for file in sorted(files) if file in self._by_file]
        whole = tuple(self._whole[file] for file in edited if file in self._whole)
        return whole or tuple(number for file in edited for number in self._by_file[file])


class _Indirect:
    """What is behind changes of values that no file gave: other specs, or whole files."""

    def __init__(
        self,
        direct: Iterable[Affected],
        places: _Places,
        states: tuple[EvaluatedState, EvaluatedState],
    ) -> None:
        self._places = places
        self._specs: dict[tuple[str, str], list[tuple[Environment, Spec]]] = {}
        for environment, spec in (pair for state in states for pair in state.specs):
            self._specs.setdefault((environment.name, str(spec)), []).append((environment, spec))
        self._known: dict[_Name, dict[int, None]] = {}
        for item in direct:
            for side in item.change.sides:
                name = side.environment, side.spec.kind.name, side.spec.name
                known = self._known.setdefault(name, {})
                known.update((number, None) for some in item.causes for number in some)

    def causes(self, item: Affected) -> tuple[_Causes, ...]:
        """The edits behind each change, and behind the object as a whole."""
        *changes, whole = item.causes
        found = [some or self._of_object(item) for some in changes]
        together = tuple(dict.fromkeys((*whole, *(n for some in found for n in some))))
        return (*found, together or self._of_object(item))

    def _of_object(self, item: Affected) -> _Causes:
        return (
            self._of_prerequisites(item)
            or self._of_itself(item)
            or self._of_users(item)
            or self._places.of_files(item)
            or self._of_environment(item.change.environment)
            or (len(self._places.edits) - 1,)
        )

    def _of_itself(self, item: Affected) -> _Causes:
        """What changed other values of the spec."""
        names = ((side.environment, *_name(side.spec)) for side in item.change.sides)
        return tuple({number: None for name in names for number in self._known[name]})

    def _of_prerequisites(self, item: Affected) -> _Causes:
        """What changed the specs that this one refers to."""
        found: dict[int, None] = {}
        for side in item.change.sides:
            for _, spec in self._specs.get((side.environment, str(side.spec)), ()):
                for use in functions_of(spec.kind.name).references(spec):
                    found.update(self._known.get((side.environment, use.kind, use.name), {}))
        return tuple(found)

    def _of_users(self, item: Affected) -> _Causes:
        """What changed the specs that refer to this one, so that it comes or goes."""
        found: dict[int, None] = {}
        for side in item.change.sides:
            if side.spec.kind.prerequisite:
                for user in self._users.get((side.environment, *_name(side.spec)), ()):
                    found.update(self._known.get(user, {}))
        return tuple(found)

    @cached_property
    def _users(self) -> dict[_Name, set[_Name]]:
        found: dict[_Name, set[_Name]] = {}
        for (environment, _), some in self._specs.items():
            for _, spec in some:
                for use in functions_of(spec.kind.name).references(spec):
                    users = found.setdefault((environment, use.kind, use.name), set())
                    users.add((environment, *_name(spec)))
        return found

    def _of_environment(self, environment: str) -> _Causes:
        """The edits of what describes the environment; if there are none, those of all specs."""
        described = self._places.environment_files(environment)
        numbered = list(enumerate(self._places.edits))
        near = (
            number
            for number, edit in numbered
            if edit.origin.file in described and edit.path[:1] not in _BY_PLACE
        )
        general = (n for n, edit in numbered if edit.kind not in (EditKind.EDIT, EditKind.TOOL))
        return tuple(near) or tuple(general)


def _shared_files(spec: Spec, project: Project) -> Iterator[str]:
    return (p.file for p in project.shared.parts if (p.kind.name, p.stem) == spec.identity)


def _name(spec: Spec) -> tuple[str, str]:
    return spec.kind.name, spec.name
