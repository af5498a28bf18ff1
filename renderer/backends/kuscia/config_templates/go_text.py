"""Go's ways with text: quoting, unquoting, and JSON as `encoding/json` writes it."""

import json
import re
from decimal import Decimal
from typing import TypeAlias

from renderer.text.expressions import expression

Data: TypeAlias = "str | float | bool | list[Data] | dict[str, Data] | None"
_DEPTH = 200
_SHORT = {
    "\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v",
    '"': r"\"", "\\": r"\\",
}  # fmt: skip
_LONG = {escape[1]: char for char, escape in _SHORT.items()}
_ESCAPE = expression(
    r"\\(?:([abfnrtv\\\"])|x([0-9a-fA-F]{2})|([0-3][0-7]{2})"
    r"|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|)"
)
_HTML = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
_SURROGATE = expression("[\ud800-\udfff]")
_FIXED = (Decimal("1e-6"), Decimal("1e21"))


class NotPreviewed(Exception):
    """Kuscia may well manage it, but a preview would have to guess."""


def quote(value: str) -> str:
    """The value as Kuscia inserts it: Go-quoted, then every quote at both ends trimmed."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return value
    return "".join(map(_quoted_character, value)).strip('"')


def _quoted_character(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():  # the same classes of characters as Go's strconv.IsPrint
        return char
    code = ord(char)
    if code < ord(" ") or code == 0x7F:  # noqa: PLR2004 - delete, the last control character
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if len(f"{code:x}") <= len("ffff") else f"\\U{code:08x}"


def unquote(literal: str) -> str | None:
    """The text of a Go string literal; nothing if an escape is not one of Go's."""
    if literal.startswith("`"):
        return literal[1:-1].replace("\r", "")
    try:
        data = _ESCAPE.sub(_unescaped, literal[1:-1])
    except ValueError:
        return None
    return data.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _unescaped(match: re.Match[str]) -> str:
    short, *numbers = match.groups()
    if short:
        return _LONG[short]
    hexadecimal, octal, *points = numbers
    if hexadecimal or octal:
        byte = int(hexadecimal, 16) if hexadecimal else int(octal, 8)
        return bytes([byte]).decode("ascii", "surrogateescape")
    point = int(next(item for item in (*points, "-1") if item), 16)
    if point in range(0xD800, 0xE000):
        raise ValueError(match[0])
    return chr(point)  # refuses what is no character, an unknown escape among it


def read_json(text: str) -> Data:
    """Data as Go reads it, all numbers floats; ValueError where Go would refuse the text."""
    try:
        data: Data = json.loads(
            text, parse_int=_number, parse_float=_number, parse_constant=_constant
        )
    except RecursionError:
        raise NotPreviewed("a value is JSON that is nested too deeply") from None
    return data


def _number(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits} is out of Go's range")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def write_json(value: Data, depth: int = 0) -> str:
    """Compact JSON: keys sorted, `<`, `>` and `&` escaped."""
    if depth > _DEPTH:
        raise NotPreviewed("a value is JSON that is nested too deeply")
    if isinstance(value, dict):
        members = (f"{_string(key)}:{write_json(value[key], depth + 1)}" for key in sorted(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(write_json(item, depth + 1) for item in value)}]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        return _float(value)
    return json.dumps(value)


def replace_surrogates(text: str) -> str:
    """Half a surrogate pair, which only JSON escapes can make, is no character to Go."""
    return _SURROGATE.sub("\ufffd", text)


def _string(value: str) -> str:
    return json.dumps(replace_surrogates(value), ensure_ascii=False).translate(_HTML)


def _float(value: float) -> str:
    """The shortest digits, with an exponent for the very large and the very small only."""
    exact = Decimal(repr(value))
    if not exact or _FIXED[0] <= abs(exact) < _FIXED[1]:
        fixed = f"{exact:f}"
        return fixed.rstrip("0").rstrip(".") if "." in fixed else fixed
    sign, digits, _ = exact.normalize().as_tuple()
    first, rest = str(digits[0]), "".join(map(str, digits[1:]))
    mantissa = f"{'-' * sign}{first}{'.' * bool(rest)}{rest}"
    return f"{mantissa}e{exact.adjusted():+d}"
