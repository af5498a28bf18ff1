"""Which texts of an imported spec move to files, to which ones, and when none is written."""

import pytest

from renderer.adopt.config_texts import move_texts_to_files
from renderer.adopt.drafts import Draft
from renderer.assets import read_template
from renderer.backends.kinds import KINDS
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.memory import project

LONG = "one\ntwo\nthree\n"
FOLDER = "templates/kuscia/config"


def moved(templates, kind="AppImage", stem="scorer", **files):
    """What a spec says of its texts then, and the files that are written."""
    others = {"labels": {"a": LONG}}
    tree = uniform_tree({**others, "configTemplates": templates}, Origin("a.yaml"))
    draft = Draft("dev", KINDS[kind], stem, "a.yaml", tree, ())
    found = move_texts_to_files(draft, project({"servingctl.yaml": "", **files}).files)
    said = found.tree.plain()
    assert said == {**others, "configTemplates": said["configTemplates"]}
    return said["configTemplates"], found.files


def test_each_long_text_has_a_file_of_its_own():
    said, files = moved({"a.conf": LONG, "b.conf": f"{LONG}four\n", "short": "one\ntwo\n"})
    assert said == {
        "a.conf": {"file": "scorer/a.conf"},
        "b.conf": {"file": "scorer/b.conf"},
        "short": "one\ntwo\n",
    }
    assert files == {
        f"{FOLDER}/scorer/a.conf": LONG,
        f"{FOLDER}/scorer/b.conf": f"{LONG}four\n",
    }


@pytest.mark.parametrize("key", [".", "..", "a/b", "a\\b"])
def test_a_key_that_can_be_no_file(key):
    assert moved({key: LONG}) == ({key: LONG}, {})


@pytest.mark.parametrize("value", [{"file": "scorer/a.conf"}, None, f"{LONG}\x00"])
def test_what_stays_as_it_is(value):
    assert moved({"a.conf": value}) == ({"a.conf": value}, {})


def test_texts_that_are_no_mapping():
    assert moved(LONG) == (LONG, {})


def test_a_kind_without_such_texts():
    assert moved({"a.conf": LONG}, kind="Serving") == ({"a.conf": LONG}, {})


def test_a_file_that_says_it_already_is_used():
    there = {f"{FOLDER}/scorer/a.conf": LONG}
    assert moved({"a.conf": LONG}, **there) == ({"a.conf": {"file": "scorer/a.conf"}}, {})


def test_a_file_that_says_something_else_stays():
    there = {f"{FOLDER}/scorer/a.conf": "other"}
    said, files = moved({"a.conf": LONG}, **there)
    assert said == {"a.conf": {"file": "scorer/dev/a.conf"}}
    assert files == {f"{FOLDER}/scorer/dev/a.conf": LONG}


def test_a_text_for_which_every_file_is_taken_stays():
    there = {f"{FOLDER}/scorer/{name}": "other" for name in ("a.conf", "dev/a.conf")}
    assert moved({"a.conf": LONG}, **there) == ({"a.conf": LONG}, {})


def test_a_text_that_comes_with_the_tool_is_not_written():
    name = "secretflow-serving/serving-config.conf"
    text = read_template(f"kuscia/config/{name}").decode()
    said, files = moved({"serving-config.conf": text}, stem="secretflow-serving")
    assert (said, files) == ({"serving-config.conf": {"file": name}}, {})
