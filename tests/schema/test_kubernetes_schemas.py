"""Schemas of Kubernetes' own objects, and the table of APIs that it no longer serves."""

import pytest

from renderer.backends.companions.api_versions import RETIREMENTS
from renderer.backends.companions.table import BUILT_IN_GROUPS, ROWS
from renderer.schema import kubernetes_schemas
from renderer.schema.kubernetes_schemas import (
    installed_versions,
    nearest_version,
    object_schema,
    served_versions,
)
from renderer.schema.validation import check
from renderer.text.yaml_reader import read
from tests.support.memory import project

KNOWN = [(kind, row) for row in RETIREMENTS for kind in row.kinds.split()]


@pytest.mark.parametrize(("kind", "row"), KNOWN, ids=[f"{k}-{r.api_version}" for k, r in KNOWN])
def test_apis_go_when_the_table_says(kind, row):
    for version in installed_versions():
        group = row.instead if row.api_version.startswith("extensions/") else row.api_version
        if version >= row.removed:
            assert row.api_version not in served_versions(version, group, kind)
        elif version >= max(row.deprecated, (1, 25)):
            assert row.api_version in served_versions(version, group, kind)


@pytest.mark.parametrize(("kind", "row"), KNOWN, ids=[f"{k}-{r.api_version}" for k, r in KNOWN])
def test_what_took_its_place_is_served(kind, row):
    assert row.instead in served_versions(installed_versions()[-1], row.instead, kind)


def test_every_built_in_kind_of_the_table_has_a_schema():
    newest = installed_versions()[-1]
    for row in ROWS:
        if row.group in BUILT_IN_GROUPS:
            version = f"{row.group}/v1" if row.group else "v1"
            assert served_versions(newest, version, row.kind), row.kind


@pytest.mark.parametrize(
    ("asked", "used"), [((1, 33), (1, 33)), ((1, 7), (1, 25)), ((2, 0), installed_versions()[-1])]
)
def test_the_nearest_version(asked, used):
    assert nearest_version(asked) == used


def found(text, version=(1, 33)):
    tree = read(text.encode(), "x").document.tree
    schema = object_schema(version, str(tree.get("apiVersion").value), str(tree.get("kind").value))
    return [(item.code, item.message, item.fix) for item in check(tree, schema)]


def test_groups_of_one_beginning_are_not_confused():
    assert object_schema((1, 33), "apps.example.com/v1", "Deployment") is None


def test_a_number_or_a_text():
    service = "apiVersion: v1\nkind: Service\nspec: {{ports: [{{port: 80, targetPort: {}}}]}}\n"
    assert found(service.format("80")) == found(service.format("http")) == []
    assert [code for code, _, _ in found(service.format("[80]"))] == ["SPC012"]


def test_a_schema_that_refers_to_itself():
    crd = (
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n"
        "  group: example.com\n  scope: Namespaced\n  names: {kind: A, plural: as}\n"
        "  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: "
        "{type: object, properties: {a: {properties: {b: {typ: object}}}}}}}]\n"
    )
    ((code, message, fix),) = found(crd)
    assert (code, fix) == ("SPC010", "did you mean 'type'?")
    assert '"typ"' in message


@pytest.fixture
def without_schemas(monkeypatch):
    for function in (kubernetes_schemas._home, installed_versions, object_schema):
        function.cache_clear()
    monkeypatch.setattr(kubernetes_schemas, "_PACKAGE", "a_package_that_is_not_there")
    yield
    monkeypatch.undo()
    for function in (kubernetes_schemas._home, installed_versions, object_schema):
        function.cache_clear()


def test_without_the_package_it_is_said_once(without_schemas):
    """In all environments together, and nothing else is found."""
    from renderer import check as check_project

    where = "destinations: [{name: east, platform: kubernetes, namespace: models}]\n"
    files = {"servingctl.yaml": ""}
    for name in ("dev", "prod"):
        head = "apiVersion: serving.gitops/v1\nkind: Environment\n"
        files[f"environments/{name}/environment.yaml"] = f"{head}{where}"
        files[f"environments/{name}/a.yaml"] = (
            "apiVersion: v1\nkind: Service\nspec: {ports: [{port: 80, prot: TCP}]}\n"
        )
    (finding,) = check_project(project(files))
    assert (finding.code, str(finding.severity), finding.file) == (
        "MAN018", "info", "environments/dev/a.yaml",
    )  # fmt: skip
    assert finding.environments == ("dev", "prod")
    assert "servingctl[kubernetes]" in finding.fix
