"""What an expression comes to where it is no plain value: calls, types, members, the unknown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance.engines.sources import Class


class Unknown:
    """What the text alone does not say."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Any = Unknown()


@dataclass(frozen=True)
class Applied:
    """A call that is not followed: what is called, and with what."""

    function: Any
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]


@dataclass(frozen=True)
class Hint:
    """A type with parameters: `Literal[…]`, `list[int]`, `int | None`."""

    base: Any
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Member:
    """A member of an enumeration."""

    owner: Class
    name: str
    value: Any


class Recorder:
    """Stands for a parser or a group of it, and keeps the arguments that are added."""

    def __init__(self) -> None:
        self.added: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Method:
    """A method of a recorder."""

    owner: Recorder
    name: str


def literals(hint: Any) -> Iterator[Any]:
    """The options of a `Literal`, and of those in it or in a union with it."""
    if isinstance(hint, Hint):
        is_literal = getattr(hint.base, "name", "") == "Literal"
        for item in hint.arguments:
            if isinstance(item, Hint):
                yield from literals(item)
            elif is_literal:
                yield item.value if isinstance(item, Member) else item
