"""Our named tuples do what those of `typing` do."""

import pickle
import re
import typing

import pytest

from renderer.values.named_tuple import NamedTuple
from tests.support.places import ROOT


class Ours(NamedTuple):
    """A place."""

    file: str
    line: int = 1
    note: str = ""

    @property
    def place(self):
        return self.file, self.line


class Theirs(typing.NamedTuple):
    """A place."""

    file: str
    line: int = 1
    note: str = ""

    @property
    def place(self):
        return self.file, self.line


class Nothing(NamedTuple):
    """Without fields."""


def outcome(make, kind):
    """What comes out, or which kind of error."""
    try:
        made = make(kind)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)
    return repr(made).replace("Ours", "Theirs"), made


@pytest.mark.parametrize(
    "make",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", note="b"),
        lambda kind: kind(line=2, file="a"),
        lambda kind: kind(),
        lambda kind: kind("a", 1, "b", 2),
        lambda kind: kind("a", other=1),
        lambda kind: kind("a")._replace(note="b", line=3),
        lambda kind: kind("a")._replace(other="b"),
        lambda kind: kind._make(["a", 2, "b"]),
        lambda kind: kind._make(["a"]),
        lambda kind: kind("a", 2)._asdict(),
        lambda kind: kind("a", 2).place,
        lambda kind: kind("a").__setattr__("file", "b"),
        lambda kind: kind("a").__setattr__("other", "b"),
        lambda kind: sorted([kind("b"), kind("a", 2), kind("a")]),
        lambda kind: {kind("a"): 1}[("a", 1, "")],
        lambda kind: (kind._fields, kind.__match_args__, kind.__doc__, kind("a")[1:]),
        lambda kind: kind.file.__get__(("not", "ours")),
    ],
)
def test_like_those_of_typing(make):
    assert outcome(make, Ours) == outcome(make, Theirs)


def test_classes_are_plain():
    """Their metaclass is none of ours: looking whether a value is of a class stays cheap."""
    assert type(Ours) is type
    assert isinstance(Ours("a"), tuple)
    assert Nothing() == ()


def test_values_travel_between_processes():
    made = pickle.loads(pickle.dumps(Ours("a", 2)))
    assert (type(made), made) == (Ours, Ours("a", 2))


def test_a_field_without_a_default_comes_first():
    with pytest.raises(TypeError, match="late: a field without a default"):
        type(NamedTuple)(
            "late",
            (NamedTuple,),
            {"__qualname__": "late", "__annotations__": {"a": int, "b": int}, "a": 1},
        )


def test_the_program_declares_all_values_with_them():
    """Each of `typing` would cost as much at start-up as three of ours."""
    theirs = re.compile(r"from typing import [^\n]*\bNamedTuple|typing\.NamedTuple")
    home = ROOT / "renderer/values/named_tuple.py"
    files = (path for path in (ROOT / "renderer").rglob("*.py") if path != home)
    assert [str(path) for path in files if theirs.search(path.read_text("utf-8"))] == []
