"""The options in the arguments of a server, however they are written."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.kubernetes.pods import Field


class Option(NamedTuple):
    """An option with `_` for each `-`, its value, and the argument that has the value."""

    name: str
    value: str
    field: Field


def options_of(words: Iterable[Field]) -> Iterator[Option]:
    """Those with a value: `--name=value`, or `--name` and the value as the next argument."""
    waiting = ""
    for word in words:
        given = word.text or str(word.node.value)
        if given.startswith("--"):
            name, sign, value = given[2:].partition("=")
            waiting = "" if sign else name
            if sign:
                yield Option(name.replace("-", "_"), value, word)
        elif waiting:
            yield Option(waiting.replace("-", "_"), given, word)
            waiting = ""


def last_values(words: Iterable[Field]) -> dict[str, Option]:
    """By their names; of several of one name the last one counts."""
    return {item.name: item for item in options_of(words)}
