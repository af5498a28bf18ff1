"""Which fields an expression reads, as far as its text says so."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from renderer.policies.expressions import Definitions, Token, is_root, tokens, used_variables
from renderer.values.diagnostics import Path

_TEXT_ENDS = "\"'"
#: The fields of a value that are read, each with those below it; nothing if all of it is.
Reads = dict[str, "Reads | None"]


def fields_read(expressions: Iterable[str]) -> Reads:
    """What expressions read, by variable: perhaps more than they do, and never less.

    >>> fields_read(["has(self.name) && self.labels.all(k, k != self.name.first)"])
    {'self': {'name': None, 'labels': None}, 'k': None}
    """
    found: Reads = {}
    for expression in expressions:
        words = tokens(expression)
        for at, word in enumerate(words):
            if word.kind == "name" and is_root(words, at):
                _add(found, (word.text, *_path(words, at + 1)))
    return found


def _add(found: Reads, path: Sequence[Any]) -> None:
    name, *rest = path
    if not rest:
        found[name] = None
    elif name not in found:
        below: Reads = {}
        found[name] = below
        _add(below, rest)
    elif (known := found[name]) is not None:
        _add(known, rest)


def narrowed(value: Any, reads: Reads | None) -> Any:
    """As much of a value as is read."""
    if reads is None or not isinstance(value, dict):
        return value
    return {name: narrowed(value[name], below) for name, below in reads.items() if name in value}


@cache
def paths_read(expression: str, roots: tuple[str, ...]) -> Sequence[Path]:
    """The paths below some variables that an expression names, in their order, each once."""
    words = tokens(expression)
    found = (
        _path(words, at + 1)
        for at, word in enumerate(words)
        if word.text in roots and is_root(words, at)
    )
    return list(dict.fromkeys(path for path in found if path))


def has_root(expression: str, name: str) -> bool:
    """Whether an expression names a variable."""
    words = tokens(expression) if name in expression else []
    return any(word.text == name and is_root(words, at) for at, word in enumerate(words))


@cache
def texts_read(expression: str, definitions: Definitions) -> tuple[str, ...]:
    """An expression, and those of the variables that it uses."""
    return expression, *used_variables(expression, definitions).values()


def _path(words: Sequence[Token], at: int) -> Path:
    """The fields that are selected one after the other; a function that is called is none."""
    found: list[str] = []
    while len(words) - at > 1:
        mark, at = words[at].text, at + 1
        is_optional = words[at].text == "?"
        name = words[at + is_optional : at + is_optional + 1]
        after = at + is_optional + 1
        if not name:
            break
        if mark == "." and name[0].kind == "name" and _text(words, after) != "(":
            found.append(name[0].text)
            at = after
        elif mark == "[" and name[0].kind == "text" and _text(words, after) == "]":
            found.append(name[0].text.strip(_TEXT_ENDS))
            at = after + 1
        else:
            break
    return tuple(found)


def _text(words: Sequence[Token], at: int) -> str:
    return words[at].text if at < len(words) else ""
