"""Faults of admission policies and bindings: each is found at its line, in words that name it."""

import pytest

from tests.support.admission import BINDING, BINDING_FILE, POLICY, POLICY_FILE, found_with
from tests.support.rows import each

pytestmark = pytest.mark.process
OLD = "expression: object.spec.predictor.maxReplicas <= 1"
SECOND = "policies/second.yaml"
BETA = "admissionregistration.k8s.io/v1beta1"


def expression(text):
    return {OLD: f"expression: {text}"}


def before_validations(text):
    return {"  validations:": f"{text}\n  validations:"}


#: Name, what is changed in the policy, code, line, column, a part of the message.
OF_POLICIES = [
    ("unknown variable", expression("objekt.kind == ''"), "SPC022", 12, 25, "'objekt"),
    ("unknown function", expression("object.kind.shout()"), "SPC022", 12, 36, "'shout'"),
    ("type error", expression("1 + 'a' == 2"), "SPC022", 12, 21, "no matching overload"),
    ("a number", expression("1 + 1"), "SPC022", 12, 19, "must evaluate to bool"),
    ("open bracket", expression("(true"), "SPC022", 12, 24, "Syntax error"),
    ("no paramKind", expression("params.data.a == ''"), "SPC022", 12, 30, "'params"),
    ("unknown variable of the policy", expression("variables.most < 1"), "SPC022", 12, 28,
     "'variables"),
    ("a variable in a condition", before_validations(
        "  variables: [{name: a, expression: '1'}]\n"
        "  matchConditions: [{name: b, expression: variables.a == 1}]"), "SPC022", 12, 52,
     "'variables"),
    ("a later variable", before_validations(
        "  variables: [{name: a, expression: variables.b}, {name: b, expression: '1'}]"),
     "SPC022", 11, 46, "'variables"),
    ("a variable of nothing", before_validations("  variables: [{name: a, expression: what}]"),
     "SPC022", 11, 37, "'what'"),
    ("a message that is no text", {OLD: f"{OLD}\n      messageExpression: 1 + 1"}, "SPC022", 13, 26,
     "must evaluate to string"),
    ("an empty expression", {OLD: 'expression: ""'}, "SPC016", 12, 19, "expression"),
    ("no expression", {f"- {OLD}": "- message: a"}, "SPC011", 12, 7, "expression"),
    ("nothing to validate", {f"  validations:\n    - {OLD}\n": ""}, "SPC025", 4, 1, "neither"),
    ("no constraints", {POLICY[POLICY.index("  matchC") : POLICY.index("  validations")]: ""},
     "SPC011", 4, 1, "matchConstraints"),
    ("no resource rules", {POLICY[POLICY.index("    resource") : POLICY.index("  validations")]:
     "    matchPolicy: Exact\n"}, "SPC011", 5, 3, "resourceRules"),
    ("unknown operation", {"[CREATE, UPDATE]": "[CREATE, PATCH]"}, "SPC014", 9, 30, "PATCH"),
    ("no operations", {"        operations: [CREATE, UPDATE]\n": ""}, "SPC011", 7, 9, "operations"),
    ("unknown scope", {"[inferenceservices]": "[inferenceservices]\n        scope: Region"},
     "SPC014", 11, 16, "Region"),
    ("failure policy", before_validations("  failurePolicy: Stop"), "SPC014", 11, 18, "Stop"),
    ("unknown reason", {OLD: f"{OLD}\n      reason: Because"}, "SPC014", 13, 15, "Because"),
    ("unknown key", before_validations("  rules: []"), "SPC010", 11, 3, "rules"),
    ("no name", {"{name: replicas}": "{labels: {a: b}}"}, "SPC011", 3, 1, "name"),
    ("a variable twice", before_validations(
        "  variables: [{name: a, expression: '1'}, {name: a, expression: '2'}]"), "SPC025", 11, 50,
     "'a' already"),
    ("a condition twice", before_validations(
        "  matchConditions: [{name: a, expression: 'true'}, {name: a, expression: 'true'}]"),
     "SPC025", 11, 59, "'a' already"),
    ("a name that is none", before_validations("  variables: [{name: a-b, expression: '1'}]"),
     "SPC015", 11, 22, "a-b"),
    ("unknown operator", {
        "    resourceRules:": "    objectSelector: {matchExpressions: [{key: a, operator: Is}]}\n"
        "    resourceRules:"}, "SPC014", 6, 60, "Is"),
    ("In without values", {
        "    resourceRules:": "    objectSelector: {matchExpressions: [{key: a, operator: In}]}\n"
        "    resourceRules:"}, "SPC025", 6, 50, "In needs values"),
    ("Exists with values", {
        "    resourceRules:": "    namespaceSelector: {matchExpressions: [{key: a, values: [b], "
        "operator: Exists}]}\n    resourceRules:"}, "SPC025", 6, 53, "Exists has no values"),
    ("an old version", {"io/v1": "io/v1alpha1"}, "SPC014", 1, 13, "v1alpha1"),
    ("a changing policy", {"kind: ValidatingAdmissionPolicy": "kind: MutatingAdmissionPolicy"},
     "POL013", 1, 1, "MutatingAdmissionPolicy 'replicas' is not evaluated"),
    ("a webhook", {"kind: ValidatingAdmissionPolicy": "kind: ValidatingWebhookConfiguration"},
     "POL013", 1, 1, "ValidatingWebhookConfiguration 'replicas' is not evaluated"),
    ("who asks", expression("request.userInfo.username != ''"), "POL013", 12, 19, "not evaluated"),
    ("who may", expression("authorizer.path('/a').check('get').allowed()"), "POL013", 12, 19,
     "not evaluated"),
    ("who may, with a dot", expression(".authorizer.path('/a').check('get').allowed()"), "POL013",
     12, 19, "not evaluated"),
    ("a long sum", expression("1" + " + 1" * 39 + " > 0"), "POL013", 12, 19, "too deeply"),
    ("brackets", expression("(" * 40 + "1" + ")" * 40 + " > 0"), "POL013", 12, 19, "too deeply"),
    ("a key twice", {"  validations:": "  validations:\n  validations:"}, "YML005", 12, 3, "valid"),
]  # fmt: skip
#: The same of the binding.
OF_BINDINGS = [
    ("no policy of the name", {"policyName: replicas": "policyName: replica"}, "POL013", 5, 15,
     "its policy is not here"),
    ("no policy", {"  policyName: replicas\n": ""}, "SPC011", 4, 1, "policyName"),
    ("no actions", {"  validationActions: [Deny]\n": ""}, "SPC011", 4, 1, "validationActions"),
    ("empty actions", {"[Deny]": "[]"}, "SPC016", 6, 22, "validationActions"),
    ("unknown action", {"[Deny]": "[Refuse]"}, "SPC014", 6, 23, "Refuse"),
    ("an action twice", {"[Deny]": "[Warn, Warn]"}, "SPC016", 6, 29, "Warn"),
    ("two actions that exclude each other", {"[Deny]": "[Deny, Warn]"}, "SPC025", 6, 29, "exclude"),
    ("two ways to parameters", {"  validationActions": "  paramRef: {name: a, selector: {}, "
     "parameterNotFoundAction: Deny}\n  validationActions"}, "SPC025", 6, 3, "one of"),
    ("no way to parameters", {"  validationActions": "  paramRef: {parameterNotFoundAction: Deny}\n"
     "  validationActions"}, "SPC025", 6, 3, "one of"),
    ("parameters without what to do", {"  validationActions": "  paramRef: {name: a}\n"
     "  validationActions"}, "SPC011", 6, 3, "parameterNotFoundAction"),
]  # fmt: skip


