"""What the cluster sets before policies look is neither there nor missing: nobody knows it."""

import pytest

from tests.support.admission import NAMESPACE, POLICY_FILE, found_with
from tests.support.rows import each

pytestmark = pytest.mark.process
EXPRESSION = "expression: object.spec.predictor.maxReplicas <= 1"
MODELS = "apiVersion: v1\nkind: Namespace\nmetadata: {labels: {tier: gold}}\n"


def about(group, resource, expression):
    """A policy with one validation, about objects of a platform."""
    return {
        "[serving.kserve.io]": f'["{group}"]', "[v1beta1]": '["*"]',
        "[inferenceservices]": f"[{resource}]", EXPRESSION: f'expression: "{expression}"',
    }  # fmt: skip


KSERVE = ("serving.kserve.io", "inferenceservices")
#: Of which objects an expression asks, what is said of it, and in which words.
UNKNOWN = [
    (*KSERVE, "has(object.metadata.uid)", "metadata.uid of each InferenceService"),
    (*KSERVE, "object.metadata.generation == 1", "metadata.generation"),
    (*KSERVE, "!has(object.metadata.managedFields)", "metadata.managedFields"),
    (*KSERVE, "has(object.metadata.creationTimestamp)", "metadata.creationTimestamp"),
    (*KSERVE, "has(object.status)", "status of each"),
    ("apps", "deployments", "has(object.metadata.ownerReferences)", "ownerReferences"),
    ("", "pods", "!has(object.metadata.generateName)", "generateName"),
    ("", "pods", "object.metadata.labels['pod-template-hash'] != ''", "pod-template-hash"),
    ("", "pods", "object.spec.?priority.orValue(0) == 0", "spec.priority"),
    (*KSERVE, "namespaceObject.status.phase == 'Active'", "status of each Namespace"),
    (*KSERVE, "has(namespaceObject.metadata.uid)", "metadata.uid of each Namespace"),
]


@each("row", UNKNOWN, name=str)
def test_what_the_cluster_sets_is_not_evaluated(row):
    group, resource, expression, words = row
    found = found_with(about(group, resource, expression), None, {NAMESPACE: MODELS})
    assert {(item.code, item.file, item.line) for item in found} == {("POL013", POLICY_FILE, 12)}
    assert words in found[0].message
    assert "the cluster sets" in found[0].message


def test_a_condition_on_it_makes_the_policy_unevaluated():
    condition = "  matchConditions: [{name: a, expression: has(object.metadata.uid)}]\n"
    found = found_with({"  validations:": f"{condition}  validations:"})
    assert [(item.code, item.line) for item in found] == [("POL013", 11)]


def test_what_a_variable_hides_is_not_evaluated_either():
    variables = "  variables: [{name: about, expression: object.metadata}]\n"
    policy = {"  validations:": f"{variables}  validations:",
              EXPRESSION: "expression: variables.about.uid != ''"}  # fmt: skip
    assert [item.code for item in found_with(policy)] == ["POL013"]


#: What is known of objects that platforms make.
KNOWN = [
    ("", "pods", "object.metadata.name.matches('^[a-z0-9.-]+$')"),
    ("", "pods", "object.spec.volumes.exists(v, has(v.projected))"),
    ("", "pods", "object.spec.containers.all(c, c.volumeMounts.exists(m, m.readOnly))"),
    ("", "pods", "object.spec.tolerations.all(t, t.tolerationSeconds == 300)"),
    ("", "pods", "object.spec.tolerations.size() == 2 && object.spec.serviceAccountName != ''"),
    (*KSERVE, "namespaceObject.metadata.labels.tier == 'gold'"),
    (*KSERVE, "has(namespaceObject.metadata.name) && object.metadata.name == 'flowers'"),
]


@each("row", KNOWN, name=str)
def test_what_people_wrote_is_known(row):
    assert found_with(about(*row), None, {NAMESPACE: MODELS}) == []
