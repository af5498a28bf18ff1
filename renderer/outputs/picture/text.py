"""A picture as a tree for terminals."""

from collections.abc import Iterator, Sequence

from renderer.outputs.layout import PLAIN, Layout, wrapped
from renderer.outputs.picture.limits import limit, noted, titled
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


def show(picture: Picture, layout: Layout = PLAIN) -> str:
    """Places, cards and rows as branches, then what connects them."""
    shown, width = limit(picture), layout.width
    lines = [*_label(shown.title, width), *_label(shown.summary, width), ""]
    for group in shown.groups:
        label, branches = _group(group)
        lines += (*_label(label, width), *_branches(branches, width), "")
    lines += _links(shown.links, width)
    remarks = (*shown.remarks, shown.left_out)
    lines += (line for remark in remarks for line in wrapped(remark, width or _WIDTH))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _branches(trees: Sequence[_Tree], width: int) -> Iterator[str]:
    room = max(width - len(_FORKS[0]), 1) if width else 0
    for number, (label, below) in enumerate(trees, 1):
        last = number == len(trees)
        first, *rest = _label(label, room)
        yield _FORKS[last] + first
        yield from (_TRUNKS[last] + line for line in (*rest, *_branches(below, room)))


def _label(text: str, width: int) -> Sequence[str]:
    """A text in lines that fit; as it is where there is no need."""
    return wrapped(text, width, rest="  ") if width and columns(text) > width else (text,)


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


def _links(links: Sequence[Link], width: int) -> Iterator[str]:
    for kind, meaning in _MEANINGS.items():
        labels = [link.label for link in links if link.kind is kind]
        if labels:
            yield meaning
            yield from _branches([(label, []) for label in labels], width)
            yield ""
