"""The same work on several cores: forked children that send back what they found."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Never, TypeVar

from renderer.errors import RendererError
from renderer.values.named_tuple import NamedTuple

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Called with how many more items are done, and how many there are.
Watch = Callable[[int, int], None]
_WORTH_A_FORK = 50
_REMEDY = "'servingctl render --jobs 1' does without, and tells why"


def no_watch(_more: int, _total: int) -> None:
    """For work that has no progress to show."""


class Workers(NamedTuple):
    """How many processes work, and who watches them."""

    jobs: int = 1
    watch: Watch = no_watch

    def share(
        self, items: Sequence[Item], work: Callable[[Sequence[Item]], Result]
    ) -> list[Result]:
        """The results of all, each of a part of the items."""
        return map_chunks(items, self.jobs, work, watch=self.watch)


def map_chunks(
    items: Sequence[Item],
    jobs: int,
    work: Callable[[Sequence[Item]], Result],
    most: int | None = None,
    watch: Watch = no_watch,
) -> list[Result]:
    """The results of working on parts of the items, at most so many at a time.

    With several jobs, each is a process of its own; this one only collects, so that it does not
    grow with the work.
    """
    if jobs <= 1 or len(items) < _WORTH_A_FORK or not hasattr(os, "fork"):
        return [_watched(work, part, watch, len(items)) for part in _parts(items, most)]
    shares = [_parts(items[number::jobs], most) for number in range(jobs)]
    sizes = [[len(part) for part in share] for share in shares]
    children = [_start(share, work) for share in shares]
    return _finish(children, [partial(_tell, watch, iter(some), len(items)) for some in sizes])


def _watched(
    work: Callable[[Sequence[Item]], Result], part: Sequence[Item], watch: Watch, total: int
) -> Result:
    result = work(part)
    watch(len(part), total)
    return result


def _tell(watch: Watch, sizes: Iterator[int], total: int) -> None:
    """One more part of a child is done."""
    watch(next(sizes, 0), total)


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
                pickle.dump(_try(work, part), stream, pickle.HIGHEST_PROTOCOL)
                stream.flush()
        status = 0
    finally:
        os._exit(status)


def _try(work: Callable[[Sequence[Item]], Result], part: Sequence[Item]) -> Result | RendererError:
    """What work comes to, or why it cannot be done, for the parent to say."""
    try:
        return work(part)
    except RendererError as error:
        return error


def _finish(children: Sequence[tuple[int, int]], tell: Sequence[Callable[[], None]]) -> list[Any]:
    """Everything that the children send, each listened to while the others go on."""
    from threading import Thread

    results: list[list[Any]] = [[] for _ in children]
    pairs = zip(children, results, tell, strict=True)
    threads = [Thread(target=_receive, args=(pipe, *rest)) for (_, pipe), *rest in pairs]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        _stop(child for child, _ in children)
        raise
    statuses = [os.waitpid(child, 0)[1] for child, _ in children]
    every = [result for found in results for result in found]
    for result in every:
        if isinstance(result, RendererError):
            raise result
    if any(statuses):
        raise RendererError(f"a helper process failed; {_REMEDY}")
    return every


def _stop(children: Iterable[int]) -> None:
    """End them: the run was interrupted."""
    import signal

    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _receive(pipe: int, found: list[Any], tell: Callable[[], None]) -> None:
    import pickle

    with os.fdopen(pipe, "rb") as stream, suppress(EOFError):
        try:
            while True:
                found.append(pickle.load(stream))  # noqa: S301 - our own child's words
                tell()
        except (pickle.UnpicklingError, OSError, MemoryError) as error:
            message = f"what a helper process sent is not understood ({error}); {_REMEDY}"
            found.append(RendererError(message))
