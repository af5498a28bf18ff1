"""What is wrong with files, environments and specs before anything is rendered."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from renderer.backends.base import OBJECT
from renderer.backends.kind_schemas import (
    description_schema,
    file_schema,
    name_schema,
    strict_schema,
)
from renderer.backends.kinds import KINDS, backends_of, functions_of, owner_of
from renderer.compose import environment_rules, spec_rules
from renderer.kubernetes.pods import POD
from renderer.rules import metadata, secrets
from renderer.rules.engines import engine_findings
from renderer.rules.pods import can_be_read, pod_in_place, pod_rule_findings
from renderer.rules.secrets import RuleFinding
from renderer.schema.rules import MISSING_KEY
from renderer.schema.validation import ShapeError, shape_errors
from renderer.schema.validation import check as check_shape
from renderer.text.wording import misspelt
from renderer.values.diagnostics import (
    FIRST_VERSION,
    Check,
    Diagnostic,
    Finding,
    Origin,
    Path,
    Rule,
    Severity,
    has_errors,
)
from renderer.values.identity_cache import recent_results_cached
from renderer.values.model import (
    Document,
    Environment,
    Fleet,
    Placeless,
    Spec,
    SpecPart,
    Summary,
)
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, drop_paths

_ANY = "*"
RULES: tuple[Rule, ...] = (*spec_rules.RULES, *metadata.RULES, *environment_rules.RULES)
_NO_DOCUMENTS: Mapping[str, Document] = {}
Made = TypeVar("Made")
Paths = frozenset[tuple[str, ...]]
Judge = Callable[[Diagnostic], Diagnostic | None]


class CheckedFiles(NamedTuple):
    """What checking files by themselves found, and the paths in them that cannot be relied on."""

    diagnostics: tuple[Diagnostic, ...]
    unreliable: Mapping[str, Paths]


def check_files(parts: Iterable[SpecPart], documents: Mapping[str, Document]) -> CheckedFiles:
    """Each file by itself: no unknown keys, no wrong types, no secrets."""
    diagnostics: list[Diagnostic] = []
    unreliable: dict[str, Paths] = {}
    for part in parts:
        faults = list(shape_errors(part.tree, file_schema(part.kind.name, part.tree)))
        unreliable[part.file] = _unreliable(faults)
        found = (*(fault.diagnostic for fault in faults), *_secrets(part, documents))
        diagnostics += (item.about(part.environment) for item in found)
    return CheckedFiles(tuple(diagnostics), unreliable)


def _secrets(part: SpecPart, documents: Mapping[str, Document]) -> Iterator[Diagnostic]:
    for rule in secrets.RULES:
        for finding in rule.check(part) if rule.check else ():
            found = diagnose(rule, finding, part.tree, documents)
            yield found.about(related=part.texts)


class Description(NamedTuple):
    """An environment without the settings that are not what they are for, and what is wrong.

    Without places nothing can be said of its specs; unless it is sound, none is rendered.
    """

    environment: Environment
    diagnostics: list[Diagnostic]
    is_sound: bool
    has_places: bool


def check_description(environment: Environment, judge: Judge) -> Description:
    """The composed description of an environment: its shape, and the rules for environments."""
    misfits = shape_errors(environment.tree, description_schema(environment.tree))
    faults = list(_misnamed_destinations(misfits, environment))
    paths = {fault.unreliable_path for fault in faults if fault.unreliable_path is not None}
    if paths:
        environment = environment._replace(tree=drop_paths(environment.tree, paths))
    about = [item.diagnostic.about(environment.name, related=environment.files) for item in faults]
    places = {item.place for item in about}
    judged = (judge(item) for item in _environment_findings(environment))
    found = [*about, *(item for item in judged if item and item.place not in places)]
    has_places = not any(path[:1] == ("destinations",) for path in _unreliable(faults))
    return Description(environment, found, not has_errors(found), has_places)


def _misnamed_destinations(
    faults: Iterable[ShapeError], environment: Environment
) -> Iterator[ShapeError]:
    """The faults; those of a destination that misspells an inherited one are one, of its name."""
    reported: set[tuple[str | int, ...]] = set()
    for fault in faults:
        place = (fault.unreliable_path or ())[:2]
        name = environment.tree.get(*place, "name") if place[:1] == ("destinations",) else None
        is_missing = fault.diagnostic.code == MISSING_KEY.code
        meant = _inherited_name(name, environment) if name and is_missing else ""
        if not name or not meant:
            yield fault
        elif place not in reported:
            reported.add(place)
            message = f"no environment above has a destination {name.value!r}"
            fix = f"did you mean {meant!r}? Otherwise {fault.diagnostic.fix}"
            rule = environment_rules.MISNAMED_DESTINATION
            yield ShapeError(place, rule.at(name.origin, message, fix))


def _inherited_name(name: Node, environment: Environment) -> str:
    """An inherited destination that has nearly this name."""
    others = (d for d in environment.destinations if d.tree.origin.file != environment.file)
    return misspelt(str(name.value), [item.name for item in others])


def _environment_findings(environment: Environment) -> Iterator[Diagnostic]:
    theirs = (backend.load().environment_rules() for backend in backends_of(environment))
    rules = [*RULES, *(rule for some in theirs for rule in some)]
    for rule in rules:
        if rule.check and rule.kind == "Environment":
            for finding in rule.check(environment):
                found = diagnose(rule, finding, environment.tree)
                yield found.about(environment.name, related=environment.files)


def check_fleet(fleet: Fleet) -> Iterator[Diagnostic]:
    """What concerns several specs and environments: they may share a cluster."""
    spoken_of = {backend.name: backend for e in fleet.environments for backend in backends_of(e)}
    kinds = {summary.kind for some in fleet.summaries.values() for summary in some}
    used = {backend.name: backend for backend in map(owner_of, sorted(kinds))}
    theirs = [item.load().environment_rules() for item in {**spoken_of, **used}.values()]
    theirs += [functions_of(kind).fleet_rules() for kind in sorted(kinds)]
    for rule in (rule for some in theirs for rule in some):
        if rule.check and rule.kind == "Fleet":
            for finding in rule.check(fleet):
                found = diagnose(rule, finding, fleet.environments[0].tree)
                yield found.about(*finding.environments, related=finding.related)


class ShapedSpec(NamedTuple):
    """A spec as the rules can read it, and what is wrong with its shape.

    What does not fit is taken out: a value that is missing or of the wrong type is reported once.
    """

    spec: Spec
    errors: tuple[Diagnostic, ...]


def check_spec_shape(
    spec: Spec, environment: Environment, unreliable: Mapping[str, Paths]
) -> ShapedSpec:
    """A composed spec by the schema of its kind; `unreliable` is known of its files already."""
    related = (*spec.files, *environment.files)
    faults = [*_shape_faults(spec.tree, spec.kind.name), *_default_name(spec)]
    errors = tuple(fault.diagnostic.about(environment.name, related=related) for fault in faults)
    paths = {fault.unreliable_path for fault in faults if fault.unreliable_path is not None}
    every = _unreliable(faults).union(*(unreliable.get(file, ()) for file in spec.files))
    if every:
        spec = spec._replace(tree=drop_paths(spec.tree, paths), unreliable=every)
    return ShapedSpec(spec, errors)


@recent_results_cached
def _shape_faults(tree: Node, kind: str) -> tuple[ShapeError, ...]:
    return tuple(shape_errors(tree, strict_schema(kind)))


def _unreliable(faults: Iterable[ShapeError]) -> Paths:
    paths = (fault.unreliable_path for fault in faults if fault.unreliable_path is not None)
    return frozenset(tuple(part for part in path if isinstance(part, str)) for path in paths)


def _default_name(spec: Spec) -> Iterator[ShapeError]:
    """The name of the file has to do as a name where the spec gives none."""
    path = spec.kind.name_path
    if spec.tree.get(*path) or not spec.kind.name_field:
        return
    named = Node({spec.kind.name_field: spec.name_node}, spec.tree.origin)
    for found in check_shape(named, name_schema(spec.kind.name)):
        fix = f"rename the file, or add {'.'.join(path)}; {found.fix}"
        yield ShapeError(None, found._replace(fix=fix))


def check_spec(
    spec: Spec,
    environment: Environment,
    used: Iterable[Spec],
    users: Sequence[Summary] = (),
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> Iterator[Diagnostic]:
    """By the rules for all kinds and by its backend's, and what variables give away."""
    pairs = [*secrets.secrets_from_variables(spec), *_rule_findings(spec, environment, users)]
    related = {*environment.files, *(file for item in (spec, *used) for file in item.files)}
    found = [(rule, diagnose(rule, finding, spec.tree, documents)) for rule, finding in pairs]
    for item in _drop_repeats(found):
        yield item.about(environment.name, related=related)


