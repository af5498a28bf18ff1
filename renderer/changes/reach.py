"""What an edit reaches: every spec, with its units, whose objects change with a file."""

from collections.abc import Iterable

from renderer.backends.kinds import used_specs
from renderer.changes.derivations import can_derive, derivations
from renderer.changes.pair import EvaluatedState
from renderer.evaluate.project import Project
from renderer.values.changes import AffectedObject, Reach, ReachedSpec, State
from renderer.values.model import Environment, Spec, environment_of

_SHARED_INPUTS = ("servingctl.yaml", "schemas/crds/")


def reach(
    objects: Iterable[AffectedObject],
    before: EvaluatedState,
    after: EvaluatedState,
    states: tuple[State, State],
) -> list[Reach]:
    """Each edited file with the specs that it reaches, if it reaches any."""
    changed = {name for item in objects for name in _concerned_specs(item)}
    derived = _Units(states)
    projects = before.project, after.project
    files = _changed_files(*projects)
    found: dict[str, set[ReachedSpec]] = {}
    for environment, spec in (*before.specs, *after.specs):
        if (spec.environment, str(spec)) in changed:
            units = derived.unit_names(spec, environment, after.project)
            one = ReachedSpec(spec.environment, str(spec), units)
            inputs = _input_files(spec, environment, files)
            for file in files & (inputs | _own_files(spec, environment, projects)):
                found.setdefault(file, set()).add(one)
    return [Reach(file, _merge_sides(reached)) for file, reached in sorted(found.items())]


class _Units:
    """The units of specs: from the derivations of their objects, else from their plans."""

    def __init__(self, states: tuple[State, State]) -> None:
        self._states = states
        self._objects = [
            {(item.environment, item.spec.identity): item for item in reversed(state.manifests)}
            for state in states
        ]

    def unit_names(self, spec: Spec, environment: Environment, project: Project) -> tuple[str, ...]:
        key = environment.name, spec.identity
        old, new = (objects.get(key) for objects in self._objects)
        if not any(side and can_derive(side) for side in (old, new)):
            from renderer.manifests.planned_objects import unit_names

            return unit_names(spec, environment, project.shared.templates)
        found = derivations(old, new, *self._states)
        return tuple(dict.fromkeys(unit.unit for side in found for unit in side.units))


def _changed_files(before: Project, after: Project) -> set[str]:
    """The files that were read on one side only, or that hold something else now."""
    old, new = before.digests, after.digests
    return {file for file in old.keys() | new.keys() if old.get(file) != new.get(file)}


def _concerned_specs(item: AffectedObject) -> set[tuple[str, str]]:
    """The specs whose object it is, and those that its changes do something to."""
    sides = (side for side in (item.change.before, item.change.after) if side)
    names = {str(side.spec) for side in sides} | {impact.spec for _, impact in item.impacts}
    return {(item.change.environment, name) for name in names}


def _own_files(spec: Spec, environment: Environment, projects: Iterable[Project]) -> set[str]:
    """Files of a spec in the environment and its ancestors, of both sides, even if it is off."""
    folders = {environment_of(file) for file in environment.files}
    paths = {path for item in projects for path in item.inputs.groups.get(spec.stem, ())}
    shared = (part for item in projects for part in item.shared.parts)
    paths |= {p.file for p in shared if (p.kind.name, p.stem) == spec.identity}
    return {path for path in paths if environment_of(path) in folders}


def _input_files(spec: Spec, environment: Environment, files: set[str]) -> set[str]:
    """The files that a spec depends on; of those for all specs, the ones among `files`."""
    own = (file for item in (spec, *used_specs(spec, environment)) for file in item.files)
    general = (f for f in files if f.startswith(_SHARED_INPUTS) or f.endswith(".j2"))
    return {*own, *environment.files, *general}


def _merge_sides(reached: set[ReachedSpec]) -> tuple[ReachedSpec, ...]:
    """Each spec once: as it is after the change, its units before it included."""
    units: dict[tuple[str, str], dict[str, None]] = {}
    for item in sorted(reached):
        name = item.environment, item.spec
        units.setdefault(name, {}).update(dict.fromkeys(item.units))
    return tuple(ReachedSpec(*name, tuple(names)) for name, names in units.items())
