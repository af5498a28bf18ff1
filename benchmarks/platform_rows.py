"""Rows for each platform, and for a mixed repository, in three environments each."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.fleets import ENVIRONMENTS, write_fleet
from benchmarks.measuring import Run, Taken, measure, ratio
from benchmarks.peers import kubeconform, peer, write_schemas
from benchmarks.repositories import edit
from benchmarks.row import Row

_PROGRAM = (sys.executable, "-m", "renderer")
_OWN = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
_FLEETS = ("Kuscia", "KServe", "KubeRay", "mixed")


def platform_rows(
    folder: Path, objects: int, rounds: int, environment: Mapping[str, str]
) -> Iterator[Row]:
    """For so many objects of each fleet: cold, one spec edited, and what `diff` takes for it."""
    schemas = folder / "schemas"
    if peer("kubeconform"):
        write_schemas(schemas)
    for name in _FLEETS:
        yield from _fleet_rows(folder / name, name, schemas, objects, rounds, environment)


def _fleet_rows(
    root: Path,
    name: str,
    schemas: Path,
    objects: int,
    rounds: int,
    environment: Mapping[str, str],
) -> Iterator[Row]:
    specs = -(-objects // len(ENVIRONMENTS))
    file = write_fleet(root, name, specs)[0]
    git = ("git", "-C", str(root), *_OWN)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "bench")):
        subprocess.run((*git, *arguments), check=True)
    taken = _measured(root, file, schemas, rounds, environment)
    what = f"{name}, {specs:,} specs in {len(ENVIRONMENTS)} environments"
    cold = f"{what}: `render --jobs 2`, cold"
    theirs = "`kubeconform`, which only validates the output"
    if "kubeconform" in taken:
        yield Row(cold, theirs, ratio(taken["cold"], taken["kubeconform"]), 2.5)
    else:
        yield Row(cold, theirs, None, 2.5, "kubeconform is not built")
    yield Row(f"{what}: one edited", "cold", ratio(taken["edited"], taken["cold"]), 0.12)
    yield Row(f"{what}: `diff` of one line", "cold", ratio(taken["diff"], taken["cold"]), 0.2)


def _measured(
    root: Path, file: Path, schemas: Path, rounds: int, environment: Mapping[str, str]
) -> dict[str, Taken]:
    output, render = root / "rendered", (*_PROGRAM, "render", "--jobs", "2")
    text = file.read_text("utf-8")

    def undo(_turn: int) -> None:
        file.write_text(text, "utf-8")
        shutil.rmtree(output, ignore_errors=True)

    checker = kubeconform(schemas, output)
    runs = {
        "cold": Run((*render, "--no-cache"), root, undo),
        **({"kubeconform": Run(checker, root)} if checker else {}),
        "fill": Run(render, root),
        "edited": Run(render, root, lambda turn: edit(file, turn)),
        "diff": Run((*_PROGRAM, "diff"), root, lambda turn: edit(file, 1000 + turn)),
    }
    return measure(runs, rounds, environment)
