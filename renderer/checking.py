"""What is wrong with an environment before anything is rendered."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.diagnostics import Diagnostic, Finding, Rule, has_errors
from renderer.documents import embedded
from renderer.kinds import OWNERS, authoring_schema, name_schema, strict_schema
from renderer.model import Document, Environment, Part, Spec
from renderer.rules import RULES, secrets
from renderer.schemacheck import rules as shape_rules
from renderer.schemacheck.validation import check as check_shape
from renderer.tree import Node

_ANY = "*"
_HARMLESS = frozenset((shape_rules.UNKNOWN_KEY.code,))  # views do not look at unknown keys
_NO_DOCUMENTS: Mapping[str, Document] = {}
Judge = Callable[[Diagnostic], Diagnostic | None]


class Checked(NamedTuple):
    """What checking an environment found, and the specs that can be rendered."""

    diagnostics: list[Diagnostic]
    sound: tuple[Spec, ...]


def check_parts(parts: Iterable[Part], documents: Mapping[str, Document]) -> Iterator[Diagnostic]:
    """Each file by itself: no unknown keys, no wrong types, no secrets."""
    for part in parts:
        for found in check_shape(part.tree, authoring_schema(part.kind.name)):
            yield found.about(part.environment)
        for rule in secrets.RULES:
            for finding in rule.check(part) if rule.check else ():
                found = diagnose(rule, finding, part.tree, documents)
                yield found.about(part.environment, related=part.texts)


def check_environment(
    environment: Environment,
    judge: Judge,
    broken: Container[str] = (),
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> Checked:
    """The composed environment and its specs: complete, and by the rules.

    `judge` says how bad a finding is, or that it is none. What came from a `broken` file is checked
    as far as possible, but is not sound. `documents` tell the lines of findings within texts.
    """
    misshapen = list(check_shape(environment.tree, strict_schema("Environment")))
    described = [item.about(environment.name, related=environment.files) for item in misshapen]
    if not misshapen:
        described += _judged(_check_description(environment), judge)
    shapes = {spec.identity: list(_shape(spec, environment)) for spec in environment.specs}
    found = [*described, *(item for problems in shapes.values() for item in problems)]
    sound: list[Spec] = []
    for spec in () if misshapen else environment.specs:
        used = _used(spec, environment)
        faults = [fault for item in (spec, *used) for fault in shapes[item.identity]]
        readable = all(fault.code in _HARMLESS for fault in faults)
        told = _by_rules(spec, environment, used, documents, readable=readable)
        problems = list(_judged(told, judge))
        found += problems
        files = (file for item in (spec, *used) for file in item.files)
        if not faults and not has_errors(problems) and not any(file in broken for file in files):
            sound.append(spec)
    return Checked(found, tuple(sound))


def check_project(environments: Sequence[Environment]) -> Iterator[Diagnostic]:
    """What concerns several environments: they may share a cluster."""
    platforms = {item.platform for env in environments for item in env.destinations}
    for name in sorted(platforms & BACKENDS.keys()):
        for rule in BACKENDS[name].rules():
            if rule.check and rule.kind == "Project":
                for finding in rule.check(environments):
                    found = diagnose(rule, finding, environments[0].tree)
                    yield found.about(*finding.environments, related=finding.related)


def _judged(found: Iterable[Diagnostic], judge: Judge) -> Iterator[Diagnostic]:
    for item in found:
        if judged := judge(item):
            yield judged


def _check_description(environment: Environment) -> Iterator[Diagnostic]:
    platforms = {item.platform for item in environment.destinations}
    rules = [*RULES, *(r for name in sorted(platforms) for r in BACKENDS[name].rules())]
    for rule in rules:
        if rule.check and rule.kind == "Environment":
            for finding in rule.check(environment):
                found = diagnose(rule, finding, environment.tree)
                yield found.about(environment.name, related=environment.files)


def _shape(spec: Spec, environment: Environment) -> Iterator[Diagnostic]:
    related = (*spec.files, *environment.files)
    schema = strict_schema(spec.kind.name)
    for found in (*check_shape(spec.tree, schema), *_default_name(spec)):
        yield found.about(environment.name, related=related)


def _default_name(spec: Spec) -> Iterator[Diagnostic]:
    """The name of the file has to do as a name where the spec gives none."""
    field = spec.kind.name_field
    if spec.tree.get(field) or not field:
        return
    named = Node({field: spec.name_node}, spec.tree.origin)
    for found in check_shape(named, name_schema(spec.kind.name)):
        yield found._replace(fix=f"rename the file, or add {field}")


def _used(spec: Spec, environment: Environment) -> list[Spec]:
    references = OWNERS[spec.kind.name].references(spec)
    found = (environment.named(item.kind, item.name) for item in references)
    return [item for item in found if item]


def _by_rules(
    spec: Spec,
    environment: Environment,
    used: list[Spec],
    documents: Mapping[str, Document],
    *,
    readable: bool,
) -> Iterator[Diagnostic]:
    """By the rules for all kinds and, if its shape can be relied on, by its platform's."""
    backend = OWNERS[spec.kind.name]
    view = backend.view(spec, environment) if readable else None
    related = {*environment.files, *(file for item in (spec, *used) for file in item.files)}
    for rule in (*RULES, *(backend.rules() if readable else ())):
        if rule.check and rule.kind in (_ANY, spec.kind.name):
            for finding in rule.check(spec if rule.kind == _ANY else view):
                found = diagnose(rule, finding, spec.tree, documents)
                yield found.about(environment.name, related=related)


def diagnose(
    rule: Rule,
    finding: Finding,
    tree: Node,
    documents: Mapping[str, Document] = _NO_DOCUMENTS,
) -> Diagnostic:
    """A rule's finding at the line that caused it, within a text of a file too."""
    where = finding.origin or embedded.place(tree, finding, documents)
    return rule.at(where, finding.message, finding.fix)
