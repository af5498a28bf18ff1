"""`sample` and `tried`: what `make test` runs of something long."""

import pytest
from hypothesis import strategies as st

from tests.support.samples import sample, tried


def is_long(parameter):
    return bool(getattr(parameter, "marks", ()))


def test_all_but_the_quick_ones_are_long():
    assert [is_long(item) for item in sample(range(4), 0, 2)] == [False, True, False, True]


@pytest.mark.parametrize(("quick", "message"), [((), "nothing of it"), ((1, 7), "not all among")])
def test_there_is_a_quick_one_and_it_is_a_value(quick, message):
    with pytest.raises(AssertionError, match=message):
        sample(range(4), *quick)


def test_as_many_examples_as_are_said():
    seen = []

    @tried(st.integers(), few=3, many=20)
    def look(number):
        seen.append(number)

    look(examples=3)
    assert len(seen) == 3
    look(examples=20)
    assert len(seen) == 23
    (mark,) = look.pytestmark
    assert [is_long(item) for item in mark.args[1]] == [False, True]


@pytest.mark.parametrize("limit", [3, 4])
@tried(st.integers(0, 2), few=2, many=3)
def test_fixtures_and_parameters_are_those_of_the_test(limit, tmp_path, number):
    assert number < limit
    assert tmp_path.is_dir()
