"""Inventories ended in `.json` once: such a tree is up to date, and a render renames them."""

import shutil

import pytest

from renderer.errors import RendererError
from renderer.io.worktree import Worktree
from renderer.publish.inventory import DestinationFolder, Scope, destination_of, is_inventory
from renderer.publish.publisher import compare, publish
from renderer.publish.rendered_tree import reread
from tests.publish.scenarios import to_former_names
from tests.publish.trees import look, outputs, put, texts

ALL = Scope()
A, B, C = "dev/east/things/a.yaml", "dev/east/things/b.yaml", "dev/west/things/c.yaml"
NOW, FORMER = "dev/.inventory/east", "dev/.inventory/east.json"
CONFLICT = "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n"


@pytest.fixture
def former(folder):
    """A tree as it was rendered once."""
    publish(folder, outputs(**{A: "a", B: "b", C: "c"}), ALL)
    to_former_names(folder)
    return folder


def names(folder):
    return sorted(path.name for path in (folder / "dev/.inventory").iterdir())


def test_it_is_up_to_date_and_the_next_render_renames(former):
    files = outputs(**{A: "a", B: "b", C: "c"})
    data, before = (former / FORMER).read_bytes(), look(former, times=True)
    assert compare(former, files, ALL) == ((), (), (), ())
    assert look(former, times=True) == before
    assert publish(former, files, ALL) == (0, 3, 0, (), ())
    assert names(former) == ["east", "west"]
    assert (former / NOW).read_bytes() == data
    assert {path: before[path] for path in (A, B, C)} == {
        path: look(former, times=True)[path] for path in (A, B, C)
    }


def test_a_former_inventory_beside_its_successor_is_stale(former):
    shutil.copy(former / FORMER, former / NOW)
    files = outputs(**{A: "a", B: "b", C: "c"})
    assert compare(former, files, ALL) == ((), (), (FORMER,), ())


def test_it_says_which_files_are_ours(former):
    put(former, A, "by hand")
    after = outputs(**{A: "a", C: "c"})
    assert compare(former, after, ALL) == ((NOW,), (A,), (FORMER, B), ())
    done = publish(former, after, ALL)
    assert (done.written, done.pruned, done.restored) == (1, 1, (A,))
    assert texts(former) == {A: "a", C: "c"}
    assert names(former) == ["east", "west"]


def test_emptying_is_noticed(former):
    with pytest.raises(RendererError, match="destination dev/east would lose every object"):
        publish(former, outputs(**{C: "c"}), ALL)
    publish(former, outputs(**{C: "c"}), ALL, allow_empty=True)
    assert names(former) == ["west"]


@pytest.mark.parametrize("text", [CONFLICT, "{}", '{"format": 1, "files": {}}'])
def test_beside_the_new_one_it_is_not_read_and_goes(text, former):
    """A merge of a branch that still has it brings it back."""
    files = outputs(**{A: "a", B: "b", C: "c"})
    publish(former, files, ALL)
    put(former, FORMER, text)
    assert compare(former, files, ALL) == ((), (), (FORMER,), ())
    assert publish(former, outputs(**{A: "a", C: "c"}), ALL).pruned == 1
    assert names(former) == ["east", "west"]


def test_alone_and_conflicted_it_is_named(former):
    put(former, FORMER, CONFLICT)
    for action in (compare, publish):
        with pytest.raises(RendererError, match=r"\.inventory/east\.json: it holds a merge con"):
            action(former, outputs(**{A: "a"}), ALL)
    publish(former, outputs(**{C: "c2"}), Scope(None, lambda _, name: name == "west"))
    assert names(former) == ["east.json", "west"], "a shard leaves those of others alone"


def test_what_else_lies_there_is_foreign(former):
    others = ["dev/.inventory/.gitkeep", "dev/.inventory/east.orig"]
    for path in others:
        put(former, path)
    publish(former, outputs(**{A: "a"}), ALL, allow_empty=True)
    assert compare(former, outputs(**{A: "a"}), ALL).foreign == tuple(others)


def test_destinations_whose_names_end_so(folder):
    """The inventory of one is not taken for the former one of another."""
    files = {f"dev/{name}/things/a.yaml": name for name in ("x", "x.json", "x.json.json", "y.z")}
    publish(folder, outputs(**files), ALL)
    assert names(folder) == ["x", "x.json.json", "x.json.json.json", "y.z.json"]
    to_former_names(folder)
    assert compare(folder, outputs(**files), ALL) == ((), (), (), ())
    more = {f"dev/{name}/things/b.yaml": "b" for name in ("x", "x.json")}
    publish(folder, outputs(**files, **more), ALL)
    assert publish(folder, outputs(**files), ALL).pruned == 2
    assert names(folder) == ["x", "x.json.json", "x.json.json.json", "y.z.json"]


@pytest.mark.parametrize("name", ["x", "x.json", ".json", "x.", "a.b", "json"])
def test_a_path_tells_whose_inventory_it_is(name):
    destination = DestinationFolder("dev", name)
    for path in (destination.inventory, destination.former_inventory):
        assert is_inventory(path)
        assert destination_of(path) == destination


def test_reading_the_objects_again(former):
    """As `diff --from rendered` does."""
    for file in (former / "dev").rglob("*.yaml"):
        file.write_text("{apiVersion: v1, kind: Thing, metadata: {name: a}}\n")
    put(former, ".hidden/.inventory/east.json", (former / FORMER).read_text())
    output = reread(Worktree(former), "rendered")
    found = [item.path for item in output.manifests]
    assert (found, output.diagnostics) == ([A, B, C], ())
    shutil.copy(former / FORMER, former / NOW)
    put(former, FORMER, CONFLICT)
    assert [item.path for item in reread(Worktree(former), "rendered").manifests] == found


def test_reading_what_was_broken(folder):
    files = {A: "kind: Thing\n", B: "kind: [\n", C: "kind: Thing\nkind: Other\n"}
    publish(folder, outputs(**files, **{"dev/east-2/things/d.yaml": "kind: Thing\n"}), ALL)
    found = reread(Worktree(folder), "rendered")
    assert [item.path for item in found.manifests] == ["dev/east-2/things/d.yaml", A]
    assert [item.file for item in found.diagnostics] == [f"rendered/{B}", f"rendered/{C}"]
    assert found.edited == {f"rendered/{B}", f"rendered/{C}"}
