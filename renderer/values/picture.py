"""A picture as values: places, what runs in them, and what connects their rows."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from renderer.text.wording import counted, visible

MOST_ROWS = 600
MOST_LINKS = 60


class Reach(StrEnum):
    """From how far away a row can be called."""

    ANYWHERE = "anywhere"
    OTHERS = "others"
    INSIDE = "inside"
    NOWHERE = "nowhere"


class Row(NamedTuple):
    """A line of a card or of a place, to which links lead.

    `tag` is its kind in a word, `address` where it is called, `note` a remark.
    """

    key: str
    title: str
    tag: str = ""
    address: str = ""
    note: str = ""
    reach: Reach = Reach.NOWHERE


class Node(NamedTuple):
    """A card: what runs in a place. Calls to rows with the reach INSIDE pass its entrance."""

    title: str
    tags: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    entrance: tuple[str, ...] = ()


class Group(NamedTuple):
    """A place with its cards; what is not ours is shown as such."""

    title: str
    tags: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    nodes: tuple[Node, ...] = ()
    ours: bool = True


class Kind(StrEnum):
    """What a link means."""

    CALL = "call"
    MEMBERS = "members"
    SYNC = "sync"


class Link(NamedTuple):
    """Rows that belong together: those of `sources` reach those of `targets`.

    A row that is in both reaches the other ones and is reached by them. `meaning` says so in words.
    """

    kind: Kind
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

    def rows(self) -> Iterator[Row]:
        """Every row, from top to bottom."""
        for group in self.groups:
            yield from group.rows
            for node in group.nodes:
                yield from node.rows


def join(title: str, pictures: Iterable[Picture]) -> Picture:
    """Several pictures as one."""
    parts = list(pictures)
    return Picture(
        title,
        "; ".join(part.summary for part in parts),
        tuple(group for part in parts for group in part.groups),
        tuple(link for part in parts for link in part.links),
        tuple(remark for part in parts for remark in part.remarks),
    )


def bounded(picture: Picture, rows: int = MOST_ROWS, links: int = MOST_LINKS) -> Picture:
    """What is drawn of a picture: so many rows (a card counts as one) and links, and legible text.

    It says what is left out. Every format draws this and nothing else.
    """
    groups = tuple(_fitting(picture.groups, rows))
    kept = picture._replace(groups=groups)
    known = {row.key for row in kept.rows()}
    lines = [_within(link, known) for link in picture.links]
    whole = [link for link in lines if len(link.keys) > 1]
    left_out = (
        (len(picture.groups) - len(groups), "place"),
        (_cards(picture) - _cards(kept), "card"),
        (sum(1 for _ in picture.rows()) - len(known), "row"),
        (len(picture.links) - len(whole[:links]), "connection"),
    )
    missing = [counted(number, word) for number, word in left_out if number > 0]
    note = f"Too large to draw whole; left out: {', '.join(missing)}." if missing else ""
    shown = kept._replace(links=tuple(whole[:links]), left_out=note)
    legible: Picture = _legible(shown)
    return legible


def _legible(value: Any) -> Any:
    """The same, without characters that steer a terminal or cannot be in XML."""
    if isinstance(value, str):
        return value if isinstance(value, StrEnum) else visible(value)
    if not isinstance(value, tuple):
        return value
    parts = map(_legible, value)
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def _cards(picture: Picture) -> int:
    return sum(len(group.nodes) for group in picture.groups)


def _fitting(groups: Iterable[Group], room: int) -> Iterator[Group]:
    for group in groups:
        if room <= 0:
            return
        rows = group.rows[:room]
        room -= 1 + len(rows)
        nodes: list[Node] = []
        for node in group.nodes:
            if room <= 0:
                break
            nodes.append(node._replace(rows=node.rows[:room]))
            room -= 1 + len(nodes[-1].rows)
        yield group._replace(rows=rows, nodes=tuple(nodes))


def _within(link: Link, known: set[str]) -> Link:
    return link._replace(
        sources=tuple(key for key in link.sources if key in known),
        targets=tuple(key for key in link.targets if key in known),
    )
