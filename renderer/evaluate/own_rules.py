"""The repository's own rules over one spec: as it is composed, as it is rendered, as it runs.

The admission policies of its clusters look at what is rendered, and at what platforms make of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from renderer.backends.kinds import folder_of, functions_of
from renderer.evaluate.shared import Shared
from renderer.evaluate.surroundings import surroundings
from renderer.kubernetes.stored_objects import admitted_tree
from renderer.policies.admission import admission_findings
from renderer.policies.admission_files import Admission
from renderer.policies.evaluation import policy_findings
from renderer.policies.matches import fact_texts, facts_of, matches
from renderer.policies.requests import Request
from renderer.policies.rule_files import RepositoryRule
from renderer.policies.subjects import (
    Subject,
    destination_data,
    environment_data,
    spec_data,
    unit_tree,
)
from renderer.values.derivations import Applied, DerivedObject, DerivedUnit, ObjectName
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment, Spec
from renderer.values.objects import Manifest
from renderer.values.tree import Node, Plain

_WORKLOAD_GROUPS = ("apps", "batch")
Needed = Mapping[str, Mapping[ObjectName, Node]]


class RenderedUnits:
    """A spec with its objects in an environment, and what runs by them, derived once if asked for.

    `needed` are the objects that it refers to.
    """

    def __init__(
        self,
        spec: Spec,
        environment: Environment,
        manifests: tuple[Manifest, ...],
        needed: Callable[[], Needed],
    ) -> None:
        self.spec, self.environment, self.manifests = spec, environment, manifests
        self._needed = needed

    @cached_property
    def units(self) -> list[tuple[Manifest, DerivedUnit]]:
        """The units of each object, without those of which a platform makes nothing."""
        return [
            (item, unit)
            for item in self.manifests
            if (derive := functions_of(item.spec.kind.name).derive)
            for unit in derive(self._applied(item), None).units
            if not unit.problem
        ]

    def _applied(self, item: Manifest) -> Applied:
        return Applied(item.spec, self.environment, item.tree, self._needed(), item.destination)


def own_findings(shared: Shared, rendered: RenderedUnits) -> list[Diagnostic]:
    """What rules and policies find in a spec."""
    policies = shared.policies
    found = [*policy_findings(policies.rules, [*_subjects(policies.rules, rendered)])]
    if policies.admission.pairs:
        around = surroundings(shared)[rendered.environment.name]
        found += admission_findings(
            policies.admission, [*_requests(policies.admission, rendered)], around
        )
    return found


def rule_facts(rendered: RenderedUnits) -> tuple[str, ...]:
    """By what rules match a spec: what was found in it depends on those that do, and no others."""
    spec, environment = rendered.spec, rendered.environment
    known = {item.name: item for item in environment.destinations}
    return tuple(
        fact_texts(
            facts_of(spec, environment, known[item.destination], item.tree.text_at("kind"))
            for item in rendered.manifests
        )
    )


def _requests(admission: Admission, rendered: RenderedUnits) -> Iterator[Request]:
    """Everything is made anew: what is in Git can be applied to a cluster that has nothing."""
    place = rendered.spec, rendered.environment
    known = set()
    for item in rendered.manifests:
        yield Request("CREATE", *place, admitted_tree(item.tree))
        known.add(DerivedObject(item.tree).identity)
    if admission.means_others_than(folder_of(kind) for _, kind, _, _ in known):
        for item, unit in rendered.units:
            made = (one for one in _made_objects(unit) if one.identity not in known)
            for one in made:
                tree = _make_name_plain(admitted_tree(one.tree))
                yield Request("CREATE", *place, tree, maker=item.tree)


def _make_name_plain(tree: Node) -> Node:
    """With a name that Kubernetes takes, where a preview shows what is made up on the way."""
    node = tree.get("metadata", "name")
    if node is None or "<" not in str(node.value):
        return tree
    plain = node.with_value(str(node.value).replace("<", "").replace(">", ""))
    metadata = tree.items["metadata"]
    named = metadata.with_members({**metadata.items, "name": plain})
    return tree.with_members({**tree.items, "metadata": named})


def _made_objects(unit: DerivedUnit) -> Iterator[DerivedObject]:
    """What a platform makes of a unit, with the pods of workloads if it does not say these."""
    yield from unit.objects
    if all(one.kind != "Pod" for one in unit.objects):
        for one in unit.objects:
            template = one.tree.get("spec", "template")
            if one.group in _WORKLOAD_GROUPS and template and "spec" in template.items:
                yield DerivedObject(_pod(one, template))


def _pod(workload: DerivedObject, template: Node) -> Node:
    """A pod as its template has it, before anything of the cluster changes it."""
    given = template.get("metadata")
    about = {"name": f"{workload.name}-pod", "namespace": workload.namespace}
    metadata = {key: Node(text, template.origin) for key, text in about.items()}
    head = {"apiVersion": Node("v1", template.origin), "kind": Node("Pod", template.origin)}
    labels = given.items if given else {}
    return Node(
        {**head, "metadata": Node({**labels, **metadata}, template.origin),
         "spec": template.items["spec"]},
        template.origin,
    )  # fmt: skip


def _subjects(rules: Sequence[RepositoryRule], rendered: RenderedUnits) -> Iterator[Subject]:
    """What rules may look at; what runs is derived only where one of them is about it."""
    spec, environment = rendered.spec, rendered.environment
    known = {item.name: item for item in environment.destinations}
    common: dict[str, Plain] = {
        "environment": environment_data(environment),
        "spec": spec_data(spec),
    }
    seen: set[str] = set()
    for item in rendered.manifests:
        destination = known[item.destination]
        data = {**common, "destination": destination_data(destination)}
        place = spec, environment, destination
        if item.destination not in seen:
            seen.add(item.destination)
            yield Subject("spec", *place, spec.tree, data)
        kind = item.tree.text_at("kind")
        facts = facts_of(*place, kind)
        meant = {rule.on for rule in rules if matches(rule, facts)}
        if meant & {"object", "unit"}:
            data = {**data, "object": item.tree.plain()}
            yield Subject("object", *place, item.tree, data, kind)
        for one, unit in rendered.units if "unit" in meant else ():
            if one is item:
                tree = unit_tree(unit, item.tree, spec)
                yield Subject("unit", *place, tree, {**data, "unit": tree.plain()}, kind)
