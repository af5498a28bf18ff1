"""Commands run in turn, and what they took: time, and memory of the largest process."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """A command, where it runs, and what to do before each time."""

    command: Sequence[str]
    folder: Path
    before: Callable[[int], None] = lambda _turn: None
    codes: tuple[int, ...] = (0,)


class Taken(NamedTuple):
    """Seconds of every turn, and the largest process in bytes."""

    seconds: list[float]
    memory: int

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def measure(
    runs: Mapping[str, Run], rounds: int, environment: Mapping[str, str]
) -> dict[str, Taken]:
    """Every run once in each round, so that what slows one slows all."""
    taken: dict[str, Taken] = {name: Taken([], 0) for name in runs}
    for turn in range(rounds):
        for name, run in runs.items():
            run.before(turn)
            seconds, memory = _timed(run, environment)
            known = taken[name]
            taken[name] = Taken([*known.seconds, seconds], max(known.memory, memory))
    return taken


def ratio(one: Taken, other: Taken) -> float:
    """The median of the ratios of each round."""
    pairs = zip(one.seconds, other.seconds, strict=True)
    return statistics.median(left / right for left, right in pairs)


def _timed(run: Run, environment: Mapping[str, str]) -> tuple[float, int]:
    start = time.perf_counter()
    out, err = subprocess.DEVNULL, subprocess.PIPE
    process = subprocess.Popen(run.command, cwd=run.folder, env=environment, stdout=out, stderr=err)
    words = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in run.codes:
        raise SystemExit(f"{' '.join(run.command[:4])}: {words.decode(errors='replace')[-500:]}")
    return seconds, usage.ru_maxrss * 1024
