"""The same work on several cores: forked children that send back what they found."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Never, TypeVar

from renderer.errors import RendererError

Item = TypeVar("Item")
Result = TypeVar("Result")
_WORTH_A_FORK = 50


def in_chunks(
    items: Sequence[Item], jobs: int, work: Callable[[Sequence[Item]], Result]
) -> list[Result]:
    """The results of working on parts of the items, each part by a process of its own."""
    if jobs <= 1 or len(items) < _WORTH_A_FORK or not hasattr(os, "fork"):
        return [work(items)]
    children = [_start(items[number::jobs], work) for number in range(1, jobs)]
    own = work(items[0::jobs])
    return [own, *(_finish(*child) for child in children)]


def _start(chunk: Sequence[Item], work: Callable[[Sequence[Item]], Result]) -> tuple[int, int]:
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiving)
        _send(sending, chunk, work)
    os.close(sending)
    return child, receiving


def _send(sending: int, chunk: Sequence[Item], work: Callable[[Sequence[Item]], Result]) -> Never:
    """The child's life: it must end here, whatever happens."""
    import pickle

    status = 1
    try:
        with os.fdopen(sending, "wb") as stream:
            pickle.dump(work(chunk), stream, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _finish(child: int, receiving: int) -> Any:
    import pickle

    result = None
    with os.fdopen(receiving, "rb") as stream, suppress(EOFError, pickle.UnpicklingError):
        result = pickle.load(stream)  # noqa: S301 - our own child's words
    _, status = os.waitpid(child, 0)
    if status:
        raise RendererError("a helper process failed; run again with --jobs 1 to see why")
    return result
