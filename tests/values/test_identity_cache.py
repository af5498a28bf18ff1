"""What is remembered is what would be made again, and no longer than it is of use."""

import pytest

from renderer.values.identity_cache import cached_by_identity, last_result_cached


@pytest.fixture
def made():
    return []


def counting(memo, made):
    @memo
    def make(*given):
        made.append(given)
        return list(given)

    return make


FIRST, SECOND, HERE = (["spec"], ["spec"], ["dev"])


@pytest.mark.parametrize("memo", [cached_by_identity, last_result_cached])
def test_the_same_values_give_the_same_result(memo, made):
    make = counting(memo, made)
    assert make(FIRST, HERE) is make(FIRST, HERE)
    assert made == [(FIRST, HERE)]


@pytest.mark.parametrize("memo", [cached_by_identity, last_result_cached])
def test_equal_values_are_not_the_same(memo, made):
    make = counting(memo, made)
    assert make(FIRST, HERE) is not make(SECOND, HERE)
    assert len(made) == 2


def test_only_the_latest_is_remembered(made):
    make = counting(last_result_cached, made)
    make(FIRST), make(SECOND), make(FIRST)
    assert made == [(FIRST,), (SECOND,), (FIRST,)]


def test_no_more_than_some_are_remembered(made):
    make = counting(cached_by_identity, made)
    values = [[number] for number in range(257)]
    for value in (*values, values[-1], values[0]):
        make(value, HERE)
    assert made[257:] == [(values[0], HERE)]


def test_arguments_are_given_by_position():
    """Two calls that differ in a keyword only would have one result."""
    with pytest.raises(TypeError, match="unexpected keyword"):
        cached_by_identity(lambda spec: spec)(spec=FIRST)
