"""The templates that KServe fills in every text of an LLM service, as far as it uses them itself.

KServe writes the whole object as JSON and reads that as one template; here each text is read by
itself, in the same form: what a text says is escaped, what is put into it is not.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.text.expressions import expression
from renderer.values.tree import Plain

_ACTION = expression(r"\{\{(-(?= ))?\s*((?:`[^`]*`|[^`])*?)\s*((?<= )-)?\}\}")
_WORD = expression(r"`([^`]*)`|(-?[0-9]+)|(\.[A-Za-z0-9_.]*)|([A-Za-z_][A-Za-z0-9_]*)")
_LONGEST_NAME = 63
_DIGEST = 32

Function = Callable[..., Plain]


class TemplateError(Exception):
    """Why a text is no template that KServe fills in."""


class Piece(NamedTuple):
    """A part of a template: a text as it is, or what stands between braces."""

    text: str
    is_action: bool


def fill(text: str, data: Mapping[str, Plain], functions: Mapping[str, Function]) -> str:
    """A text with all its templates filled in."""
    if "{{" not in text:
        return text
    pieces = list(_pieces(json.dumps(text, ensure_ascii=False)[1:-1]))
    filled, rest = _run(pieces, data, functions, is_shown=True)
    if rest:
        raise TemplateError(f"{{{{ {rest[0].text} }}}} ends nothing")
    try:
        return str(json.loads(f'"{filled}"'))
    except ValueError:
        raise TemplateError("what is put into it makes broken JSON of the object") from None


def _pieces(text: str) -> Iterator[Piece]:
    """The texts and actions, the spaces gone that an action takes away around it."""
    end, trims = 0, False
    for match in _ACTION.finditer(text):
        before = text[end : match.start()]
        before = before.lstrip(" ") if trims else before
        yield Piece(before.rstrip(" ") if match[1] else before, is_action=False)
        yield Piece(match[2], is_action=True)
        end, trims = match.end(), bool(match[3])
    rest = text[end:]
    if "{{" in rest:
        raise TemplateError("{{ is not closed")
    yield Piece(rest.lstrip(" ") if trims else rest, is_action=False)


def _run(
    pieces: Sequence[Piece],
    data: Mapping[str, Plain],
    functions: Mapping[str, Function],
    *,
    is_shown: bool,
) -> tuple[str, Sequence[Piece]]:
    """The text up to the end of a block, and what follows it, its own `else` or `end` first."""
    done = ""
    while pieces:
        (text, is_action), *pieces = pieces
        word = text.split(" ", 1)[0] if is_action else ""
        if not is_action:
            done += text if is_shown else ""
        elif word in ("else", "end"):
            return done, [Piece(text, is_action=True), *pieces]
        elif word == "if":
            holds = is_shown and _holds(_evaluate(text[len(word) :], data, functions))
            part, pieces = _branches(pieces, data, functions, holds=holds, is_shown=is_shown)
            done += part
        elif is_shown:
            done += _shown(_evaluate(text, data, functions))
    return done, pieces


def _branches(
    pieces: Sequence[Piece],
    data: Mapping[str, Plain],
    functions: Mapping[str, Function],
    *,
    holds: bool,
    is_shown: bool,
) -> tuple[str, Sequence[Piece]]:
    """What an `if` leaves, and what follows its `end`."""
    first, pieces = _run(pieces, data, functions, is_shown=is_shown and holds)
    other = ""
    if pieces and pieces[0].text == "else":
        other, pieces = _run(pieces[1:], data, functions, is_shown=is_shown and not holds)
    if not pieces or pieces[0].text != "end":
        raise TemplateError("{{ if }} has no {{ end }}")
    return first + other, pieces[1:]


def _evaluate(text: str, data: Mapping[str, Plain], functions: Mapping[str, Function]) -> Plain:
    """A pipeline of one command: a value, or a function with its arguments."""
    words = list(_words(text))
    if not words:
        raise TemplateError("an action is empty")
    name = words[0]
    if name in ("and", "or"):
        values: list[Plain] = []
        for word in words[1:]:
            values.append(_value(word, data))
            if _holds(values[-1]) == (name == "or"):
                break
        return values[-1] if values else None
    if name in functions:
        return functions[name](*(_value(word, data) for word in words[1:]))
    if len(words) > 1:
        raise TemplateError(f"function {name!r} is not one of KServe's")
    return _value(name, data)


def _words(text: str) -> Iterator[str]:
    rest = text.strip()
    while rest:
        match = _WORD.match(rest)
        if match is None:
            raise TemplateError(f"{rest!r} is not understood")
        yield match[0]
        rest = rest[match.end() :].lstrip()


def _value(word: str, data: Mapping[str, Plain]) -> Plain:
    if word.startswith("`"):
        return word[1:-1]
    if word.lstrip("-").isdecimal():
        return int(word)
    if word == "nil":
        return None
    if not word.startswith("."):
        raise TemplateError(f"function {word!r} is not one of KServe's")
    found: Plain = dict(data)
    for step in word.split(".")[1:]:
        if found is None:
            raise TemplateError(f"nil pointer evaluating {step!r} of {word}")
        if not isinstance(found, dict):
            raise TemplateError(f"{word}: there is no field {step!r}")
        found = found.get(_json_name(step))
    return found


def _json_name(field: str) -> str:
    """The key of a Go field: `KVCacheOffloading` is kvCacheOffloading, `Name` is name."""
    special = {"KVCacheOffloading": "kvCacheOffloading", "ObjectMeta": "metadata"}
    return special.get(field, field[:1].lower() + field[1:])


def _holds(value: Plain) -> bool:
    """Whether an `if` takes it for true: a block that is there counts, however empty it is."""
    return isinstance(value, dict) or bool(value)


def _shown(value: Plain) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def child_name(parent: str, suffix: str) -> str:
    """A name with a suffix, of at most 63 characters: a digest stands for what is cut."""
    room = _LONGEST_NAME - _DIGEST - len(suffix)
    if len(parent) <= _LONGEST_NAME - len(suffix):
        return parent + suffix
    if room > 0:
        return parent[:room] + _digest(parent) + suffix
    name = parent[: _LONGEST_NAME - _DIGEST] + _digest(parent + suffix)
    return (name + suffix[: _LONGEST_NAME - len(name)]).rstrip("-.")


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
