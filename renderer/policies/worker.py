"""A process that evaluates expressions, each in bounded time and memory, and can do nothing else.

The engine cannot be interrupted from within, so each expression has a timer of the processor's time
and a limit of memory, at which the system ends the process; the next one goes on behind it. What
ended it some times is not evaluated again, nor is what takes long in all.
"""

import mmap
import os
import pickle
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Never

from renderer.errors import RendererError
from renderer.policies import cel
from renderer.policies.cel import Answer
from renderer.policies.expressions import Definitions
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

SECONDS = 0.1
#: What compiling one may take, which is done once and does not count for it.
SECONDS_TO_COMPILE = 1.0
MEGABYTES = 64
#: How often an expression may end the worker.
MOST_ENDS = 3
#: What an expression may take in all: so much, and so much more for each time.
SECONDS_IN_ALL, SECONDS_EACH = 1.0, 0.005
#: The timer is set anew after so much of it: that takes as long as a small expression.
_SLACK = 0.02
_WIDTH = 8
_MOST_FILES = 1 << 16
_TOO_LONG = f"it took more than {SECONDS * 1000:.0f} ms"
_TOO_LARGE = f"it took more than {SECONDS_TO_COMPILE * 1000:,.0f} ms to compile"
_TOO_MUCH = f"it needed more than {MEGABYTES} MB of memory"
_TOO_OFTEN = f"it takes more than {SECONDS_EACH * 1000:.0f} ms time after time"
_INSTALL = (
    "this repository has rules of its own, which are evaluated by the extra 'cel': "
    "pip install 'servingctl[cel]', or delete the rules"
)


class Question(NamedTuple):
    """An expression over some variables; without data, only whether it can be compiled.

    The result has to be of one of the `types`, if there are any. `definitions` are expressions of
    what it calls `variables.NAME`.
    """

    expression: str
    variables: tuple[str, ...]
    data: Mapping[str, Plain] | None = None
    types: tuple[str, ...] = ()
    definitions: Definitions = ()


def can_evaluate() -> bool:
    """Whether the engine is installed, and this system has what a worker needs."""
    return cel.is_available() and hasattr(os, "fork")


def ask(questions: Sequence[Question]) -> list[Answer]:
    """An answer to each question, in their order."""
    if not questions:
        return []
    if not cel.is_available():
        raise RendererError(_INSTALL)
    if not hasattr(os, "fork"):
        raise RendererError("rules of a repository cannot be evaluated on this system")
    return _asked(questions)


class _Process(NamedTuple):
    """A worker, and the process that started it: one that was forked later has its own.

    Both share the number of the question that the worker is at, and whether it is still compiling
    it, so that it sends its answers once: a message for each took ten times as long as most
    expressions.
    """

    parent: int
    child: int
    sending: BinaryIO
    receiving: BinaryIO
    number: mmap.mmap


_current: list[_Process] = []
_Identity = tuple[object, ...]
#: What was said of each expression that ended a worker, each time.
_ends: dict[_Identity, list[Answer]] = {}


def _asked(questions: Sequence[Question]) -> list[Answer]:
    """The answers; of a question that ended the worker, why, and the others are asked again.

    One that ended it too often is not asked again.
    """
    answers: dict[int, Answer] = {}
    waiting = [*range(len(questions))]
    while waiting:
        for at in waiting:
            if len(ends := _ends.get(_identity(questions[at]), [])) >= MOST_ENDS:
                answers[at] = ends[-1]
        waiting = [at for at in waiting if at not in answers]
        found = _sent([questions[at] for at in waiting]) if waiting else []
        if isinstance(found, _End):
            at = waiting[found.at]
            answers[at] = Answer(error=found.reason, is_costly=True)
            _ends.setdefault(_identity(questions[at]), []).append(answers[at])
        else:
            answers.update(zip(waiting, found, strict=True))
        waiting = [at for at in waiting if at not in answers]
    return [answers[at] for at in range(len(questions))]


def _identity(item: Question) -> _Identity:
    return item.expression, item.variables, item.definitions


class _End(NamedTuple):
    """At which question a worker ended, and why."""

    at: int
    reason: str


def _sent(questions: Sequence[Question]) -> list[Answer] | _End:
    worker = _running_worker()
    with suppress(BrokenPipeError):
        pickle.dump(_packed(questions), worker.sending, pickle.HIGHEST_PROTOCOL)
        worker.sending.flush()
    try:
        return [Answer(*item) for item in pickle.load(worker.receiving)]  # noqa: S301 - our child's
    except (EOFError, pickle.UnpicklingError):
        at = int.from_bytes(worker.number[:_WIDTH], "little")
        return _End(at, _reason_of_end(worker))


def _packed(questions: Sequence[Question]) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """Data once, however many expressions read it."""
    numbers: dict[int, int] = {}
    data: list[Any] = []
    for item in questions:
        if id(item.data) not in numbers:
            numbers[id(item.data)] = len(data)
            data.append((item.variables, item.data))
    return data, [
        (item.expression, item.variables, numbers[id(item.data)], item.types, item.definitions)
        for item in questions
    ]


