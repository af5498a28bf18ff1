"""A picture as a tree for terminals."""

import textwrap
from collections.abc import Iterator, Sequence

from renderer.outputs.picture.measure import columns
from renderer.values.picture import Group, Kind, Link, Node, Picture, Row, bounded

_FORKS = ("├─ ", "└─ ")
_TRUNKS = ("│  ", "   ")
_MEANINGS = {
    Kind.SYNC: "Synchronisation",
    Kind.MEMBERS: "Connections",
    Kind.CALL: "Calls",
}
_WIDTH = 96
_Tree = tuple[str, list["_Tree"]]


def draw(picture: Picture) -> str:
    """Places, cards and rows as branches, then what connects them."""
    shown = bounded(picture)
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
    notes: list[_Tree] = [
        (f"{row.title}: {row.note}" if row.note else row.title, []) for row in group.rows
    ]
    return _titled(group.title, group.tags), [*notes, *(_node(node) for node in group.nodes)]


def _node(node: Node) -> _Tree:
    details = " · ".join(node.lines)
    title = _titled(node.title, node.tags)
    rows: list[_Tree] = [(line, []) for line in _table(node.rows)]
    return (f"{title}  {details}" if details else title), rows


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Rows as columns; a column in which nothing stands is left out."""
    cells = ((row.title, row.tag, row.address, row.note) for row in rows)
    filled = [column for column in zip(*cells, strict=True) if any(column)]
    widths = [max(map(columns, column)) for column in filled]
    for line in zip(*filled, strict=True):
        padded = (c + " " * (wide - columns(c)) for c, wide in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _titled(title: str, tags: tuple[str, ...]) -> str:
    return f"{title} ({', '.join(tags)})" if tags else title


def _links(links: Sequence[Link]) -> Iterator[str]:
    for kind, meaning in _MEANINGS.items():
        labels = [link.label for link in links if link.kind is kind]
        if labels:
            yield meaning
            yield from _branches([(label, []) for label in labels])
            yield ""
