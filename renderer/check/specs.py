"""What is wrong with an environment before anything is rendered."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.backends.kinds import OWNERS, file_schema, name_schema, strict_schema
from renderer.check import metadata, secrets
from renderer.check.secrets import RuleFinding
from renderer.compose import environment_rules, spec_rules
from renderer.evaluate.earlier import NOTHING_KNOWN, Known, Settled
from renderer.schema.validation import ShapeError, shape_errors
from renderer.schema.validation import check as check_shape
from renderer.values.diagnostics import Check, Diagnostic, Finding, Rule, has_errors
from renderer.values.model import Document, Environment, Part, Spec, SpecKey
from renderer.values.tree import Node, without

_ANY = "*"
RULES: tuple[Rule, ...] = (*spec_rules.RULES, *metadata.RULES, *environment_rules.RULES)
_NO_DOCUMENTS: Mapping[str, Document] = {}
Identity = tuple[str, str]
Holes = frozenset[tuple[str, ...]]
Judge = Callable[[Diagnostic], Diagnostic | None]


class Sources(NamedTuple):
    """What is known of the files themselves: which are broken, and what is not legible in them.

    Of specs that are `known`, nothing is looked at again; of what is `settled`, not the shape.

    `documents` tell the lines of findings within texts.
    """

    documents: Mapping[str, Document] = _NO_DOCUMENTS
    broken: Collection[str] = ()
    holes: Mapping[str, Holes] = {}
    known: Mapping[SpecKey, Known] = NOTHING_KNOWN
    settled: Settled | None = None

    def knows_shape(self, spec: Spec) -> bool:
        """Whether a spec is known to be complete and of the right types."""
        return spec.key in self.known or bool(self.settled and self.settled.covers(*spec.files))


_NO_SOURCES = Sources()


class Checked(NamedTuple):
    """What checking an environment found, and the specs that can be rendered."""

    diagnostics: list[Diagnostic]
    sound: tuple[Spec, ...]


class CheckedParts(NamedTuple):
    """What checking files by themselves found, and what is not legible in them."""

    diagnostics: list[Diagnostic]
    holes: dict[str, Holes]


def check_parts(parts: Iterable[Part], documents: Mapping[str, Document]) -> CheckedParts:
    """Each file by itself: no unknown keys, no wrong types, no secrets."""
    checked = CheckedParts([], {})
    for part in parts:
        faults = list(shape_errors(part.tree, file_schema(part.kind.name)))
        checked.holes[part.file] = _holes(faults)
        told = [*(fault.diagnostic for fault in faults), *_secrets(part, documents)]
        checked.diagnostics.extend(item.about(part.environment) for item in told)
    return checked


def _secrets(part: Part, documents: Mapping[str, Document]) -> Iterator[Diagnostic]:
    for rule in secrets.RULES:
        for finding in rule.check(part) if rule.check else ():
            found = diagnose(rule, finding, part.tree, documents)
            yield found.about(related=part.texts)


def check_environment(
    environment: Environment, judge: Judge, sources: Sources = _NO_SOURCES
) -> Checked:
    """The composed environment and its specs: complete, and by the rules.

    `judge` says how bad a finding is, or that it is none. What came from a broken file is checked
    as far as possible, but is not sound.
    """
    misshapen = [] if sources.settled else _misshapen(environment)
    environment = _described(environment, misshapen)
    about = (
        item.diagnostic.about(environment.name, related=environment.files) for item in misshapen
    )
    places = {item.diagnostic.place for item in misshapen}
    told = _judged(_check_description(environment), judge)
    found = [*about, *(item for item in told if item.place not in places)]
    is_described = not has_errors(found)
    has_places = not any(hole[:1] == ("destinations",) for hole in _holes(misshapen))
    shapes = {
        spec.identity: [] if sources.knows_shape(spec) else list(_shape(spec, environment))
        for spec in environment.specs
    }
    found += (fault.diagnostic for faults in shapes.values() for fault in faults)
    legible = _legible(environment, shapes, sources.holes)
    sound: list[Spec] = []
    pairs = zip(environment.specs, legible.specs, strict=True)
    for original, spec in pairs if has_places else ():
        if earlier := sources.known.get(spec.key):
            sound += [original] if earlier.sound else []
            continue
        used = _used(spec, legible)
        faults = [fault for item in (spec, *used) for fault in shapes[item.identity]]
        told = _judged(_by_rules(spec, legible, used, sources.documents), judge)
        places = {fault.diagnostic.place for fault in faults}
        problems = [item for item in told if item.place not in places]
        found += problems
        files = (file for item in (spec, *used) for file in item.files)
        if not (faults or has_errors(problems) or any(file in sources.broken for file in files)):
            sound.append(original)
    return Checked(found, tuple(sound) if is_described else ())


def _misshapen(environment: Environment) -> list[ShapeError]:
    return list(shape_errors(environment.tree, strict_schema("Environment")))


def _described(environment: Environment, faults: Iterable[ShapeError]) -> Environment:
    """The environment without the settings that are not what they are for."""
    paths = {fault.unreliable_path for fault in faults if fault.unreliable_path is not None}
    return environment._replace(tree=without(environment.tree, paths)) if paths else environment


def _legible(
    environment: Environment,
    shapes: Mapping[Identity, list[ShapeError]],
    holes: Mapping[str, Holes],
) -> Environment:
    """The environment as the rules can read it: without the values that are not what they are for.

    A value that is taken out, or that is missing, is told once, by its shape.
    """
    if not any(shapes.values()) and not any(holes.values()):
        return environment
    specs = {
        spec.identity: _taken_out(spec, shapes[spec.identity], holes) for spec in environment.specs
    }
    by_name = {name: specs.get(s.identity, s) for name, s in environment.by_name.items()}
    return environment._replace(specs=tuple(specs.values()), by_name=by_name)


def _taken_out(spec: Spec, faults: list[ShapeError], holes: Mapping[str, Holes]) -> Spec:
    """Without what does not fit; of a file of its chain, what does not fit there is not heard."""
    paths = {fault.unreliable_path for fault in faults if fault.unreliable_path is not None}
    every = _holes(faults).union(*(holes.get(file, ()) for file in spec.files))
    return spec._replace(tree=without(spec.tree, paths), holes=every) if every else spec


def _holes(faults: Iterable[ShapeError]) -> Holes:
    paths = (fault.unreliable_path for fault in faults if fault.unreliable_path is not None)
    return frozenset(tuple(part for part in path if isinstance(part, str)) for path in paths)


def check_project(environments: Sequence[Environment]) -> Iterator[Diagnostic]:
    """What concerns several environments: they may share a cluster."""
    platforms = {item.platform for env in environments for item in env.destinations}
    for name in sorted(platforms & BACKENDS.keys()):
        for rule in BACKENDS[name].rules("Project"):
            if rule.check and rule.kind == "Project":
                for finding in rule.check(environments):
                    found = diagnose(rule, finding, environments[0].tree)
                    yield found.about(*finding.environments, related=finding.related)


def _judged(found: Iterable[Diagnostic], judge: Judge) -> Iterator[Diagnostic]:
    for item in found:
        if judged := judge(item):
            yield judged


def _check_description(environment: Environment) -> Iterator[Diagnostic]:
    platforms = {item.platform for item in environment.destinations} & BACKENDS.keys()
    theirs = (BACKENDS[name].rules("Environment") for name in sorted(platforms))
    rules = [*RULES, *(rule for some in theirs for rule in some)]
    for rule in rules:
        if rule.check and rule.kind == "Environment":
            for finding in rule.check(environment):
                found = diagnose(rule, finding, environment.tree)
                yield found.about(environment.name, related=environment.files)


def _shape(spec: Spec, environment: Environment) -> Iterator[ShapeError]:
    related = (*spec.files, *environment.files)
    schema = strict_schema(spec.kind.name)
    for error in (*shape_errors(spec.tree, schema), *_default_name(spec)):
        about = error.diagnostic.about(environment.name, related=related)
        yield error._replace(diagnostic=about)


def _default_name(spec: Spec) -> Iterator[ShapeError]:
    """The name of the file has to do as a name where the spec gives none."""
    field = spec.kind.name_field
    if spec.tree.get(field) or not field:
        return
    named = Node({field: spec.name_node}, spec.tree.origin)
    for found in check_shape(named, name_schema(spec.kind.name)):
        yield ShapeError(None, found._replace(fix=f"rename the file, or add {field}"))


def _used(spec: Spec, environment: Environment) -> list[Spec]:
    references = OWNERS[spec.kind.name].references(spec)
    found = (environment.named(item.kind, item.name) for item in references)
    return [item for item in found if item]


def _by_rules(
    spec: Spec,
    environment: Environment,
    used: list[Spec],
    documents: Mapping[str, Document],
) -> Iterator[Diagnostic]:
    """By the rules for all kinds and by its platform's, and what variables give away."""
    told = [*secrets.by_variables(spec), *_told(spec, environment)]
    related = {*environment.files, *(file for item in (spec, *used) for file in item.files)}
    for rule, finding in told:
        found = diagnose(rule, finding, spec.tree, documents)
        yield found.about(environment.name, related=related)


def _told(spec: Spec, environment: Environment) -> Iterator[RuleFinding]:
    """What the rules find, as far as what they read is legible."""
    view = OWNERS[spec.kind.name].view(spec, environment)
    for rule, check in _rules_for(spec.kind.name):
        if not spec.holes or all(map(spec.tells, rule.reads)):
            for finding in check(spec if rule.kind == _ANY else view):
                yield RuleFinding(rule, finding)


@cache
def _rules_for(kind: str) -> tuple[tuple[Rule, Check], ...]:
    """The rules for specs of a kind, and their functions."""
    rules = (*RULES, *OWNERS[kind].rules(kind))
    return tuple((rule, rule.check) for rule in rules if rule.check and rule.kind in (_ANY, kind))


def diagnose(
    rule: Rule,
    finding: Finding,
    tree: Node,
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> Diagnostic:
    """A rule's finding at the line that caused it, within a text of a file too."""
    from renderer.text import embedded

    where = finding.origin or embedded.place(tree, finding, documents)
    key = tree.locate(finding.path, at_key=True)
    via = (key.file, key.line) if key.file != where.file else None
    return rule.at(where, finding.message, finding.fix)._replace(via=via)
