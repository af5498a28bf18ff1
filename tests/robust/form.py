"""The two forms of the robustness suite: `make test-robust` takes all rows of a table."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

#: The profile `robust` is the only one with so many examples.
IS_WHOLE = settings.default.max_examples > 100
only_in_whole = pytest.mark.skipif(not IS_WHOLE, reason="`make test-robust` runs it")


def rows(table: Iterable[Any], *, one_in: int) -> list[Any]:
    """All rows of a table, or, in the short form, some of them."""
    return list(table)[:: 1 if IS_WHOLE else one_in]