def _drop_repeats(found: Sequence[tuple[Rule, Diagnostic]]) -> Iterator[Diagnostic]:
    """Without what newer rules on pods say of a place where another rule found an error."""
    errors = ((rule, item) for rule, item in found if item.severity is Severity.ERROR)
    places = {item.place for rule, item in errors if rule.kind != POD}
    for rule, item in found:
        if rule.kind != POD or item.since == FIRST_VERSION or item.place not in places:
            yield item
        if rule.kind == POD and item.severity is Severity.ERROR:
            places.add(item.place)


def _rule_findings(
    spec: Spec, environment: Environment, users: Sequence[Summary]
) -> Iterator[RuleFinding]:
    """What the rules find, as far as what they read is reliable."""
    functions = functions_of(spec.kind.name)
    view = functions.view(spec, environment, users)
    placeless, others = _rules_for(spec.kind.name)
    identity = () if spec.unreliable or not functions.placeless else functions.placeless(view)
    yield from _once(identity, "rules", lambda: _asked(placeless, spec, view))
    yield from _asked(others, spec, view)
    if not _is_placeless(functions.pods):
        identity = ()
    given = _once(identity, "pods", lambda: functions.pods(view))
    pods = [pod_in_place(pod, spec, environment, users) for pod in given]
    yield from pod_rule_findings(spec, pods)
    yield from engine_findings(functions, view, pods, environment)


