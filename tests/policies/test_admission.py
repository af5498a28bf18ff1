"""Admission policies of clusters: what they are about, what they say, and where that stands."""

import pytest

from renderer import check
from renderer.evaluate.project import open_project
from renderer.evaluate.question import Question
from renderer.evaluate.run import run
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from renderer.outputs.findings.causes import group_by_cause
from tests.support.admission import (
    BINDING,
    BINDING_FILE,
    FILES,
    FLOWERS,
    MODELS,
    NAMESPACE,
    POLICY,
    POLICY_FILE,
    files_with,
    found_between,
    found_with,
)
from tests.support.memory import project
from tests.support.rows import each

pytestmark = pytest.mark.process
EXPRESSION = "expression: object.spec.predictor.maxReplicas <= 1"
DENIED = "ValidatingAdmissionPolicy 'replicas' with binding 'everywhere' would deny this: "


def only(found):
    (item,) = found
    return item


def test_a_finding_is_in_the_words_of_the_cluster():
    item = only(found_with())
    assert (item.code, str(item.severity)) == ("POL014", "error")
    assert item.place == (FLOWERS, 7, 16)
    assert item.message == f"{DENIED}failed expression: object.spec.predictor.maxReplicas <= 1"
    assert item.environments == ("dev",)
    assert {POLICY_FILE, BINDING_FILE} <= {*item.related}


def test_it_says_what_follows_and_where_the_policy_says_so():
    item = only(found_with())
    assert item.fix == f"see {POLICY_FILE}:12: this has to hold: {EXPRESSION[12:]}"
    assert "refuses the object" in item.why
    assert "warns" in only(found_with(None, {"[Deny]": "[Warn]"})).why


def test_each_policy_and_validation_is_shown_and_counted():
    more = f"{EXPRESSION}\n    - expression: object.spec.predictor.maxReplicas < 2"
    second = "policies/second.yaml"
    files = files_with({EXPRESSION: more}) | {
        second: POLICY.replace("{name: replicas}", "{name: other}"),
        "policies/other.yaml": BINDING.replace("{name: everywhere}", "{name: other}").replace(
            "policyName: replicas", "policyName: other"
        ),
    }
    found = [item for item in check(project(files)) if item.code == "POL014"]
    assert len(found) == len(group_by_cause(found)) == 3


def test_what_keeps_it_is_not_found():
    assert (
        found_with(
            more={
                FLOWERS: FILES[FLOWERS]
                .replace("maxReplicas: 3", "maxReplicas: 1")
                .replace("minReplicas: 2", "minReplicas: 1")
            }
        )
        == []
    )


def test_the_older_version_is_the_same():
    assert len(found_with({"k8s.io/v1": "k8s.io/v1beta1"}, {"k8s.io/v1": "k8s.io/v1beta1"})) == 1


WORDS = [
    ({EXPRESSION: f"{EXPRESSION}\n      message: ' at most one '"}, "at most one"),
    ({EXPRESSION: f"{EXPRESSION}\n      messageExpression: \"'has ' + object.kind\""},
     "has InferenceService"),
    ({EXPRESSION: f"{EXPRESSION}\n      message: a\n      messageExpression: \"'b\\\\nc'\""}, "a"),
    ({EXPRESSION: f"{EXPRESSION}\n      message: a\n      messageExpression: object.no"}, "a"),
    ({EXPRESSION: "expression: object.spec.none == 1"},
     "expression 'object.spec.none == 1' resulted in error: no such key: none"),
    ({"  validations:": "  variables: [{name: most, "
      "expression: object.spec.predictor.maxReplicas}]\n  validations:",
      EXPRESSION: "expression: variables.most <= 1\n"
      "      messageExpression: \"'has ' + string(variables.most)\""}, "has 3"),
    ({EXPRESSION: "expression: request.operation != 'CREATE' || request.name != 'flowers' || "
      "request.resource.resource != 'inferenceservices'\n      message: known"}, "known"),
    ({EXPRESSION: "expression: oldObject != null || request.dryRun\n      message: new"}, "new"),
    # 6,000 bytes are more than the API server takes
    ({EXPRESSION: f"{EXPRESSION}\n      message: a\n      messageExpression: \"'{'é' * 3000}'\""},
     "a"),
]  # fmt: skip


