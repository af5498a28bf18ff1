"""`python -m benchmarks.instructions`: how many instructions the six commands execute.

Unlike seconds, they are the same on a busy machine. They are counted by Valgrind's cachegrind, of
the program alone: what Git executes for `diff` is not in them. No repository here is so large that
the work is shared among processes, whose number is that of the machine's cores.
"""

import argparse
import compileall
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.repositories import edit, write

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent
_KEPT, _PAGE = _HERE / "instructions.json", _HERE / "INSTRUCTIONS.md"
_COMMITTED, _TOLERANCE = _HERE / "smoke.json", 0.05
_PYTHON = "{}.{}".format(*sys.version_info)
_COUNTER = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
_COUNTED = re.compile(rb"I\s+refs:\s+([\d,]+)")
_PROGRAM = ("-m", "renderer")
_NOTHING = "`python -c pass`"
_SERVINGS, _FEW = 40, 4
_OWN = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
_UNWANTED = ("CI", "PYTHONDONTWRITEBYTECODE")


class Repository(NamedTuple):
    """Where it is, a file of it to edit, and what to preview."""

    root: Path
    file: Path
    previewed: tuple[str, ...]


class Command(NamedTuple):
    """Arguments of the program, and those of what must have been run before, uncounted."""

    what: str
    arguments: tuple[str, ...]
    before: tuple[str, ...] = ()
    is_edited: bool = False


def commands(repository: Repository) -> tuple[Command, ...]:
    """The six."""
    path = str(repository.file.relative_to(repository.root))
    return (
        Command("`validate` of one changed file", ("validate", path), ("validate",), True),
        Command("`validate`, cold", ("validate", "--no-cache")),
        Command("`render`, cold", ("render", "--no-cache")),
        Command("`render --check` of what was rendered", ("render", "--check"), ("render",)),
        Command("`diff` of one edit", ("diff",), ("render",), True),
        Command("`preview` of one spec", ("preview", *repository.previewed)),
    )


def count(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    """Instructions of one run of the interpreter, without those of processes that it starts."""
    command = (*_COUNTER, sys.executable, *arguments)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    found = _COUNTED.search(done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.decode(errors='replace')[-500:]}")
    return int(found[1].replace(b",", b""))


def counts(
    name: str, repository: Repository, environment: Mapping[str, str]
) -> Iterator[tuple[str, int]]:
    """Of each command; it finds the repository, its output and the cache as the last commit is."""
    git = ("git", "-C", str(repository.root), *_OWN)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "bench")):
        subprocess.run((*git, *arguments), check=True)
    for command in commands(repository):
        if command.before:
            before = (sys.executable, *_PROGRAM, *command.before)
            subprocess.run(
                before, cwd=repository.root, env=environment, check=True, capture_output=True
            )
        if command.is_edited:
            edit(repository.file, 1)
        counted = count((*_PROGRAM, *command.arguments), repository.root, environment)
        yield f"{name}: {command.what}", counted
        for arguments in (("reset", "-q", "--hard"), ("clean", "-qfdx")):
            subprocess.run((*git, *arguments), check=True)
        shutil.rmtree(environment["XDG_CACHE_HOME"], ignore_errors=True)


def repositories(folder: Path, servings: int) -> Iterator[tuple[str, Repository]]:
    """The one of this project, with specs of three platforms, and servings of one platform."""
    example, fleet = folder / "example", folder / "fleet"
    shutil.copytree(_ROOT / "environments", example / "environments")
    shutil.copy(_ROOT / "servingctl.yaml", example)
    file = example / "environments/prod/servings/credit-risk.yaml"
    yield "example", Repository(example, file, ("credit-risk", "--env", "prod"))
    file = write(fleet, servings)[0]
    yield f"{servings} servings", Repository(fleet, file, (file.stem, "--env", file.parts[-3]))


def measured(servings: int) -> Iterator[tuple[str, int]]:
    """What `python -c pass` executes, and every command on every repository."""
    compileall.compile_dir(_ROOT / "renderer", quiet=2)
    with tempfile.TemporaryDirectory(prefix="servingctl-bench-") as name:
        kept = {key: value for key, value in os.environ.items() if key not in _UNWANTED}
        own = {"XDG_CACHE_HOME": f"{name}/cache", "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": "0"}
        yield _NOTHING, count(("-c", "pass"), Path(name), kept | own)
        for title, repository in repositories(Path(name), servings):
            yield from counts(title, repository, kept | own)


