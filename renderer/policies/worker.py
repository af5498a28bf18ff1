"""A process that evaluates expressions, each in bounded time and memory, and can do nothing else.

The engine cannot be interrupted from within, so each expression has a timer of the processor's time
and a limit of memory, at which the system ends the process; the next one goes on behind it.
"""

import mmap
import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Never

from renderer.errors import RendererError
from renderer.policies import cel
from renderer.policies.cel import Answer
from renderer.policies.expressions import Definitions
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

SECONDS = 0.1
MEGABYTES = 64
_WIDTH = 8
_TOO_LONG = f"it took more than {SECONDS * 1000:.0f} ms"
_TOO_MUCH = f"it needed more than {MEGABYTES} MB of memory"
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

    Both share the number of the question that the worker is at, so that it sends its answers once:
    a message for each took ten times as long as most expressions.
    """

    parent: int
    child: int
    sending: BinaryIO
    receiving: BinaryIO
    number: mmap.mmap


_current: list[_Process] = []


def _asked(questions: Sequence[Question]) -> list[Answer]:
    """The answers; of a question that ended the worker, why, and the others are asked again."""
    answers: list[Answer] = []
    waiting: list[Sequence[Question] | Answer] = [questions]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Answer):
            answers.append(item)
        elif item:
            found = _sent(item)
            if isinstance(found, list):
                answers += found
            else:
                waiting += [item[found.at + 1 :], Answer(error=found.reason), item[: found.at]]
    return answers


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
    number = mmap.mmap(-1, _WIDTH)
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
        return _TOO_LONG
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
        return _TOO_MUCH
    return "it ended the process that evaluates it"


def _live(receiving: int, sending: int, number: mmap.mmap) -> Never:
    """The worker's life: it must end here, whatever happens, and print nothing."""
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        for name in (signal.SIGINT, signal.SIGPROF):
            signal.signal(name, signal.SIG_DFL)
        with os.fdopen(receiving, "rb") as questions, os.fdopen(sending, "wb") as answers:
            while True:
                data, asked = pickle.load(questions)  # noqa: S301 - our own parent's words
                _bound_memory()
                pickle.dump(_answers(data, asked, number), answers, pickle.HIGHEST_PROTOCOL)
                answers.flush()
    finally:
        os._exit(0)


def _answers(data: list[Any], asked: list[tuple[Any, ...]], at: mmap.mmap) -> list[tuple[Any, ...]]:
    """Answers as plain tuples, which are sent in half the time."""
    ready: dict[int, Any] = {}
    found: list[tuple[Any, ...]] = []
    for place, (expression, variables, number, *form) in enumerate(asked):
        at[:_WIDTH] = place.to_bytes(_WIDTH, "little")
        cel.prepare(variables)  # the engine itself does not count
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            if number not in ready:
                names, values = data[number]
                ready[number] = None if values is None else cel.activation(names, values)
            answer = cel.evaluate(expression, variables, ready[number], *form)
        except MemoryError:
            answer = Answer(error=_TOO_MUCH)
        signal.setitimer(signal.ITIMER_PROF, 0)
        found.append((answer.value,) if answer == Answer(answer.value) else tuple(answer))
    return found


def _bound_memory() -> None:
    """So much more than there is now; where the system does not say how much, nothing."""
    import resource

    cel.prepare(("self",))
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + (MEGABYTES << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
