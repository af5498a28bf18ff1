"""From two states to their comparison; values in, values out."""

from collections.abc import Collection, Iterator

from renderer.backends.kinds import OWNERS
from renderer.check import secrets
from renderer.compare.blocking import blocked
from renderer.compare.capacity import capacity
from renderer.compare.findings import findings
from renderer.compare.location import origin_of
from renderer.compare.narrowing import narrowed, touched, with_dependants
from renderer.compare.objects import changed_objects
from renderer.compare.reaching import reach
from renderer.compare.sides import Side, side_of_output, side_of_project
from renderer.values.changes import Affected, Comparison
from renderer.values.diagnostics import merged
from renderer.values.model import Project, SpecKey
from renderer.values.output import Output

_COMPARABLE = frozenset(rule.code for rule in secrets.RULES)  # objects are made all the same


def compare(
    before: Project | Output,
    after: Project | Output,
    environments: Collection[str] = (),
    *,
    jobs: int = 1,
) -> Comparison:
    """What changes from one state to another, and what that does to what runs.

    A state is a repository, as `load` reads it, or its rendered output. Of two repositories only
    those specs are rendered that the differences reach. Objects of specs with errors are left out:
    the errors of the new state are among the findings, those of the old one are told apart.
    """
    old, new = _sides(before, after, environments, jobs)
    first, second = (item if isinstance(item, Project) else None for item in (before, after))
    objects = tuple(
        item._replace(
            origins=tuple(origin_of(change, item.change, second) for change in item.change.changes)
        )
        for item in blocked(_affected(old, new))
    )
    impacts = findings(objects, second)
    reached = reach(objects, first, second) if first and second else ()
    return Comparison(
        objects,
        tuple(merged((*new.errors, *impacts))),
        tuple(merged(item for item in old.errors if item.code not in _COMPARABLE)),
        tuple(capacity(objects, old.state, new.state)),
        tuple(reached),
    )


def _sides(
    before: Project | Output, after: Project | Output, names: Collection[str], jobs: int
) -> tuple[Side, Side]:
    if isinstance(before, Project) and isinstance(after, Project):
        return _of_projects(before, after, names, jobs)
    sides = []
    for own, other in ((before, after), (after, before)):
        if isinstance(own, Project):
            sides.append(side_of_project(own, names, jobs))
        else:
            described = other.environments if isinstance(other, Project) else ()
            sides.append(side_of_output(own, names, described))
    return sides[0], sides[1]


def _of_projects(
    before: Project, after: Project, names: Collection[str], jobs: int
) -> tuple[Side, Side]:
    """Both sides as far as the differences reach.

    What a spec refers to is looked at because of that spec alone, so where it goes is only known
    once all specs that refer to it are looked at: if that seems to differ, they are.
    """
    certain = touched(before, after)
    while True:
        keys = with_dependants(certain, before, after)
        sides = [side_of_project(narrowed(item, keys), names, jobs) for item in (before, after)]
        places = [_places(side, keys - certain) for side in sides]
        moved = {key for key, _ in places[0] ^ places[1]}
        if not moved:
            return sides[0], sides[1]
        certain |= moved


def _places(side: Side, keys: Collection[SpecKey]) -> set[tuple[SpecKey, str]]:
    return {
        (item.spec.key, item.destination)
        for item in side.state.manifests
        if item.spec.kind.prerequisite and item.spec.key in keys
    }


def _affected(old: Side, new: Side) -> Iterator[Affected]:
    """Every object that differs, as far as both sides are known, with what that does."""
    for change in changed_objects(old.state.manifests, new.state.manifests):
        if change.before and not change.after and new.may_have(change.before):
            continue
        if change.after and not change.before and old.may_have(change.after):
            continue
        backend = OWNERS.get(change.manifest.spec.kind.name)
        impacts = backend.impacts(change, old.state, new.state) if backend else ()
        yield Affected(change, tuple(impacts))
