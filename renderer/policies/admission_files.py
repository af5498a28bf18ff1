"""Admission policies of clusters that lie in a repository, with bindings and parameters."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements
from renderer.policies.expressions import Definitions
from renderer.policies.rules import NOT_EVALUATED, NOT_TAKEN
from renderer.schema.bundle import bundled_schema
from renderer.schema.validation import shape_errors
from renderer.values.diagnostics import Diagnostic
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

GROUP = "admissionregistration.k8s.io"
POLICY, BINDING = "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"
_SCHEMAS = {POLICY: "spec/admission-policy.json", BINDING: "spec/admission-policy-binding.json"}
_SELECTORS = ("objectSelector", "namespaceSelector", "selector")
#: Operators of selectors that compare a label with values.
_COMPARING = ("In", "NotIn")
ParamKind = tuple[str, str]
"""The version, with its group, and the kind of objects that have parameters."""
NAMESPACE: ParamKind = ("v1", "Namespace")


class Validation(NamedTuple):
    """What must be true of a request, and what is said where it is not."""

    expression: str
    message: str
    message_expression: str
    node: Node


class AdmissionPolicy(NamedTuple):
    """A policy of a cluster: which requests it is about, and what must be true of them."""

    name: str
    constraints: Node
    conditions: tuple[Validation, ...]
    variables: Definitions
    validations: tuple[Validation, ...]
    is_firm: bool
    param_kind: ParamKind | None
    tree: Node

    @property
    def file(self) -> str:
        return self.tree.origin.file


class Binding(NamedTuple):
    """Where a policy holds, with which parameters, and what follows where it is not kept."""

    name: str
    policy: str
    actions: frozenset[str]
    resources: Node | None
    params: Node | None
    tree: Node

    @property
    def file(self) -> str:
        return self.tree.origin.file


class Admission(NamedTuple):
    """All policies and bindings of a repository, and the parameters that lie beside them."""

    policies: tuple[AdmissionPolicy, ...] = ()
    bindings: tuple[Binding, ...] = ()
    params: tuple[Node, ...] = ()

    @property
    def pairs(self) -> list[tuple[AdmissionPolicy, Binding]]:
        """Each policy with each of its bindings, without which nobody asks it."""
        known = {item.name: item for item in self.policies}
        return [(known[item.policy], item) for item in self.bindings if item.policy in known]

    @property
    def param_kinds(self) -> frozenset[ParamKind]:
        return frozenset(item.param_kind for item in self.policies if item.param_kind)

    def means_others_than(self, resources: Iterable[str]) -> bool:
        """Whether a policy may be about other resources than some, as platforms make them."""
        rules = (
            rule
            for policy, _ in self.pairs
            for rule in elements(policy.constraints, "resourceRules")
        )
        named = {str(node.value) for rule in rules for node in elements(rule, "resources")}
        return not named <= {*resources}


def is_admission(tree: Node) -> bool:
    """Whether a document is of the group that policies of clusters belong to."""
    return tree.text_at("apiVersion").startswith(f"{GROUP}/")


def read_admission(
    trees: Iterable[Node], others: Iterable[Node]
) -> tuple[Admission, list[Diagnostic]]:
    """The policies among documents, with the parameters among others, and what is wrong."""
    found: list[Diagnostic] = []
    known: dict[tuple[str, str], Node] = {}
    for tree in trees:
        wrong = list(_faults(tree))
        found += wrong
        if not wrong:
            key = tree.text_at("kind"), tree.text_at("metadata", "name")
            first = known.setdefault(key, tree)
            found += _same_name(tree, first) if first is not tree else ()
    policies = tuple(_policy(tree) for (kind, _), tree in sorted(known.items()) if kind == POLICY)
    bindings = tuple(_binding(tree) for (kind, _), tree in sorted(known.items()) if kind == BINDING)
    admission = Admission(policies, bindings)
    params = tuple(tree for tree in others if kind_of(tree) in admission.param_kinds)
    return admission._replace(params=params), [*found, *_without_partner(admission)]


def kind_of(tree: Node) -> ParamKind:
    return tree.text_at("apiVersion"), tree.text_at("kind")


def _faults(tree: Node) -> Iterator[Diagnostic]:
    kind = tree.text_at("kind")
    if kind not in _SCHEMAS:
        message = f"{kind or 'this'} {tree.text_at('metadata', 'name')!r} is not evaluated"
        fix = "write what it asks for as a Rule, or leave it to the cluster and delete it here"
        yield NOT_EVALUATED.at(tree.origin, message, fix)
        return
    wrong = [fault.diagnostic for fault in shape_errors(tree, bundled_schema(_SCHEMAS[kind]))]
    yield from wrong or (_policy_faults(tree) if kind == POLICY else _binding_faults(tree))


def _policy_faults(tree: Node) -> Iterator[Diagnostic]:
    """What the API server refuses beside a wrong shape."""
    spec = tree.items["spec"]
    if not (elements(spec, "validations") or elements(spec, "auditAnnotations")):
        fix = "add validations or auditAnnotations"
        yield NOT_TAKEN.at(spec.key or spec.origin, "the policy neither validates nor audits", fix)
    yield from _faults_of_selectors(spec.get("matchConstraints"))
    for key in ("matchConditions", "variables"):
        seen: set[str] = set()
        for item in elements(spec, key):
            node = item.items["name"]
            if str(node.value) in seen:
                message = f"{key} has the name {node.value!r} already"
                yield NOT_TAKEN.at(node.origin, message, "give one of the two another name")
            seen.add(str(node.value))


def _binding_faults(tree: Node) -> Iterator[Diagnostic]:
    spec = tree.items["spec"]
    actions = {str(node.value): node for node in elements(spec, "validationActions")}
    if "Deny" in actions and "Warn" in actions:
        message = "Deny and Warn exclude each other: who is refused learns why"
        yield NOT_TAKEN.at(actions["Warn"].origin, message, "keep Deny")
    params = spec.get("paramRef")
    if params and ("name" in params.items) == ("selector" in params.items):
        message = "paramRef has one of name and selector"
        yield NOT_TAKEN.at(params.key or params.origin, message, "write one of the two")
    for node in (spec.get("matchResources"), params):
        yield from _faults_of_selectors(node)


def _faults_of_selectors(node: Node | None) -> Iterator[Diagnostic]:
    """What is asked of a label has values if its operator compares with some, and none if not."""
    selectors = [node.get(key) for key in _SELECTORS] if node else []
    for item in (item for some in selectors if some for item in elements(some, "matchExpressions")):
        operator, values = item.text_at("operator"), elements(item, "values")
        if (operator in _COMPARING) != bool(values):
            message = f"{operator} {'has no' if values else 'needs'} values"
            fix = "delete them" if values else "write values, or Exists"
            place = item.get("values") or item.get("operator") or item
            yield NOT_TAKEN.at(place.key or place.origin, message, fix)


def _same_name(tree: Node, first: Node) -> Iterator[Diagnostic]:
    """Two objects of one name are one in a cluster, whichever version they are written in."""
    node, file = tree.items["metadata"].items["name"], first.origin.file
    message = f"{file} has a {tree.text_at('kind')} {node.value!r} already"
    found = NOT_TAKEN.at(node.origin, message, "give one of the two another name")
    yield found.about(related=(file,))


def _without_partner(admission: Admission) -> Iterator[Diagnostic]:
    """Bindings of policies that are not here, and policies that nothing binds."""
    known = {item.name for item in admission.policies}
    for binding in admission.bindings:
        if binding.policy not in known:
            message = f"the binding {binding.name!r} is not evaluated: its policy is not here"
            fix = f"add the {POLICY} {binding.policy!r}, or delete the binding"
            yield NOT_EVALUATED.at(binding.tree.items["spec"].locate(("policyName",)), message, fix)
    bound = {item.policy for item in admission.bindings}
    for policy in admission.policies:
        if policy.name not in bound:
            message = f"the policy {policy.name!r} is not evaluated: nothing binds it"
            where = policy.tree.items["metadata"].locate(("name",))
            yield NOT_EVALUATED.at(
                where, message, f"add a {BINDING}, without which it does nothing"
            )


def _policy(tree: Node) -> AdmissionPolicy:
    spec = tree.items["spec"]
    kind = spec.get("paramKind")
    variables = elements(spec, "variables")
    return AdmissionPolicy(
        tree.text_at("metadata", "name"),
        spec.items["matchConstraints"],
        tuple(_validation(item) for item in elements(spec, "matchConditions")),
        tuple((item.text_at("name"), item.text_at("expression")) for item in variables),
        tuple(_validation(item) for item in elements(spec, "validations")),
        spec.text_at("failurePolicy") != "Ignore",
        kind_of(kind) if kind else None,
        tree,
    )


def _validation(node: Node) -> Validation:
    return Validation(
        node.text_at("expression"),
        node.text_at("message").strip(),
        node.text_at("messageExpression"),
        node,
    )


def _binding(tree: Node) -> Binding:
    spec = tree.items["spec"]
    return Binding(
        tree.text_at("metadata", "name"),
        spec.text_at("policyName"),
        frozenset(str(node.value) for node in elements(spec, "validationActions")),
        spec.get("matchResources"),
        spec.get("paramRef"),
        tree,
    )
