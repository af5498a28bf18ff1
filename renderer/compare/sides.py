"""One side of a comparison: what it holds, what is wrong with it, and what is unknown of it."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from renderer.compare.narrowing import named, used
from renderer.compose.spec_rules import UNUSED_IGNORE
from renderer.evaluate.pipeline import render
from renderer.values.changes import State
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.model import Environment, Manifest, Project, SpecKey
from renderer.values.output import Output


class Side(NamedTuple):
    """A state, its errors, and the specs and environments that could not be rendered."""

    state: State
    errors: tuple[Diagnostic, ...]
    unknown: frozenset[SpecKey] = frozenset()
    unknown_environments: frozenset[str] = frozenset()

    def may_have(self, manifest: Manifest) -> bool:
        """Whether an object that is not here might be, if its spec could be rendered."""
        environment = self.state.environments.get(manifest.environment)
        return (
            manifest.environment in self.unknown_environments
            or manifest.spec.key in self.unknown
            or bool(environment and manifest.spec.stem in environment.unread)
        )


def side_of_project(project: Project, environments: Collection[str], jobs: int) -> Side:
    """What a repository makes of its specs; nothing is known of what has or needs one with errors.

    An object that is made without what it refers to is not what will be applied. What an ignore
    takes away may be in specs that are not looked at.
    """
    names = {item.name for item in project.environments}
    chosen = [name for name in environments if name in names]
    if environments and not chosen:
        return Side(State({}, ()), errors_in(project.diagnostics, environments))
    rendering = render(project, chosen, jobs=jobs)
    errors = errors_in(i for i in rendering.diagnostics if i.code != UNUSED_IGNORE.code)
    gone = {name for item in errors for name in item.environments if name not in names}
    unknown = rendering.unsound | _incomplete(rendering.unsound, project.environments)
    known = tuple(item for item in rendering.manifests if item.spec.key not in unknown)
    state = State({item.name: item for item in project.environments}, known)
    doubtful = unknown | _uncertain(unknown, project.environments)
    return Side(state, errors, frozenset(doubtful), frozenset(gone))


def side_of_output(
    output: Output, environments: Collection[str], described: Iterable[Environment]
) -> Side:
    """What rendered files hold; the other side's environments describe the places."""
    manifests = tuple(
        item for item in output.manifests if not environments or item.environment in environments
    )
    state = State({item.name: item for item in described}, manifests)
    return Side(state, errors_in(output.diagnostics, environments))


def errors_in(
    found: Iterable[Diagnostic], environments: Collection[str] = ()
) -> tuple[Diagnostic, ...]:
    """The errors that concern some environments, or none in particular."""
    return tuple(
        item
        for item in found
        if item.severity is Severity.ERROR
        and (not environments or not item.environments or {*environments} & {*item.environments})
    )


def _incomplete(unsound: Collection[SpecKey], environments: Iterable[Environment]) -> set[SpecKey]:
    """The specs that refer to one with errors, or to a file that could not be read."""
    return {
        spec.key
        for environment in environments
        for spec in environment.specs
        if any(item.key in unsound for item in used(environment, spec))
        or any(name in environment.unread for name in named(spec))
    }


def _uncertain(unknown: Collection[SpecKey], environments: Iterable[Environment]) -> set[SpecKey]:
    """Where a spec could not be rendered, it is not known which prerequisites it has there."""
    names = {key.environment for key in unknown}
    return {
        spec.key
        for environment in environments
        if environment.name in names or environment.unread
        for spec in environment.specs
        if spec.kind.prerequisite
    }
