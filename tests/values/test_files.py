"""Files as they would be after an edit."""

from renderer.values.files import EditedFiles
from tests.support.memory import Memory

EDITED = EditedFiles(
    Memory({"a/b.yaml": "x", "a/d.yaml": "y", "a/gone.yaml": "z"}),
    {"a/c/d.yaml": b"z", "a/b.yaml": b"w", "a/gone.yaml": None},
)


def test_new_files_are_among_the_others_and_deleted_ones_are_not():
    assert [entry.path for entry in EDITED.entries("a")] == ["a/b.yaml", "a/c/d.yaml", "a/d.yaml"]
    assert EDITED.names("a") == ["b.yaml", "c", "d.yaml"]
    assert [EDITED.exists(f"a/{name}") for name in ("c/d.yaml", "d.yaml", "gone.yaml")] == [
        True,
        True,
        False,
    ]


def test_what_is_written_is_read_within_the_limit():
    assert EDITED.read("a/b.yaml", 10) == b"w"
    assert EDITED.read("a/d.yaml", 10) == b"y"
    assert EDITED.read("a/c/d.yaml", 0) == b"z"
