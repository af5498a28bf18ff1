"""Escapes and brackets of a pattern: what stands for one character or a set of them."""

import re

from renderer.kubernetes.gopatterns.characters import (
    Test,
    any_of,
    category,
    escaped,
    inverse,
    named,
    span,
)
from renderer.kubernetes.gopatterns.reading import Reader
from renderer.kubernetes.gopatterns.syntax import Character, Refused
from renderer.text.expressions import expression

_ESCAPE = expression(
    r"\\(?:x\{(?P<wide>[0-9A-Fa-f]+)\}|x(?P<hex>[0-9A-Fa-f]{2})"
    r"|(?P<octal>0[0-7]{0,2}|[1-7][0-7]{1,2})|(?P<control>[afnrtv])"
    r"|(?P<sign>[^0-9A-Za-z\x80-\U0010ffff]))",
    re.DOTALL,
)
_CONTROLS = dict(zip("afnrtv", "\a\f\n\r\t\v", strict=True))
_UNICODE = expression(r"\\[pP](?:\{\^?([^}]*)\}|([^{]))", re.DOTALL)
_SET = expression(r"\\([dswDSW])")
_NAMED = expression(r"\[:(.*?):\]", re.DOTALL)
_LAST = 0x10FFFF


def single(reader: Reader) -> str:
    """The character that an escape stands for."""
    found = reader.take(_ESCAPE)
    if found is None:
        digit = reader.rest(2)[1:].isdecimal()
        why = "Go has no references to groups" if digit else "this is no escape"
        raise Refused(f"{reader.rest(2)}: {why}")
    code = found["wide"] or found["hex"]
    number = int(code, 16) if code else int(found["octal"] or "0", 8)
    if number > _LAST:
        raise Refused(f"{found[0]}: there is no such character")
    return found["sign"] or _CONTROLS.get(found["control"]) or chr(number)


def character_set(reader: Reader, *, folded: bool) -> Test | None:
    r"""What `\d` or `\pL` stands for, if one of them comes next."""
    if found := reader.take(_SET):
        return escaped(found[1], folded=folded)
    if not reader.sees("\\p") and not reader.sees("\\P"):
        return None
    found = reader.take(_UNICODE)
    if found is None:
        raise Refused(f"{reader.rest()}: this names no class of characters")
    test = category(found[1] or found[2] or "", folded=folded)
    return inverse(test) if (found[0][1] == "P") != found[0].startswith("{^", 2) else test


def bracketed(reader: Reader, *, folded: bool) -> Character:
    """One of the characters in brackets; the first bracket is behind."""
    start = reader.place
    negated = reader.takes("^")
    tests = [_member(reader, folded=folded)]  # a `]` that comes first is a member
    while not reader.takes("]"):
        if reader.is_done:
            raise Refused(f"[{reader.text[start : start + 20]}: the bracket is not closed")
        tests.append(_member(reader, folded=folded))
    test = any_of(tests)
    return Character(inverse(test) if negated else test, len(tests))


def _member(reader: Reader, *, folded: bool) -> Test:
    found = reader.take(_NAMED)
    if found:
        test = named(found[1], folded=folded)
        if test is None:
            raise Refused(f"{found[0]}: this names no class of characters")
        return test
    return character_set(reader, folded=folded) or _span(reader, folded=folded)


def _span(reader: Reader, *, folded: bool) -> Test:
    start = reader.place
    first = last = _end_of_span(reader)
    if reader.sees("-") and not reader.sees("-]") and reader.rest(2) != "-":
        reader.next()
        last = _end_of_span(reader)
    if last < first:
        raise Refused(f"[{reader.text[start : reader.place]}]: it ends before it starts")
    return span(first, last, folded=folded)


def _end_of_span(reader: Reader) -> str:
    if reader.is_done:
        raise Refused("a bracket is not closed")
    return single(reader) if reader.sees("\\") else reader.next()