@each("row", WORDS, name=str)
def test_what_is_said(row):
    policy, words = row
    assert only(found_with(policy)).message == DENIED + words


_LONG = "[1,2,3,4,5,6,7,8,9,10]"
_ENDLESS = f"{_LONG}.all(a, {_LONG}.all(b, {_LONG}.all(c, {_LONG}.all(d, {_LONG}.all(e, e > 0)))))"
#: What the cluster answers and this engine does not, and the limits that are ours.
BEYOND = [
    ("\"[duration('1h')].sum() == duration('2h')\"", "sums, least and most of durations"),
    (f'"{_ENDLESS}"', "more than 10,000 items"),
]


@each("row", BEYOND, name=str)
def test_what_only_the_cluster_can_answer_is_not_its_refusal(row):
    expression, words = row
    item = only(found_with({EXPRESSION: f"expression: {expression}"}))
    assert (item.place, item.code) == ((POLICY_FILE, 12, 7), "POL013")
    assert words in item.message
    condition = f"  matchConditions: [{{name: a, expression: {expression}}}]\n  validations:"
    item = only(found_with({"  validations:": condition}))
    assert (item.file, item.line, item.code) == (POLICY_FILE, 11, "POL013")
    assert words in item.message


def test_variables_lead_to_the_line_that_they_read():
    item = only(found_with(WORDS[5][0]))
    assert item.place == (FLOWERS, 7, 16)


ACTIONS = [("[Warn]", "warning"), ("[Audit]", "info"), ("[Warn, Audit]", "warning"),
           ("[Deny, Audit]", "error")]  # fmt: skip


@each("row", ACTIONS, name=str)
def test_an_action_says_how_bad_it_is(row):
    actions, severity = row
    assert str(only(found_with(None, {"[Deny]": actions})).severity) == severity


def test_deny_is_the_word_of_the_repository_whatever_version_its_rules_are_of():
    old = {"servingctl.yaml": f"rules_as_of: 0.2.0\n{FILES['servingctl.yaml']}"}
    assert str(only(found_with(more=old)).severity) == "error"


PRODUCTION = FILES["environments/dev/environment.yaml"] + "production: true\n"


@each("row", ACTIONS, name=str)
def test_production_does_not_change_what_a_binding_says(row):
    actions, severity = row
    more = {"environments/dev/environment.yaml": PRODUCTION}
    assert str(only(found_with(None, {"[Deny]": actions}, more)).severity) == severity


def test_what_is_not_evaluated_is_a_warning_in_production_too():
    selector = "{matchLabels: {tier: gold}}"
    policy = {_MATCHED: f"{_MATCHED}    namespaceSelector: {selector}\n"}
    item = only(found_with(policy, None, {"environments/dev/environment.yaml": PRODUCTION}))
    assert (item.code, str(item.severity)) == ("POL013", "warning")


def test_it_is_graded_and_ignored_as_others():
    settings = {"servingctl.yaml": "rules: {POL014: info}\n"}
    assert str(only(found_with(more=settings)).severity) == "info"
    text = FILES[FLOWERS].replace("  maxRep", "  # servingctl: ignore[POL014] one more\n  maxRep")
    assert found_with(more={FLOWERS: text}) == []


