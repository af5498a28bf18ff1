"""The edits between two repositories, by the places of the values that they take and give."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from renderer.changes.edits import edits, tree_of
from renderer.changes.location import is_given, written_origin
from renderer.changes.pair import EvaluatedState
from renderer.compose.variables import variables_in
from renderer.evaluate.project import Project
from renderer.values.changes import TOOL, AffectedObject, Change, Edit, EditKind
from renderer.values.diagnostics import Origin
from renderer.values.kinds import DESTINATION
from renderer.values.model import Spec, environment_of
from renderer.values.tree import walk

Causes = tuple[int, ...]
_Position = tuple[str, int, int]
#: What sends a spec to a destination.
_ROUTES = ("destination", DESTINATION)
#: Parts of an environment that reach objects through values, and whose edits are found there.
_PARTS_WITH_VALUES = (("vars",), ("defaults",), ("rules",))


class EditPlaces:
    """Edits by number, the last one being that of the tool itself."""

    def __init__(self, before: EvaluatedState, after: EvaluatedState) -> None:
        self._states = before, after
        self.edits: list[Edit] = [*edits(before.project, after.project), TOOL]
        self._numbers_by_file: dict[str, list[int]] = {}
        self._sides: tuple[dict[_Position, int], dict[_Position, int]] = ({}, {})
        for number, edit in enumerate(self.edits):
            for file in _files_of(edit):
                self._numbers_by_file.setdefault(file, []).append(number)
            for side, node in zip(self._sides, (edit.before, edit.after), strict=True):
                for _, one in walk(node) if node else ():
                    side[one.origin.place] = number
        self._whole_file_edits = {
            file: numbers[0]
            for file, numbers in self._numbers_by_file.items()
            if file and not self.edits[numbers[0]].path
        }
        self._texts: dict[str, Mapping[_Position, str]] = {}
        self._environments = [
            {item.name: item.tree for item in state.project.shared.environments}
            for state in self._states
        ]

    def causes_of_changes(self, item: AffectedObject) -> tuple[Causes, ...]:
        """For each change the edits of its values; if there are none, those of their variables.

        The last item is for the object as a whole: the edits of its files, if it comes or goes.
        """
        found = (
            self._edits_of_values(change, origin, item)
            or self._edits_of_variables(change, origin, item)
            for change, origin in zip(item.change.changes, item.origins, strict=True)
        )
        stays = item.change.before and item.change.after
        return (*found, () if stays else self._edits_of_files(item) or self._edits_of_route(item))

    def causes_around(self, item: AffectedObject) -> Causes:
        """The edits of the files that an object is made of, the nearest ones."""
        near = self._edits_of_files(item) or self._edits_of_environment(item.change.environment)
        return near or (len(self.edits) - 1,)

    def _edits_of_values(self, change: Change, origin: Origin, item: AffectedObject) -> Causes:
        places: tuple[list[Origin], list[Origin]] = ([], [] if change.after else [origin])
        nodes = (change.before, change.after)
        manifests = (item.change.before, item.change.after)
        for found, node, manifest, state in zip(
            places, nodes, manifests, self._states, strict=True
        ):
            if node is not None and manifest is not None:
                where = written_origin(change.path, node, manifest, state.project)
                found.extend([where] if where else [])
                found.extend([node.origin] if is_given(node) else [])
        return self._edits_at(*places, is_gone=change.after is None)

    def _edits_at(
        self, old: Iterable[Origin], new: Iterable[Origin], *, is_gone: bool = False
    ) -> Causes:
        """The edits of places; a new value reaches nothing where another one is used instead."""
        taken, given = (
            [side.get(where.place, self._whole_file_edits.get(where.file)) for where in origins]
            for side, origins in zip(self._sides, (old, new), strict=True)
        )
        after = [number for number in given if number is not None]
        before = [number for number in taken if number is not None]
        removed = [number for number in before if not self.edits[number].after]
        found = removed if is_gone and removed else [*after, *removed] if after else before
        return tuple(dict.fromkeys(found))

    def _edits_of_variables(self, change: Change, origin: Origin, item: AffectedObject) -> Causes:
        """The edits of variables that stand in the text of a value, which itself is the same."""
        node = change.after or change.before
        names = self._variables_at(origin) | (self._variables_at(node.origin) if node else set())
        found: dict[int, None] = {}
        for name in sorted(names):
            sides = (side.get(item.change.environment) for side in self._environments)
            variables = [side.get("vars", name) if side else None for side in sides]
            old, new = ([one.origin] if one else [] for one in variables)
            found.update(dict.fromkeys(self._edits_at(old, new, is_gone=not new)))
        return tuple(found)

    def _variables_at(self, origin: Origin) -> set[str]:
        file = origin.file
        if file not in self._texts:
            tree = tree_of(file, self._states[1].project)
            nodes = (node for _, node in walk(tree)) if tree else ()
            self._texts[file] = {
                node.origin.place: node.value for node in nodes if isinstance(node.value, str)
            }
        return variables_in(self._texts[file].get(origin.place, ""))

    def _environment_files(self, environment: str) -> tuple[str, ...]:
        return self._files_by_environment.get(environment, ())

    @cached_property
    def _files_by_environment(self) -> dict[str, tuple[str, ...]]:
        """The files of each environment and of its ancestors, on either side."""
        found: dict[str, dict[str, None]] = {}
        for item in (e for state in self._states for e in state.project.shared.environments):
            found.setdefault(item.name, {}).update(dict.fromkeys(item.files))
        return {name: tuple(files) for name, files in found.items()}

    def _edits_of_files(self, item: AffectedObject) -> Causes:
        """The edits of files with a part of a spec, even if it is off there; whole files first."""
        folders = {environment_of(f) for f in self._environment_files(item.change.environment)}
        files: set[str] = set()
        for spec in {side.spec.identity: side.spec for side in item.change.sides}.values():
            files.update(spec.files)
            for project in (state.project for state in self._states):
                mentioning = (
                    *project.inputs.groups.get(spec.stem, ()),
                    *_shared_files(spec, project),
                )
                files.update(file for file in mentioning if environment_of(file) in folders)
        edited = [file for file in sorted(files) if file in self._numbers_by_file]
        whole = tuple(
            self._whole_file_edits[file] for file in edited if file in self._whole_file_edits
        )
        return whole or tuple(number for file in edited for number in self._numbers_by_file[file])

    def _edits_of_route(self, item: AffectedObject) -> Causes:
        """The edits of what sends a spec to a destination, such as a variable in defaults."""
        sides = (item.change.before, item.change.after)
        nodes = ([side.spec.tree.get(key) for key in _ROUTES] if side else [] for side in sides)
        old, new = ([node.origin for node in some if node] for some in nodes)
        return self._edits_at(old, new)

    def _edits_of_environment(self, environment: str) -> Causes:
        """The edits of what describes the environment; if there are none, those of all specs."""
        numbers = (
            n
            for f in self._environment_files(environment)
            for n in self._numbers_by_file.get(f, ())
        )
        near = tuple(n for n in numbers if self.edits[n].path[:1] not in _PARTS_WITH_VALUES)
        return near or self._edits_of_shared_inputs

    @cached_property
    def _edits_of_shared_inputs(self) -> Causes:
        special = (EditKind.TEMPLATE, EditKind.SETTINGS, EditKind.CRD)
        return tuple(n for n, edit in enumerate(self.edits) if edit.kind in special)


def _files_of(edit: Edit) -> set[str]:
    """The file of an edit, and the name it had."""
    names = {edit.origin.file}
    return {*names, edit.before.origin.file} if edit.before and not edit.path else names


def _shared_files(spec: Spec, project: Project) -> Iterator[str]:
    return (p.file for p in project.shared.parts if (p.kind.name, p.stem) == spec.identity)
