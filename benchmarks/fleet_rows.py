"""Rows about edits and findings that concern every serving of a fleet."""

import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.measuring import Run, Taken, measure, ratio
from benchmarks.repositories import write_inherited
from benchmarks.row import Row

_PROGRAM = (sys.executable, "-m", "renderer")
_OWN = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")


def fleet_rows(
    folder: Path, servings: int, rounds: int, environment: Mapping[str, str]
) -> Iterator[Row]:
    """Every serving is written once in the base and rendered in three environments."""
    roots = {name: folder / name for name in ("clean", "warned", "wrong")}
    write_inherited(roots["clean"], servings)
    write_inherited(roots["warned"], servings, party=", replicas: 0")
    write_inherited(roots["wrong"], servings, initiator="nobody-{stem}")
    git = ("git", "-C", str(roots["clean"]), *_OWN)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "bench")):
        subprocess.run((*git, *arguments), check=True)
    yield _reach(roots["clean"], servings, rounds, environment)
    yield _shown(roots, servings, rounds, environment)
    yield _edited(roots["warned"], servings, rounds, environment)


def _cold(root: Path) -> Run:
    output = root / "rendered"
    return Run((*_PROGRAM, "render", "--no-cache"), root, lambda _: shutil.rmtree(output, True))


def _reach(root: Path, servings: int, rounds: int, environment: Mapping[str, str]) -> Row:
    """An edit of the base, undone before the next cold run."""
    file = root / "environments/base/environment.yaml"
    text = file.read_text("utf-8")

    def bump(turn: int) -> None:
        file.write_text(text.replace("0.9.0b0", f"0.9.{turn + 1}b0"), "utf-8")

    runs = {"cold": _cold(root), "diff": Run((*_PROGRAM, "diff"), root, bump)}
    taken = measure(runs, rounds, environment)
    file.write_text(text, "utf-8")
    what = f"`diff` of a tag in the base that reaches {servings:,} servings in 3 environments"
    return Row(what, "`render` of one state, cold", ratio(taken["diff"], taken["cold"]), 1.5)


def _shown(
    roots: Mapping[str, Path], servings: int, rounds: int, environment: Mapping[str, str]
) -> Row:
    """What findings add to a run that remembers everything, beside a cold one."""
    check = (*_PROGRAM, "validate")
    runs = {
        "cold": Run((*check, "--no-cache"), roots["clean"]),
        "clean": Run(check, roots["clean"]),
        "wrong": Run(check, roots["wrong"], codes=(1,)),
    }
    measure({name: runs[name] for name in ("clean", "wrong")}, 1, environment)  # fill the cache
    taken = measure(runs, rounds, environment)
    added = statistics.median(_less(taken["wrong"], taken["clean"]))
    what = f"what telling {servings:,} different findings adds to `validate`"
    return Row(what, "cold", max(added, 0) / taken["cold"].median, 0.1)


def _less(one: Taken, other: Taken) -> Iterator[float]:
    return (left - right for left, right in zip(one.seconds, other.seconds, strict=True))


def _edited(root: Path, servings: int, rounds: int, environment: Mapping[str, str]) -> Row:
    file = next(root.glob("environments/base/servings/*.yaml"))
    text = file.read_text("utf-8")
    render = (*_PROGRAM, "render")

    def edit(turn: int) -> None:
        file.write_text(f'{text}labels: {{turn: "{turn}"}}\n', "utf-8")

    runs = {"cold": _cold(root), "fill": Run(render, root), "edited": Run(render, root, edit)}
    taken = measure(runs, rounds, environment)
    what = f"`render` of {servings:,} servings that all have warnings, one of them edited"
    return Row(what, "cold", ratio(taken["edited"], taken["cold"]), 0.15)
