"""A template as Go's text/template cuts it up: text, and actions made of tokens."""

import re
import unicodedata
from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_SPACES = " \t\r\n"
_KEYWORDS = frozenset(
    (
        "block",
        "break",
        "continue",
        "define",
        "else",
        "end",
        "if",
        "nil",
        "range",
        "template",
        "with",
    )
)
_TOKEN = expression(
    r"""
    (?P<close>[ \t\r\n]-\}\}|\}\})
    |(?P<space>[ \t\r\n]+?(?=[ \t\r\n]-\}\})|[ \t\r\n]+)
    |(?P<string>"(?:[^"\\\n]|\\[^\n])*"|`[^`]*`)
    |(?P<character>'(?:[^'\\\n]|\\[^\n])*')
    |(?P<number>[+-]?\.?[0-9](?:[0-9_.a-zA-Z]|(?<=[eEpP])[+-])*(?:[+-][0-9][0-9_.]*i)?)
    |(?P<variable>\$\w*)
    |(?P<field>\.\w*)
    |(?P<word>\w+)
    |(?P<assign>:?=)
    |(?P<sign>[|,()])
    """,
    re.VERBOSE,
)
_NUMBER = expression(
    r"""
    [+-]?(?:0[xX](?:_?[0-9a-fA-F])+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?|0[oO](?:_?[0-7])+
    |0[bB](?:_?[01])+|0(?:_?[0-7])*|[1-9](?:_?[0-9])*
    |(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)i?
    (?:[+-][0-9][0-9_.]*i)?
    """,
    re.VERBOSE,
)
_CHARACTER = expression(
    r"'(?:[^'\\\n]|\\(?:[abfnrtv\\']|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|u[0-9a-fA-F]{4}"
    r"|U[0-9a-fA-F]{8}))'"
)
_UNFINISHED = {
    '"': "the text in double quotes is not closed on its line",
    "`": "the text in backquotes is not closed",
    "'": "the character in quotes is not closed",
    ":": "':' is not followed by '='",
}
_LONGEST = 200


class TemplateFault(Exception):
    """Kuscia would refuse the template: what is wrong, where in its text, how to mend it."""

    def __init__(self, message: str, offset: int, fix: str = "") -> None:
        super().__init__(clip(message))
        self.message = clip(message)
        self.offset = offset
        self.fix = clip(fix)


def clip(text: str) -> str:
    """A message that a name of a million letters does not fill."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


class Token(NamedTuple):
    """A piece of an action; keywords and signs are their own kind."""

    kind: str
    text: str
    offset: int


class Text(NamedTuple):
    """What stands between actions, already trimmed where an action asks for it."""

    text: str


class Action(NamedTuple):
    """What stands between two and two braces."""

    tokens: tuple[Token, ...]
    start: int
    end: int


def lex(text: str) -> Iterator[Text | Action]:
    """Texts and actions; comments leave nothing behind."""
    place, trimmed = 0, False
    while (start := text.find("{{", place)) >= 0:
        trims = text.startswith("-", start + 2) and text[start + 3 : start + 4] in tuple(_SPACES)
        before = text[place:start].lstrip(_SPACES) if trimmed else text[place:start]
        yield Text(before.rstrip(_SPACES) if trims else before)
        inside = start + 4 if trims else start + 2
        if text.startswith("/*", inside):
            place = _comment_end(text, start, inside)
        else:
            tokens = tuple(_tokens(text, start, inside - 1 if trims else inside))
            place = tokens[-1].offset + len(tokens[-1].text)
            yield Action(tokens[:-1], start, place)
        trimmed = text.startswith("-}}", place - 3) and text[place - 4] in _SPACES
    yield Text(text[place:].lstrip(_SPACES) if trimmed else text[place:])


def _comment_end(text: str, start: int, comment: int) -> int:
    end = text.find("*/", comment)
    if end < 0:
        raise TemplateFault("the comment is not closed", start, "end it with */}}")
    match = _TOKEN.match(text, end + 2)
    if not match or match.lastgroup != "close":
        message = "a comment is alone in its braces"
        raise TemplateFault(message, end, "close the braces right after the comment: */}}")
    return match.end()


def _tokens(text: str, start: int, place: int) -> Iterator[Token]:
    """The tokens of an action up to and with its closing braces."""
    while True:
        match = _TOKEN.match(text, place)
        if not match:
            raise _unreadable(text, start, place)
        kind = match.lastgroup or ""
        token = Token(_kind(kind, match[0]), match[0], place)
        place = match.end()
        _check(token, text, place)
        yield token
        if kind == "close":
            return


def _kind(group: str, text: str) -> str:
    if group == "word":
        return text if text in _KEYWORDS else "bool" if text in ("true", "false") else group
    if group == "field" and text == ".":
        return "dot"
    return text if group in ("sign", "assign") else group


def _check(token: Token, text: str, place: int) -> None:
    """What Go's lexer asks of a token beyond its shape."""
    if token.kind == "number" and not (_NUMBER.fullmatch(token.text) and _number_ends(text, place)):
        raise TemplateFault(f"{token.text} is not a number", token.offset)
    if token.kind == "character" and not _CHARACTER.fullmatch(token.text):
        raise TemplateFault(f"{token.text} is not one character", token.offset)
    if token.text[0] in "$._" or token.text[0].isalnum():
        odd = next((c for c in token.text[1:] if not _is_letter(c)), "")
        named = token.kind not in ("number", "string", "character")
        if named and (odd or not _terminated(text, place)):
            at = token.offset + token.text.index(odd) if odd else place
            raise _bad_character(text, at)


def _number_ends(text: str, place: int) -> bool:
    return not (text[place : place + 1].isalnum() or text.startswith("_", place))


def _is_letter(char: str) -> bool:
    return char.isascii() or unicodedata.category(char)[0] == "L" or char.isdecimal()


def _terminated(text: str, place: int) -> bool:
    following = text[place : place + 1]
    return not following or following in " \t\r\n.,|:)(" or text.startswith("}}", place)


def _bad_character(text: str, place: int) -> TemplateFault:
    char = text[place]
    if char == "[":
        fix = "paths with brackets work between three braces only: {{{.NAME.path[0]}}}"
    elif char == '"' and text.startswith('{{kuscia "', text.rfind("{{", 0, place)):
        fix = "a path between three braces has no quotes"
    elif char == '"':
        fix = "close the braces before the quote: {{.NAME}}"
    elif char == "}":
        fix = "close it with two braces: {{.NAME}}"
    else:
        fix = "names are made of letters, digits and '_'"
    return TemplateFault(f"unexpected {char!r} after a name", place, fix)


def _unreadable(text: str, start: int, place: int) -> TemplateFault:
    if place >= len(text):
        return TemplateFault("'{{' is not closed", start, "close it with '}}'")
    char = text[place]
    message = _UNFINISHED.get(char, f"unexpected {char!r} between braces")
    fix = ""
    if char == "{":
        fix = "Kuscia knows {{.NAME}} and {{{.NAME.path}}}; put a space before a brace of your own"
    return TemplateFault(message, place, fix)
