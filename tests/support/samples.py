"""What tries one thing in many ways: `make test` runs a few of them, `make test-long` the rest.

A test that is long as a whole has `@pytest.mark.long`. One that is cited as what holds a promise
always has a part that is not, which `tests/test_guards.py` checks:

    @pytest.mark.parametrize("seed", sample(range(60), 0, 1))
    def test_random_edits(seed): ...

    @tried(TREES, TREES, few=20, many=400)
    def test_nothing_is_missed(before, after): ...
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy


def sample(values: Iterable[Any], *quick: Any) -> list[Any]:
    """Parameters of a test, all of which are long but the quick ones."""
    every = list(values)
    assert quick, "`make test` would run nothing of it"
    assert all(value in every for value in quick), f"{quick} are not all among {every}"
    return [value if value in quick else _long(value) for value in every]


def tried(
    *strategies: SearchStrategy[Any], few: int, many: int, **named: SearchStrategy[Any]
) -> Callable[[Any], Any]:
    """A test by Hypothesis, once with few examples and once, which is long, with many."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        runs = {number: _with_examples(test, number, strategies, named) for number in (few, many)}

        def over_examples(*own: Any, examples: int, **fixtures: Any) -> None:
            runs[examples](*own, **fixtures)

        fixtures = inspect.signature(runs[few]).parameters.values()
        number = inspect.Parameter("examples", inspect.Parameter.KEYWORD_ONLY)
        over_examples.__signature__ = inspect.Signature([*fixtures, number])  # type: ignore[attr-defined]
        over_examples.__doc__ = test.__doc__
        return pytest.mark.parametrize("examples", [few, _long(many)])(over_examples)

    return decorate


def _with_examples(
    test: Callable[..., None],
    number: int,
    strategies: tuple[SearchStrategy[Any], ...],
    named: dict[str, SearchStrategy[Any]],
) -> Callable[..., None]:
    # Hypothesis keeps what it knows of a test on the function, so each number has its own.
    run = settings(max_examples=number, deadline=None, suppress_health_check=list(HealthCheck))
    return run(given(*strategies, **named)(test))


def _long(value: Any) -> Any:
    return pytest.param(value, marks=pytest.mark.long)