def _running_worker() -> _Process:
    if _current and _current[0].parent == os.getpid():
        return _current[0]
    _close()
    _current.append(_start())
    return _current[0]


def stop() -> None:
    """End the worker of this process, if there is one; the next question starts another."""
    children = [item.child for item in _current if item.parent == os.getpid()]
    _close()
    _ends.clear()
    for child in children:
        os.waitpid(child, 0)


def _close() -> None:
    for item in _current:
        with suppress(OSError):
            item.sending.close()
        item.receiving.close()
    _current.clear()


def _start() -> _Process:
    to_child, to_parent = os.pipe(), os.pipe()
    number = mmap.mmap(-1, _WIDTH + 1)
    parent = os.getpid()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(to_child[1])
        os.close(to_parent[0])
        _live(to_child[0], to_parent[1], number)
    os.close(to_child[0])
    os.close(to_parent[1])
    pipes = os.fdopen(to_child[1], "wb"), os.fdopen(to_parent[0], "rb")
    return _Process(parent, child, *pipes, number)


def _reason_of_end(worker: _Process) -> str:
    """Why a worker is no longer there; the next question starts another one."""
    _close()
    status = os.waitpid(worker.child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
        return _TOO_LARGE if worker.number[_WIDTH] else _TOO_LONG
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
        return _TOO_MUCH
    return "it ended the process that evaluates it"


def _live(receiving: int, sending: int, number: mmap.mmap) -> Never:
    """The worker's life: it must end here, whatever happens, and print nothing."""
    try:
        _close_others(receiving, sending)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        budget = _Budget()
        for name in (signal.SIGINT, signal.SIGPROF):
            signal.signal(name, signal.SIG_DFL)
        with os.fdopen(receiving, "rb") as questions, os.fdopen(sending, "wb") as answers:
            while True:
                data, asked = pickle.load(questions)  # noqa: S301 - our own parent's words
                _bound_memory()
                found = _answers(data, asked, number, budget)
                pickle.dump(found, answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
    finally:
        os._exit(0)


def _close_others(*kept: int) -> None:
    """Somebody else may wait until the last one closes a pipe or a locked file."""
    most = min(os.sysconf("SC_OPEN_MAX"), _MOST_FILES)
    for before, after in pairwise((2, *sorted(kept), most)):
        os.closerange(before + 1, after)


def _answers(
    data: list[Any], asked: list[tuple[Any, ...]], at: mmap.mmap, budget: "_Budget"
) -> list[tuple[Any, ...]]:
    """Answers as plain tuples, which are sent in half the time."""
    for variables in dict.fromkeys(item[1] for item in asked):
        cel.prepare(variables)  # the engine itself does not count
    ready: dict[int, Any] = {}
    found: list[tuple[Any, ...]] = []
    for place, (expression, variables, number, *form) in enumerate(asked):
        at[:_WIDTH] = place.to_bytes(_WIDTH, "little")
        identity = (expression, variables, *form)
        try:
            if budget.begin_compiling(identity):
                at[_WIDTH] = True
                cel.compile_ahead(expression, variables, form[-1])
                at[_WIDTH] = False
            if not budget.begin(identity):
                found.append(tuple(Answer(error=_TOO_OFTEN, is_costly=True)))
                continue
            if number not in ready:
                names, values = data[number]
                ready[number] = None if values is None else cel.activation(names, values)
            answer = cel.evaluate(expression, variables, ready[number], *form)
        except MemoryError:
            answer = Answer(error=_TOO_MUCH, is_costly=True)
        budget.end(identity)
        found.append((answer.value,) if answer == Answer(answer.value) else tuple(answer))
    signal.setitimer(signal.ITIMER_PROF, 0)
    budget.armed = -1.0
    return found


class _Budget:
    """The processor's time: a timer for each expression, and what each of them took in all."""

    def __init__(self) -> None:
        self.armed = -1.0
        self._began = 0.0
        self._spent: dict[_Identity, tuple[float, int]] = {}

    def begin_compiling(self, identity: _Identity) -> bool:
        """Whether an expression is new; a timer of its own runs then."""
        if identity in self._spent:
            return False
        self.armed = -1.0
        signal.setitimer(signal.ITIMER_PROF, SECONDS_TO_COMPILE)
        return True

    def begin(self, identity: _Identity) -> bool:
        """Whether there is time left; the timer runs then."""
        seconds, times = self._spent.get(identity, (0.0, 0))
        if seconds > SECONDS_IN_ALL + SECONDS_EACH * times:
            return False
        self._began = time.process_time()
        if self.armed < 0 or self._began - self.armed > _SLACK:
            self.armed = self._began
            signal.setitimer(signal.ITIMER_PROF, SECONDS + _SLACK)
        return True

    def end(self, identity: _Identity) -> None:
        seconds, times = self._spent.get(identity, (0.0, 0))
        self._spent[identity] = seconds + time.process_time() - self._began, times + 1


def _bound_memory() -> None:
    """So much more than there is now; where the system does not say how much, nothing."""
    import resource

    cel.prepare(("self",))
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + (MEGABYTES << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
