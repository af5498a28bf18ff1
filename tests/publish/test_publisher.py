"""What publishing does to a tree."""

import json
import os

import pytest

from renderer.errors import RendererError
from renderer.publish import filesystem
from renderer.publish.inventory import Scope
from renderer.publish.plan import TreeDifferences
from renderer.publish.publisher import compare, publish
from tests.publish.scenarios import EVERYTHING, SCENARIOS
from tests.publish.trees import look, outputs, put, texts

ALL = Scope()
A, B = "dev/east/things/a.yaml", "dev/east/things/b.yaml"


def test_files_and_inventory(folder):
    done = publish(folder, outputs(**{B: "b", A: "a", "dev/east/kustomization.yaml": "k"}), ALL)
    assert done == (3, 0, 0, (), ())
    assert texts(folder) == {A: "a", B: "b", "dev/east/kustomization.yaml": "k"}
    text = (folder / "dev/.inventory/east").read_text()
    lines = text.splitlines()
    assert json.loads(text)["format"] == 1
    assert [line.split('"')[1] for line in lines[3:-2]] == [
        "kustomization.yaml",
        "things/a.yaml",
        "things/b.yaml",
    ]
    assert json.loads(text)["files"]["things/a.yaml"] == {
        "sha256": "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        "object": "v1/Thing/a",
        "source": "environments/a.yaml",
    }


