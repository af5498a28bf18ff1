"""What publishing refuses to do, before it has touched anything."""

import errno
import json
import os
import re

import pytest

from renderer.cli.render_request import RenderRequest, render
from renderer.errors import RendererError
from renderer.io.states import named_state
from renderer.publish import WORK, filesystem, journal
from renderer.publish.filesystem import refuse_links
from renderer.publish.inventory import Scope
from renderer.publish.publisher import compare, publish
from renderer.values.objects import OutputFile
from tests.publish.trees import look, output, outputs, put, texts

ALL = Scope()
A, B = "dev/east/things/a.yaml", "dev/east/things/b.yaml"


def refused(folder, files, scope=ALL, **options):
    before = look(folder, times=True)
    with pytest.raises(RendererError) as caught:
        publish(folder, files, scope, **options)
    assert look(folder, times=True) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_strangers_file_is_refused_and_an_identical_one_adopted(folder):
    put(folder, A, "a")
    put(folder, B, "stranger")
    message = refused(folder, outputs(**{A: "a", B: "b"}))
    assert f"{B}: " in message
    assert "delete it" in message
    assert f"{A} (and 1 more): " in refused(folder, outputs(**{A: "a2", B: "b"}))
    before = (folder / A).stat()
    done = publish(folder, outputs(**{A: "a"}), ALL)
    assert (done.written, done.unchanged) == (0, 1)
    assert (folder / A).stat().st_ino == before.st_ino
    assert publish(folder, outputs(**{A: "a2"}), ALL).written == 1


def listing(number=1, path="a", **fields):
    """An inventory of one file; what is not said is right."""
    fields = {"sha256": "0" * 64, "object": "v1/Thing/a", "source": "a.yaml", **fields}
    return json.dumps({"format": number, "files": {path: fields}})


def conflict(ours, theirs):
    text = f"<<<<<<< ours\n{ours}\n=======\n{theirs}\n>>>>>>> theirs\n"
    return f'{{\n{text}  "files": {{}}\n}}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n", "merge conflict"),
        (conflict('  "format": 1,', '  "other": 1,'), "merge conflict"),
        (conflict('  "format": 1,', '  "format": 3,'), "newer"),
        (listing(number=0), "not an inventory"),
        (listing(path="a\0"), "not an inventory"),
        (listing(path="\ud800"), "not an inventory"),
        (listing(more=""), "not an inventory"),
        (listing(object=1), "not an inventory"),
        (listing(source="\ud800"), "not an inventory"),
        ("", "not an inventory"),
        ("[]", "not an inventory"),
        ('{"format": 1, "files": {"../../x": {}}}', "not an inventory"),
        ('{"format": 1, "files": {"a": {"sha256": "0", "object": "", "source": ""}}}', "not an"),
        ('{"format": 3, "files": []}', "newer"),
        ("[" * 100_000, "not an inventory"),
    ],
    ids=[
        "conflict",
        "odd line",
        "formats",
        "older",
        "zero byte",
        "half a pair",
        "fields",
        "no text",
        "half a pair in a field",
        "empty",
        "list",
        "outside",
        "digest",
        "newer",
        "deep",
    ],
)
def test_an_unreadable_inventory_ends_the_run(text, words, folder):
    publish(folder, outputs(**{A: "a"}), ALL)
    put(folder, "dev/.inventory/east", text)
    message = refused(folder, outputs(**{A: "a2"}))
    assert words in message
    assert "dev/.inventory/east" in message
    with pytest.raises(RendererError, match=words):
        compare(folder, outputs(**{A: "a2"}), ALL)


def test_what_the_sides_of_a_conflict_list_is_ours(folder):
    """What only their ancestor lists is not."""
    publish(folder, outputs(**{A: "a", B: "b", "dev/east/things/c.yaml": "c"}), ALL)
    inventory = folder / "dev/.inventory/east"
    head, a, b, c, end = re.split(r"\n(?=    |  \})", inventory.read_text())
    lines = [head, a, "<<<<<<< ours", "||||||| base", b, "=======", c, ">>>>>>> theirs", end]
    inventory.write_text("\n".join(lines))
    publish(folder, outputs(**{A: "a"}), ALL)
    assert texts(folder) == {A: "a", B: "b"}


def test_an_inventory_cannot_reach_outside(folder):
    publish(folder, outputs(**{A: "a", B: "b"}), ALL)
    victim = put(folder.parent, "victim", "precious")
    inventory = folder / "dev/.inventory/east"
    inventory.write_text(inventory.read_text().replace("things/b.yaml", "../../../victim"))
    assert "not an inventory" in refused(folder, outputs(**{A: "a"}))
    assert victim.exists()


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ({"dev/west/x/c.yaml": "c"}, ("destination dev/east",)),
        ({"dev/west/x/c.yaml": "c", "dev/east/kustomization.yaml": "k"}, ("dev/east",)),
        ({"prod/east/x/d.yaml": "d"}, ("environment dev", "3 files")),
        ({}, ("environment dev and environment prod",)),
    ],
    ids=["destination", "all-objects", "environment", "everything"],
)
def test_emptying_is_refused_unless_allowed(after, words, folder):
    before = {A: "a", B: "b", "dev/west/x/c.yaml": "c", "prod/east/x/d.yaml": "d"}
    publish(folder, outputs(**before), ALL)
    after = {"prod/east/x/d.yaml": "d", **after} if after else after
    message = refused(folder, outputs(**after))
    assert all(word in message for word in (*words, "--allow-empty"))
    publish(folder, outputs(**after), ALL, allow_empty=True)
    assert texts(folder) == after


