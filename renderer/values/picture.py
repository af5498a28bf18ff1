"""A picture as values: places, what runs in them, and what connects their rows."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple


class Exposure(StrEnum):
    """From how far away a row can be called."""

    ANYWHERE = "anywhere"
    OTHERS = "others"
    INSIDE = "inside"
    NOWHERE = "nowhere"


class PictureRow(NamedTuple):
    """A line of a card or of a place, to which links lead.

    `tag` is its kind in a word, `address` where it is called, `note` a remark.
    """

    key: str
    title: str
    tag: str = ""
    address: str = ""
    note: str = ""
    exposure: Exposure = Exposure.NOWHERE


class Card(NamedTuple):
    """A card: what runs in a place. Calls to rows with the reach INSIDE pass its entrance."""

    title: str
    tags: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    rows: tuple[PictureRow, ...] = ()
    entrance: tuple[str, ...] = ()


class Group(NamedTuple):
    """A place with its cards; what is not ours is shown as such."""

    title: str
    tags: tuple[str, ...] = ()
    rows: tuple[PictureRow, ...] = ()
    cards: tuple[Card, ...] = ()
    ours: bool = True


class LinkKind(StrEnum):
    """What a link means."""

    CALL = "call"
    MEMBERS = "members"
    SYNC = "sync"


class Link(NamedTuple):
    """Rows that belong together: those of `sources` reach those of `targets`.

    A row that is in both reaches the other ones and is reached by them. `meaning` says so in words.
    """

    kind: LinkKind
    name: str
    meaning: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]

    @property
    def label(self) -> str:
        return f"{self.name}: {self.meaning}"

    @property
    def keys(self) -> tuple[str, ...]:
        """Every row of the link, once."""
        return tuple(dict.fromkeys((*self.sources, *self.targets)))


class Picture(NamedTuple):
    """What is drawn; `remarks` stand below it, and what is `left_out`, if anything is."""

    title: str
    summary: str
    groups: tuple[Group, ...]
    links: tuple[Link, ...] = ()
    remarks: tuple[str, ...] = ()
    left_out: str = ""

    def rows(self) -> Iterator[PictureRow]:
        """Every row, from top to bottom."""
        for group in self.groups:
            yield from group.rows
            for card in group.cards:
                yield from card.rows


def join(title: str, pictures: Iterable[Picture]) -> Picture:
    """Several pictures as one: what lies in the same place is drawn in it once."""
    found = list(pictures)
    parts = [part for part in found if part.groups] or found
    return Picture(
        title,
        "; ".join(part.summary for part in parts),
        _joined(group for part in parts for group in part.groups),
        tuple(link for part in parts for link in part.links),
        tuple(remark for part in parts for remark in part.remarks),
    )


def _joined(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Groups by their titles, each with all that is said of it."""
    found: dict[str, Group] = {}
    for group in groups:
        known = found.get(group.title)
        found[group.title] = _both(known, group) if known else group
    return tuple(found.values())


def _both(one: Group, other: Group) -> Group:
    return Group(
        one.title,
        tuple(dict.fromkeys((*one.tags, *other.tags))),
        (*one.rows, *other.rows),
        (*one.cards, *other.cards),
        one.ours or other.ours,
    )
