"""How a word of a command line becomes a value, by the type of its argument."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from renderer.engines.shapes import Mismatch, field_mismatches
from renderer.engines.tables import Argument, Config, Table
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_SUFFIXED = expression(r"([0-9]+(?:\.[0-9]+)?)([kKmMgGtT])")
_DECIMAL = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MAPPING = expression(r"(?s)\s*\{.*\}\s*")
_QUOTED = expression(r'("(?:[^"\\]|\\.)*")')
_BARE_SUFFIXED = expression(r"\b[0-9]+(?:\.[0-9]+)?[kKmMgGtT]\b")
_LONGEST = 1 << 16
_REFUSALS = (ValueError, TypeError, OverflowError, RecursionError, SyntaxError, MemoryError)
_LONGEST_NUMBER = 400
_YES = ("y", "yes", "t", "true", "on", "1")
_NO = ("n", "no", "f", "false", "off", "0")


class Wrong(NamedTuple):
    """Why a word is no value: what was expected, and what of a configuration does not fit."""

    expected: str
    mismatches: tuple[Mismatch, ...] = ()


def converted(argument: Argument, text: str, table: Table) -> tuple[Any, Wrong | None]:
    """The value that a word comes to, or why it comes to none."""
    kind = argument.type
    if kind.startswith("optional "):
        kind = kind.removeprefix("optional ")
        if text in ("", "None"):
            return None, None
    name, _, config = kind.partition(":")
    if config:
        return _config_value(name, config, text, table)
    try:
        return _CONVERSIONS.get(name, str)(text), None
    except _REFUSALS:
        return None, Wrong(name)


def _config_value(kind: str, name: str, text: str, table: Table) -> tuple[Any, Wrong | None]:
    """The JSON of a configuration; early versions took a Python literal, or a level alone."""
    config = table.config(name)
    try:
        if kind == "python-config":
            value = {"level": int(text)} if text in ("0", "1", "2", "3") else _literal(text)
        else:
            value = parsed_json(_expanded(text) if kind == "human-config" else text)
    except _REFUSALS:
        return None, Wrong("json")
    if config is None:
        return value, None
    if not isinstance(value, dict):
        return None, Wrong("json", (Mismatch((), "type", value, ("mapping",)),))
    found = tuple(_config_mismatches(config, value, table))
    return value, Wrong("json", found) if found else None


def _config_mismatches(config: Config, value: dict[str, Any], table: Table) -> Iterator[Mismatch]:
    return field_mismatches(config, value, table.config)


def parsed_json(text: str) -> Any:
    """A JSON text, of a length that people write."""
    if len(text) > _LONGEST:
        raise ValueError("too long")
    return json.loads(text)


def _literal(text: str) -> Any:
    if len(text) > _LONGEST:
        raise ValueError("too long")
    return ast.literal_eval(text)


def _expanded(text: str) -> str:
    """JSON in which bare numbers may have a suffix, as in `{"bytes": 80g}`."""
    parts = _QUOTED.split(text[:_LONGEST])
    for number in range(0, len(parts), 2):
        parts[number] = _BARE_SUFFIXED.sub(_number_text, parts[number])
    return "".join(parts)


def _number_text(found: re.Match[str]) -> str:
    return str(human_integer(found.group()))


def human_integer(text: str) -> int:
    """An integer that may end with `k` for thousand, `K` for 1024 and so on."""
    found = _SUFFIXED.fullmatch(text.strip())
    if not found:
        return _integer(text)
    number, suffix = found.groups()
    if suffix in _DECIMAL:
        return int(float(number) * _DECIMAL[suffix])
    return int(number) * _BINARY[suffix]


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise ValueError("too long")
    return int(text)


def _human_or_auto(text: str) -> int:
    return -1 if text.strip() == "-1" or text.strip().lower() == "auto" else human_integer(text)


def _mapping_or_text(text: str) -> Any:
    if not _MAPPING.fullmatch(text):
        return text
    return None if text == "None" else parsed_json(text)


def _pairs(text: str) -> dict[str, int]:
    """`image=4,video=1`, of early versions."""
    found: dict[str, int] = {}
    for item in text.split(",") if text else ():
        name, sign, number = item.partition("=")
        if not sign or "=" in number or name.lower().strip() in found:
            raise ValueError(text)
        found[name.lower().strip()] = int(number)
    return found


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _yes_or_no(text: str) -> bool:
    """As Python's `distutils` took it, and model servers do."""
    if text.lower() not in (*_YES, *_NO):
        raise ValueError(text)
    return text.lower() in _YES


def _name_and_path(text: str) -> Any:
    """A LoRA adapter: `name=path`, or JSON."""
    if "=" in text and "," not in text:
        return text
    found = parsed_json(text)
    if not isinstance(found, dict) or not {"name", "path"} <= {*found}:
        raise ValueError(text)
    return found


_CONVERSIONS: dict[str, Callable[[str], Any]] = {
    "int": _integer,
    "float": float,
    "bool": bool,
    "json": parsed_json,
    "human": human_integer,
    "human-or-auto": _human_or_auto,
    "dict-or-str": _mapping_or_text,
    "pairs": _pairs,
    "truth": _truth,
    "yes-or-no": _yes_or_no,
    "adapter": _name_and_path,
    "lower": lambda text: text.lower().replace("-", "_"),
}
