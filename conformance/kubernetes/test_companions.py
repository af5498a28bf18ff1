"""What API servers of two versions say to companions: right ones, wrong ones, and edits."""

import json
from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
import yaml

from conformance.conftest import Report
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.companions.asking import (
    ACCEPTED,
    NAMESPACE,
    Answer,
    Cluster,
    ask_case,
    ask_edit,
    open_cluster,
)
from conformance.kubernetes.companions.recordings import (
    CASES,
    EDITS,
    KINDS,
    VERSIONS,
    answer_of,
    count,
    row_of,
    served_kinds,
)
from conformance.kubernetes.companions.tables import (
    Case,
    Edit,
    read_around,
    read_cases,
    read_edits,
)
from conformance.operators.installation import add_namespace, apply
from conformance.operators.records import Rows, compare, dumped, read_rows
from tests.support.replay import Row as SpecRow
from tests.support.replay import replay

_PATIENCE = 60
_PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical"
Entry = TypeVar("Entry", Case, Edit)


@pytest.fixture(scope="module")
def clusters(client: Client, newer: Client) -> dict[str, Cluster]:
    """By version, each with the classes that claims and pods name."""
    for one in (client, newer):
        for path in ("/api/v1/namespaces/default", _PRIORITIES):
            one.wait_until(path, _PATIENCE)
        add_namespace(one, NAMESPACE)
        for thing in read_around():
            apply(one, thing)
    return dict(zip(VERSIONS, map(open_cluster, (client, newer)), strict=True))


def test_the_kinds_are_those_that_the_servers_have(
    clusters: dict[str, Cluster], pytestconfig: pytest.Config
) -> None:
    found = served_kinds(clusters)
    if pytestconfig.getoption("--update-observed"):
        KINDS.write_text(dumped([found]), "utf-8")
    assert [found] == json.loads(KINDS.read_text("utf-8"))


def answered(
    clusters: dict[str, Cluster],
    entries: Iterable[Entry],
    ask: Callable[[Cluster, Entry], Answer],
) -> Rows:
    rows: Rows = {}
    for entry in entries:
        answers = {version: ask(cluster, entry) for version, cluster in clusters.items()}
        rows.setdefault(entry.file, []).append(row_of(entry, answers))
    return rows


def test_the_cases_are_what_the_servers_answer(
    clusters: dict[str, Cluster], pytestconfig: pytest.Config, report: Report
) -> None:
    rows = answered(clusters, read_cases(), lambda cluster, case: ask_case(cluster, case.manifest))
    for line in count("companions", (row for some in rows.values() for row in some)):
        report(line)
    compare(CASES, rows, update=pytestconfig.getoption("--update-observed"))


def test_the_edits_are_what_the_servers_answer(
    clusters: dict[str, Cluster], pytestconfig: pytest.Config, report: Report
) -> None:
    rows = answered(clusters, read_edits(), ask_edit)
    for line in count("edits of companions", (row for some in rows.values() for row in some)):
        report(line)
    compare(EDITS, rows, update=pytestconfig.getoption("--update-observed"))


def test_what_is_rendered_of_them_is_stored_as_it_is(
    clusters: dict[str, Cluster], report: Report
) -> None:
    """With our label and marks; what was recorded to be stored otherwise is so here as well."""
    rows = [row for some in read_rows(CASES).values() for row in some]
    for version, cluster in clusters.items():
        asked = [row for row in rows if answer_of(row, version)["outcome"] == ACCEPTED]
        made = replay({row["name"]: in_repository(row["manifest"]) for row in asked})
        objects = {name: found.manifests for name, found in made.items()}
        answers = {
            name: ask_case(cluster, yaml.safe_load(manifest.text))
            for name, manifests in objects.items()
            for manifest in manifests
        }
        wanted = {row["name"]: answer_of(row, version) for row in asked if row["name"] in answers}
        assert answers == wanted
        report(f"{version}: {len(answers)} rendered companions, applied twice")


def in_repository(manifest: Object) -> SpecRow:
    """The only companion of an environment that allows its kind."""
    group, slash, _ = manifest["apiVersion"].rpartition("/")
    kind = f"{manifest['kind']}.{group}" if slash else manifest["kind"]
    place = {"name": "east", "platform": "kubernetes", "namespace": NAMESPACE}
    environment = {"destinations": [place], "companions": {"allow": [kind]}}
    return SpecRow(environment, {"one": manifest})