def test_all_kinds_of_change_at_once(folder):
    EVERYTHING.build(folder)
    foreign = {
        path: entry
        for path, entry in look(folder, times=True).items()
        if path.endswith((".md", ".txt", ".me", "link", "link-to-folder", "HEAD"))
    }
    done = EVERYTHING.run(folder)
    assert done.restored == ("dev/east/things/also-edited.yaml", "dev/east/things/edited.yaml")
    assert (done.written, done.unchanged, done.pruned) == (8, 3, 3)
    wanted = {file.path: file.data.decode() for file in EVERYTHING.after}
    found = texts(folder)
    assert {path: found[path] for path in wanted} == wanted
    now = look(folder, times=True)
    assert {path: now.get(path) for path in foreign} == foreign, "same inode, same time"
    assert set(found) - set(wanted) == {p for p, e in foreign.items() if isinstance(e[2], bytes)}
    assert not (folder / "gone").exists()
    assert not (folder / "dev/east/others").exists()
    assert not (folder / "old/.inventory").exists()
    assert (folder / "dev/empty").is_dir()
    assert (folder / "dev/notes/deep").stat().st_mode & 0o777 == 0o500
    assert (folder / "dev/east/things/also-edited.yaml").stat().st_mode & 0o777 == 0o640
    assert not [name for name in os.listdir(folder) if "servingctl" in name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_publishing_twice_touches_nothing(name, folder):
    scenario = SCENARIOS[name]
    scenario.build(folder)
    scenario.run(folder)
    before, top = look(folder, times=True), folder.stat().st_mtime_ns
    done = scenario.run(folder)
    assert (done.written, done.pruned) == (0, 0)
    assert look(folder, times=True) == before
    assert folder.stat().st_mtime_ns == top


def test_comparison_lists_without_writing(folder):
    publish(folder, outputs(**{A: "a", B: "b", "old/x/y/z.yaml": "z"}), ALL)
    put(folder, A, "by hand")
    put(folder, "dev/east/README.md")
    put(folder, "README.md")
    put(folder, ".git/refs/heads/main")
    before = look(folder, times=True)
    found = compare(folder, outputs(**{A: "a", "dev/east/things/c.yaml": "c"}), ALL)
    assert look(folder, times=True) == before
    assert found == TreeDifferences(
        missing=("dev/east/things/c.yaml",),
        changed=("dev/.inventory/east", A),
        stale=(B, "old/.inventory/x", "old/x/y/z.yaml"),
        foreign=("dev/east/README.md",),
    )


def test_comparison_with_nothing_on_disk(folder):
    assert compare(folder, outputs(**{A: "a"}), ALL).missing == ("dev/.inventory/east", A)
    assert not folder.exists()
    assert publish(folder, [], ALL) == (0, 0, 0, (), ())
    assert not folder.exists()


def test_a_deleted_inventory_makes_files_foreign(folder):
    publish(folder, outputs(**{A: "a", B: "b"}), ALL)
    (folder / "dev/.inventory/east").unlink()
    publish(folder, outputs(**{A: "a"}), ALL)
    assert texts(folder) == {A: "a", B: "b"}


def test_replacing_the_only_object_is_no_emptying(folder):
    publish(folder, outputs(**{A: "a"}), ALL)
    assert publish(folder, outputs(**{B: "b"}), ALL).pruned == 1


def test_a_stale_file_edited_by_hand_is_named(folder):
    publish(folder, outputs(**{A: "a", B: "b"}), ALL)
    put(folder, B, "by hand")
    done = publish(folder, outputs(**{A: "a"}), ALL)
    assert (done.restored, done.discarded) == ((), (B,))


def test_a_folder_goes_even_if_its_last_file_went_by_hand(folder):
    publish(folder, outputs(**{A: "a", "dev/east/others/b.yaml": "b"}), ALL)
    (folder / "dev/east/others/b.yaml").unlink()
    assert publish(folder, outputs(**{A: "a"}), ALL).pruned == 0
    assert os.listdir(folder / "dev/east") == ["things"]


def test_only_the_selected_environments_change(folder):
    before = {A: "a", "prod/east/x/d.yaml": "d"}
    publish(folder, outputs(**before), ALL)
    put(folder, "prod/.inventory/east", "broken, and none of our business")
    publish(folder, outputs(**{A: "a2", "prod/east/x/d.yaml": "d2"}), Scope(frozenset({"dev"})))
    assert texts(folder) == {A: "a2", "prod/east/x/d.yaml": "d"}


def test_a_shard_leaves_other_shards_alone(folder):
    mine = Scope(None, lambda environment, destination: destination == "east")
    publish(folder, outputs(**{A: "a", "dev/west/x/c.yaml": "c", "old/west/x/c.yaml": "c"}), ALL)
    put(folder, "dev/west/x/c.yaml", "by hand")
    west = {path: entry for path, entry in look(folder).items() if "west" in path}
    files = outputs(**{A: "a2", "dev/west/x/c.yaml": "c2"})
    assert compare(folder, files, mine) == ((), ("dev/.inventory/east", A), (), ())
    publish(folder, files, mine)
    now = look(folder)
    assert {path: now[path] for path in west} == west
    assert (folder / A).read_text() == "a2"


def test_a_folder_in_place_of_a_stale_file_is_foreign(folder):
    publish(folder, outputs(**{A: "a", B: "b"}), ALL)
    (folder / B).unlink()
    put(folder, f"{B}/mine")
    publish(folder, outputs(**{A: "a"}), ALL)
    assert texts(folder) == {A: "a", f"{B}/mine": "foreign"}


def test_the_output_folder_may_be_a_link(folder):
    (folder.parent / "real").mkdir()
    os.symlink("real", folder)
    publish(folder, outputs(**{A: "a"}), ALL)
    assert folder.is_symlink()
    assert texts(folder.parent / "real") == {A: "a"}


def test_a_file_saved_while_rendering_survives(tmp_path, monkeypatch):
    """Somebody saves a foreign file into the folder that is about to be exchanged away."""
    publish(tmp_path, outputs(**{A: "a"}), ALL)
    original = filesystem.exchange

    def exchange(one, other):
        (tmp_path / "dev/late.txt").write_text("just saved")
        original(one, other)
        monkeypatch.setattr(filesystem, "exchange", original)

    monkeypatch.setattr(filesystem, "exchange", exchange)
    with pytest.raises(RendererError, match=r"dev was changed by someone else just now"):
        publish(tmp_path, outputs(**{A: "a2"}), ALL)
    assert texts(tmp_path) == {A: "a", "dev/late.txt": "just saved"}
    publish(tmp_path, outputs(**{A: "a2"}), ALL)
    assert texts(tmp_path) == {A: "a2", "dev/late.txt": "just saved"}


def test_files_that_cannot_be_linked(tmp_path, monkeypatch):
    """Some file systems have no second names; foreign files then stay where they are."""
    EVERYTHING.build(tmp_path)
    foreign = look(tmp_path, times=True)["dev/notes/deep/plan.txt"]

    def link(source, target, follow_symlinks=True):
        raise PermissionError(1, "Operation not permitted", str(source))

    monkeypatch.setattr(os, "link", link)
    EVERYTHING.run(tmp_path)
    assert compare(tmp_path, EVERYTHING.after, ALL)[:3] == ((), (), ())
    assert look(tmp_path, times=True)["dev/notes/deep/plan.txt"] == foreign
