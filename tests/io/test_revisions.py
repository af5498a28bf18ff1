"""States of the past, read by real git from real repositories."""

import os
import shutil

import pytest

from renderer import check, render
from renderer.errors import RendererError, UsageError
from renderer.io.git import Objects
from renderer.io.repository import load, load_files
from renderer.io.revisions import files_of, short_name
from renderer.io.worktree import Worktree
from renderer.values.files import Unreadable
from tests.support.git import commit, git
from tests.support.repositories import SERVING, SMALL, texts

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
]

RISK = "environments/dev/servings/risk.yaml"


@pytest.fixture
def committed(repository):
    root = repository()
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    return root


def rendered(root, revision="HEAD"):
    with files_of(root, revision) as files:
        return texts(render(load_files(files)))


def test_a_revision_renders_as_its_work_tree_did(committed):
    wanted = texts(render(load(committed)))
    shutil.rmtree(committed / "environments")
    assert rendered(committed) == wanted


def test_reading_a_revision_touches_nothing(committed):
    (committed / RISK).write_text(SERVING.replace("alice", "bob"))
    git(committed, "add", RISK)
    (committed / "untracked.yaml").write_text("")
    before = git(committed, "status", "--porcelain"), (committed / ".git/index").read_bytes()
    rendered(committed)
    assert (git(committed, "status", "--porcelain"), (committed / ".git/index").read_bytes()) == (
        before
    )


def test_what_is_the_same_on_disk_is_not_asked_of_git(committed, monkeypatch):
    wanted = texts(render(load(committed)))
    (committed / RISK).write_text(SERVING.replace("alice", "bob"))
    asked = []
    read = Objects.read
    monkeypatch.setattr(Objects, "read", lambda s, *of: asked.append(of) or read(s, *of))
    with files_of(committed, "HEAD", Worktree(committed)) as files:
        assert texts(render(load_files(files))) == wanted
    assert [name for name, _ in asked] == [git(committed, "rev-parse", f"HEAD:{RISK}")]


def test_entries_of_a_tree_are_those_of_the_disk(committed):
    (committed / "environments/dev/.hidden.yaml").write_text("x")
    (committed / "environments/dev.yaml").write_text("x")
    (committed / "environments/dev/link.yaml").symlink_to("servings/risk.yaml")
    (committed / "environments/dev/gone.yaml").symlink_to("nowhere.yaml")
    (committed / "environments/dev/folder").symlink_to("servings")
    (committed / "environments/dev-2").mkdir()
    (committed / "environments/dev-2/environment.yaml").write_text("x")
    commit(committed)
    disk = Worktree(committed)
    with files_of(committed, "HEAD") as tree:
        for folder in ("environments", "environments/dev", "nothing", "servingctl.yaml"):
            assert [e[:2] for e in tree.entries(folder)] == [e[:2] for e in disk.entries(folder)]
            if folder != "servingctl.yaml":
                assert tree.names(folder) == disk.names(folder)
        assert [n for n in disk.names("") if n != ".git"] == tree.names("")
        for path in (RISK, "environments/dev/gone.yaml", "environments/dev/folder/risk.yaml", "x"):
            assert tree.exists(path) == disk.exists(path)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("servings/risk.yaml", None),
        ("../dev/./servings//risk.yaml", None),
        ("folder/risk.yaml", None),
        ("/etc/passwd", "a link that leaves the repository"),
        ("../../../outside.yaml", "a link that leaves the repository"),
        ("link.yaml", "link"),
        ("servings", "a folder"),
        ("nowhere.yaml", "no such file"),
    ],
)
def test_links_are_followed_inside_the_repository_only(committed, target, said):
    (committed / "environments/dev/folder").symlink_to("servings")
    (committed / "environments/dev/link.yaml").symlink_to(target)
    commit(committed)
    disk = Worktree(committed)
    with files_of(committed, "HEAD") as tree:
        if said is None:
            path = "environments/dev/link.yaml"
            assert tree.read(path, 1 << 20) == disk.read(path, 1 << 20) == SERVING.encode()
            return
        with pytest.raises(Unreadable, match=said):
            tree.read("environments/dev/link.yaml", 1 << 20)
        with pytest.raises(Unreadable):
            disk.read("environments/dev/link.yaml", 1 << 20)


def test_no_more_is_read_than_the_limit_and_the_next_file_is_whole(committed):
    (committed / "big").write_bytes(b"x" * 300_000)
    commit(committed)
    with files_of(committed, "HEAD") as tree:
        assert tree.read("big", 10) == b"x" * 11
        assert tree.read(RISK, 1 << 20) == SERVING.encode()


