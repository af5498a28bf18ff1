"""Work in several processes: the same results, and the same errors."""

import os

import pytest

from renderer.errors import RendererError, UsageError
from renderer.evaluate.parallel import map_chunks

pytestmark = pytest.mark.process

ITEMS = list(range(120))


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("most", [None, 1, 7, 500])
def test_every_item_once(jobs, most):
    parts = map_chunks(ITEMS, jobs, list, most)
    assert sorted(item for part in parts for item in part) == ITEMS
    assert most is None or max(map(len, parts)) <= most


@pytest.mark.parametrize("jobs", [1, 3])
def test_errors_are_those_of_the_work(jobs):
    def work(part):
        raise UsageError(f"{len(part) > 0}")

    with pytest.raises(UsageError, match="True"):
        map_chunks(ITEMS, jobs, work)


@pytest.mark.parametrize("end", [lambda: os._exit(1), lambda: os.kill(os.getpid(), 9)])
def test_a_child_that_dies(end):
    parent = os.getpid()

    def work(part):
        if os.getpid() != parent and ITEMS[1] in part:
            end()
        return part

    with pytest.raises(RendererError, match="helper process"):
        map_chunks(ITEMS, 2, work)


def test_much_is_sent_while_others_work():
    """A child does not wait until the one before it has ended."""
    large = "x" * 1_000_000
    assert map_chunks(ITEMS, 2, lambda part: large * len(part), 10) == [large * 10] * 12
