"""One test over all rows of a table, which lists every row that fails.

An item of its own for each row, by `pytest.mark.parametrize`, costs milliseconds to collect, to run
and to report, whatever the row is. With thousands of quick rows that is most of their time.

    @each("path", FILES, name=module)
    def test_imports_point_down(path): ...

`pytest --row TEXT` runs the rows alone whose names have that text.
"""

import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import pytest

_FRAMES = 3


Name = Callable[[Any], str]


def each(
    arguments: str, rows: Mapping[str, Any] | Iterable[Any], name: Name = repr
) -> Callable[[Any], Any]:
    """The test once for every row; `arguments`, in words, are the names of a row's values."""
    names = arguments.split()
    table = dict(rows) if isinstance(rows, Mapping) else _named(rows, name)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def over_all(*own: Any, request: pytest.FixtureRequest, **fixtures: Any) -> None:
            wanted = request.config.getoption("--row")
            chosen = {title: row for title, row in table.items() if wanted in title}
            failed = []
            for title, row in chosen.items():
                values = zip(names, row if len(names) > 1 else [row], strict=True)
                try:
                    test(*own, **dict(values), **fixtures)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:
                    failed.append(f"{title}: {_told(error)}")
            if failed:
                start = f"{len(failed)} of {len(chosen)} rows:"
                pytest.fail("\n\n".join([start, *failed]), pytrace=False)

        over_all.__signature__ = _without(test, names)  # type: ignore[attr-defined]
        return over_all

    return decorate


def _named(rows: Iterable[Any], name: Name) -> dict[str, Any]:
    """Rows by their names, of which no two are alike."""
    rows = list(rows)
    found = {name(row): row for row in rows}
    assert len(found) == len(rows), "two rows have one name"
    return found


def _without(test: Callable[..., None], names: list[str]) -> inspect.Signature:
    """The fixtures of a test: what a row does not give, and the request."""
    given = inspect.signature(test).parameters.values()
    kept = [item for item in given if item.name not in names]
    request = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY)
    return inspect.Signature([*kept, request])


def _told(error: BaseException) -> str:
    """What failed, and where in the tests."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    places = " <- ".join(f"{frame.name}:{frame.lineno}" for frame in frames[: -_FRAMES - 1 : -1])
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    return f"{kind}{error} ({places})"
