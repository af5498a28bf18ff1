"""Renders and previews, field by field, against what the real controllers made of the same."""

import json
from functools import cache

import pytest
import yaml

from renderer import load, render
from renderer.backends.kuscia.config_templates.insertion import render as filled
from renderer.backends.kuscia.config_templates.json_files import breaking_placeholders, json_file
from renderer.backends.kuscia.config_templates.template import parse
from renderer.backends.kuscia.config_templates.tokens import TemplateFault
from renderer.inspect.preview import PreviewPart, PreviewRequest, attempt
from renderer.outputs.preview import FORMATS
from renderer.values.inspection import Preview
from tests.support.observed import CASES, FOLDER, by_identity, compared, in_order
from tests.support.processes import run
from tests.support.rows import each

TEMPLATES = json.loads((FOLDER / "render.json").read_text("utf-8"))
#: Rows that are programs in Go's language, which a preview does not run.
GO = ("{{if .SERVING_ID}}y{{end}}", '{{"x"}}', '{{.SERVING_ID | printf "%s"}}')
every_case = each("case", CASES, name=lambda case: case.id)


@cache
def units(case):
    """What `preview --format json` says of the destination that was observed."""
    says = case.says
    wanted = PreviewRequest(
        says["environment"],
        f"Serving/{says['serving']}",
        {"config-key": case.config_keys},
        PreviewPart(says["destination"]),
    )
    made = attempt(load(case.repository), wanted)
    assert isinstance(made, Preview), made
    return json.loads(FORMATS["json"](made))["units"]


def applied(case):
    """The rendered objects of the serving that was observed, and of its AppImages."""
    says = case.says
    made = render(load(case.repository), [says["environment"]])
    objects = (
        yaml.load(item.text, yaml.CSafeLoader)
        for item in made.manifests
        if item.destination == says["destination"]
    )
    return by_identity(objects)


def test_all_cases_are_here():
    assert len(CASES) == 43
    assert sum(len(case.says["files"]) for case in CASES) == 67
    assert len(TEMPLATES["rows"]) == 53


@each("case", [i for i in CASES if i.says["plane"] == "initiator"], name=lambda case: case.id)
def test_what_is_rendered_was_applied(case):
    made = applied(case)
    for identity, content in case.objects("applied.yaml").items():
        assert made[identity] == content, identity


@every_case
def test_each_field_came_out_as_previewed(case):
    found = by_identity(item for unit in units(case) for item in unit["objects"])
    live = case.objects("live.yaml")
    assert found.keys() == live.keys()
    results = [compared(content, live[identity], identity) for identity, content in found.items()]
    assert [text for item in results for text in item.wrong] == []
    assert sum(item.fields for item in results) > 20


@every_case
def test_each_file_was_written_as_previewed(case):
    found = {
        (unit["unit"], item["container"], item["path"], item["source"]): in_order(item["text"])
        for unit in units(case)
        for item in unit["files"]
    }
    assert found == {place: in_order(text) for place, text in case.files.items()}


@pytest.mark.process
def test_the_command_says_the_same():
    (case,) = (item for item in CASES if item.id == "example-prod-bob")
    says = case.says
    where = ("--env", says["environment"], "--destination", says["destination"])
    keys = [word for pair in case.config_keys for word in ("--config-key", pair)]
    spec = f"Serving/{says['serving']}"
    done = run("preview", spec, *where, "--format", "json", *keys, cwd=case.repository)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["units"] == units(case)


def outcome(row):
    """What a template becomes, and whether part of it is not worked out here."""
    template = parse(row["text"])
    if isinstance(template, TemplateFault):
        return "error", ()
    try:
        done = filled(template, TEMPLATES["env"], TEMPLATES["config_manager"])
    except TemplateFault:
        return "error", ()
    return done.text, done.not_previewed


@each("row", TEMPLATES["rows"], name=lambda row: row["text"])
def test_a_config_template_is_filled_as_kuscia_does(row):
    text, not_previewed = outcome(row)
    if not_previewed:  # Go's actions and functions are shown as they are written, and named
        assert text == row["text"] in GO
    else:
        assert text == ("error" if row.get("error") else row["output"])


def test_a_file_is_judged_as_kuscia_fills_it():
    """Whether it stays JSON with these values, of all rows that are JSON around placeholders."""
    known = {**TEMPLATES["env"], **TEMPLATES["config_manager"]}
    judged = {}
    for row in TEMPLATES["rows"]:
        whole = json_file(parse(row["text"])) if "output" in row else None
        if whole:
            judged[row["text"]] = not any(breaking_placeholders(whole, whole.placeholders, known))
            assert judged[row["text"]] == is_json(row["output"]), row
    assert len(judged) > 15
    assert judged['{"o": {{{.INPUT_CONFIG.v3}}} }']


def is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
