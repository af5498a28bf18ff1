"""Which objects specs name: every path leads to a field, and every field of a pod is found."""

import pytest

from renderer.backends.kinds import KINDS, functions_of, kind_called
from renderer.compose.kind_shapes import kind_shape
from renderer.kubernetes.mentions import POD, references
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each

ROWS = [
    (kind, row) for kind in sorted(KINDS) if kind != "Environment"
    for row in functions_of(kind).mentions(kind)
]  # fmt: skip


def shape_at(kind, path):
    shape = kind_shape(KINDS[kind])
    for step in path:
        below = shape.item() if step == "*" else shape.member(step)
        shape = below if below.is_described or step != "*" else shape.member("any")
    return shape


def is_in_a_pod(kind, path):
    """Whether it is a field that pods have and a platform's may lack."""
    places = [path[: -len(row.path)] for row in POD if path[-len(row.path) :] == row.path]
    return any(shape_at(kind, (*place, *row.path)).is_described for place in places for row in POD)


@each("pair", ROWS, name=lambda pair: f"{pair[0]} {'.'.join(pair[1].path)} {pair[1].kind}")
def test_a_path_leads_to_a_field(pair):
    kind, row = pair
    labels = row.path[-2:-1] in (("labels",), ("annotations",))
    assert labels or shape_at(kind, row.path).is_described or is_in_a_pod(kind, row.path)


@each("pair", ROWS, name=lambda pair: f"{pair[0]} {'.'.join(pair[1].path)} {pair[1].kind}")
def test_what_is_named_is_a_kind(pair):
    _, row = pair
    for kind in {row.kind, *(kind for _, kind in row.kinds)} - {""}:
        assert kind_called(kind).name == kind


PODS = {
    "serviceAccountName": ("a", "ServiceAccount"),
    "imagePullSecrets": ([{"name": "a"}], "Secret"),
    "priorityClassName": ("a", "PriorityClass"),
    "runtimeClassName": ("a", "RuntimeClass"),
    "volumes": ([{"persistentVolumeClaim": {"claimName": "a"}}], "PersistentVolumeClaim"),
    "containers": ([{"envFrom": [{"configMapRef": {"name": "a"}}]}], "ConfigMap"),
    "initContainers": ([{"envFrom": [{"secretRef": {"name": "a"}}]}], "Secret"),
}


@each("field value kind", {name: (name, *row) for name, row in PODS.items()})
def test_fields_of_pods(field, value, kind):
    (found,) = references(uniform_tree({field: value}, Origin("x")), POD)
    assert (found.kind, found.name) == (kind, "a")


def test_keys_and_what_may_be_missing():
    volume = {"name": "v", "secret": {"secretName": "a", "optional": True,
                                      "items": [{"key": "k", "path": "p"}]}}  # fmt: skip
    (found,) = references(uniform_tree({"volumes": [volume]}, Origin("x")), POD)
    assert found.path == ("volumes", 0, "secret", "secretName")
    assert found.keys == ("k",)
    assert found.is_optional


@pytest.mark.parametrize("value", [5, None, [], {}, [{"name": 5}], "", [None], [[]]])
@pytest.mark.parametrize("field", [*PODS])
def test_values_that_are_nothing_of_the_kind(field, value):
    assert list(references(uniform_tree({field: value}, Origin("x")), POD)) == []


@pytest.mark.parametrize(
    ("uri", "names"),
    [("pvc://weights/v1", ["weights"]), ("pvc://weights", ["weights"]), ("s3://weights/v1", [])],
)
def test_the_claim_of_a_model(uri, names):
    tree = uniform_tree({"predictor": {"model": {"storageUri": uri}}}, Origin("x"))
    rows = functions_of("InferenceService").mentions("InferenceService")
    assert [item.name for item in references(tree, rows)] == names


@pytest.mark.parametrize(
    ("source", "kind"),
    [({"source": "SECRET"}, "Secret"), ({"source": 1}, "Secret"), ({}, "ConfigMap"),
     ({"source": "FIELD"}, "")],
)  # fmt: skip
def test_values_of_a_message(source, kind):
    values = {"valuesFrom": {"TOKEN": {"name": "a", "key": "k", **source}}}
    tree = uniform_tree({"clusterSpec": {"headGroupSpec": {"environment": values}}}, Origin("x"))
    found = [*references(tree, functions_of("RayCluster").mentions("RayCluster"))]
    assert [(item.kind, item.name, item.keys) for item in found] == (
        [(kind, "a", ("k",))] if kind else []
    )


@pytest.mark.parametrize(
    ("volume", "named"),
    [
        ({"secret": {"secretName": "{{ ChildName .ObjectMeta.Name `-certs` }}"}}, []),
        ({"secret": {"secretName": "certs"}}, [("Secret", "certs", ())]),
        ({"configMap": {"name": "a", "items": [{"key": ""}]}}, [("ConfigMap", "a", ())]),
        ({"configMap": {"name": "a", "items": [{"key": "b"}]}}, [("ConfigMap", "a", ("b",))]),
    ],
)
def test_what_a_platform_fills_in_names_nothing(volume, named):
    """A template is no name, and an empty key no key."""
    tree = uniform_tree({"volumes": [volume]}, Origin("x"))
    assert [(one.kind, one.name, one.keys) for one in references(tree, POD)] == named
