"""A diff says which AppImages must be at a partner before the KusciaDeployment is applied."""

import pytest

from renderer import compare
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.report import build_report
from renderer.outputs.layout import PLAIN
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.replacements import files_below
from tests.support.rows import each

CASE = ROOT / "tests/observed/kuscia/status/57-peer-to-peer-initiator-applied-first"
ENVIRONMENT, SERVING, IMAGE = (
    f"environments/e/{name}.yaml" for name in ("environment", "servings/s57", "appimages/s57-app")
)
NEW_SERVING, NEW_IMAGE = "environments/e/servings/new.yaml", "environments/e/appimages/next.yaml"
PLAIN_NAMES = files_below(CASE / "repo")
HASHED_NAMES = {
    **PLAIN_NAMES,
    ENVIRONMENT: PLAIN_NAMES[ENVIRONMENT] + "kuscia: {appimage_naming: hashed}\n",
}
BEN = "- domain_id: ben\n  replicas: 1\n"
MARK = "before the KusciaDeployment is applied"


def replaced(files, *changes):
    """Files with a text of one or some of them replaced."""
    found = dict(files)
    for path, old, new in changes:
        assert old in found[path]
        found[path] = found[path].replace(old, new)
    return found


def alone(files):
    """Only the initiator takes part."""
    return replaced(files, (SERVING, BEN, ""))


def at_a_partner(files):
    """The control plane of ben is not ours."""
    head, tail = files[ENVIRONMENT].split("- name: ben\n")
    *_, rest = tail.split("  - ben\n")
    return {**files, ENVIRONMENT: f"{head}{rest}kuscia: {{external_domains: [ben]}}\n"}


def with_next_image(files):
    image = files[IMAGE].replace("1.27", "1.28")
    return replaced({**files, NEW_IMAGE: image}, (SERVING, "s57-app", "next"))


def with_new_serving(files):
    return {**files, NEW_SERVING: files[SERVING]}


def report_of(before, after):
    return build_report(compare(project(before), project(after)), ("before", "after"), {})


def said(before, after):
    """The sentences on the order, each with the units that it stands with."""
    causes = joined_causes(report_of(before, after))
    consequences = [item for cause in causes for item in cause.consequences]
    return [
        (item.advice, [unit.unit for unit in item.units])
        for item in consequences
        if MARK in item.advice
    ]


HASHED_EDIT = replaced(HASHED_NAMES, (IMAGE, "1.27", "1.28"))
HASHED_COMMAND = replaced(HASHED_NAMES, (IMAGE, "- nginx", "- other"))
PARTNER = at_a_partner(PLAIN_NAMES)
PER_PARTY = replaced(
    {**PLAIN_NAMES, NEW_IMAGE: PLAIN_NAMES[IMAGE]},
    (SERVING, "- domain_id: ann\n", "- domain_id: ann\n  app_image: next\n"),
)
WITH_BOTH = {
    **PLAIN_NAMES,
    NEW_IMAGE: PLAIN_NAMES[IMAGE],
    NEW_SERVING: PLAIN_NAMES[SERVING].replace("s57-app", "next"),
}
EARLIER, THIS, ASK = (
    "merge the AppImage in a commit before.",
    "let the controller there apply this commit first.",
    "ask the partner first.",
)


@each(
    "before after units way",
    {
        "a new serving": (PLAIN_NAMES, with_new_serving(PLAIN_NAMES), ["ben"], EARLIER),
        "a new serving, hashed": (HASHED_NAMES, with_new_serving(HASHED_NAMES), ["ben"], THIS),
        "a new serving with a partner": (PARTNER, with_new_serving(PARTNER), ["ben"], ASK),
        "a party": (alone(PLAIN_NAMES), PLAIN_NAMES, ["ann", "ben"], EARLIER),
        "a reference": (PLAIN_NAMES, with_next_image(PLAIN_NAMES), ["ann", "ben"], EARLIER),
        "a reference of a partner": (PARTNER, with_next_image(PARTNER), ["ben"], ASK),
        "a reference of one party": (PLAIN_NAMES, PER_PARTY, ["ann"], EARLIER),
        "a hashed image": (HASHED_NAMES, HASHED_EDIT, ["ann", "ben"], THIS),
        "a hashed image that no pod takes": (HASHED_NAMES, HASHED_COMMAND, ["ann", "ben"], THIS),
    },
)
def test_the_order_is_said_once_for_each_cause(before, after, units, way):
    ((advice, found),) = said(before, after)
    assert found == units
    assert "must be at `ben` before" in advice
    assert advice.endswith(way)


@each(
    "before after",
    {
        "the image was there": (WITH_BOTH, with_next_image(WITH_BOTH)),
        "one control plane": (alone(PLAIN_NAMES), with_next_image(alone(PLAIN_NAMES))),
        "an image under its name": (PLAIN_NAMES, replaced(PLAIN_NAMES, (IMAGE, "1.27", "1.28"))),
        "replicas": (PLAIN_NAMES, replaced(PLAIN_NAMES, (SERVING, "replicas: 1", "replicas: 2"))),
    },
)  # fmt: skip
def test_nothing_is_said_where_nothing_must_be_there_first(before, after):
    assert said(before, after) == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_it(name):
    text = FORMATS[name](report_of(HASHED_NAMES, HASHED_EDIT), PLAIN)
    assert MARK in " ".join(text.split())
