"""The rows of the table: what is compared with what, and how it is to come out."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.command_rows import command_rows
from benchmarks.fleet_rows import fleet_rows
from benchmarks.measuring import Run, Taken, measure, ratio
from benchmarks.platform_rows import platform_rows
from benchmarks.policy_rows import policy_rows
from benchmarks.repositories import edit, write
from benchmarks.row import Row

_PROGRAM = (sys.executable, "-m", "renderer")
_BIN = Path(sys.executable).parent
_PARTS = 8


class Sizes(NamedTuple):
    """Servings in the repositories, the smallest first, and rounds of each row."""

    small: int = 6
    large: int = 1_000
    largest: int = 10_000
    shared: int = 20_000
    rounds: int = 5


def rows(folder: Path, sizes: Sizes, environment: Mapping[str, str]) -> Iterator[Row]:
    """Every row, measured one after the other."""
    repositories = {name: folder / name for name in ("small", "large", "largest")}
    files = {name: write(path, getattr(sizes, name)) for name, path in repositories.items()}
    yield from _one_file(repositories, files, sizes, environment)
    yield from _fleet(repositories["large"], files["large"], sizes, environment)
    yield from fleet_rows(folder / "fleets", sizes.large, sizes.rounds, environment)
    yield from command_rows(folder / "commands", sizes.large, sizes.rounds, environment)
    yield from policy_rows(folder / "ruled", sizes.large, sizes.rounds, environment)
    yield from platform_rows(folder / "platforms", sizes.large, sizes.rounds, environment)
    yield from _growth(repositories, sizes, environment)
    yield from _shards(folder / "shared", sizes, environment)


def _one_file(
    roots: Mapping[str, Path],
    files: Mapping[str, list[Path]],
    sizes: Sizes,
    environment: Mapping[str, str],
) -> Iterator[Row]:
    small, large = files["small"][0], files["large"][0]
    check = (*_PROGRAM, "validate")
    runs = {
        "pass": Run((sys.executable, "-c", "pass"), roots["small"]),
        "one": Run((*check, str(small)), roots["small"], lambda turn: edit(small, turn)),
        "among": Run((*check, str(large)), roots["large"], lambda turn: edit(large, turn)),
        "yamllint": Run((str(_BIN / "yamllint"), "-d", "relaxed", str(small)), roots["small"]),
    }
    measure({name: runs[name] for name in ("one", "among")}, 1, environment)  # fill the cache
    taken = measure(runs, sizes.rounds * 3, environment)
    what = f"`validate` of one changed file, {sizes.small} servings in 3 environments"
    yield Row(what, "`python -c pass`", ratio(taken["one"], taken["pass"]), 8)
    yield Row(what, "`yamllint` of that file", ratio(taken["one"], taken["yamllint"]), 1)
    among = f"the same among {sizes.large:,} servings, the others unchanged"
    yield Row(among, "the first row", ratio(taken["among"], taken["one"]), 2)


def _fleet(
    root: Path, files: list[Path], sizes: Sizes, environment: Mapping[str, str]
) -> Iterator[Row]:
    output = root / "rendered"
    schema = root.parent / "serving.json"
    command = (*_PROGRAM, "schema", "Serving")
    schema.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    specs = sorted(str(path) for path in root.glob("environments/*/servings/*.yaml"))
    render = (*_PROGRAM, "render", "--jobs", "2")
    checker = (str(_BIN / "check-jsonschema"), "--schemafile", str(schema), *specs)
    measure({"first": Run(render, root)}, 1, environment)
    builds = _builds(output)
    runs = {
        "cold": Run((*render, "--no-cache"), root, lambda _: shutil.rmtree(output, True)),
        "check-jsonschema": Run(checker, root),
        **builds,
        "fill": Run(render, root),
        "edited": Run(render, root, lambda turn: edit(files[0], 1000 + turn)),
    }
    taken = measure(runs, sizes.rounds, environment)
    cold = f"`render --jobs 2` of {sizes.large:,} servings, cold: validate, render, check, write"
    theirs = f"`check-jsonschema`, which only validates the {len(specs):,} files"
    yield Row(cold, theirs, ratio(taken["cold"], taken["check-jsonschema"]), 0.25)
    theirs = "`kubectl kustomize`, which only builds the resources"
    if builds:
        turns = zip(*(taken[name].seconds for name in builds), strict=True)
        total = Taken([sum(turn) for turn in turns], 0)
        yield Row(cold, theirs, ratio(taken["cold"], total), 1)
    else:
        yield Row(cold, theirs, None, 1, "kubectl is not installed")
    what = f"`render` of {sizes.large:,} servings, one of them edited"
    yield Row(what, "cold", ratio(taken["edited"], taken["cold"]), 0.15)
    yield from _difference(root, files, sizes, taken["cold"], environment)


def _builds(output: Path) -> dict[str, Run]:
    """kustomize for every destination by itself, as a GitOps controller runs it."""
    program = shutil.which("kubectl")
    folders = sorted(path.parent for path in output.glob("*/*/kustomization.yaml"))
    return {str(p): Run((program, "kustomize", str(p)), output) for p in folders if program}


def _difference(
    root: Path, files: list[Path], sizes: Sizes, cold: Taken, environment: Mapping[str, str]
) -> Iterator[Row]:
    what = f"`diff` of one changed line among {sizes.large:,} servings"
    known = subprocess.run((*_PROGRAM, "diff", "--help"), capture_output=True, check=False)
    if known.returncode:
        yield Row(what, "cold", None, 0.25, "there is no such command")
        return
    git = ("git", "-C", str(root), "-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "bench")):
        subprocess.run((*git, *arguments), check=True)
    run = Run((*_PROGRAM, "diff"), root, lambda turn: edit(files[0], 2000 + turn))
    taken = measure({"diff": run}, len(cold.seconds), environment)["diff"]
    yield Row(what, "cold", taken.median / cold.median, 0.25)


def _growth(
    roots: Mapping[str, Path], sizes: Sizes, environment: Mapping[str, str]
) -> Iterator[Row]:
    render = (*_PROGRAM, "render", "--jobs", "2", "--no-cache")
    runs = {
        name: Run(render, roots[name], lambda _, n=name: shutil.rmtree(roots[n] / "rendered", True))
        for name in ("large", "largest")
    }
    taken = measure(runs, max(1, sizes.rounds // 3), environment)
    what = f"`render` of {sizes.largest:,} servings, cold"
    times = 1.1 * sizes.largest / sizes.large
    yield Row(what, f"{sizes.large:,}", ratio(taken["largest"], taken["large"]), times)
    memory = taken["largest"].memory / (1 << 20)
    yield Row(f"{what}: the largest process", "1 MiB", memory, 150)


def _shards(root: Path, sizes: Sizes, environment: Mapping[str, str]) -> Iterator[Row]:
    """The slowest of eight parts, each with the machine for itself."""
    write(root, sizes.shared)
    check = (*_PROGRAM, "validate", "--no-cache", "--quiet")
    parts = {f"{n}/{_PARTS}": (*check, "--shard", f"{n}/{_PARTS}") for n in range(1, _PARTS + 1)}
    runs = {name: Run(command, root) for name, command in {"all": check, **parts}.items()}
    taken = measure(runs, 1, environment)
    slowest = max(taken[name].median for name in parts)
    what = f"`validate` of {sizes.shared:,} servings in {_PARTS} shards: the slowest"
    yield Row(what, "all of them in one run", slowest / taken["all"].median, 0.25)
