"""What the API server says to what we render, to what Kuscia makes of it, and to mutations."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.conftest import Report
from conformance.kubernetes.answers import Row, Rows, ask, count, read_rows, row_of, write_rows
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.derivation import APPLIED, load_base, objects_of, with_numbers
from conformance.kubernetes.mutations import read_mutations
from conformance.kubernetes.places import ROOT
from renderer import load, render
from renderer.inspect.preview import preview

RENDERED = ROOT / "rendered"
#: Those of Kuscia; what is for KServe and KubeRay is asked where these run.
DESTINATIONS = sorted(path.parent for path in RENDERED.glob("*/*/appimages"))
ENVIRONMENTS = sorted({path.parent.name for path in DESTINATIONS})
_LEFT_OUT = "no CRDs: give a folder with --crds, or CRDS to make"


def objects_in(folder: Path) -> list[Object]:
    """What a GitOps controller applies: the resources of the kustomization, in its order."""
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))["resources"]
    return [yaml.safe_load((folder / name).read_text("utf-8")) for name in listed]


def given(stored: Any, wanted: Any) -> Any:
    """What is stored, as far as somebody wrote it: the server adds to metadata alone."""
    if stored.get("metadata"):
        kept = {key: stored["metadata"].get(key) for key in wanted["metadata"]}
        stored = {**stored, "metadata": kept}
    return stored


@pytest.mark.parametrize("folder", DESTINATIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_second_apply_changes_nothing(
    folder: Path, client: Client, has_crds: bool, report: Report
) -> None:
    if not has_crds:
        pytest.skip(_LEFT_OUT)
    wanted = objects_in(folder)
    try:
        first = [client.apply(item) for item in wanted]
        again = [client.apply(item) for item in wanted]
        assert [reply.body for reply in first if reply.is_refusal] == []
        assert [reply.body for reply in again] == [reply.body for reply in first]
        stored = [given(r.body, item) for r, item in zip(again, wanted, strict=True)]
        assert stored == wanted
    finally:
        for item in wanted:
            client.delete(item)
    report(f"{folder.relative_to(ROOT)}: {len(wanted)} objects, applied twice")


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_what_preview_shows_is_accepted(name: str, client: Client, report: Report) -> None:
    project = load(ROOT)
    environment = project.environment(name)
    assert environment
    rendering = render(project, [name])
    shown = [
        with_numbers(unit, item.content)
        for spec in environment.specs
        if spec.kind.name == "Serving"
        for unit in preview(project, rendering, environment, spec, {"config-key": ()}).units
        for item in unit.objects
    ]
    refused = [reply.body for item in shown if (reply := client.try_to_create(item)).is_refusal]
    assert refused == []
    report(f"{name}: {len(shown)} objects of preview, dry-run")


def test_the_project_of_the_table_is_accepted(client: Client, has_crds: bool) -> None:
    objects = objects_of(load_base(), None)
    assert ask(client, (o for o in objects if has_crds or o["kind"] not in APPLIED)).refused == ""


def answered_now(client: Client, has_crds: bool, recorded: Rows) -> Iterator[tuple[str, Row]]:
    """Rows with the files they belong to; without CRDs, none that stopped at a kind of theirs."""
    base = load_base()
    for mutation in read_mutations():
        known = recorded.get(f"{mutation.file}/{mutation.name}", {})
        if has_crds or known.get("refused") not in APPLIED:
            objects = objects_of(base, mutation)
            answer = ask(client, (o for o in objects if has_crds or o["kind"] not in APPLIED))
            yield mutation.file, row_of(mutation, answer)


def test_the_table_is_what_the_server_answers(
    client: Client, has_crds: bool, pytestconfig: pytest.Config, report: Report
) -> None:
    update = pytestconfig.getoption("--update-observed")
    if update and not has_crds:
        pytest.skip(_LEFT_OUT)
    found = list(answered_now(client, has_crds, read_rows()))
    if update:
        write_rows(found)
    recorded = read_rows()
    answered = {f"{file}/{row['name']}": row for file, row in found}
    report(count(answered.values()))
    different = {
        name: {"recorded": recorded.get(name), "answered": row}
        for name, row in answered.items()
        if row != recorded.get(name)
    }
    assert not different, json.dumps(different, indent=2)
    assert not has_crds or answered.keys() == recorded.keys()
