"""Previews of graphs, trained models and caches, against what the real KServe made of them."""

from tests.support.plain_objects import difference, previewed
from tests.support.plain_rows import CASES, evaluated, is_refused
from tests.support.replay import every_row, shares

#: Where something else is previewed than was made, and why.
OTHERWISE = {
    "cache-of-an-older-service": "services that were written before the cache do not use it yet",
    "graph-without-steps": "an empty list of steps is not in what the router is told",
}


def is_compared(row):
    return bool(row.get("objects")) and not is_refused(row)


@shares
def test_what_is_previewed_is_what_was_made(share):
    found = {name: row for name, row in evaluated(share).items() if is_compared(CASES[name])}
    made = {name: row for name, row in found.items() if not row.errors}
    wrong = {
        name: gap
        for name, row in made.items()
        if (gap := difference(previewed(row), CASES[name]["objects"]))
    }
    assert wrong.keys() == {name for name in OTHERWISE if share(name)}, wrong
    assert len(made) > 75 or share is not every_row
