"""What API servers of two versions say to a pod that is changed in each of its fields."""

import json
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from conformance.conftest import Report
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.pods.asking import SHAPES, ask
from conformance.kubernetes.pods.bases import bases_of
from conformance.kubernetes.pods.fields import DOCUMENT
from conformance.kubernetes.pods.homes import HOMES
from conformance.kubernetes.pods.kinds import install
from conformance.kubernetes.pods.mutations import mutations_of
from conformance.kubernetes.pods.recordings import (
    VERSIONS,
    Row,
    count,
    fields_of_pods,
    pod_of,
    read_bases,
    read_rows,
    write,
)
from conformance.kubernetes.pods.tables import read_tables

#: Names that the tables have for classes: a Pod is refused if there is none of the name.
_CLASSES = ("high", "nvidia", "abc", "1a", "a.b.c", "a" * 253)
_PATIENCE = 60


def _classes() -> Iterator[Object]:
    for name in _CLASSES:
        about = {"metadata": {"name": name}}
        yield {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", **about, "value": 1}
        yield {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", **about, "handler": "runc"}


@pytest.fixture(scope="module")
def clients(client: Client, newer: Client) -> dict[str, Client]:
    """By version, each with what pods may refer to, and the newer one with kinds of platforms."""
    install(newer, shutil.which("go") or "")
    for one in (client, newer):
        one.wait_until("/api/v1/namespaces/default", _PATIENCE)
        for thing in _classes():
            assert not one.apply(thing).is_refusal
    return dict(zip(VERSIONS, (client, newer), strict=True))


@pytest.fixture(scope="module")
def document(clients: Mapping[str, Client]) -> Any:
    """The one of the newer server, which has every field that the other one has."""
    return clients[VERSIONS[1]].request("GET", DOCUMENT).body


def answered(clients: Mapping[str, Client], document: Any) -> Iterator[Row]:
    """A row for each change."""
    tables = read_tables(document)
    bases = bases_of(tables)
    mutations = [*mutations_of(tables)]
    known = fields_of_pods(mutations)
    newer = clients[VERSIONS[-1]]
    for mutation in mutations:
        pod = pod_of(mutation, bases)
        answers = {
            f"{version}/{shape}": ask(client, shape, pod)
            for version, client in clients.items()
            for shape in SHAPES
        }
        homes = (home for home in HOMES if home.has_room(pod, known))
        barred = tuple(home.kind for home in homes if home.refuses(newer, pod))
        yield Row(mutation, answers, barred)


def test_the_rows_are_what_the_servers_answer(
    clients: Mapping[str, Client], document: Any, pytestconfig: pytest.Config, report: Report
) -> None:
    bases = bases_of(read_tables(document))
    found = [*answered(clients, document)]
    if pytestconfig.getoption("--update-observed"):
        write(bases, found)
    recorded = read_rows()
    for line in count(found):
        report(line)
    different = {
        row.mutation.name: {"recorded": recorded.get(row.mutation.name), "answered": row}
        for row in found
        if row != recorded.get(row.mutation.name)
    }
    assert not different, json.dumps(different, indent=2)
    assert {row.mutation.name for row in found} == recorded.keys()
    assert bases == read_bases()