class State(NamedTuple):
    """The counts of one state of the program, and what it is called."""

    label: str
    counts: dict[str, int]

    def ratio(self, what: str) -> float:
        """To doing nothing."""
        return self.counts[what] / self.counts[_NOTHING]


def line(what: str, state: State, earlier: State | None) -> str:
    """A line of the table: the ratio, and by how much it is another one than before."""
    cells = [what, f"{state.ratio(what):.2f}"]
    if earlier and what in earlier.counts:
        before = earlier.ratio(what)
        cells[1:] = [f"{before:.2f}", cells[1], f"{100 * (state.ratio(what) / before - 1):+.2f} %"]
    return f"| {' | '.join(cells)} |"


def table(state: State, earlier: State | None) -> list[str]:
    titles = [
        "",
        *([earlier.label] if earlier else []),
        state.label,
        *(["change"] if earlier else []),
    ]
    head = [f"| {' | '.join(titles)} |", "|" + " --- |" * len(titles)]
    return head + [line(what, state, earlier) for what in state.counts if what != _NOTHING]


def known_states() -> list[State]:
    """Those that were kept, the oldest first."""
    return [State(**item) for item in json.loads(_KEPT.read_text("utf-8"))]


def keep(state: State) -> None:
    """Add a state, or replace that of the same name; the page shows the first and the last."""
    states = [*(item for item in known_states() if item.label != state.label), state]
    data = [item._asdict() for item in states]
    _KEPT.write_text(json.dumps(data, indent=2) + "\n", "utf-8")
    head, start, rest = _PAGE.read_text("utf-8").partition("<!-- table -->\n")
    end = rest[rest.index("<!-- end of table -->") :]
    lines = table(states[-1], states[0] if len(states) > 1 else None)
    _PAGE.write_text("\n".join([head + start + lines[0], *lines[1:], end]), "utf-8")


def differing(ratios: Mapping[str, float], committed: Mapping[str, float]) -> Iterator[str]:
    """The commands that execute more or fewer instructions than was committed, and by how much."""
    for what in sorted(ratios.keys() | committed.keys()):
        now, then = ratios.get(what), committed.get(what)
        if now is None or then is None:
            yield f"{what}: {'no longer counted' if then else 'not committed'}"
        elif abs(now / then - 1) > _TOLERANCE:
            yield f"{what}: {then:.2f} was committed, and it is {now:.2f}"


def compare_with_committed(state: State, *, updates: bool) -> int:
    """Compare a state of few servings with what is committed for this Python, or commit it."""
    ratios = {what: round(state.ratio(what), 2) for what in state.counts if what != _NOTHING}
    committed: dict[str, dict[str, float]] = json.loads(_COMMITTED.read_text("utf-8"))
    if updates:
        known = {**committed, _PYTHON: ratios}
        _COMMITTED.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", "utf-8")
        return 0
    if _PYTHON not in committed:
        sys.stdout.write(f"Not compared: no figures are committed for Python {_PYTHON}\n")
        return 0
    found = list(differing(ratios, committed[_PYTHON]))
    if found:
        advice = "make bench-smoke UPDATE=1 commits them, if that is what the change is worth"
        sys.stdout.write("\n".join([f"Beyond {_TOLERANCE:.0%}:", *found, advice, ""]))
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", metavar="LABEL", help="write the counts down under this name")
    parser.add_argument("--smoke", action="store_true", help="compare few servings with smoke.json")
    parser.add_argument("--update", action="store_true", help="write the figures of --smoke down")
    given = parser.parse_args()
    if not shutil.which(_COUNTER[0]):
        sys.stdout.write("not counted: valgrind is not installed\n")
        return 0
    state = State(given.keep or "now", dict(measured(_FEW if given.smoke else _SERVINGS)))
    if given.smoke:
        sys.stdout.write("\n".join([*table(state, None), ""]))
        return compare_with_committed(state, updates=given.update)
    earlier = [item for item in known_states() if item.label != state.label][-1:]
    sys.stdout.write("\n".join([*table(state, *earlier or [None]), ""]))
    if given.keep:
        keep(state)
    return 0


if __name__ == "__main__":
    sys.exit(main())
