"""The repository's own rules over one spec: as it is composed, as it is rendered, as it runs."""

from collections.abc import Callable, Iterator, Mapping

from renderer.backends.kinds import functions_of
from renderer.policies.evaluation import policy_findings
from renderer.policies.rule_files import RepositoryRule
from renderer.policies.subjects import (
    Subject,
    destination_data,
    environment_data,
    spec_data,
    unit_tree,
)
from renderer.values.derivations import Applied, ObjectName
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import Node, Plain

Needed = Mapping[str, Mapping[ObjectName, Node]]


def own_findings(
    rules: tuple[RepositoryRule, ...],
    spec: Spec,
    environment: Environment,
    manifests: tuple[Manifest, ...],
    needed: Callable[[], Needed],
) -> list[Diagnostic]:
    """What the rules find; `needed` are the objects that a spec refers to, if anyone asks."""
    wanted = {rule.on for rule in rules}
    return list(policy_findings(rules, [*_subjects(wanted, spec, environment, manifests, needed)]))


def _subjects(
    wanted: set[str],
    spec: Spec,
    environment: Environment,
    manifests: tuple[Manifest, ...],
    needed: Callable[[], Needed],
) -> Iterator[Subject]:
    known = {item.name: item for item in environment.destinations}
    common: dict[str, Plain] = {
        "environment": environment_data(environment),
        "spec": spec_data(spec),
    }
    seen: set[str] = set()
    for item in manifests:
        destination = known[item.destination]
        data = {**common, "destination": destination_data(destination)}
        place = spec, environment, destination
        if item.destination not in seen:
            seen.add(item.destination)
            yield Subject("spec", *place, spec.tree, data)
        kind = item.tree.text_at("kind")
        if wanted & {"object", "unit"}:
            data = {**data, "object": item.tree.plain()}
            yield Subject("object", *place, item.tree, data, kind)
        for tree in _units(item, environment, needed) if "unit" in wanted else ():
            yield Subject("unit", *place, tree, {**data, "unit": tree.plain()}, kind)


def _units(
    item: Manifest, environment: Environment, needed: Callable[[], Needed]
) -> Iterator[Node]:
    derive = functions_of(item.spec.kind.name).derive
    if derive:
        applied = Applied(item.spec, environment, item.tree, needed(), item.destination)
        for unit in derive(applied, None).units:
            if not unit.problem:
                yield unit_tree(unit, item.tree, item.spec)
