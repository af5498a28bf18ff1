"""From a revision that a user names to the files in it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from renderer.errors import RendererError, UsageError
from renderer.io.git import GitTree, Item, Objects, ask
from renderer.values.files import Files

_SPECS = "environments"


@contextmanager
def files_of(root: Path, revision: str, beside: Files | None = None) -> Iterator[GitTree]:
    """The files of a repository as they are in a revision, which need not be checked out.

    The repository may lie below the top of what Git keeps. A revision in which it does not exist
    yet has no files. What is the same `beside`, on disk, is not asked of Git.
    """
    tree = _tree(root, revision)
    items = _items(root, tree) if tree else {}
    if (specs := items.get(_SPECS)) and specs.is_submodule:
        message = f"{revision}: {_SPECS} is a submodule, and those of a revision are not read"
        raise RendererError(f"{message}; compare folders: --from DIR --to DIR")
    objects = Objects(root)
    try:
        yield GitTree(root, items, objects, beside)
    finally:
        objects.close()


def short_name(root: Path, revision: str) -> str:
    """The abbreviated name of a revision's commit, or nothing if it is no commit."""
    name = _peel(root, revision, "commit")
    return ask(root, "rev-parse", "--short", name).line if name else ""


def place_in_git(root: Path) -> str | None:
    """The path of a folder in its Git repository, with a slash behind; nothing if it is in none."""
    if not any(os.path.lexists(folder / ".git") for folder in (root, *root.parents)):
        return None
    answer = ask(root, "rev-parse", "--show-prefix")
    if not answer.ok:
        raise RendererError(
            f"Git does not say where {root} is in its repository: {answer.complaint}"
        )
    return answer.line


def _peel(root: Path, revision: str, kind: str) -> str:
    """The name of the commit or tree that a revision leads to, or nothing."""
    answer = ask(root, "rev-parse", "--verify", "--quiet", revision)
    if answer.ok:
        answer = ask(root, "rev-parse", "--verify", "--quiet", f"{answer.line}^{{{kind}}}")
    return answer.line if answer.ok else ""


def _tree(root: Path, revision: str) -> str:
    """The name of the tree of our folder; empty if the revision has no such folder."""
    if revision.startswith("-") or not revision.isprintable() or not revision.strip():
        raise UsageError(f"{revision!r} is no folder and no Git revision")
    place = ask(root, "rev-parse", "--show-prefix")
    if not place.ok:
        message = f"{root}: {place.complaint}; without Git, compare folders: --from DIR --to DIR"
        raise RendererError(message)
    tree = _peel(root, revision, "tree")
    if not tree:
        raise RendererError(_missing(root, revision))
    prefix = place.line.rstrip("/")
    return _peel(root, f"{tree}:{prefix}", "tree") if prefix else tree


def _missing(root: Path, revision: str) -> str:
    """Why a revision is not there, and how to get it."""
    what = f"there is no folder and no Git revision {revision!r}"
    if ".." in revision:
        return f"{what}; name one revision, such as the merge base: git merge-base main HEAD"
    if not ask(root, "rev-parse", "--verify", "--quiet", "HEAD").ok:
        return f"{what}; this repository has no commit yet, so commit first, or name a folder"
    if ask(root, "rev-parse", "--is-shallow-repository").line == "true":
        return (
            f"{what} in this shallow clone; fetch it with 'git fetch --unshallow' "
            "(in a checkout step of CI: fetch-depth: 0), or deepen with 'git fetch --deepen=100'"
        )
    return f"{what}; if it is a branch or tag of a remote, fetch it with 'git fetch origin --tags'"


def _items(root: Path, tree: str) -> dict[str, Item]:
    answer = ask(root, "ls-tree", "-r", "-t", "-z", "--full-tree", tree)
    if not answer.ok:
        raise RendererError(f"the tree {tree} is not read: {answer.complaint}")
    items: dict[str, Item] = {}
    for record in answer.output.split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, _, name = head.decode("ascii").split(" ")
        items[os.fsdecode(path)] = Item(mode, name)
    return items
