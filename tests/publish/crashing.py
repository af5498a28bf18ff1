"""Runs a scenario again and again, failing one file system call later each time.

Called as a process of its own, `python -m tests.publish.crashing FOLDER SCENARIO METHOD
FAILURE`, so that it can fork: each publish and each next command is a fresh process. Prints a
JSON object: how many calls were failed, how often the tree ended old and new, and what was wrong.
"""

import itertools
import json
import os
import shutil
import stat
import sys
import traceback
from pathlib import Path

from renderer.errors import RendererError
from tests.publish.failing import KILLED, Failing, choose
from tests.publish.scenarios import EVERY_SCENARIO
from tests.publish.trees import look, seen_by_git, without_work

DONE, FAILED, BROKEN = 0, 3, 70


def in_child(work) -> tuple[int, str]:
    """Run in a forked process; answers its exit code and the line it reported."""
    reading, writing = os.pipe()
    report = os.write  # the child will fail its own
    child = os.fork()
    if child == 0:
        code, line = BROKEN, ""
        try:
            work()
            code = DONE
        except RendererError as error:
            code, line = FAILED, str(error)
        except BaseException:
            line = traceback.format_exc()
        report(writing, line.encode())
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        line = stream.read().decode()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), line


class Trial:
    """One scenario and method, with its old and new tree."""

    def __init__(self, base: Path, name: str, method: str):
        self.scenario, self.method = EVERY_SCENARIO[name], method
        self.base, self.template, self.folder = base, base / "template", base / "rendered"
        self.template.mkdir(parents=True)
        self.scenario.build(self.template)
        self.old = look(self.template)
        self.reset()
        self.scenario.run(self.folder)
        self.new = look(self.folder)
        self.problems: list[str] = []
        self.ends = {"old": 0, "new": 0}
        self.lines: set[str] = set()

    def reset(self):
        if self.folder.exists():
            shutil.rmtree(self.folder)
        if self.old:
            shutil.copytree(self.template, self.folder, symlinks=True)

    def expect(self, truth, *what):
        if not truth:
            self.problems.append(" ".join(str(word) for word in what))

    def publish(self, failure: str, at: int):
        def work():
            choose(self.method, self.scenario.lower)
            failing = Failing(failure, at)
            failing.install()
            self.scenario.run(self.folder)
            if failing.count < at:
                os._exit(BROKEN + 1)

        return in_child(work)

    def compare(self):
        found = self.scenario.next_command(self.folder)
        if look(self.folder) == self.new and found != ((), (), ()):
            raise AssertionError(found)

    def check(self, at: int, code: int, line: str):
        now = look(self.folder)
        self.expect(code in (DONE, FAILED, KILLED), at, "ended with", code, line)
        strange = seen_by_git(now).difference(self.old, self.new)
        self.expect(not strange, at, "Git would take", strange)
        if code == FAILED:
            self.lines.add(line)
            self.expect("\n" not in line, at, "more than a line", line)
            self.expect("no space left" in line, at, "another reason", line)
            # Two failures in one run: the exchange was refused, and then its undoing failed.
            twice = self.method == "refused" and "could not be undone" in line
            self.expect(now == self.old or twice, at, "failed, not old", line)
        if code == DONE:
            # A folder that could not be removed after the commit is left to the next command.
            self.expect(files(now) == files(self.new), at, "succeeded, not new")
        if self.method == "exchange" and self.scenario is EVERY_SCENARIO["one"]:
            self.expect(without_work(now) in (self.old, self.new), at, "not whole at once")
        if self.folder.exists():
            self.next_command(at)

    def next_command(self, at: int):
        code, line = in_child(self.compare)
        self.expect(code == DONE, at, "next command", code, line)
        now = look(self.folder)
        self.expect(now in (self.old, self.new), at, "neither old nor new", difference(now, self))
        self.ends["new" if now == self.new else "old"] += 1
        if now != self.new:
            self.scenario.run(self.folder)
            self.expect(look(self.folder) == self.new, at, "no way forward")

    def run_twice(self) -> int:
        """Kill the publish, then kill the command that clears up after it, wherever it is."""
        calls = 0
        for at in itertools.count(1, 4):
            for then in itertools.count(1):
                self.reset()
                code, line = self.publish("kill", at)
                if code == BROKEN + 1:
                    return calls
                if not self.folder.exists():
                    break
                code, line = self.compare_killed(then)
                self.expect(code in (DONE, KILLED), at, then, "ended with", code, line)
                self.next_command((at, then))
                calls += 1
                if code == DONE:
                    break
        raise AssertionError("never")

    def compare_killed(self, at: int):
        def work():
            Failing("kill", at).install()
            self.compare()

        return in_child(work)

    def run(self, failure: str) -> int:
        if failure == "twice":
            return self.run_twice()
        for at in itertools.count(1):
            self.reset()
            code, line = self.publish(failure, at)
            if code == BROKEN + 1:
                return at - 1
            self.check(at, code, line)
        raise AssertionError("never")


def files(found):
    folder = stat.S_IFDIR
    return {path: entry for path, entry in without_work(found).items() if entry[0] != folder}


def difference(now, trial):
    return sorted(
        path
        for path in {*now, *trial.old, *trial.new}
        if now.get(path) not in (trial.old.get(path), trial.new.get(path))
    )


def main(base: str, name: str, method: str, failure: str) -> None:
    trial = Trial(Path(base), name, method)
    calls = trial.run(failure)
    report = {"calls": calls, "problems": trial.problems[:5], "lines": sorted(trial.lines)}
    sys.stdout.write(json.dumps(report | trial.ends))


if __name__ == "__main__":
    main(*sys.argv[1:])
