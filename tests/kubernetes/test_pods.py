"""Rules over pods speak of a pod wherever it stands, and of nothing that is not there."""

import pytest
import yaml

from renderer.kubernetes.names import (
    can_be_overcommitted,
    is_config_key,
    is_dns_prefix,
    is_label_key,
    is_of_containers,
    is_port_name,
    is_variable,
)
from renderer.kubernetes.pod_rules import pod_rules
from renderer.kubernetes.pods import DEPLOYMENT, OPERATOR, POD, Field, Pod, Replicas
from renderer.kubernetes.versions import RECORDED
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.examples import composed, example
from tests.support.rows import each

NOWHERE = Origin("x")


def pod_at(text, *path, maker=DEPLOYMENT):
    return pod_of(read(text.encode(), "x").document.tree, *path, maker=maker)


def pod_of(tree, *path, maker=DEPLOYMENT):
    spec = Field(path, tree)
    lists = frozenset(("env", "ports", "resources.claims"))
    pod = Pod(spec, versions=RECORDED, maker=maker, keyed_lists=lists, bare_claims=True)
    pod = pod._replace(metadata=spec.get("metadata"), in_production=True)
    count = spec.get("replicas")
    return pod._replace(replicas=Replicas("it", count.node.value, count.path)) if count else pod


def is_of_pods(rule):
    """Whether it has examples, and these are fields of a pod, not whole objects."""
    return "Fails:" in rule.doc and not example(rule, "fails").startswith("apiVersion:")


@each("rule", [rule for rule in pod_rules() if is_of_pods(rule)], name=lambda rule: rule.code)
def test_paths_begin_where_the_pod_is(rule):
    maker = OPERATOR if "of a pod that an operator makes" in example(rule, "fails") else DEPLOYMENT
    skeleton, spec = composed(rule, "fails")
    pod = spec.get(*skeleton.path)
    inner = pod.get("spec") or pod  # an example may be of a template, which has metadata besides
    tree = inner.with_value({**inner.items, **pod.items})
    here = list(rule.check(pod_of(tree, maker=maker)))
    there = list(rule.check(pod_of(tree, "groups", 1, "template", maker=maker)))
    assert here
    assert [item.path for item in there] == [("groups", 1, "template", *i.path) for i in here]
    assert rule.kind == POD


SHAPES = ["{}", "{containers: []}", "{containers: [{}]}", "{containers: [{name: 1}], affinity: {}}"]
ODD = ("env", "envFrom", "resources", "livenessProbe", "securityContext", "ports", "volumeMounts")
ODD_OF_PODS = (
    "affinity", "initContainers", "volumes", "tolerations", "nodeSelector", "serviceAccountName",
    "restartPolicy", "dnsPolicy", "topologySpreadConstraints",
)  # fmt: skip


@each("rule", pod_rules(), name=lambda rule: rule.code)
def test_nothing_is_said_of_what_is_not_there(rule):
    for text in SHAPES:
        assert list(rule.check(pod_at(text))) == []


@pytest.mark.parametrize("value", [None, 1, "a", [], [1], {}, {"a": 1}], ids=repr)
def test_values_of_another_shape_break_nothing(value):
    """A schema tells of them, and takes them out; another backend's may be looser."""
    container = yaml.safe_load(yaml.safe_dump(dict.fromkeys(ODD, value)))
    spec = uniform_tree({"containers": [container], **dict.fromkeys(ODD_OF_PODS, value)}, NOWHERE)
    for rule in pod_rules():
        assert all(item.message for item in rule.check(Pod(Field((), spec))))


@pytest.mark.parametrize(
    ("test", "taken", "refused"),
    [
        (is_label_key, ["a", "a.io/b_C.d"], ["", "/a", "a/", "A.io/b", "a/b/c", "a-", "x" * 64]),
        (is_dns_prefix, ["a", "a-", "a.-", "--"], ["", "-", "-a", "AA-"]),
        (is_config_key, [".a", "a..b", "A_b-1"], ["", ".", "..", "..a", "a/b", "a" * 254]),
        (is_port_name, ["a", "1a", "a-1", "a" * 15], ["", "1", "A", "a--b", "a-", "-a", "a" * 16]),
        (is_of_containers, ["cpu", "hugepages-2Mi", "a.io/b"], ["gpu", "pods", "requests.a.io/b"]),
        (can_be_overcommitted, ["cpu", "kubernetes.io/x"], ["a.io/gpu", "hugepages-2Mi"]),
    ],
)
def test_forms(test, taken, refused):
    assert [text for text in taken if not test(text)] == []
    assert [text for text in refused if test(text)] == []


def test_older_versions_are_stricter_with_variables():
    assert [is_variable("A B", relaxed=relaxed) for relaxed in (True, False)] == [True, False]
    assert [is_variable("..", relaxed=relaxed) for relaxed in (True, False)] == [True, False]
    assert not is_variable("A=B", relaxed=True)
