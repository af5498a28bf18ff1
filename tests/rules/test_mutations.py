"""Specs changed at random: whatever stands in them, there are findings and no crash."""

import copy

import pytest
import yaml
from hypothesis import strategies as st

from renderer import check, load
from tests.support.places import ROOT
from tests.support.samples import sample, tried

SPECS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in sorted((ROOT / "environments").rglob("*.yaml"))
}
SCALARS = st.sampled_from(
    [None, True, 0, -1, 1.5, 2**40, "", "x", "a b", "25%", "1e400", "${vars.x}", "{{.X}}", "{",
     "[]", "\x07", "\u2028", "../x", "sha256:", "kuscia.secretflow/initiator", "x" * 300]
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "role", "file", "$remove", "x"]), inner, max_size=3
        )
    ),
    max_leaves=5,
)


def places(tree, path=()):
    """The path of every value."""
    yield path
    if isinstance(tree, dict | list):
        for key, child in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places(child, (*path, key))


def changed(tree, path, how, value):
    """A copy with the value at a path replaced, deleted, doubled or renamed."""
    tree = copy.deepcopy(tree)
    if not path:
        return value
    parent = tree
    for segment in path[:-1]:
        parent = parent[segment]
    last = path[-1]
    if how == "replace":
        parent[last] = value
    elif how == "delete":
        del parent[last]
    elif isinstance(parent, list):
        parent.append(copy.deepcopy(parent[last]))
    else:
        parent[f"{last}x"] = parent.pop(last)
    return tree


@tried(st.data(), few=5, many=60)
def test_a_changed_spec_gives_findings_and_no_crash(tmp_path_factory, data):
    file = data.draw(st.sampled_from(sorted(SPECS)))
    tree = yaml.safe_load(SPECS[file])
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(sorted(places(tree), key=str)))
        how = data.draw(st.sampled_from(["replace", "delete", "other"]))
        tree = changed(tree, path, how, data.draw(VALUES))
        if not isinstance(tree, dict | list):
            break
    root = tmp_path_factory.mktemp("changed")
    for name, text in {"servingctl.yaml": "", **SPECS}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    (root / file).write_text(yaml.safe_dump(tree, allow_unicode=True), "utf-8")
    for item in check(load(root)):
        assert item.file
        assert item.line >= 1
        assert item.column >= 1
        assert item.fix or item.why, item
        assert "Node(" not in item.message


@pytest.mark.parametrize("value", sample([None, 1, "x", [], {}, [1], {"a": 1}, True], []))
@pytest.mark.parametrize("file", sample(sorted(SPECS), "environments/prod/environment.yaml"))
def test_every_top_level_key_survives_every_type(file, value, tmp_path):
    tree = yaml.safe_load(SPECS[file])
    for key in tree:
        for name, text in {"servingctl.yaml": "", **SPECS}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        (tmp_path / file).write_text(yaml.safe_dump({**tree, key: value}), "utf-8")
        assert all(isinstance(item.message, str) for item in check(load(tmp_path)))
