"""Instructions that CI counts are compared with the committed ones."""

import json

import pytest

from benchmarks import instructions
from benchmarks.instructions import State, compare_with_committed, differing

COMMITTED = {"validate": 10.0, "render": 20.0}


@pytest.mark.parametrize(
    ("ratios", "found"),
    [
        ({"validate": 10.0, "render": 20.0}, []),
        ({"validate": 10.4, "render": 19.1}, []),
        (
            {"validate": 10.6, "render": 20.0},
            ["validate: 10.00 was committed, and it is 10.60"],
        ),
        ({"validate": 10.0, "render": 18.9}, ["render: 20.00 was committed, and it is 18.90"]),
        ({"validate": 10.0}, ["render: no longer counted"]),
        ({**COMMITTED, "diff": 3.0}, ["diff: not committed"]),
    ],
)
def test_what_differs_from_the_committed_figures(ratios, found):
    assert list(differing(ratios, COMMITTED)) == found


def state(validate):
    return State("now", {"`python -c pass`": 100, "validate": validate})


def test_figures_are_compared_for_each_python(tmp_path, monkeypatch, capsys):
    file = tmp_path / "smoke.json"
    file.write_text('{"2.7": {"validate": 1.0}}')
    monkeypatch.setattr(instructions, "_COMMITTED", file)
    assert compare_with_committed(state(1000), updates=False) == 0
    assert "Not compared" in capsys.readouterr().out
    assert compare_with_committed(state(1000), updates=True) == 0
    assert json.loads(file.read_text())["2.7"] == {"validate": 1.0}
    assert compare_with_committed(state(1030), updates=False) == 0
    assert compare_with_committed(state(1080), updates=False) == 1
    assert "validate: 10.00 was committed, and it is 10.80" in capsys.readouterr().out


def test_figures_are_committed():
    committed = json.loads(instructions._COMMITTED.read_text("utf-8"))
    assert all(len(figures) == 12 for figures in committed.values())
    assert committed