_RULE = "resources: [inferenceservices]"
_MATCHED = "  matchConstraints:\n"
#: What is changed in the policy and the binding, and how many findings there are then.
MATCHES = [
    ({"[serving.kserve.io]": '["*"]', "[v1beta1]": '["*"]'}, {}, 1),
    ({"[inferenceservices]": '["*/*"]'}, {}, 1),
    ({"[inferenceservices]": "[servingruntimes]"}, {}, 0),
    ({"[inferenceservices]": "[inferenceservices/status]"}, {}, 0),
    ({"[inferenceservices]": '["inferenceservices/*"]'}, {}, 1),
    ({"[inferenceservices]": '["*/status"]'}, {}, 0),
    ({"[inferenceservices]": '["pods/*"]'}, {}, 0),
    ({"[serving.kserve.io]": "[apps]"}, {}, 0),
    ({"[CREATE, UPDATE]": "[UPDATE]"}, {}, 0),
    ({"[CREATE, UPDATE]": '["*"]'}, {}, 1),
    ({_RULE: f"{_RULE}\n        scope: Cluster"}, {}, 0),
    ({_RULE: f"{_RULE}\n        scope: Namespaced"}, {}, 1),
    ({_RULE: f"{_RULE}\n        resourceNames: [other]"}, {}, 0),
    ({_RULE: f"{_RULE}\n        resourceNames: [flowers]"}, {}, 1),
    ({_MATCHED: f"{_MATCHED}    objectSelector: {{matchLabels: {{team: risk}}}}\n"}, {}, 1),
    ({_MATCHED: f"{_MATCHED}    objectSelector: {{matchLabels: {{team: a}}}}\n"}, {}, 0),
    ({_MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{tier: gold}}}}\n"}, {}, 1),
    ({_MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{tier: tin}}}}\n"}, {}, 0),
    ({}, {"spec:": "spec:\n  matchResources: {objectSelector: {matchLabels: {team: a}}}"}, 0),
    ({}, {"spec:": "spec:\n  matchResources: {namespaceSelector: {matchExpressions: [{key: "
          "kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}}"}, 1),
    ({}, {"spec:": "spec:\n  matchResources: {namespaceSelector: {matchExpressions: [{key: tier, "
          "operator: DoesNotExist}]}}"}, 0),
    ({}, {"spec:": "spec:\n  matchResources: {namespaceSelector: {matchExpressions: [{key: tier, "
          "operator: Exists}, {key: tier, operator: In, values: [gold]}]}}"}, 1),
    ({_MATCHED: f"{_MATCHED}    excludeResourceRules: [{{apiGroups: ['*'], apiVersions: ['*'], "
      "operations: ['*'], resources: ['*'], resourceNames: [flowers]}]\n"}, {}, 0),
    ({"  validations:": "  matchConditions: [{name: a, expression: object.kind == 'Job'}]\n"
      "  validations:"}, {}, 0),
    ({"  validations:": "  matchConditions: [{name: a, expression: has(object.spec)}]\n"
      "  validations:"}, {}, 1),
    # one that is false decides, whatever fails
    ({"  validations:": "  matchConditions: [{name: a, expression: object.none == 1}, "
      "{name: b, expression: object.kind == 'Job'}]\n  validations:"}, {}, 0),
    ({"  validations:": "  matchConditions: [{name: a, expression: object.none == 1}]\n"
      "  validations:"}, {}, 1),
    ({"  validations:": "  failurePolicy: Ignore\n  matchConditions: [{name: a, expression: "
      "object.none == 1}]\n  validations:"}, {}, 0),
    ({EXPRESSION: "expression: object.none == 1", "  validations:":
      "  failurePolicy: Ignore\n  validations:"}, {}, 0),
    ({EXPRESSION: "expression: namespaceObject.metadata.labels.tier == 'tin'"}, {}, 1),
    ({EXPRESSION: "expression: namespaceObject.metadata.labels.tier == 'gold'"}, {}, 0),
]  # fmt: skip


@each("row", MATCHES, name=str)
def test_a_policy_is_about_what_it_matches(row):
    policy, binding, count = row
    found = found_with(policy, binding, {NAMESPACE: MODELS})
    assert len(found) == count, found


#: What nobody knows yet: what is changed in both, further files, file and line of what is said.
UNKNOWN = [
    ({EXPRESSION: "expression: request.userInfo.username == 'a'"}, {}, {}, POLICY_FILE, 12),
    ({EXPRESSION: "expression: has(request.userInfo.groups) || true"}, {}, {}, POLICY_FILE, 12),
    ({EXPRESSION: "expression: authorizer.group('').resource('pods').check('get').allowed()"},
     {}, {}, POLICY_FILE, 12),
    ({"  validations:": "  variables: [{name: who, expression: request.userInfo.username}]\n"
      "  validations:", EXPRESSION: "expression: variables.who == 'a'"}, {}, {}, POLICY_FILE, 13),
    ({"  validations:": "  matchConditions: [{name: a, expression: request.userInfo.uid == ''}]\n"
      "  validations:"}, {}, {}, POLICY_FILE, 11),
    ({_MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{tier: gold}}}}\n"}, {}, {},
     POLICY_FILE, 6),
    ({EXPRESSION: "expression: namespaceObject.metadata.labels.tier == 'gold'"}, {}, {},
     POLICY_FILE, 12),
    ({"[v1beta1]": "[v1]"}, {}, {}, POLICY_FILE, 8),
    ({}, {"replicas": "other"}, {}, BINDING_FILE, 5),
]  # fmt: skip


