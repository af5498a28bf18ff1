"""One side of a comparison: what it holds, what is wrong with it, and what is unknown of it."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from renderer.changes.obstacles import find_obstacles
from renderer.changes.pair import EvaluatedState
from renderer.compose.spec_rules import UNUSED_IGNORE
from renderer.evaluate.shared import Shared
from renderer.values.changes import FindRefusals, State, no_refusals
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.model import Environment, SpecKey, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest, Output


class Side(NamedTuple):
    """A state, its errors, and the specs and environments that could not be rendered.

    `unread` are environments with the stems of files in them that are no specs.
    """

    state: State
    errors: tuple[Diagnostic, ...]
    unknown: frozenset[SpecKey] = frozenset()
    unknown_environments: frozenset[str] = frozenset()
    unread: frozenset[tuple[str, str]] = frozenset()

    def may_have(self, manifest: Manifest) -> bool:
        """Whether an object that is not here might be, if its spec could be rendered."""
        return (
            manifest.environment in self.unknown_environments
            or manifest.spec.key in self.unknown
            or (manifest.environment, manifest.spec.stem) in self.unread
        )


def side_of_project(evaluated: EvaluatedState, environments: Collection[str]) -> Side:
    """What a repository makes of its specs; nothing is known of what has or needs one with errors.

    An object that is made without what it refers to is not what will be applied. What an ignore
    takes away may be in specs that are not looked at.
    """
    shared, rendering = evaluated.project.shared, evaluated.rendering
    names = {item.name: item for item in shared.environments}
    if environments and names.keys().isdisjoint(environments):
        return Side(State({}, ()), errors_in(shared.diagnostics, environments))
    errors = errors_in(i for i in rendering.diagnostics if i.code != UNUSED_IGNORE.code)
    gone = {name for item in errors for name in item.environments if name not in names}
    unread = frozenset(_unread_stems(evaluated))
    unsound = rendering.unsound
    summaries = [item.summary for result in evaluated.results for item in result.results]
    unknown = unsound | {
        item.key
        for item in summaries
        if _is_incomplete(item, names[item.environment], unsound, unread)
    }
    known = tuple(item for item in rendering.manifests if item.spec.key not in unknown)
    doubtful = {key.environment for key in unknown} | {name for name, _ in unread}
    unknown |= {
        spec.key for item in shared.environments if item.name in doubtful for spec in item.specs
    }
    obstacles = find_obstacles(evaluated.results)
    state = State(names, known, frozenset(unknown), obstacles, _find_refusals(shared))
    return Side(state, errors, unknown, frozenset(gone), unread)


def _find_refusals(shared: Shared) -> FindRefusals:
    if not shared.has_crd_rules:
        return no_refusals
    from renderer.evaluate.crd_rules import refused_changes

    return partial(refused_changes, shared.crds)


def _unread_stems(evaluated: EvaluatedState) -> Iterator[tuple[str, str]]:
    """Environments, and stems of files in them or above that are no specs, or not theirs."""
    shared = evaluated.project.shared
    for environment in shared.environments:
        yield from ((environment.name, stem) for stem in environment.unread)
        folders = {folder.name for folder in shared.layers[environment.name].chain}
        for result in evaluated.results:
            if not folders.isdisjoint(result.unread):
                yield environment.name, result.stem
    yield from ((key.environment, key.stem) for key in evaluated.strays)


def _is_incomplete(
    summary: Summary,
    environment: Environment,
    unsound: Collection[SpecKey],
    unread: Collection[tuple[str, str]],
) -> bool:
    """Whether a spec refers to one with errors, or to a file that could not be read."""
    for use in summary.references:
        is_unsound = any(spec.key in unsound for spec in environment.named_specs(use))
        if is_unsound or (environment.name, use.name) in unread:
            return True
    return False


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
