"""Whom an edit reaches: every spec, with its units, whose objects change with a file."""

from collections.abc import Iterable

from renderer.backends.kinds import OWNERS
from renderer.compare.narrowing import changed_files, placed, used
from renderer.values.changes import Affected, Reach, Reached
from renderer.values.model import Environment, Part, Project, Spec, SpecKey, environment_of

_OF_ALL = ("servingctl.yaml", "schemas/crds/")


def reach(objects: Iterable[Affected], before: Project, after: Project) -> list[Reach]:
    """Each edited file with the specs that it reaches, if it reaches any."""
    changed = {name for item in objects for name in _concerned(item)}
    files = changed_files(before, after)
    parts = _files_by_spec((*before.parts, *after.parts))
    found: dict[str, set[Reached]] = {}
    for environment, spec in placed(before, after):
        if (spec.environment, str(spec)) in changed:
            units = tuple(unit.name for unit in OWNERS[spec.kind.name].units(spec))
            one = Reached(spec.environment, str(spec), units)
            inputs = _inputs(spec, environment, files) | _own(spec, environment, parts)
            for file in files & inputs:
                found.setdefault(file, set()).add(one)
    return [Reach(file, _once(reached)) for file, reached in sorted(found.items())]


def _concerned(item: Affected) -> set[tuple[str, str]]:
    """The specs whose object it is, and those that its changes do something to."""
    sides = (side for side in (item.change.before, item.change.after) if side)
    names = {str(side.spec) for side in sides} | {impact.spec for _, impact in item.impacts}
    return {(item.change.environment, name) for name in names}


def _files_by_spec(parts: Iterable[Part]) -> dict[SpecKey, set[str]]:
    """The files of each folder about each spec, also those that say that it is not wanted."""
    found: dict[SpecKey, set[str]] = {}
    for part in parts:
        key = SpecKey(part.environment, part.kind.name, part.stem)
        found.setdefault(key, set()).add(part.file)
    return found


def _own(spec: Spec, environment: Environment, parts: dict[SpecKey, set[str]]) -> set[str]:
    """What the environment and its ancestors say of a spec, on whichever side."""
    folders = set(map(environment_of, environment.files))
    keys = (spec.key._replace(environment=folder) for folder in folders)
    return {file for key in keys for file in parts.get(key, ())}


def _inputs(spec: Spec, environment: Environment, files: set[str]) -> set[str]:
    """The files that a spec depends on, as far as they are among some."""
    own = (file for item in (spec, *used(environment, spec)) for file in item.files)
    general = (f for f in files if f.startswith(_OF_ALL) or f.endswith(".j2"))
    return {*own, *environment.files, *general}


def _once(reached: set[Reached]) -> tuple[Reached, ...]:
    """Each spec once: as it is after the change, its units before it included."""
    units: dict[tuple[str, str], dict[str, None]] = {}
    for item in sorted(reached):
        units.setdefault(item[:2], {}).update(dict.fromkeys(item.units))
    return tuple(Reached(*name, tuple(names)) for name, names in units.items())