@each("row", UNKNOWN, name=str)
def test_what_cannot_be_known_is_said(row):
    policy, binding, more, file, line = row
    found = found_with(policy, binding, more)
    said = [(item.code, item.file, item.line) for item in found if item.file == file]
    assert said == [("POL013", file, line)], found
    assert "not evaluated" in found[0].message
    assert "POL014" not in {item.code for item in found}


def test_a_namespace_is_in_itself_for_a_request():
    policy = {
        "[serving.kserve.io]": '[""]', "[v1beta1]": "[v1]", "[inferenceservices]": "[namespaces]",
        EXPRESSION: "expression: request.namespace == 'models' && namespaceObject == null",
    }  # fmt: skip
    assert found_with(policy, None, {NAMESPACE: MODELS}) == []


def test_it_is_said_once_for_all_objects():
    more = {f"environments/dev/s{n}.yaml": FILES[FLOWERS] for n in range(4)}
    policy = {_MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{tier: gold}}}}\n"}
    assert [item.code for item in found_with(policy, None, more)] == ["POL013"]


PROVIDED = "references: {provided: [{kind: Namespace, name: models, labels: {tier: gold}}]}\n"
DESCRIPTION = "environments/dev/environment.yaml"


def test_a_namespace_that_is_provided_has_its_labels():
    more = {DESCRIPTION: FILES[DESCRIPTION] + PROVIDED}
    policy = {_MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{tier: gold}}}}\n"}
    assert {item.code for item in found_with(policy, None, more)} == {"POL014"}
    read = {EXPRESSION: "expression: namespaceObject.metadata.labels.tier == 'gold'"}
    assert found_with(read, None, more) == []
    read = {EXPRESSION: "expression: namespaceObject.status.phase == 'Active'"}
    assert {item.code for item in found_with(read, None, more)} == {"POL013"}


def test_labels_of_namespaces_are_needed_where_policies_look_at_them():
    files = files_with(None, None, {DESCRIPTION: FILES[DESCRIPTION] + PROVIDED})
    codes = [item.code for item in check(project(files))]
    assert "REF004" not in codes
    bare = {path: text for path, text in files.items() if path != BINDING_FILE}
    assert "REF004" in [item.code for item in check(project(bare))]