def test_a_pointer_of_lfs_is_not_taken_for_a_file(committed):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"
    (committed / RISK).write_text(pointer)
    commit(committed)
    with files_of(committed, "HEAD") as tree:
        found = check(load_files(tree))
    assert ["Git LFS" in item.message for item in found if item.file == RISK] == [True]


def test_a_submodule_is_named(committed):
    commit_name = git(committed, "rev-parse", "HEAD")
    information = f"160000,{commit_name},environments/dev/more"
    git(committed, "update-index", "--add", "--cacheinfo", information)
    git(committed, "commit", "--quiet", "-m", "a submodule")
    with files_of(committed, "HEAD") as tree:
        found = check(load_files(tree))
    assert [i.file for i in found if "submodule" in i.message] == ["environments/dev/more"]


def test_the_repository_may_lie_below_the_top(tmp_path):
    root = tmp_path / "some where" / "platform"
    for path, content in SMALL.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    assert rendered(root) == texts(render(load(root)))
    other = tmp_path / "later"
    other.mkdir()
    with files_of(other, "HEAD") as tree:
        assert tree.names("") == []


def test_a_linked_worktree_and_a_bare_repository(committed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    git(committed, "worktree", "add", "--quiet", "--detach", str(folder / "linked"))
    git(committed, "clone", "--quiet", "--bare", str(committed), str(folder / "bare.git"))
    wanted = rendered(committed)
    assert rendered(folder / "linked") == wanted
    assert rendered(folder / "bare.git", "main") == wanted


@pytest.mark.parametrize("name", ["HEAD", "main", "v1", "HEAD^{tree}", ":/state", "refs/tags/v1"])
def test_whatever_names_a_tree_will_do(committed, name):
    git(committed, "tag", "-a", "v1", "-m", "one")
    assert rendered(committed, name) == rendered(committed)


def test_a_callers_repository_is_not_ours(committed, monkeypatch, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "--quiet")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert rendered(committed)


def test_replaced_objects_do_not_change_the_past(committed):
    wanted = rendered(committed)
    old = git(committed, "rev-parse", f"HEAD:{RISK}")
    (committed / "new").write_text(SERVING.replace("pair", "scorer"))
    new = git(committed, "hash-object", "-w", "new")
    git(committed, "replace", old, new)
    assert rendered(committed) == wanted


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("--output=x", UsageError, "no Git revision"),
        ("-x", UsageError, "no Git revision"),
        ("", UsageError, "no Git revision"),
        ("a\nb", UsageError, r"a\\nb"),
        ("nowhere", RendererError, "git fetch origin"),
        ("main..HEAD", RendererError, "merge-base"),
    ],
)
def test_what_is_no_revision_is_said_to_be_none(committed, name, kind, said):
    with pytest.raises(kind, match=said), files_of(committed, name):
        pass
    assert not (committed / "x").exists()


def test_a_shallow_clone_says_how_to_deepen_it(committed, tmp_path_factory):
    first = git(committed, "rev-parse", "HEAD")
    commit(committed, "second")
    folder = tmp_path_factory.mktemp("shallow") / "clone"
    git(committed, "clone", "--quiet", "--depth=1", f"file://{committed}", str(folder))
    assert rendered(folder)
    with pytest.raises(RendererError, match="git fetch --unshallow"), files_of(folder, first):
        pass


def test_a_repository_without_commits(repository):
    root = repository()
    git(root, "init", "--quiet")
    with pytest.raises(RendererError, match="no commit yet"), files_of(root, "HEAD"):
        pass


def test_no_repository_at_all(repository, monkeypatch):
    root = repository()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(root.parent))
    with pytest.raises(RendererError, match="--from DIR --to DIR"), files_of(root, "HEAD"):
        pass


def test_no_git_at_all(committed, monkeypatch):
    monkeypatch.setenv("PATH", str(committed))
    with pytest.raises(RendererError, match="git is not found"), files_of(committed, "HEAD"):
        pass


def test_an_object_that_was_never_fetched(committed):
    name = git(committed, "rev-parse", f"HEAD:{RISK}")
    (committed / ".git/objects" / name[:2] / name[2:]).unlink()
    with files_of(committed, "HEAD") as tree:
        found = check(load_files(tree))
    assert ["not in this clone" in item.message for item in found if item.file == RISK] == [True]


def test_odd_names_are_read_as_they_are(committed):
    odd = b"environments/dev/\xff caf\xc3\xa9\t\n.yaml"
    with open(os.path.join(os.fsencode(committed), odd), "wb") as stream:
        stream.write(b"x")
    commit(committed)
    with files_of(committed, "HEAD") as tree:
        assert tree.read(os.fsdecode(odd), 10) == b"x"


def test_a_commit_has_a_short_name(committed):
    full = git(committed, "rev-parse", "HEAD")
    assert full.startswith(short_name(committed, "main"))
    assert short_name(committed, "HEAD^{tree}") == ""
