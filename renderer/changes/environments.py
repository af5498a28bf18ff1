"""Two environments of one repository: their composed specs, joined by kind and stem."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from renderer.backends.kinds import references_of
from renderer.changes.trees import differences
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.shapes import Shape
from renderer.evaluate.composition import Composition
from renderer.evaluate.judgement import relevant_findings
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, spec_named
from renderer.evaluate.run import run
from renderer.values.changes import Change
from renderer.values.diagnostics import Diagnostic, Path, Severity
from renderer.values.environments import EnvironmentComparison, LoneSpec, Reason, SpecDifference
from renderer.values.kinds import DESTINATION
from renderer.values.model import Environment, Settings, Spec
from renderer.values.tree import Node

#: The fields by which specs of any kind say where they go.
ROUTES = ("destination", "namespace", DESTINATION)
_VARS = "vars."
_Identity = tuple[str, str]


def compare_environments(
    project: Project,
    names: tuple[str, str],
    specs: Collection[str] = (),
    *,
    own_variables: Collection[str] = (),
    jobs: int = 1,
) -> EnvironmentComparison:
    """Where the specs of two environments differ, all of them or some, and whether they may.

    A file that could not be read in one of them is reported as an error, not as a missing spec. An
    error in both, or in what they inherit, is reported once. `own_variables` are variables of the
    second environment alone, which may differ as well.
    """
    pair = [project.environment(name) for name in names]
    found = run(project, Question(tuple(dict.fromkeys(names))), jobs=jobs).diagnostics
    known = [item for item in pair if item]
    wanted = _wanted_identities(specs, known) if len(known) == len(pair) else None
    sides = [_specs(item, wanted) for item in known]
    files = {file for side in sides for spec in side.values() for file in spec.files}
    files |= _unread_files(project, known, wanted or ())
    first_errors, errors = (
        _errors(relevant_findings((name,), project.shared, found), files if wanted else None)
        for name in names
    )
    own = tuple(item for item in first_errors if item not in errors)
    empty = EnvironmentComparison(*names, 0, findings=errors, incomparable=own)
    if len(known) < len(pair):
        return empty
    first, second = sides
    common = sorted(first.keys() & second.keys())
    kept = (Reason.KEPT, compose_with_kept_variables(project, *names))
    own_ones = (
        compose_with_kept_variables(project, *names, own_variables) if own_variables else None
    )
    alike = [kept, (Reason.VARIABLE, own_ones)]
    alone = (*_lone_specs(first, known[1], second), *_lone_specs(second, known[0], first))
    return empty._replace(
        compared=len(common),
        differences=tuple(
            item
            for key in common
            for item in _explain_by_variables(
                spec_differences(first[key], second[key], project.settings, known),
                [(reason, made.spec(key)) for reason, made in alike if made],
                second[key],
            )
        ),
        alone=tuple(sorted(alone)),
    )


def _unread_files(
    project: Project, known: Iterable[Environment], wanted: Iterable[_Identity]
) -> set[str]:
    """The files of specs of which one could not be read."""
    unread = {stem for item in known for stem in item.unread}
    stems = {stem for _, stem in wanted if stem in unread}
    return {path for stem in stems for path in project.inputs.groups.get(stem, ())}


def _errors(found: Iterable[Diagnostic], files: set[str] | None) -> tuple[Diagnostic, ...]:
    """The errors of some files, or all."""
    bad = (item for item in found if item.severity is Severity.ERROR)
    return tuple(i for i in bad if files is None or not files.isdisjoint((i.file, *i.related)))


def _wanted_identities(
    names: Collection[str], known: Iterable[Environment]
) -> set[_Identity] | None:
    """The specs that some names mean, in whichever environment; without names, all."""
    if not names:
        return None
    every = {spec.identity for item in known for spec in item.specs}
    return {spec_named(name, every) for name in names}


def _specs(environment: Environment, wanted: set[_Identity] | None) -> dict[_Identity, Spec]:
    every = (spec for spec in environment.specs if wanted is None or spec.identity in wanted)
    return {spec.identity: spec for spec in every}


def _lone_specs(
    side: dict[_Identity, Spec], other: Environment, others: dict[_Identity, Spec]
) -> Iterator[LoneSpec]:
    for identity, spec in side.items():
        if identity not in others and spec.stem not in other.unread:
            yield LoneSpec(str(spec), spec.environment, spec.tree.origin)


def compose_with_kept_variables(
    project: Project, first: str, second: str, own: Collection[str] = ()
) -> Composition | None:
    """The first environment with the second one's values of its own variables and of kept ones."""
    given = project.shared.layers[second].tree.get("vars")
    kept = {*own, *kept_variables(project.settings)}
    theirs = {name: node for name, node in (given.items if given else {}).items() if name in kept}
    return Composition(project, first, theirs) if theirs else None


