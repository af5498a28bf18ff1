"""What is wrong with an environment before anything is rendered."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.diagnostics import Diagnostic, Finding, Rule, has_errors
from renderer.kinds import OWNERS, authoring_schema, strict_schema
from renderer.model import Environment, Node, Part, Spec
from renderer.rules import RULES
from renderer.schemacheck.validation import check as check_shape


class Checked(NamedTuple):
    """What checking an environment found, and the specs that can be rendered."""

    diagnostics: list[Diagnostic]
    sound: tuple[Spec, ...]


def check_parts(parts: Iterable[Part]) -> Iterator[Diagnostic]:
    """Each file by itself: no unknown keys, no wrong types."""
    for part in parts:
        for found in check_shape(part.tree, authoring_schema(part.kind.name)):
            yield found.about(part.environment)


def check_environment(environment: Environment, broken: Container[str] = ()) -> Checked:
    """The composed environment and its specs: complete, and by the rules.

    What came from a `broken` file is checked as far as possible, but is not sound.
    """
    described = list(_check_description(environment))
    shapes = {spec.identity: list(_shape(spec, environment)) for spec in environment.specs}
    found = [*described, *(item for problems in shapes.values() for item in problems)]
    sound: list[Spec] = []
    for spec in () if has_errors(described) else environment.specs:
        used = _used(spec, environment)
        if any(has_errors(shapes[item.identity]) for item in (spec, *used)):
            continue
        problems = list(_by_rules(spec, environment, used))
        found += problems
        files = (file for item in (spec, *used) for file in item.files)
        if not has_errors(problems) and not any(file in broken for file in files):
            sound.append(spec)
    return Checked(found, tuple(sound))


def _check_description(environment: Environment) -> Iterator[Diagnostic]:
    found = list(check_shape(environment.tree, strict_schema("Environment")))
    yield from (item.about(environment.name) for item in found)
    if found:
        return
    platforms = {item.platform for item in environment.destinations}
    rules = [*RULES, *(r for name in sorted(platforms) for r in BACKENDS[name].rules())]
    for rule in rules:
        if rule.check and rule.kind == "Environment":
            for finding in rule.check(environment):
                yield diagnose(rule, finding, environment.tree).about(environment.name)


def _shape(spec: Spec, environment: Environment) -> Iterator[Diagnostic]:
    related = (*spec.files, *environment.files)
    for found in check_shape(spec.tree, strict_schema(spec.kind.name)):
        yield found.about(environment.name, related=related)


def _used(spec: Spec, environment: Environment) -> list[Spec]:
    references = OWNERS[spec.kind.name].references(spec)
    found = (environment.named(item.kind, item.name) for item in references)
    return [item for item in found if item]


def _by_rules(spec: Spec, environment: Environment, used: list[Spec]) -> Iterator[Diagnostic]:
    backend = OWNERS[spec.kind.name]
    view = backend.view(spec, environment)
    related = {*environment.files, *(file for item in (spec, *used) for file in item.files)}
    for rule in backend.rules():
        if rule.check and rule.kind == spec.kind.name:
            for finding in rule.check(view):
                yield diagnose(rule, finding, spec.tree).about(environment.name, related=related)


def diagnose(rule: Rule, finding: Finding, tree: Node) -> Diagnostic:
    """A rule's finding at the line that caused it."""
    where = tree.locate(finding.path, at_key=finding.at_key)
    return rule.at(where, finding.message, finding.fix)
