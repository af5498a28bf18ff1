"""The same work on several cores: forked children that send back what they found."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Never, TypeVar

from renderer.errors import RendererError

Item = TypeVar("Item")
Result = TypeVar("Result")
_WORTH_A_FORK = 50
_REMEDY = "'servingctl render --jobs 1' does without, and tells why"


def in_chunks(
    items: Sequence[Item],
    jobs: int,
    work: Callable[[Sequence[Item]], Result],
    most: int | None = None,
) -> list[Result]:
    """The results of working on parts of the items, at most so many at a time.

    With several jobs, each is a process of its own; this one only collects, so that it does not
    grow with the work.
    """
    if jobs <= 1 or len(items) < _WORTH_A_FORK or not hasattr(os, "fork"):
        return [work(part) for part in _parts(items, most)]
    shares = [items[number::jobs] for number in range(jobs)]
    return _finish([_start(_parts(share, most), work) for share in shares])


def _parts(items: Sequence[Item], most: int | None) -> list[Sequence[Item]]:
    size = most or max(1, len(items))
    return [items[start : start + size] for start in range(0, len(items), size)]


def _start(
    parts: Sequence[Sequence[Item]], work: Callable[[Sequence[Item]], Result]
) -> tuple[int, int]:
    receiving, sending = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiving)
        _send(sending, parts, work)
    os.close(sending)
    return child, receiving


def _send(
    sending: int, parts: Sequence[Sequence[Item]], work: Callable[[Sequence[Item]], Result]
) -> Never:
    """The child's life: it must end here, whatever happens."""
    import pickle

    status = 1
    try:
        with os.fdopen(sending, "wb") as stream:
            for part in parts:
                pickle.dump(_tried(work, part), stream, pickle.HIGHEST_PROTOCOL)
                stream.flush()
        status = 0
    finally:
        os._exit(status)


def _tried(
    work: Callable[[Sequence[Item]], Result], part: Sequence[Item]
) -> Result | RendererError:
    """What work comes to, or why it cannot be done, for the parent to say."""
    try:
        return work(part)
    except RendererError as error:
        return error


def _finish(children: Sequence[tuple[int, int]]) -> list[Any]:
    """Everything that the children send, each listened to while the others go on."""
    from threading import Thread

    results: list[list[Any]] = [[] for _ in children]
    pairs = zip(children, results, strict=True)
    threads = [Thread(target=_receive, args=(pipe, found)) for (_, pipe), found in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = [os.waitpid(child, 0)[1] for child, _ in children]
    every = [result for found in results for result in found]
    for result in every:
        if isinstance(result, RendererError):
            raise result
    if any(statuses):
        raise RendererError(f"a helper process failed; {_REMEDY}")
    return every


def _receive(pipe: int, found: list[Any]) -> None:
    import pickle

    with os.fdopen(pipe, "rb") as stream, suppress(EOFError):
        try:
            while True:
                found.append(pickle.load(stream))  # noqa: S301 - our own child's words
        except (pickle.UnpicklingError, OSError, MemoryError) as error:
            message = f"what a helper process sent is not understood ({error}); {_REMEDY}"
            found.append(RendererError(message))
