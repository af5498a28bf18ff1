"""Edits that make specs wrong are causes too, and are said to be errors."""

import json

import pytest

from renderer import compare
from renderer.evaluate.question import Shard
from renderer.outputs.diff import FORMATS, stat
from renderer.outputs.diff.parts import join, read
from renderer.outputs.diff.report import build_report
from tests.support.memory import project
from tests.support.repositories import ENVIRONMENT, PAIR, SCORER, SERVING

BASE = "environments/base/environment.yaml"
PROD = "environments/prod/environment.yaml"
DEV = "environments/dev/environment.yaml"
LEGACY = "environments/base/appimages/legacy.yaml"
A, B = (f"environments/base/servings/{name}.yaml" for name in "ab")
HEADER = "apiVersion: serving.gitops/v1\nkind: Environment\n"
KIND = HEADER.replace("Environment", "Serving")
FILES = {
    "servingctl.yaml": "",
    BASE: HEADER,
    DEV: ENVIRONMENT + "extends: base\n",
    PROD: ENVIRONMENT + "extends: base\nproduction: true\n",
    "environments/base/appimages/scorer.yaml": SCORER,
    LEGACY: SCORER,
    "environments/base/appimages/pair.yaml": PAIR,
    A: SERVING,
    B: SERVING.replace("scorer", "legacy"),
}


def edited(path, old, new):
    assert old in FILES[path]
    return {**FILES, path: FILES[path].replace(old, new)}


def report(after, **options):
    found = compare(project(FILES), project(after), **options)
    return build_report(found, ("HEAD", "the work tree"), {})


def wrong(after):
    shown = report(after)
    names = [edit.change.path or edit.change.origin.file for edit in shown.edits]
    return {
        (item.environment, item.spec, *(names[number] for number in item.causes))
        for item in shown.broken
    }


FEWER = edited(PROD, "domains: [alice, bob]", "domains: [alice]")
DOMAINS = "destinations[east].domains"
GONE = {path: text for path, text in FILES.items() if path != LEGACY}


def test_an_environment_that_makes_all_its_specs_wrong():
    assert wrong(FEWER) == {("prod", f"Serving/{name}", DOMAINS) for name in "ab"}


def test_a_prerequisite_that_is_gone():
    assert wrong(GONE) == {(name, "Serving/b", LEGACY) for name in ("dev", "prod")}


def test_an_error_where_the_edit_is():
    found = wrong(edited(A, "initiator: alice", "initiator: carol") | {PROD: FEWER[PROD]})
    assert ("dev", "Serving/a", "initiator") in found
    assert ("prod", "Serving/b", DOMAINS) in found
    assert ("dev", "Serving/b", DOMAINS) not in found


def test_an_edit_beside_the_one_that_is_wrong():
    """Of all edits of its files, a spec is broken by those where its errors are."""
    after = edited(A, "initiator: alice", "initiator: carol")
    after[A] += "labels: {a: b}\n"
    assert wrong(after) == {(name, "Serving/a", "initiator") for name in ("dev", "prod")}
    only_dev = {**FILES, A.replace("/base/", "/dev/"): f"{KIND}initiator: carol\n"}
    only_dev[B.replace("/base/", "/prod/")] = f"{KIND}initiator: carol\n"
    assert {item[:2] for item in wrong(only_dev)} == {("dev", "Serving/a"), ("prod", "Serving/b")}


def test_what_was_wrong_before_is_nobody_s_doing():
    found = compare(project(FEWER), project({**FEWER, A: FILES[A] + "# a word\n"}))
    assert not found.broken


def test_prerequisites_are_shared_by_parts():
    found = compare(project(FILES), project(edited(LEGACY, "tag: v1", "tag: 'no tag'")))
    assert {(item.spec, item.is_shared) for item in found.broken} == {
        ("AppImage/legacy", True),
        ("Serving/b", False),
    }


def test_an_edit_beside_an_error_in_the_same_line():
    parties = (f"app_image: nothing, replicas: {number}" for number in (1, 2))
    found = compare(*(project(edited(A, "app_image: scorer", text)) for text in parties))
    assert found.findings
    assert found.broken == ()


def test_settings_with_an_error_of_no_spec():
    assert wrong({**FILES, "servingctl.yaml": "output: 7\n"}) == {("", "", "servingctl.yaml")}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("text", "    errors: 2 specs in prod (production)\n"),
        ("stat", f'error  0  {DOMAINS} ["alice", "bob"] → ["alice"]  {PROD}:6 (prod) errors: 2'),
        ("markdown", "| 🛑 | <code>destinations"),
        ("markdown", "(production) 2 specs | **error** 2 specs |"),
        ("html", '<span class="pill bad">errors: 2 specs</span>'),
    ],
)
def test_every_format_says_so(form, words):
    shown = {**FORMATS, "stat": stat.show}[form](report(FEWER))
    assert words in shown
    assert "othing changes" not in shown


def test_programs_are_told():
    (cause,) = json.loads(FORMATS["json"](report(FEWER)))["causes"]
    assert cause["errors"] is True
    assert cause["environments"] == [
        {"name": "prod", "production": True, "specs": 2, "units": 0, "broken": 2}
    ]


def test_errors_without_an_edit_are_not_called_nothing():
    found = report(FEWER)._replace(edits=(), objects=(), broken=())
    assert "`the work tree`: 2 errors.\n" in FORMATS["markdown"](found)


def test_a_removed_prerequisite_is_marked_as_an_error():
    shown = FORMATS["markdown"](report(GONE))
    assert "| 🛑 | <code>environments/base/appimages/legacy" in shown
    assert "nothing that runs is reached" not in shown


def test_parts_say_what_one_run_says():
    parts = (report(FEWER, shard=Shard(n, 3))._replace(shard=(n, 3)) for n in (1, 2, 3))
    joined = join(read(FORMATS["json"](part)) for part in parts)
    assert FORMATS["markdown"](joined) == FORMATS["markdown"](report(FEWER))
