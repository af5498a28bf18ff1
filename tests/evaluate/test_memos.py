"""What is remembered is what would be made again, and no longer than it is of use."""

import pytest

from renderer.values.identity_cache import once, within


@pytest.fixture
def made():
    return []


def counting(memo, made):
    @memo
    def make(*given):
        made.append(given)
        return list(given)

    return make


FIRST, SECOND, HERE, THERE = (["spec"], ["spec"], ["dev"], ["prod"])


@pytest.mark.parametrize("memo", [once, lately, within])
def test_the_same_values_give_the_same_result(memo, made):
    make = counting(memo, made)
    assert make(FIRST, HERE) is make(FIRST, HERE)
    assert made == [(FIRST, HERE)]


@pytest.mark.parametrize("memo", [once, lately, within])
def test_equal_values_are_not_the_same(memo, made):
    make = counting(memo, made)
    assert make(FIRST, HERE) is not make(SECOND, HERE)
    assert len(made) == 2


def test_only_the_latest_is_remembered(made):
    make = counting(lately, made)
    make(FIRST), make(SECOND), make(FIRST)
    assert made == [(FIRST,), (SECOND,), (FIRST,)]


def test_another_environment_is_a_new_start(made):
    make = counting(within, made)
    make(FIRST, HERE), make(SECOND, HERE), make(FIRST, HERE)
    assert len(made) == 2
    make(FIRST, THERE), make(FIRST, HERE)
    assert len(made) == 4


@pytest.mark.parametrize(("memo", "most"), [(once, 256), (within, 1024)])
def test_no_more_than_some_are_remembered(memo, most, made):
    make = counting(memo, made)
    values = [[number] for number in range(most + 1)]
    for value in (*values, values[-1], values[0]):
        make(value, HERE)
    assert made[most + 1 :] == [(values[0], HERE)]
