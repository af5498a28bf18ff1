"""Hostile Git trees: links out, submodules, odd names, large blobs, and what is not there."""

import os
import subprocess

import pytest

from tests.robust.bounded import run
from tests.robust.form import only_in_whole
from tests.support.git import try_git as git
from tests.support.repositories import SMALL
from tests.support.samples import sample

RISK = "environments/dev/servings/risk.yaml"


def blob(root, data):
    command = ["git", "hash-object", "-w", "--stdin"]
    done = subprocess.run(command, cwd=root, input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def tree(root, entries):
    """A tree of entries as Git would never write them itself."""
    text = b"".join(
        f"{mode} {kind} {name}\t".encode() + os.fsencode(path) + b"\0"
        for path, (mode, kind, name) in entries.items()
    )
    command = ["git", "mktree", "-z", "--missing"]
    done = subprocess.run(command, cwd=root, input=text, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().strip()


def committed(root, below):
    """A commit whose folder environments/dev/servings holds these entries."""
    nested = tree(root, below)
    for part in ("servings", "dev"):
        nested = tree(root, {part: ("040000", "tree", nested)} | _beside(root, part))
    whole = {"environments": ("040000", "tree", nested)}
    whole["servingctl.yaml"] = ("100644", "blob", blob(root, b""))
    done = git("commit-tree", tree(root, whole), "-m", "x", cwd=root)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _beside(root, part):
    if part != "servings":
        return {}
    text = SMALL["environments/dev/environment.yaml"].encode()
    return {"environment.yaml": ("100644", "blob", blob(root, text))}


MISSING = "1234567890" * 4
SERVING = SMALL[RISK].encode()
LINKS = {
    "out": b"/etc/passwd", "above": b"../../../../../../etc/passwd", "itself": b"x.yaml",
    "folder": b"../..", "nul": b"a\0b", "long": b"a/" * 50_000, "empty": b"", "dot": b".",
    "odd": b"\xff\x1b[31m", "git": b"../../../.git/config",
}  # fmt: skip
BLOBS = {
    "large": b"# x\n" * (16 << 20), "binary": bytes(range(256)) * 100, "empty": b"",
    "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
}  # fmt: skip
NAMES = [
    "..", ".", ".git", "-x.yaml", "\x1b[31m.yaml", "a\nb.yaml", "\udcff.yaml",
    "x" * 3000 + ".yaml",
]  # fmt: skip


def _trees(root):
    for name, target in LINKS.items():
        yield f"link-{name}", {"x.yaml": ("120000", "blob", blob(root, target))}
    for name, data in BLOBS.items():
        yield f"blob-{name}", {"x.yaml": ("100644", "blob", blob(root, data))}
    for number, name in enumerate(NAMES):
        yield f"name-{number}", {name: ("100644", "blob", blob(root, SERVING))}
    yield "submodule", {"x.yaml": ("160000", "commit", MISSING)}
    yield "missing", {"x.yaml": ("100644", "blob", MISSING)}
    yield "odd-mode", {"x.yaml": ("100600", "blob", blob(root, SERVING))}
    empty = blob(root, b"")
    yield "many", {f"x{n}.yaml": ("100644", "blob", empty) for n in range(2000)}


@pytest.fixture
def root(repository):
    root = repository()
    git("init", cwd=root)
    git("add", "--all", cwd=root)
    git("commit", "--message", "first", cwd=root)
    return root


@only_in_whole
def test_hostile_trees(root):
    for name, below in _trees(root):
        revision = committed(root, below)
        for side in ("--from", "--to"):
            ended = run("diff", side, revision, cwd=root)
            assert ended.code in (0, 1), (name, ended)
            assert "root:x:" not in ended.said, name
            assert "\x1b" not in ended.said, name
            assert git("status", "--porcelain", cwd=root).stdout == "", name


@only_in_whole
def test_a_deep_tree(root):
    nested = tree(root, {"x.yaml": ("100644", "blob", blob(root, SERVING))})
    for _ in range(1500):
        nested = tree(root, {"d": ("040000", "tree", nested)})
    revision = committed(root, {"d": ("040000", "tree", nested)})
    ended = run("diff", "--from", revision, cwd=root)
    assert ended.code in (0, 1, 3), ended
    assert ended.err.count("\n") <= 1, ended


REVISIONS = [
    "--upload-pack=id", "-x", "HEAD:servingctl.yaml", "HEAD^{/(a+)+$}", "@{-99999}", "HEAD~99999",
    ":/x", "a..b", "refs/heads/*", "\u202e", " ", "ext::sh -c id", "x" * 100_000,
]  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("revision", sample(REVISIONS, "--upload-pack=id", "ext::sh -c id"))
def test_hostile_names_of_revisions(revision, root):
    ended = run("diff", "--from", revision, cwd=root)
    assert ended.code in (2, 3), ended
    assert ended.err.count("\n") == 1 or "Usage" in ended.err, ended


@pytest.mark.process
def test_settings_of_git_start_no_program(root, tmp_path_factory):
    """A repository that comes with settings must not run them."""
    marker = tmp_path_factory.mktemp("marker") / "ran"
    for key in ("core.pager", "core.fsmonitor", "core.sshCommand", "diff.external", "core.editor"):
        git("config", key, f"touch {marker} #", cwd=root)
    (root / ".gitattributes").write_text("* diff=x filter=x\n")
    for key in ("diff.x.textconv", "diff.x.command", "filter.x.smudge", "filter.x.process"):
        git("config", key, f"touch {marker} #", cwd=root)
    assert run("diff", cwd=root).code == 0
    assert run("diff", "--from", "HEAD", "--to", "HEAD", cwd=root).code == 0
    assert not marker.exists()
