"""`list`: what is there and where it goes, whatever is wrong with it."""

import json
import re
import time

import pytest

from benchmarks.repositories import write
from renderer.inspect.listing import list_specs
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.listing import show_text, show_wide
from renderer.values.inspection import Listing, Row
from tests.support.places import ROOT
from tests.support.processes import run, snapshot
from tests.support.repositories import HEADER


def listing(root, *options, expect=0):
    done = run("list", *options, cwd=root)
    assert done.returncode == expect, done.stderr
    assert "Traceback" not in done.stderr
    return done


def rows(root, *options):
    """By environment, kind and stem."""
    found = json.loads(listing(root, "--format", "json", *options).stdout)["specs"]
    return {(row["environment"], row["kind"], row["stem"]): row for row in found}


@pytest.mark.process
def test_the_example():
    found = rows(ROOT)
    assert list(found) == sorted(found)
    assert {row["environment"] for row in found.values()} == {"dev", "prod"}
    assert found["prod", "Serving", "credit-risk"] == {
        "environment": "prod",
        "kind": "Serving",
        "stem": "credit-risk",
        "name": "credit-risk",
        "destinations": ["alice"],
        "units": ["alice", "bob"],
        "files": [
            "environments/prod/servings/credit-risk.yaml",
            "environments/base/servings/credit-risk.yaml",
        ],
        "broken": False,
    }
    assert found["prod", "Serving", "dataproxy"]["name"] == "dataproxy-alice"
    assert ("dev", "Serving", "dataproxy") not in found  # it is disabled there


@pytest.mark.process
def test_specs_go_where_they_are_rendered():
    """Those that others refer to as well; compute templates are written into their users."""
    rendered = {
        (*path.parts[-4:-2], path.stem)
        for path in (ROOT / "rendered").glob("*/*/*/*.yaml")
        if path.parent.name != "appimages"
    }
    told = {
        (row["environment"], place, row["name"])
        for row in rows(ROOT).values()
        for place in row["destinations"]
        if row["kind"] not in ("AppImage", "ComputeTemplate")
    }
    assert told == rendered
    images = rows(ROOT)
    assert images["prod", "AppImage", "secretflow-serving"]["destinations"] == ["alice", "bob"]
    assert images["dev", "AppImage", "dataproxy"]["destinations"] == []


@pytest.mark.process
def test_the_table():
    done = listing(ROOT, "--env", "prod")
    first, *lines = done.stdout.splitlines()
    assert first.split() == ["ENVIRONMENT", "KIND", "NAME", "DESTINATIONS", "UNITS", "FILES"]
    line = next(line for line in lines if "Serving  " in line and "credit-risk" in line)
    cells = re.split(r" {2,}", line)
    files = "prod/servings/credit-risk.yaml, base/servings/credit-risk.yaml"
    assert cells == ["prod", "Serving", "credit-risk", "alice", "alice, bob", files]
    assert done.stderr == ""
    assert listing(ROOT).stderr == "only inherited from, and not listed without --env: base\n"


@pytest.mark.process
def test_an_environment_that_is_only_inherited_from():
    found = rows(ROOT, "--env", "base")
    assert found["base", "Serving", "credit-risk"]["units"] == ["alice", "bob"]
    assert {tuple(row["destinations"]) for row in found.values()} == {()}


@pytest.mark.process
def test_what_is_broken_has_a_mark(repository):
    root = repository(
        {
            "environments/dev/odd.yaml": "x: [\n",
            "environments/dev/servings/shape.yaml": HEADER.format("Serving") + "parties: 5\n",
            "environments/dev/servings/torn.yaml": HEADER.format("Serving") + "parties: [\n",
            "environments/lost/environment.yaml": HEADER.format("Environment") + "extends: x\n",
        }
    )
    before = snapshot(root)
    done = listing(root)
    broken = [re.split(r" {2,}", line) for line in done.stdout.splitlines() if "! broken" in line]
    assert broken == [
        ["dev", "?", "odd", "! broken", "-", "dev/odd.yaml"],
        ["dev", "Serving", "shape", "! broken", "-", "dev/servings/shape.yaml"],
        ["dev", "Serving", "torn", "! broken", "-", "dev/servings/torn.yaml"],
        ["lost", "Environment", "environment", "! broken", "-", "lost/environment.yaml"],
    ]
    assert "4 broken specs; 'servingctl validate' says what is wrong\n" in done.stderr
    assert rows(root)["dev", "Serving", "risk"]["destinations"] == ["east"]
    assert rows(root)["dev", None, "odd"]["broken"]
    assert listing(root, "--env", "lost").stdout.count("\n") == 2
    assert snapshot(root) == before


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--env", "prd"], "there is no environment 'prd'; did you mean 'prod'?"),
        (["--format", "yaml"], "'yaml' is not one of 'text', 'wide', 'json'"),
    ],
)
def test_wrong_usage(options, told):
    assert told in listing(ROOT, *options, expect=2).stderr


@pytest.mark.parametrize(
    ("width", "ends"),
    [
        (0, ["FILES", "prod/long/x, b/x"]),
        (70, ["FILES", "prod/long/x +1"]),
        (62, ["FILES", "…d/long/x +1"]),
        (55, ["UNITS", "predictor"]),
        (40, ["DESTINATIONS", "east"]),
    ],
)
def test_a_narrow_terminal_has_fewer_columns(width, ends):
    files = ("environments/prod/long/x", "environments/b/x")
    row = Row("prod", "Kind", "x", "x", ("east",), ("predictor",), files)
    lines = show_text(Listing((row,)), Layout(width)).splitlines()
    assert [line.rstrip() for line in lines] == lines
    assert all(line.endswith(f"  {end}") for line, end in zip(lines, ends, strict=True)), lines
    assert not width or max(map(len, lines)) <= width


def test_everything_is_shown_where_it_is_asked_for():
    row = Row("prod", "Kind", "x", "x", ("east",), ("u",), ("environments/p/x", "environments/b/x"))
    assert show_wide(Listing((row,)), Layout(20)).endswith("p/x, b/x\n")


def test_many_names_are_counted():
    names = tuple(f"party-{number}" for number in range(9))
    text = show_text(Listing((Row("prod", "Kind", "x", "x", names, names),)), Layout(100))
    assert "party-0, party-1 +7  party-0, party-1 +7" in text
    assert "x\x1b" not in show_text(Listing((Row("prod", "Kind", "x\x1b", "x"),)))


def test_a_fleet_is_listed_quickly(tmp_path):
    write(tmp_path, 1000)
    start = time.process_time()
    found = list_specs(load(tmp_path))
    assert time.process_time() - start < 6
    assert len(found.rows) > 1000
    assert not any(row.is_broken for row in found.rows)
