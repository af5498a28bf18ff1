"""What a repository has, as values that any output can show."""

from typing import NamedTuple


class Row(NamedTuple):
    """A spec in an environment: where it goes, what of it runs by itself, and its files.

    Of one that `is_broken`, no more than its files is known; its kind only if it can be told.
    """

    environment: str
    kind: str
    stem: str
    name: str
    destinations: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    is_broken: bool = False


class Listing(NamedTuple):
    """All rows, in order; and environments that are left out, as they are only inherited from."""

    rows: tuple[Row, ...]
    only_inherited: tuple[str, ...] = ()
