"""A difference that means something to Kuscia, and the changes of an object that it is about."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.running import Party
from renderer.backends.kuscia.serving import text
from renderer.values.changes import Change, How
from renderer.values.tree import Node, Plain

Place = tuple[str | frozenset[str | int], ...]
#: Any item of a list.
ANY: frozenset[str | int] = frozenset()


class Difference(NamedTuple):
    """A row of the table, where its change is, whom it reaches and the words of its sentences.

    One of `order` is about items that moved, and no other one is.
    """

    row: str
    place: Place
    parties: tuple[Party, ...]
    words: Mapping[str, str] = {}
    order: bool = False

    def causes(self, changes: tuple[Change, ...]) -> Iterator[Change | None]:
        """The changes at, below or around its place; if there is none, the object itself."""
        alike = (change for change in changes if (change.how is How.MOVED) == self.order)
        found = [change for change in alike if _meets(self.place, change)]
        yield from found
        if not found:
            yield None


def item(name: str, *indexes: int) -> frozenset[str | int]:
    """An item of a list, as changes may call it: by its name or by its number."""
    return frozenset((f"[{name}]", *indexes))


def _meets(place: Place, change: Change) -> bool:
    """Whether they are about the same; of an item that was renamed, the list is the path."""
    if change.how is How.RENAMED:
        return any(_meets(place, item) for item in _ends(change))
    pairs = zip(place, change.path, strict=False)
    return all(
        have == want if isinstance(want, str) else want is ANY or have in want
        for want, have in pairs
    )


def _ends(change: Change) -> Iterator[Change]:
    """A renamed item as one that went and one that came."""
    for node in (change.before, change.after):
        keys = ("domainID", "role") if node and node.get("domainID") else ("name", "mountPath")
        parts = [text(node, key) for key in keys] if node else []
        name = "/".join(part for part in parts if part)
        yield change._replace(path=(*change.path, f"[{name}]"), how=How.CHANGED)


def plain(node: Node | None) -> Plain:
    return node.plain() if node else None
