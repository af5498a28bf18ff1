"""Shell text with curl commands: the requests that they send, each with its place in the text."""

import re
from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_CURL = expression(r"^[ \t]*(?:\$[ \t]+)?(?:[^\n'\"#]*[ \t(;&|])?curl(?=[ \t\\])", re.MULTILINE)
_BODIES = ("--data", "--data-raw", "--data-binary", "--data-ascii", "--json", "-d")
_EXPANDED = expression(r"\$[A-Za-z_{(]|`")
_ADDRESS = expression(r"(?:[a-z]+://)?[^/\s]*(/[^?\s]*)")
_BARE_ADDRESS = expression(r"[\w.-]+:[0-9]+/\S*")
_REFERENCE = expression(r"\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`")
_LONGEST = 40
_ENDS = frozenset(";|&\n")


class Request(NamedTuple):
    """What a curl command sends: a path, and a body that begins at an index of the text.

    `problem` says why the body is not known.
    """

    address: str
    body: str
    start: int
    problem: str = ""


class _Word(NamedTuple):
    """A word as the shell sees it, where it begins, and what in it only a shell can tell."""

    text: str
    start: int
    unknown: str = ""


def has_curl(text: str) -> bool:
    """Whether a text is one of a shell that calls curl."""
    return _CURL.search(text) is not None


def requests_in(text: str) -> Iterator[Request]:
    """The request of each curl command that sends a body."""
    for found in _CURL.finditer(text):
        request = _request(list(_words(text, found.end())))
        if request:
            yield request


def _request(words: list[_Word]) -> Request | None:
    body = address = None
    following: str = ""
    for word in words:
        option, sign, value = word.text.partition("=")
        if following == "body":
            body = word
        elif following == "address" or _is_address(word.text):
            address = address or word
        elif option in _BODIES and sign:
            body = word._replace(text=value, start=word.start + len(option) + 1)
        elif word.text.startswith("-d") and len(word.text) > len("-d"):
            body = word._replace(text=word.text[2:], start=word.start + 2)
        following = "body" if word.text in _BODIES else ""
        following = "address" if word.text == "--url" else following
    if body is None:
        return None
    match = _ADDRESS.match(address.text) if address else None
    return Request(match[1] if match else "", body.text, body.start, _problem(body))


def _is_address(text: str) -> bool:
    """Whether a word has a scheme, or a host with a port, as curl takes it too."""
    has_scheme = not text.startswith("-") and "://" in text
    return has_scheme or _BARE_ADDRESS.fullmatch(text) is not None


def _problem(body: _Word) -> str:
    if body.text.startswith("@"):
        return f"its body is in {body.text[1:] or 'another file'}; import that file"
    if body.unknown:
        return f"a shell puts something in the place of {body.unknown}; write the value itself"
    return ""


def _words(text: str, index: int) -> Iterator[_Word]:
    """The words up to the end of the command; a line that ends in a backslash goes on."""
    while index < len(text):
        char = text[index]
        if text.startswith(("\\\n", "\\\r\n"), index):
            index = text.index("\n", index) + 1
        elif char in " \t\r":
            index += 1
        elif char in _ENDS or char == "#":
            return
        else:
            word, index = _word(text, index)
            yield word


def _word(text: str, index: int) -> tuple[_Word, int]:
    start = index + (text[index] in "'\"")
    parts: list[str] = []
    unknown = ""
    while index < len(text) and text[index] not in _ENDS and text[index] not in " \t\r":
        quote = text[index] if text[index] in "'\"" else ""
        part, end = _quoted(text, index, quote) if quote else _bare(text, index)
        seen = end if quote else end + 1  # a sign says something with what follows it
        expanded = None if quote == "'" else _EXPANDED.search(text, index, seen)
        if expanded and not unknown:
            unknown = _shown(text[expanded.start() : expanded.start() + _LONGEST])
        parts.append(part)
        index = end
    return _Word("".join(parts), start, unknown), index


def _shown(text: str) -> str:
    """What only a shell can tell, or the beginning of it."""
    match = _REFERENCE.match(text)
    return match[0] if match else text.partition("\n")[0]


def _quoted(text: str, index: int, quote: str) -> tuple[str, int]:
    """What stands in quotes; in single ones nothing is special, not even a backslash."""
    parts: list[str] = []
    index += 1
    while index < len(text) and text[index] != quote:
        if quote == '"' and text[index] == "\\" and text[index + 1 : index + 2] in '"\\$`\n':
            parts.append(text[index + 1 : index + 2].replace("\n", ""))
            index += 2
        else:
            parts.append(text[index])
            index += 1
    return "".join(parts), index + 1


def _bare(text: str, index: int) -> tuple[str, int]:
    if text.startswith(("\\\n", "\\\r\n"), index):
        return "", text.index("\n", index) + 1
    if text[index] == "\\":
        return text[index + 1 : index + 2], index + 2
    return text[index], index + 1
