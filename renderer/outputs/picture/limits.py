"""What of a picture is drawn: as much as can be seen at once, in legible text."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from renderer.text.wording import counted, visible
from renderer.values.picture import Card, Group, Link, Picture, PictureRow

MOST_ROWS = 600
MOST_LINKS = 60


def limit(picture: Picture, rows: int = MOST_ROWS, links: int = MOST_LINKS) -> Picture:
    """What is drawn of a picture: so many rows (a card counts as one) and links, and legible text.

    It says what is left out. Every format draws this and nothing else.
    """
    groups = tuple(_first_rows(picture.groups, rows))
    kept = picture._replace(groups=groups)
    known = {row.key for row in kept.rows()}
    lines = [_restricted(link, known) for link in picture.links]
    whole = [link for link in lines if len(link.keys) > 1]
    left_out = (
        (len(picture.groups) - len(groups), "place"),
        (_count_cards(picture) - _count_cards(kept), "card"),
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


def _count_cards(picture: Picture) -> int:
    return sum(len(group.cards) for group in picture.groups)


def _first_rows(groups: Iterable[Group], room: int) -> Iterator[Group]:
    for group in groups:
        if room <= 0:
            return
        rows = group.rows[:room]
        room -= 1 + len(rows)
        cards: list[Card] = []
        for card in group.cards:
            if room <= 0:
                break
            cards.append(card._replace(rows=card.rows[:room]))
            room -= 1 + len(cards[-1].rows)
        yield group._replace(rows=rows, cards=tuple(cards))


def _restricted(link: Link, known: set[str]) -> Link:
    return link._replace(
        sources=tuple(key for key in link.sources if key in known),
        targets=tuple(key for key in link.targets if key in known),
    )


def titled(title: str, tags: tuple[str, ...]) -> str:
    """The title of a place or card with its tags, on one line."""
    return f"{title} ({', '.join(tags)})" if tags else title


def noted(row: PictureRow) -> str:
    """A row of a place with its remark, on one line."""
    return f"{row.title}: {row.note}" if row.note else row.title