def _once(
    identity: tuple[object, ...], what: str, make: Callable[[], Iterable[Made]]
) -> Iterable[Made]:
    """What is made of a spec wherever it goes: once for each identity, unless there is none."""
    if not identity:
        return make()
    known = _known(*identity)
    if what not in known:
        known[what] = tuple(make())
    return cast("tuple[Made, ...]", known[what])


@recent_results_cached
def _known(*identity: object) -> dict[str, tuple[object, ...]]:  # noqa: ARG001
    """What was made of a spec so far; filled as it is looked at."""
    return {}


def _asked(rules: Iterable[tuple[Rule, Check]], spec: Spec, view: object) -> Iterator[RuleFinding]:
    for rule, check in rules:
        if not spec.unreliable or can_be_read(spec, rule):
            for finding in check(spec if rule.kind == _ANY else view):
                yield RuleFinding(rule, finding)


_Asked = tuple[tuple[Rule, Check], ...]


@cache
def _rules_for(kind: str) -> tuple[_Asked, _Asked]:
    """The rules for specs of a kind, and their functions: the placeless ones, and all others."""
    rules = (*RULES, *functions_of(kind).rules())
    kinds = (_ANY, kind) if kind in KINDS else (_ANY, kind, OBJECT)
    asked = [(rule, rule.check) for rule in rules if rule.check and rule.kind in kinds]
    placeless = [pair for pair in asked if _is_placeless(pair[1])]
    return tuple(placeless), tuple(pair for pair in asked if pair not in placeless)


@cache
def _is_placeless(function: Callable[[Any], object]) -> bool:
    """Whether a function is given, as its signature says, no more than what is placeless."""
    given: Mapping[str, object] = getattr(function, "__annotations__", {})
    return any(Placeless in getattr(one, "__mro__", ()) for one in given.values())


def diagnose(
    rule: Rule,
    finding: Finding,
    spec_tree: Node,
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> Diagnostic:
    """A rule's finding at the line that caused it, within a text of a file too."""
    from renderer.text import embedded

    tree = finding.tree or spec_tree
    where = finding.origin or embedded.place(tree, finding, documents)
    if not where.file:
        where = _nearest_written_place(finding.path, tree) or spec_tree.origin
    key = tree.locate(finding.path, at_key=True)
    via = (key.file, key.line) if key.file != where.file else None
    found = rule.at(where, finding.message, finding.fix)
    return found._replace(via=via, since=finding.since or rule.since)


def _nearest_written_place(path: Path, tree: Node) -> Origin | None:
    """The nearest place above a value that no file says, but a platform."""
    places = (tree.locate(path[:end]) for end in range(len(path) - 1, -1, -1))
    return next((place for place in places if place.file), None)
