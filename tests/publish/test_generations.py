"""Objects named by their content: how long the former one stays in the tree."""

import json

import pytest

from renderer.io.worktree import Worktree
from renderer.publish.inventory import Scope
from renderer.publish.publisher import compare, publish
from renderer.publish.rendered_tree import reread
from renderer.values.kinds import Stage
from renderer.values.objects import OutputFile

ALL, HERE = Scope(), "dev/east"
LISTS = ("kustomization.yaml", "flux/prerequisites/kustomization.yaml")


def wanted(*digits, plain=()):
    """Objects named by content, a digit for its digest; the lists are as a render makes them."""
    names = [*(f"configs/app-{digit * 10}.yaml" for digit in digits), *plain]
    files = [
        OutputFile(f"{HERE}/{name}", f"kind: Config # {name}\n", name, "app.yaml", "", Stage.FIRST)
        for name in names
    ]
    files = [file._replace(has_generations=file.path not in plain) for file in files]
    heads = [f"resources: {names}", f"resources: {['../../' + name for name in names]}"]
    lists = zip(LISTS, heads, strict=True)
    return [*files, *(OutputFile(f"{HERE}/{path}", text) for path, text in lists)]


def held(folder):
    """The digests of the names that are there, the former ones in brackets."""
    inventory = json.loads((folder / "dev/.inventory/east").read_text())
    found = sorted(path for path in inventory["files"] if path.startswith("configs/"))
    listed = (folder / HERE / LISTS[0]).read_text()
    for path in found:
        assert (folder / HERE / path).exists()
        assert path in listed, path
        assert path in (folder / HERE / LISTS[1]).read_text()
    former = {path for path in found if inventory["files"][path].get("former")}
    assert inventory["format"] == (2 if former else 1)
    digits = ((path, path.removesuffix(".yaml")[-1]) for path in found)
    return " ".join(f"[{digit}]" if path in former else digit for path, digit in digits)


def render(folder, *digits, **more):
    done = publish(folder, wanted(*digits, **more), ALL)
    again = publish(folder, wanted(*digits, **more), ALL)
    assert (again.written, again.pruned) == (0, 0), "a second render touches nothing"
    differing = compare(folder, wanted(*digits, **more), ALL)
    assert differing[:3] == ((), (), ())
    return done


def test_the_former_stays_until_the_content_changes_again(folder):
    seen = []
    for digit in ("a", "b", "c", "b"):
        render(folder, digit)
        seen.append(held(folder))
    assert seen == ["a", "[a] b", "[b] c", "b [c]"]


def test_a_new_tree_does_not_have_it(folder, tmp_path):
    render(folder, "a")
    render(folder, "b")
    render(tmp_path / "new", "b")
    assert held(tmp_path / "new") == "b"


def test_with_the_object_all_generations_go(folder):
    render(folder, "a", plain=("configs/b.yaml",))
    render(folder, "b", plain=("configs/b.yaml",))
    done = render(folder, plain=("configs/b.yaml",))
    assert done.pruned == 2
    assert held(folder) == "b"


def test_one_that_was_edited_by_hand_does_not_stay(folder):
    render(folder, "a")
    render(folder, "b")
    (folder / HERE / "configs/app-aaaaaaaaaa.yaml").write_text("mine\n")
    assert compare(folder, wanted("b"), ALL).stale == (f"{HERE}/configs/app-aaaaaaaaaa.yaml",)
    done = render(folder, "b")
    assert done.discarded == (f"{HERE}/configs/app-aaaaaaaaaa.yaml",)
    assert held(folder) == "b"


def test_one_that_is_gone_does_not_come_back(folder):
    render(folder, "a")
    render(folder, "b")
    (folder / HERE / "configs/app-aaaaaaaaaa.yaml").unlink()
    render(folder, "b")
    assert held(folder) == "b"


def test_the_plain_name_is_a_generation_too(folder):
    publish(folder, wanted(plain=("configs/app.yaml",)), ALL)
    render(folder, "b")
    inventory = json.loads((folder / "dev/.inventory/east").read_text())["files"]
    assert inventory["configs/app.yaml"]["former"] is True


def test_both_sides_of_a_merge_stay(folder):
    """Two branches edited the content: what either had applied may still be in use."""
    render(folder, "a")
    render(folder, "b")
    ours = (folder / "dev/.inventory/east").read_text()
    line = next(line for line in ours.splitlines() if "app-bbbbbbbbbb" in line)
    theirs = line.replace("bbbbbbbbbb", "cccccccccc")
    conflict = f"<<<<<<< ours\n{line}\n=======\n{theirs}\n>>>>>>> theirs"
    (folder / "dev/.inventory/east").write_text(ours.replace(line, conflict))
    render(folder, "d")
    assert held(folder) == "[b] d"


def test_what_is_read_back_has_only_the_present_one(folder):
    render(folder, "a")
    render(folder, "b")
    manifests = reread(Worktree(folder), "rendered").manifests
    assert [item.path for item in manifests] == [f"{HERE}/configs/app-bbbbbbbbbb.yaml"]


@pytest.mark.parametrize("value", ['"yes"', "1"])
def test_an_inventory_says_former_by_true_only(folder, value):
    render(folder, "a")
    render(folder, "b")
    path = folder / "dev/.inventory/east"
    path.write_text(path.read_text().replace('"former": true', f'"former": {value}'))
    with pytest.raises(Exception, match="not an inventory"):
        publish(folder, wanted("b"), ALL)
