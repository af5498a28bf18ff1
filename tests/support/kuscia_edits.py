"""Edits that were made at a real Kuscia: a repository before, an edit, and both compared."""

from functools import cache

import yaml

from renderer import compare, render
from renderer.text.yaml_reader import read
from renderer.values.objects import Output
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.replacements import edited, files_below

EDITS = ROOT / "tests" / "observed" / "kuscia" / "edits"
NAMES = sorted(path.stem for path in EDITS.glob("*.yaml"))
#: Done to the cluster by hand, as it cannot be rendered: what was edited of the rendered tree.
BY_HAND = {
    "52-template-role-so-that-no-party-matches": ("role: r\n", "role: x\n"),
    "54-appimage-deleted-by-hand-while-in-use": None,
}
#: Servings that their file calls otherwise, where a recording does not say it.
_FILES = {"a22-serving-renamed-and-image-tag-together": {"other": "s"}}


@cache
def described(name):
    return yaml.load((EDITS / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)


@cache
def _base(name):
    return files_below(EDITS / "bases" / name)


def repositories_of(name):
    """The repository before and after the edit."""
    case = described(name)
    files = edited(_base(case["base"]), case["before"])
    return project(files), project(edited(files, case["edit"]))


def sides_of(name):
    """The same; or, of what was done by hand, what is rendered then."""
    before, after = repositories_of(name)
    return before, _by_hand(before, name) if name in BY_HAND else after


def comparison_of(name):
    return compare(*sides_of(name), [described(name)["environment"]])


def _by_hand(before, name):
    """What was rendered, with the AppImage edited or deleted by hand."""
    made = render(before).manifests
    [image] = [item for item in made if item.path.endswith("/appimages/plain.yaml")]
    others = tuple(item for item in made if item is not image)
    edit = BY_HAND[name]
    if edit is None:
        return Output(others)
    assert edit[0] in image.text
    text = image.text.replace(*edit)
    tree = read(text.encode(), image.path).document.tree
    touched = image._replace(text=text, tree=tree)
    return Output(tuple(sorted((touched, *others), key=lambda item: item.path)))


def units_of(name):
    """The spec and the unit of each party that was looked at, with what was seen of it."""
    files = _FILES.get(name, {})
    for item in described(name)["observed"]:
        serving = item["serving"]
        yield (item.get("spec") or files.get(serving, serving), item["unit"]), item
