"""`each`: one test over many rows, which says of every row that fails what is wrong with it."""

from types import SimpleNamespace

import pytest

from tests.support.rows import each


def requested(row=""):
    return SimpleNamespace(config=SimpleNamespace(getoption={"--row": row}.get))


@each("number more", {"one": (1, 0), "two": (2, 0), "three": (3, 1), "four": (4, 0)})
def odd_numbers(number, more, limit):
    assert number % 2
    if number > limit:
        raise KeyError(number)
    if more:
        pytest.skip("not this one")


def failures(**given):
    with pytest.raises(pytest.fail.Exception) as failure:
        odd_numbers(limit=3, **given)
    return str(failure.value).split("\n\n")


def test_all_rows_that_fail_are_listed():
    start, *rows = failures(request=requested())
    assert start == "3 of 4 rows:"
    assert [row.partition(" (")[0].splitlines()[0] for row in rows] == [
        "two: assert",
        "three: Skipped: not this one",
        "four: assert",
    ]
    assert "(odd_numbers:" in rows[0]


def test_some_rows_can_be_run_alone():
    assert failures(request=requested("ou"))[0] == "1 of 1 rows:"
    odd_numbers(limit=3, request=requested("one"))


def test_an_error_is_named():
    with pytest.raises(pytest.fail.Exception, match="three: KeyError: 3"):
        odd_numbers(limit=2, request=requested("three"))


def test_rows_have_names_of_their_own():
    with pytest.raises(AssertionError, match="one name"):
        each("number", [1, 1])


@pytest.mark.parametrize("limit", [3, 4])
@each("number", [1, 3])
def test_fixtures_and_parameters_are_those_of_the_test(number, limit, tmp_path):
    assert number <= limit
    assert tmp_path.is_dir()
