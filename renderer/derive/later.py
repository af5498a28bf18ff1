"""Sequences that are worked out when somebody looks at them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, overload

Item_co = TypeVar("Item_co", covariant=True)


class Later(Sequence[Item_co]):
    """The items that a function makes, made once, when they are first asked for.

    What a platform makes in full takes far longer to work out than how many pods there are; most
    questions are about the latter.
    """

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], Iterable[Item_co]]) -> None:
        self._make = make
        self._items: tuple[Item_co, ...] | None = None

    def _made(self) -> tuple[Item_co, ...]:
        if self._items is None:
            self._items = tuple(self._make())
        return self._items

    @overload
    def __getitem__(self, index: int) -> Item_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item_co, ...]: ...
    def __getitem__(self, index: int | slice) -> Item_co | tuple[Item_co, ...]:
        return self._made()[index]

    def __iter__(self) -> Iterator[Item_co]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())
