"""The tables of companions: every row is about a kind that there is."""

import pytest

from renderer.backends.companions import list_keys
from renderer.backends.companions import mentions as tables
from renderer.backends.companions.kinds import find, row_of
from renderer.backends.companions.made_objects import MADE
from renderer.backends.companions.table import COMPLETE_GROUPS, ROWS, TOOL_GROUPS
from renderer.backends.kinds import KINDS, kind_called
from tests.support.rows import each


def test_every_row_is_there_once():
    names = [(row.kind, row.group) for row in ROWS]
    assert len(names) == len(set(names))
    assert not {row.kind for row in ROWS} & KINDS.keys()


@each("row", ROWS, name=lambda row: f"{row.kind}.{row.group}")
def test_a_kind_is_found_by_its_names(row):
    kind = find(row.kind, row.group)
    assert kind.is_open
    assert kind_called(kind.name) == kind
    assert kind_called(f"{row.kind}.{row.group}" if row.group else row.kind) == kind
    assert row_of(kind.name) == row
    assert kind.cluster_wide is not row.is_namespaced


@each("kind", sorted({*tables._OWN, *MADE}))
def test_what_names_others_is_known(kind):
    assert kind_called(kind).name == kind


NAMED = {one.kind for row in ROWS for one in tables.mentions(find(row.kind, row.group).name)}


@each("kind", sorted(NAMED | {row.kind for row in MADE.values()}))
def test_what_is_named_is_known(kind):
    assert kind_called(kind).name == kind


def test_lists_are_those_of_known_kinds():
    assert {*list_keys._OWN} <= {(row.kind, row.group) for row in ROWS}


@pytest.mark.parametrize(
    ("kind", "group", "name"),
    [
        ("ConfigMap", "", "ConfigMap"),
        ("ExternalSecret", "external-secrets.io", "ExternalSecret"),
        ("Gateway", "networking.istio.io", "Gateway.networking.istio.io"),
        ("ConfigMap", "example.com", "ConfigMap.example.com"),
        ("Thing", "example.com", "Thing.example.com"),
        ("Thing", "", None),
        ("Thing", "apps", None),
        ("Kustomization", "kustomize.config.k8s.io", None),
        ("thing", "example.com", None),
        ("Thing", "example", None),
    ],
)
def test_the_name_of_a_kind(kind, group, name):
    found = find(kind, group)
    assert (found.name if found else None) == name


def test_a_name_without_a_group_is_that_of_one_kind():
    assert kind_called("Gateway") is None
    assert kind_called("HTTPRoute").name == "HTTPRoute"


def test_groups_that_are_complete_have_kinds():
    assert {row.group for row in ROWS} >= COMPLETE_GROUPS
    assert not COMPLETE_GROUPS & TOOL_GROUPS
