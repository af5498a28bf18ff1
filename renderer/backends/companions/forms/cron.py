"""Schedules of CronJobs, as Kubernetes reads them."""

from renderer.kubernetes.quantities import nanoseconds
from renderer.values.named_tuple import NamedTuple

_WORDS = frozenset(
    ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
)
_EVERY = "@every "
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_ALL = ("*", "?")
_LONGEST_NUMBER = 4


class _Field(NamedTuple):
    """From which to which number a part of a schedule goes, and words for them."""

    least: int
    most: int
    names: tuple[str, ...] = ()

    def number(self, text: str) -> int | None:
        if text.lower() in self.names:
            return self.names.index(text.lower()) + self.least
        return _number(text)


_FIELDS = (_Field(0, 59), _Field(0, 23), _Field(1, 31), _Field(1, 12, _MONTHS), _Field(0, 6, _DAYS))


def is_schedule(text: str) -> bool:
    """Five parts, or a word for them."""
    if text.startswith(_EVERY):
        return nanoseconds(text.removeprefix(_EVERY)) is not None
    if text.startswith("@"):
        return text in _WORDS
    parts = text.split()
    is_whole = len(parts) == len(_FIELDS)
    return is_whole and all(
        _is_range(item, field)
        for part, field in zip(parts, _FIELDS, strict=True)
        for item in part.split(",")
        if item
    )


def _number(text: str) -> int | None:
    is_short = len(text) <= _LONGEST_NUMBER and text.isascii()
    return int(text) if is_short and text.isdigit() else None


def _is_range(text: str, field: _Field) -> bool:
    """`*`, a number, or from one to another; each may have a step."""
    span, *steps = text.split("/")
    if len(steps) > 1 or any(not _number(step) for step in steps):
        return False
    if span in _ALL:
        return True
    ends = [field.number(end) for end in span.split("-")]
    known = [end for end in ends if end is not None]
    is_range = len(ends) == len(known) <= 2  # noqa: PLR2004
    return is_range and field.least <= known[0] <= known[-1] <= field.most
