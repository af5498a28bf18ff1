"""Every name that becomes a file name does as one or is refused; nothing is written outside."""

import os

import pytest

from renderer.publish.inventory import is_safe
from tests.publish.trees import look
from tests.robust.form import rows
from tests.robust.stage import Stage
from tests.support.counting import count
from tests.support.repositories import ENVIRONMENT, SCORER, SERVING

pytestmark = pytest.mark.process

NAMES = [
    "..", ".", "../x", "a/../../x", "/etc/x", "a/b", ".git", ".inventory", ".servingctl-work",
    "-rf", "~", "*", "a b", "a\\b", "A", "é", "信", "con", "nul.yaml", "x.", "x" * 300, "${vars.x}",
    "a\nb", "a\x00b", "\x1b[31m", "\u202ex", "kustomization", "a%2fb", "$(id)", "`id`", "{{ 7*7 }}",
    "'", '"', "#", "&a", "!x", "\u2028", "a\tb", "😀",
]  # fmt: skip
RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"
DEV = "environments/dev/environment.yaml"


def _quoted(name):
    """In double quotes, where everything can be written."""
    return '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in name) + '"'


def _destination(name):
    return {DEV: ENVIRONMENT.replace("name: east", f"name: {_quoted(name)}")}


def _serving(name):
    return {RISK: SERVING + f"serving_id: {_quoted(name)}\n"}


def _image(name):
    serving = SERVING.replace("app_image: scorer", f"app_image: {_quoted(name)}")
    return {IMAGE: SCORER + f"name: {_quoted(name)}\n", RISK: serving}


def _by_variable(name):
    """By way of a variable, which is checked after composing."""
    return {DEV: ENVIRONMENT + f"vars: {{x: {_quoted(name)}}}\n",
            RISK: SERVING + "serving_id: ${vars.x}\n"}  # fmt: skip


def _hashed(name):
    dev = ENVIRONMENT.replace("kuscia: {", "kuscia: {appimage_naming: hashed, ")
    return {**_image(name), DEV: dev}


def _stem(name):
    return {f"environments/dev/servings/{name}.yaml": SERVING}


def _folder(name):
    return {f"environments/{name}/environment.yaml": ENVIRONMENT,
            f"environments/{name}/image.yaml": SCORER}  # fmt: skip


PLACES = {
    "destination": _destination,
    "serving": _serving,
    "image": _image,
    "variable": _by_variable,
    "hashed image": _hashed,
    "stem": _stem,
    "environment": _folder,
}


@pytest.fixture(scope="module")
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.mark.long
@pytest.mark.parametrize("place", rows(PLACES, one_in=5))
def test_no_name_leads_out_of_the_output(place, stage, tmp_path):
    from tests.support.repositories import SMALL

    accepted = []
    for number, name in enumerate(NAMES):
        if place in ("stem", "environment") and not _can_be_a_file(name):
            continue
        base = tmp_path / str(number)
        root = base / "in" / "repository"
        for path, text in {**SMALL, **PLACES[place](name)}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        before = look(base)
        ended = stage.run(root, "render")
        assert ended.code in (0, 1), (name, ended)
        assert not _steers(ended.out + ended.err), (name, ended)
        new = {path for path in look(base) if path not in before}
        assert all(path.startswith("in/repository/rendered") for path in new), (name, new)
        inside = [
            path.removeprefix("in/repository/rendered/") for path in new if path.endswith(".yaml")
        ]
        assert all(is_safe(path) for path in inside), (name, inside)
        count("names tried")
        accepted += [name] * (ended.code == 0)
    assert accepted, "some of them are names"
    hidden = {".git"} if place in ("stem", "environment") else set()  # not read at all
    refused = {"..", ".", "../x", ".git", "a\nb", "a\x00b", "\x1b[31m"} - hidden
    assert not refused & set(accepted)


def _can_be_a_file(name):
    return (
        name not in ("", ".", "..") and not set(name) & {"/", "\0"} and len(os.fsencode(name)) < 200
    )


def _steers(text):
    return [c for c in text if c != "\n" and not c.isprintable()]
