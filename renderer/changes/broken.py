"""What edits make wrong: specs that cannot be rendered any more, and errors where they are."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.changes.pair import EvaluatedState
from renderer.changes.sides import Side
from renderer.evaluate.inputs import GROUPED
from renderer.values.changes import Breakage, Edit, EditKind, drop_known_causes
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment, SpecKey
from renderer.values.tree import walk

_Numbers = list[int]
_States = tuple[EvaluatedState, EvaluatedState]
#: Parts of an environment that reach specs through values, and whose edits are found there.
_PARTS_WITH_VALUES = (("vars",), ("defaults",), ("rules",))
_SHARED_INPUTS = (EditKind.TEMPLATE, EditKind.SETTINGS, EditKind.CRD)


def broken_specs(old: Side, new: Side, after: EvaluatedState) -> set[SpecKey]:
    """The specs that have errors, or need one that has, and did not in the old state."""
    had = {item.spec.key for item in old.state.manifests if new.may_have(item)}
    unsound = after.rendering.unsound
    return {key for key in had if key.kind in GROUPED} | (unsound - old.unknown)


def find_breakages(
    specs: Iterable[SpecKey], errors: Iterable[Diagnostic], edits_at_fault: "EditsAtFault"
) -> list[Breakage]:
    """The specs, each with the edits behind it; and edits with errors that no spec suffers from."""
    found = {
        Breakage(
            key.environment,
            f"{key.kind}/{key.stem}",
            tuple(edits_at_fault.edits_behind(key)),
            is_shared=key.kind not in GROUPED,
        )
        for key in specs
    }
    for error in errors:
        edits = tuple(edits_at_fault.edits_at(error))
        found |= {Breakage(name, "", edits) for name in error.environments or ("",)}
    return drop_known_causes(found)


class EditsAtFault:
    """The edits that may be the reason for an error or a broken spec, by number."""

    def __init__(
        self, edits: Sequence[Edit], errors: Iterable[Diagnostic], states: _States
    ) -> None:
        self._edits = edits
        self._numbers_by_line: dict[tuple[str, int], _Numbers] = {}
        self._numbers_by_file: dict[str, _Numbers] = {}
        for number, edit in enumerate(edits):
            self._numbers_by_file.setdefault(edit.origin.file, []).append(number)
            nodes = [node for _, node in walk(edit.after)] if edit.after else []
            for line in {one.place[:2] for node in nodes for one in (edit.origin, node.origin)}:
                self._numbers_by_line.setdefault(line, []).append(number)
        self._environments: dict[str, list[Environment]] = {}
        for item in (e for state in states for e in state.project.shared.environments):
            self._environments.setdefault(item.name, []).append(item)
        every = (one for state in states for result in state.results for one in result.results)
        self._summaries = {one.summary.key: one.summary for one in every}
        self._errors_by_file: dict[str, list[Diagnostic]] = {}
        for error in errors:
            for file in {error.file, *error.related}:
                self._errors_by_file.setdefault(file, []).append(error)

    def edits_at(self, error: Diagnostic) -> _Numbers:
        """The edits of the line of an error, or of its whole file."""
        whole = [n for n in self._numbers_by_file.get(error.file, ()) if not self._edits[n].path]
        return self._numbers_by_line.get((error.file, error.line), whole)

    def edits_behind(self, key: SpecKey) -> _Numbers:
        """The edits where its errors are; else what was taken from it, or is around it."""
        own = tuple(self._edits_of_files(self._own_files(key)))
        taken = [number for number in own if self._edits[number].after is None]
        for numbers in (
            self._edits_at_errors(key),
            taken,
            self._edits_of_files(self._needed_files(key)),
            self._edits_of_environment(key.environment, with_values=False),
            own,
            self._edits_of_environment(key.environment, with_values=True),
            (n for n, edit in enumerate(self._edits) if edit.kind in _SHARED_INPUTS),
        ):
            if found := list(dict.fromkeys(numbers)):
                return found
        return []

    def _edits_at_errors(self, key: SpecKey) -> Iterator[int]:
        """Of a prerequisite, only errors in its own files: errors in others belong to its users."""
        files = [*self._own_files(key)]
        for error in (error for file in files for error in self._errors_by_file.get(file, ())):
            is_its_own = key.kind in GROUPED or error.file in files
            if is_its_own and (not error.environments or key.environment in error.environments):
                yield from self.edits_at(error)

    def _edits_of_files(self, files: Iterable[str]) -> Iterator[int]:
        return (number for file in files for number in self._numbers_by_file.get(file, ()))

    def _edits_of_environment(self, name: str, *, with_values: bool) -> Iterator[int]:
        files = dict.fromkeys(f for item in self._environments.get(name, ()) for f in item.files)
        for number in self._edits_of_files(files):
            if with_values or self._edits[number].path[:1] not in _PARTS_WITH_VALUES:
                yield number

    def _own_files(self, key: SpecKey) -> Iterator[str]:
        if summary := self._summaries.get(key):
            yield from summary.files
        yield from self._spec_files(key.environment, key.kind, key.stem)

    def _needed_files(self, key: SpecKey) -> Iterator[str]:
        summary = self._summaries.get(key)
        for use in summary.references if summary else ():
            for environment in self._environments.get(key.environment, ()):
                for spec in environment.named_specs(use):
                    yield from spec.files

    def _spec_files(self, environment: str, kind: str, stem: str) -> Iterator[str]:
        for item in self._environments.get(environment, ()):
            for spec in item.specs:
                if spec.identity == (kind, stem):
                    yield from spec.files