def said(found, file):
    return [(i.code, i.line, i.column, i.message) for i in found if i.file == file]


@each("fault", OF_POLICIES, name=lambda fault: fault[0])
def test_faults_of_policies(fault):
    _, pairs, code, line, column, message = fault
    found = said(found_with(pairs), POLICY_FILE)
    assert any(s[:3] == (code, line, column) and message in s[3] for s in found), found


@each("fault", OF_BINDINGS, name=lambda fault: fault[0])
def test_faults_of_bindings(fault):
    _, pairs, code, line, column, message = fault
    found = said(found_with(None, pairs), BINDING_FILE)
    assert any(s[:3] == (code, line, column) and message in s[3] for s in found), found


def test_parameters_that_are_not_here():
    more = {"  validations:": "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:"}
    text = "  paramRef: {name: limits, parameterNotFoundAction: Deny}\n"
    reference = {"  validationActions": f"{text}  validationActions"}
    found = said(found_with(more, reference), BINDING_FILE)
    assert [item[:3] for item in found] == [("POL013", 6, 14)]
    assert "the ConfigMap 'limits' with its parameters is not here" in found[0][3]


@each(
    "text",
    [POLICY, POLICY.replace("admissionregistration.k8s.io/v1", BETA), BINDING],
    name=lambda text: text.split("\n")[0] + text.split("\n")[1],
)
def test_two_of_one_name(text):
    """In a cluster they are one object, whichever version they are written in."""
    found = said(found_with(more={SECOND: text}), SECOND)
    assert [item[:2] for item in found] == [("SPC025", 3)]
    assert "already" in found[0][3]


def test_what_is_sound_has_no_fault():
    found = found_with()
    assert [item for item in found if item.file in (POLICY_FILE, BINDING_FILE)] == []


def test_there_are_forty_faults():
    assert len(OF_POLICIES) + len(OF_BINDINGS) > 40
