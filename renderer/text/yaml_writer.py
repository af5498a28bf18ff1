"""A tree to YAML whose bytes mean the same to every reader, and the proof that they do.

The text is deterministic and in block style. It is read again, event by event, against the tree
that it was written from.
"""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from renderer.text.expressions import expression
from renderer.text.libyaml import yaml
from renderer.text.scalars import meaning
from renderer.text.yaml_reader import Parser
from renderer.values.tree import Node, Scalar, Value

_QUOTING = json.JSONEncoder(ensure_ascii=False)
_PLAIN = expression(
    r"[A-Za-z/_](?:[A-Za-z0-9_./@-]|[ :=,+%](?=[A-Za-z0-9_./@]))*"
    r"|[0-9]+(?:%|m|[kMGTP]|[KMGTP]i)"
)
_RESERVED = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nil"))
#: What turns the direction of text would show a reviewer other words than a reader gets.
_UNSEEN = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
_STEERING = f"[\x00-\x08\x0b-\x1f{_UNSEEN}]"
_UNBLOCKABLE = expression(_STEERING)
_UNQUOTABLE = expression(f"[\t\n']|{_STEERING}")
_ESCAPED = expression(f"[{_UNSEEN}]")
_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_OTHER = "other data is read back"

#: A text, the type and value of another scalar (True is not 1), or the type of any other event.
_Expected: TypeAlias = str | tuple[type, Scalar] | type


def write(node: Node) -> str:
    """The text of a file that holds one document."""
    lines: list[str] = []
    _add(node.value, "", "", lines)
    return "\n".join(lines) + "\n"


def _add(value: Value, lead: str, indent: str, lines: list[str]) -> None:
    """Add the lines of a value that follows `lead` and whose members stand at `indent`."""
    if value and isinstance(value, dict):
        _add_members(value, lead, indent, lines)
    elif value and isinstance(value, tuple):
        deeper = f"{indent}  "
        for child in value:
            _add(child.value, f"{lead}- ", deeper, lines)
            lead = indent
    elif isinstance(value, str) and "\n" in value and fits_block(value):
        lines.append(f"{lead}|" if value.endswith("\n") else f"{lead}|-")
        body = value.removesuffix("\n").split("\n")
        lines += [f"{indent or '  '}{line}" if line else "" for line in body]
    else:
        lines.append(f"{lead}{scalar_text(value)}")


def _add_members(members: dict[str, Node], lead: str, indent: str, lines: list[str]) -> None:
    deeper = f"{indent}  "
    for key, child in members.items():
        value = child.value
        if isinstance(value, str) and "\n" not in value:
            lines.append(f"{lead}{_text(key)}: {_text(value)}")
        elif value and isinstance(value, dict):
            lines.append(f"{lead}{_text(key)}:")
            _add_members(value, deeper, deeper, lines)
        elif value and isinstance(value, tuple):
            lines.append(f"{lead}{_text(key)}:")
            _add(value, indent, indent, lines)
        else:
            _add(value, f"{lead}{_text(key)}: ", deeper, lines)
        lead = indent


def fits_block(text: str) -> bool:
    """Whether a literal block says the text exactly, to every reader."""
    body = text.removesuffix("\n")
    if "\n" not in body or body[0] in " \t\n" or body.endswith("\n"):
        return False
    if not text.replace("\n", "").isprintable() and _UNBLOCKABLE.search(text):
        return False
    return not any(line[-1:] in (" ", "\t") for line in body.split("\n"))


def scalar_text(value: Value) -> str:
    """One value as it stands on a line."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float):
        return _float(value)
    return str(value) if isinstance(value, int) else ("{}" if value == {} else "[]")


def _float(value: float) -> str:
    """A form that YAML 1.1, which wants a point and a signed exponent, reads as well."""
    mantissa, mark, exponent = repr(value).partition("e")
    if mark and "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}{mark}{exponent}"


@lru_cache(maxsize=1024)
def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED and not meaning(text).dispute:
        return text
    quoted = _QUOTING.encode(text)
    if text.replace("\n", "").isprintable():  # nothing in it steers or hides
        single = "\\" in quoted and "'" not in text and "\n" not in text
        return f"'{text}'" if single else quoted
    if "\\" in quoted and not _UNQUOTABLE.search(text):
        return f"'{text}'"
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def dispute(text: str, tree: Node) -> str:
    """Why a text does not say the tree to every reader; nothing if it does."""
    wanted: list[_Expected] = []
    _expect(tree.value, wanted)
    return _dispute(text, tuple(wanted))


@lru_cache(maxsize=8)
def _dispute(text: str, wanted: tuple[_Expected, ...]) -> str:
    """The same of what its events should say; a spec is often the same in several environments."""
    try:
        return _difference(Parser(text).get_event, iter(wanted))
    except yaml.YAMLError as error:
        return str(getattr(error, "problem", None) or "the text cannot be read")


def _difference(next_event: Callable[[], Any], wanted: Iterator[_Expected]) -> str:
    """How the first event that is not what is wanted differs from it."""
    while (kind := type(event := next_event())) is not yaml.StreamEndEvent:
        if kind is yaml.ScalarEvent:
            meant = (
                event.value if event.style or not event.implicit[0] else _plain_value(event.value)
            )
            if meant is None:
                return f"{event.value} is {meaning(event.value).dispute or 'no finite number'}"
            if meant != next(wanted, None) or event.tag:
                return _OTHER
        elif kind in _STARTS:
            if kind is not next(wanted, None) or event.tag:
                return _OTHER
        elif kind in _ENDS:
            if kind is not next(wanted, None):
                return _OTHER
        elif kind is yaml.AliasEvent:
            raise yaml.YAMLError
    return "" if next(wanted, None) is None else "less data is read back"


@lru_cache(maxsize=4096)
def _plain_value(text: str) -> _Expected | None:
    """What a scalar without quotes says to all readers; nothing if they disagree."""
    found = meaning(text)
    if found.dispute or not found.finite:
        return None
    return found.value if isinstance(found.value, str) else (type(found.value), found.value)


def _expect(value: Value, wanted: list[_Expected]) -> None:
    """Add what the events of a value say."""
    if isinstance(value, str):
        wanted.append(value)
    elif isinstance(value, dict):
        wanted.append(yaml.MappingStartEvent)
        for key, child in value.items():
            wanted.append(key)
            _expect(child.value, wanted)
        wanted.append(yaml.MappingEndEvent)
    elif isinstance(value, tuple):
        wanted.append(yaml.SequenceStartEvent)
        for child in value:
            _expect(child.value, wanted)
        wanted.append(yaml.SequenceEndEvent)
    else:
        wanted.append((type(value), value))