LINKS = ["dev", "dev/east", "dev/east/things", A, "dev/.inventory", "dev/.inventory/east"]


def test_a_destination_without_objects_may_go(folder):
    publish(folder, outputs(**{A: "a", "dev/west/kustomization.yaml": "w"}), ALL)
    publish(folder, outputs(**{A: "a"}), ALL)
    assert texts(folder) == {A: "a"}


@pytest.mark.parametrize("path", LINKS)
def test_links_at_our_paths_are_refused(path, folder):
    publish(folder, outputs(**{A: "a", B: "b"}), ALL)
    (folder / path).rename(folder.parent / "elsewhere")
    os.symlink(folder.parent / "elsewhere", folder / path)
    elsewhere = look(folder.parent)
    for after in (outputs(**{A: "a2", B: "b"}), outputs(**{A: "a2", "dev/east/x/c.yaml": "c"})):
        message = refused(folder, after, allow_empty=True)
        assert str(folder / path) in message
        assert "remove it" in message
    assert look(folder.parent) == elsewhere


@pytest.mark.parametrize("path", ["dev", "dev/east", "dev/east/things"])
def test_a_file_where_a_folder_belongs_is_refused(path, folder):
    put(folder, path)
    assert f"{path}: a file is in the way" in refused(folder, outputs(**{A: "a"}))


def test_a_folder_where_a_file_belongs_is_refused(folder):
    put(folder, f"{A}/x")
    assert f"{A}: a folder is in the way" in refused(folder, outputs(**{A: "a"}))


def test_a_pipe_where_a_file_belongs_is_refused(folder):
    put(folder, B)
    os.mkfifo(folder / A)
    assert f"{A}: a special file is in the way" in refused(folder, outputs(**{A: "a"}))
    with pytest.raises(OSError, match="Not a regular file"):
        filesystem.read(folder / A)


@pytest.mark.parametrize("path", ["dev/east/others", "dev/east/others/b.yaml"])
def test_what_is_in_the_place_of_a_file_that_goes(path, folder):
    """A link is refused; anything else is left alone, as nothing is to be written there."""
    publish(folder, outputs(**{A: "a", "dev/east/others/b.yaml": "b"}), ALL)
    (folder / path).rename(folder.parent / "elsewhere")
    os.symlink(folder.parent / "elsewhere", folder / path)
    assert f"{path}: a link" in refused(folder, outputs(**{A: "a"}))
    (folder / path).unlink()
    put(folder, path if path.endswith("others") else f"{path}/mine", "mine")
    publish(folder, outputs(**{A: "a"}), ALL)
    assert [*texts(folder).values()].count("mine") == 1


@pytest.mark.parametrize(
    ("named", "shown"),
    [(None, ""), (f"{WORK}/new/dev", ""), (A, f"/{A}")],
    ids=["nothing", "the work folder", "a file"],
)
def test_what_the_system_refuses(named, shown, folder, monkeypatch):
    """Of the work folder, which is gone when it is read about, people know nothing."""

    def begin(_):
        raise OSError(errno.ENOSPC, "No space left on device", named and str(folder / named))

    monkeypatch.setattr(journal, "begin", begin)
    message = f"nothing was rendered: {folder}{shown}: no space left on device; free some room"
    assert refused(folder, outputs(**{A: "a"})).startswith(message)


@pytest.mark.parametrize("path", ["x.yaml", "dev/x.yaml", "../d/e/x", "dev/../x/y", "dev//x/y"])
def test_a_path_that_leads_elsewhere_is_refused(path, tmp_path):
    with pytest.raises(RendererError, match="no path below"):
        publish(tmp_path, [output(path)], ALL)


@pytest.mark.parametrize("path", [".git/a/b", "dev/.inventory/east", "dev/.x/y"])
def test_a_hidden_path_is_refused(path, tmp_path):
    with pytest.raises(RendererError, match="no path below"):
        publish(tmp_path, [OutputFile(path, "")], ALL)


def test_two_objects_in_one_file_are_refused(tmp_path):
    first, second = (output(A)._replace(source=f"environments/{name}.yaml") for name in "xy")
    words = "environments/x.yaml and environments/y.yaml both render dev/east"
    with pytest.raises(RendererError, match=words):
        publish(tmp_path, [first, second], ALL)


@pytest.mark.parametrize("target", ["../elsewhere", "inside"])
@pytest.mark.parametrize("link", ["out", "out/deep"])
def test_an_output_folder_behind_a_link(tmp_path, target, link):
    """Also one that stays in the repository: links of destinations are refused as well."""
    root = tmp_path / "repository"
    (root / "inside").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (root / link).parent.mkdir(exist_ok=True)
    os.symlink(tmp_path / target, root / link)
    (root / "servingctl.yaml").write_text("output: out/deep\n")
    for look_at in (lambda: render(root, RenderRequest()), lambda: named_state(root, "rendered")):
        with pytest.raises(RendererError, match=rf"{root / link}: a link, which could lead files"):
            look_at()
    assert not list((tmp_path / "elsewhere").iterdir())
    os.symlink(tmp_path / "elsewhere", tmp_path / "outside")
    refuse_links(root, tmp_path / "outside")  # a user's own link, which the user names