PARAMS = {
    "  validations:": "  paramKind: {apiVersion: v1, kind: ConfigMap}\n  validations:",
    EXPRESSION: "expression: object.spec.predictor.maxReplicas <= int(params.data.most)",
}
REF = "  paramRef: {name: limits, namespace: platform, parameterNotFoundAction: Deny}\n"
LIMITS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: platform, labels: {for: models}}
data: {most: "1"}
"""
UNNAMED = LIMITS.replace("name: limits, namespace: platform, ", "")
#: How the binding refers to parameters, what lies where, and the codes that are found.
PARAMETERS = [
    (REF, {"policies/limits.yaml": LIMITS}, ["POL014"]),
    (REF, {"policies/limits.yaml": LIMITS.replace('"1"', '"3"')}, []),
    (REF, {}, ["POL013"]),
    (REF.replace("name: limits, namespace: platform", "name: limits"),
     {"policies/limits.yaml": LIMITS.replace("platform", "models")}, ["POL014"]),
    # it is of another namespace: the answer is that of parameterNotFoundAction
    (REF.replace("platform", "other"), {"policies/limits.yaml": LIMITS}, ["POL014"]),
    (REF.replace("platform", "other").replace("Deny", "Allow"),
     {"policies/limits.yaml": LIMITS}, []),
    (REF.replace("name: limits", "selector: {matchLabels: {for: models}}"),
     {"policies/limits.yaml": LIMITS}, ["POL014"]),
    (REF.replace("name: limits", "selector: {matchLabels: {for: none}}").replace("Deny", "Allow"),
     {"policies/limits.yaml": LIMITS}, []),
    ("  paramRef: {name: limits, parameterNotFoundAction: Deny}\n",
     {"environments/dev/beside/limits.yaml": LIMITS.replace(
         "namespace: platform, labels: {for: models}", "namespace: models")}, ["POL014"]),
    # a companion has the name of its file, and the namespace of where it goes
    ("  paramRef: {name: limits, parameterNotFoundAction: Deny}\n",
     {"environments/dev/beside/limits.yaml": UNNAMED}, ["POL014"]),
    ("  paramRef: {name: limits, namespace: models, parameterNotFoundAction: Deny}\n",
     {"environments/dev/beside/limits.yaml": UNNAMED.replace('"1"', '"3"')}, []),
    (REF.replace("Deny", "Allow"), {"environments/dev/beside/limits.yaml": UNNAMED}, []),
]  # fmt: skip


@each("row", PARAMETERS, name=str)
def test_parameters(row):
    reference, more, codes = row
    found = found_with(PARAMS, {"  validationActions": f"{reference}  validationActions"}, more)
    assert [item.code for item in found] == codes, found


DEPLOYMENTS = {
    "[serving.kserve.io]": "[apps]",
    "[v1beta1]": "[v1]",
    "[inferenceservices]": "[deployments]",
}


def test_what_a_platform_makes_is_looked_at():
    policy = {
        **DEPLOYMENTS,
        EXPRESSION: "expression: object.spec.template.spec.containers.all(c, has(c.livenessProbe))",
    }  # fmt: skip
    item = only(found_with(policy))
    assert item.file == FLOWERS
    assert item.message.endswith("(Deployment 'flowers-predictor', which the platform makes)")


DEFAULTS = [
    ("apps", "deployments", "object.spec.revisionHistoryLimit == 10"),
    ("", "services", "object.spec.sessionAffinity == 'None'"),
    (
        "",
        "pods",
        "object.spec.dnsPolicy == 'ClusterFirst' && object.spec.restartPolicy == 'Always'",
    ),
    ("", "pods", "object.spec.terminationGracePeriodSeconds > 0 && has(object.spec.schedulerName)"),
    ("", "pods", "object.spec.containers.all(c, has(c.terminationMessagePath))"),
    ("", "pods", "!has(object.spec.hostNetwork) && object.spec.containers.all(c, !has(c.stdin))"),
]


@each("row", DEFAULTS, name=str)
def test_what_a_platform_makes_has_the_defaults_of_kubernetes(row):
    group, resource, expression = row
    policy = {
        "[serving.kserve.io]": f'["{group}"]', "[v1beta1]": "[v1]",
        "[inferenceservices]": f"[{resource}]", EXPRESSION: f'expression: "{expression}"',
    }  # fmt: skip
    assert found_with(policy) == []
    policy[EXPRESSION] = f'expression: "!({expression})"'
    assert found_with(policy) != []


@each("name", ["kserve-container", "storage-initializer"], name=str)
def test_pods_are_as_webhooks_of_platforms_make_them(name):
    policy = {
        "[serving.kserve.io]": '[""]', "[v1beta1]": "[v1]", "[inferenceservices]": "[pods]",
        EXPRESSION: f"expression: (object.spec.containers + object.spec.initContainers).all(c, "
        f"c.name != '{name}')",
    }  # fmt: skip
    text = FILES[FLOWERS].replace("https://models.example.com", "s3://models")
    item = only(found_with(policy, None, {FLOWERS: text}))
    assert item.message.endswith("(Pod 'flowers-predictor-pod', which the platform makes)")


def test_pods_of_other_workloads_are_those_of_their_templates():
    policy = {
        "[serving.kserve.io]": '[""]', "[v1beta1]": "[v1]", "[inferenceservices]": "[pods]",
        EXPRESSION: "expression: object.spec.containers.all(c, c.image.contains('@'))",
    }  # fmt: skip
    more = {FLOWERS: None, "environments/dev/beside/web.yaml": WEB}
    item = only(found_with(policy, None, more))
    assert "(Pod 'web-pod', which the platform makes)" in item.message
    assert item.place == ("environments/dev/beside/web.yaml", 7, 24)


WEB = """\
apiVersion: apps/v1
kind: Deployment
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: "example.com/a:1"}]}
"""


def test_defaults_of_the_api_server_are_there():
    more = {
        "environments/dev/beside/web.yaml": WEB,
    }
    policy = {
        **DEPLOYMENTS,
        EXPRESSION: "expression: object.spec.replicas >= 2 || object.metadata.name != 'web'",
    }  # fmt: skip
    item = only(found_with(policy, None, more))
    assert "failed expression" in item.message
    assert item.file == "environments/dev/beside/web.yaml"


FIXED = {EXPRESSION: "expression: oldObject == null || object.spec.predictor.model.storageUri == "
         "oldObject.spec.predictor.model.storageUri\n      message: the model stays"}  # fmt: skip
KEPT = {"[CREATE, UPDATE]": "[DELETE]", EXPRESSION: "expression: oldObject.metadata.name != "
        "'flowers'\n      message: it is kept"}  # fmt: skip


def test_an_update_is_found_where_it_was_edited():
    text = FILES[FLOWERS].replace("flowers/v1", "flowers/v2")
    item = only(found_between(FIXED, {}, {FLOWERS: text}))
    assert item.place == (FLOWERS, 11, 17)
    assert item.message == f"{DENIED}the model stays"
    assert found_with(FIXED, None, {FLOWERS: text}) == []


def test_another_edit_is_none_of_it():
    text = FILES[FLOWERS].replace("maxReplicas: 3", "maxReplicas: 4")
    assert found_between(FIXED, {}, {FLOWERS: text}) == []


def test_what_is_wrong_anyway_is_said_once():
    text = FILES[FLOWERS].replace("maxReplicas: 3", "maxReplicas: 4")
    assert len(found_between(None, {}, {FLOWERS: text})) == 1


def test_a_deletion_is_asked_as_well():
    item = only(found_between(KEPT, {}, {FLOWERS: None}))
    assert item.message == f"{DENIED}it is kept"
    assert item.file == FLOWERS
    assert found_with(KEPT) == []


def write(root, files):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def test_nothing_is_stale(tmp_path):
    """Policies, bindings, parameters and namespaces are read anew, and workers agree."""
    reference = {"  validationActions": f"{REF}  validationActions"}
    policy = {**PARAMS, _MATCHED: f"{_MATCHED}    namespaceSelector: {{matchLabels: {{a: b}}}}\n"}
    more = {"policies/limits.yaml": LIMITS, NAMESPACE: MODELS.replace("tier: gold", "a: b")}
    more |= {f"environments/dev/s{n}.yaml": FILES[FLOWERS] for n in range(5)}
    # what nothing is found of is remembered without the companions beside it
    assert check(project({**FILES, NAMESPACE: MODELS})) == []
    write(tmp_path, files_with(policy, reference, more))
    steps = [
        ("policies/limits.yaml", '"1"', '"3"', 0), ("policies/limits.yaml", '"3"', '"1"', 6),
        (NAMESPACE, "a: b", "a: c", 0), (NAMESPACE, "a: c", "a: b", 6),
        (POLICY_FILE, "<= int", ">= int", 0), (POLICY_FILE, ">= int", "<= int", 6),
        (BINDING_FILE, "policyName: replicas", "policyName: none", 0),
    ]  # fmt: skip
    for file, old, new, count in steps:
        place = tmp_path / file
        place.write_text(place.read_text().replace(old, new))
        for jobs in (1, 2):
            memo = Store(tmp_path / ".memo", tmp_path, program(), None)
            made = run(open_project(Worktree(tmp_path)), Question(), memo, jobs)
            found = made.rendering().diagnostics
            assert sum(item.code == "POL014" for item in found) == count, (file, new, jobs)


def test_a_policy_that_nothing_binds_is_said():
    files = {path: text for path, text in files_with().items() if path != BINDING_FILE}
    found = [item for item in check(project(files)) if item.file == POLICY_FILE]
    assert [(item.code, item.line, item.column) for item in found] == [("POL013", 3, 18)]
    assert BINDING