def kept_variables(settings: Settings) -> set[str]:
    """The variables that environments may differ in: `vars.NAME` among the paths."""
    return {path.removeprefix(_VARS) for path in settings.keep if path.startswith(_VARS)}


def _explain_by_variables(
    found: Iterable[SpecDifference], alike: Sequence[tuple[Reason, Spec | None]], after: Spec
) -> Iterable[SpecDifference]:
    """The differences, with a reason for those that only variables which may differ cause."""
    for reason, spec in alike:
        found = _explain(found, spec, after, reason) if spec else found
    return found


def _explain(
    found: Iterable[SpecDifference], alike: Spec, after: Spec, reason: Reason
) -> list[SpecDifference]:
    real = {change.path for change in differences(alike.tree, after.tree, _shape(after))}
    return [
        item._replace(reason=item.reason or (None if item.change.path in real else reason))
        for item in found
    ]


def spec_differences(
    before: Spec, after: Spec, settings: Settings, environments: Iterable[Environment]
) -> Iterator[SpecDifference]:
    """Where a spec of two environments differs, and whether it may."""
    names = [
        _named_specs(spec, environment)
        for spec, environment in zip((before, after), environments, strict=True)
    ]
    for change in differences(before.tree, after.tree, _shape(after)):
        yield SpecDifference(str(after), change, _reason(change, after, settings.keep, names))


def _named_specs(spec: Spec, environment: Environment) -> dict[int, _Identity]:
    """The values that name other specs, each with the spec that it means."""
    found: dict[int, _Identity] = {}
    for use in references_of(spec, environment):
        meant, node = environment.named_specs(use), spec.tree.get(*use.path)
        if meant and node:
            found[id(node)] = meant[0].identity
    return found


def _reason(
    change: Change, spec: Spec, keep: Collection[str], names: list[dict[int, _Identity]]
) -> Reason | None:
    if change.path == spec.kind.name_path:
        return Reason.NAME
    meant = [
        side.get(id(node)) for side, node in zip(names, (change.before, change.after), strict=True)
    ]
    if meant[0] and meant[0] == meant[1]:
        return Reason.NAME
    namespace = (*spec.kind.name_path[:-1], "namespace")  # of an object, beside its name
    if change.path == namespace or change.path[:1] in [(field,) for field in ROUTES]:
        return Reason.DESTINATION
    alone = change.after if change.before is None else None if change.after else change.before
    return Reason.KEPT if _is_kept(change.path, alone, spec, keep) else None


def _is_kept(path: Path, alone: Node | None, spec: Spec, keep: Collection[str]) -> bool:
    """Whether all that differs may; `alone` is a value that only one side has."""
    if _leads_to(path, spec, keep):
        return True
    members = alone.items.items() if alone else ()
    return bool(members) and all(
        _is_kept((*path, key), child, spec, keep) for key, child in members
    )


def _shape(spec: Spec) -> Shape:
    return kind_shape(spec.kind)


def _leads_to(path: Path, spec: Spec, keep: Collection[str]) -> bool:
    """Whether a path that may differ leads to this one, from wherever a schema describes it."""
    keys: list[str] = []
    begins: list[bool] = []
    shape = _shape(spec)
    for segment in path:
        is_item = isinstance(segment, int) or segment.startswith("[")
        shape = shape.item() if is_item else shape.member(str(segment))
        if not is_item:
            keys.append(str(segment))
            begins.append(shape.is_described)
    for wanted in (text.split(".") for text in keep):
        if any(
            keys[start : start + len(wanted)] == wanted
            for start, is_described in enumerate(begins)
            if is_described or not start
        ):
            return True
    return False
