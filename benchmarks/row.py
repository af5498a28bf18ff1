"""A row of the table."""

from typing import NamedTuple


class Row(NamedTuple):
    """A ratio, the most that it should be, and whose medians it was taken from."""

    what: str
    against: str
    ratio: float | None
    target: float
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        return None if self.ratio is None else self.ratio <= self.target
