"""A picture as a tree for terminals."""

import textwrap
from collections.abc import Iterator, Sequence

from renderer.outputs.picture.limits import noted, titled, within_limits
from renderer.outputs.picture.shapes import columns
from renderer.values.picture import Card, Group, Link, LinkKind, Picture, PictureRow

_FORKS = ("├─ ", "└─ ")
_TRUNKS = ("│  ", "   ")
_MEANINGS = {
    LinkKind.SYNC: "Synchronisation",
    LinkKind.MEMBERS: "Connections",
    LinkKind.CALL: "Calls",
}
_WIDTH = 96
_Tree = tuple[str, list["_Tree"]]


def draw(picture: Picture) -> str:
    """Places, cards and rows as branches, then what connects them."""
    shown = within_limits(picture)
    lines = [shown.title, shown.summary, ""]
    for group in shown.groups:
        label, branches = _group(group)
        lines += (label, *_branches(branches), "")
    lines += _links(shown.links)
    remarks = (*shown.remarks, shown.left_out)
    lines += (line for remark in remarks for line in textwrap.wrap(remark, _WIDTH))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _branches(trees: Sequence[_Tree]) -> Iterator[str]:
    for number, (label, below) in enumerate(trees, 1):
        last = number == len(trees)
        yield _FORKS[last] + label
        yield from (_TRUNKS[last] + line for line in _branches(below))


def _group(group: Group) -> _Tree:
    notes: list[_Tree] = [(noted(row), []) for row in group.rows]
    return titled(group.title, group.tags), [*notes, *(_card(card) for card in group.cards)]


def _card(card: Card) -> _Tree:
    details = " · ".join(card.lines)
    title = titled(card.title, card.tags)
    rows: list[_Tree] = [(line, []) for line in _table(card.rows)]
    return (f"{title}  {details}" if details else title), rows


def _table(rows: Sequence[PictureRow]) -> Iterator[str]:
    """Rows as columns; a column in which nothing stands is left out."""
    cells = ((row.title, row.tag, row.address, row.note) for row in rows)
    filled = [column for column in zip(*cells, strict=True) if any(column)]
    widths = [max(map(columns, column)) for column in filled]
    for line in zip(*filled, strict=True):
        padded = (c + " " * (wide - columns(c)) for c, wide in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _links(links: Sequence[Link]) -> Iterator[str]:
    for kind, meaning in _MEANINGS.items():
        labels = [link.label for link in links if link.kind is kind]
        if labels:
            yield meaning
            yield from _branches([(label, []) for label in labels])
            yield ""
