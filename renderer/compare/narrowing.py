"""Which specs two repositories make different objects of: only those need rendering twice."""

from collections.abc import Iterable, Iterator

from renderer.backends.kinds import ENVIRONMENT, OWNERS
from renderer.values.model import Environment, Project, Spec, SpecKey


def changed_files(before: Project, after: Project) -> set[str]:
    """The files that were read on one side only, or that hold something else now."""
    return {
        file
        for file in before.digests.keys() | after.digests.keys()
        if before.digests.get(file) != after.digests.get(file)
    }


def touched(before: Project, after: Project) -> set[SpecKey]:
    """The specs whose own files differ, or what is said of all of them."""
    changed = changed_files(before, after)
    everywhere = _of_all(before) != _of_all(after)
    old, new = _inputs(before), _inputs(after)
    return {
        key
        for key in {spec.key for _, spec in placed(before, after)}
        if everywhere or old.get(key) != new.get(key) or not changed.isdisjoint(new[key])
    }


def _of_all(project: Project) -> tuple[object, ...]:
    """What can change the objects of any spec."""
    crds = [(document.file, document.source) for document in project.crds]
    return project.settings, project.templates, crds


def _inputs(project: Project) -> dict[SpecKey, tuple[str, ...]]:
    """The files that each spec is made of, those of its environment included."""
    return {
        spec.key: (*spec.files, *environment.files)
        for environment in project.environments
        for spec in environment.specs
    }


def with_dependants(keys: Iterable[SpecKey], *projects: Project) -> set[SpecKey]:
    """These specs, the specs that refer to them, and all that any of those refer to.

    Specs of the same name elsewhere belong to them: they may come to be in the same place.
    """
    wanted = set(keys)
    everything = list(placed(*projects))
    names = {(spec.kind.name, spec.name) for _, spec in everything if spec.key in wanted}
    wanted |= {spec.key for _, spec in everything if (spec.kind.name, spec.name) in names}
    uses = [(spec.key, {item.key for item in used(env, spec)}) for env, spec in everything]
    wanted |= {key for key, targets in uses if not wanted.isdisjoint(targets)}
    return wanted.union(*(targets for key, targets in uses if key in wanted))


def narrowed(project: Project, keys: set[SpecKey]) -> Project:
    """The project with these specs only; what is said of environments stays."""
    environments = tuple(
        item._replace(specs=tuple(spec for spec in item.specs if spec.key in keys))
        for item in project.environments
    )
    files = {file for item in environments for spec in item.specs for file in spec.files}
    parts = tuple(p for p in project.parts if p.file in files or p.kind.name == ENVIRONMENT.name)
    return project._replace(environments=environments, parts=parts)


def placed(*projects: Project) -> Iterator[tuple[Environment, Spec]]:
    """The specs of all environments that have output, each with its environment."""
    for project in projects:
        for environment in project.environments:
            for spec in environment.specs if environment.destinations else ():
                yield environment, spec


def used(environment: Environment, spec: Spec) -> list[Spec]:
    """The specs that a spec refers to."""
    references = OWNERS[spec.kind.name].references(spec)
    found = (environment.named(item.kind, item.name) for item in references)
    return [item for item in found if item]


def named(spec: Spec) -> set[str]:
    """The names of the specs that a spec refers to, whether or not they are there."""
    return {item.name for item in OWNERS[spec.kind.name].references(spec)}
