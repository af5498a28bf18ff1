"""Where results of earlier runs are kept, and a run that makes use of them."""

import os
from typing import TYPE_CHECKING

from renderer.evaluate.memo import Memo, NoMemo
from renderer.evaluate.parallel import Watch, Workers, no_watch
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.question import Question, parse_shard
from renderer.evaluate.run import Run, run
from renderer.io.worktree import Worktree

if TYPE_CHECKING:
    from pathlib import Path


def run_in(
    root: "str | Path",
    question: Question,
    *,
    no_cache: bool,
    jobs: int = 1,
    texts: "Path | None" = None,
    watch: Watch = no_watch,
) -> tuple[Project, Run]:
    """The repository, and what comes of it.

    Of manifests that were made before, the digests will do unless there is a folder with `texts`.
    """
    project = open_project(Worktree(root))
    place = "" if no_cache or _is_ci() else _cache()
    memo = _memo(place, root, texts) if place else NoMemo()
    return project, run(project, question._replace(reads_all=_is_ci()), memo, jobs, watch)


def run_part(
    root: "str | Path", question: Question, shard: str, workers: Workers
) -> tuple[Project, Run]:
    """The repository, and what comes of a part of it; a part keeps nothing and recalls nothing."""
    from renderer.evaluate.shards import run_shard

    project = open_project(Worktree(root))
    question = question._replace(reads_all=_is_ci())
    return project, run_shard(project, question, parse_shard(shard), workers)


def _is_ci() -> bool:
    return bool(os.environ.get("CI"))


def _memo(place: str, root: "str | Path", texts: "Path | None") -> Memo:
    from renderer.io.store import Store, program, texts_in

    find = texts_in(texts) if texts is not None else None
    return Store(place, os.path.realpath(root), program(), find)


def _cache() -> str:
    """The user's own folder for what can be made again; none if the user has no home."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA", "")
    base = given if os.path.isabs(given) else os.path.expanduser("~/.cache")
    return f"{base}/servingctl" if os.path.isabs(base) else ""
