"""A row of the table."""

from typing import NamedTuple


class Row(NamedTuple):
    """A ratio, and the most that it should be, if anybody said so."""

    what: str
    against: str
    ratio: float | None
    target: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        if self.ratio is None or self.target is None:
            return None
        return self.ratio <= self.target
