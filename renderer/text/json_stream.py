"""Objects of a JSON text that is too large to be read at once, one after the other."""

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Never

from renderer.values.tree import Plain

_SPACE = re.compile(r"[ \t\r\n]*")
#: What is cut off in the middle is not understood there, or where a text begins that has no end.
_CUT_OFF = "Unterminated string"
_LONGEST_WORD = 12
_ITEMS = "items"


class StreamError(Exception):
    """Why a text is not read any further."""


class TooLargeError(StreamError):
    """A single value is larger than any that is expected."""


def objects(chunks: Iterator[bytes], largest: int) -> Iterator[Plain]:
    """The value that a text holds; of lists, and of mappings with `items`, each element."""
    reader = _Reader(chunks, largest)
    try:
        yield from _values(reader)
    except RecursionError as error:
        raise StreamError(": no JSON that can be read") from error
    if reader.peek():
        reader.fail("extra data")


def _values(reader: "_Reader") -> Iterator[Plain]:
    following = reader.peek()
    if following == "[":
        yield from _elements(reader)
    elif following == "{":
        yield from _members(reader)
    else:
        yield reader.value()


def _elements(reader: "_Reader") -> Iterator[Plain]:
    for _ in reader.parts("[", "]"):
        yield from _values(reader)


def _members(reader: "_Reader") -> Iterator[Plain]:
    """A mapping, or what is listed in it."""
    members: dict[str, Plain] = {}
    is_list = False
    for _ in reader.parts("{", "}"):
        key = reader.value() if reader.peek() == '"' else reader.fail("expecting a name")
        reader.take(":")
        if key == _ITEMS and reader.peek() == "[":
            is_list = True
            yield from _elements(reader)
        else:
            members[str(key)] = reader.value()
    if not is_list:
        yield members


class _Reader:
    """A text of which only so much is in memory as its next value needs."""

    def __init__(self, chunks: Iterator[bytes], largest: int) -> None:
        self._chunks, self._largest = chunks, largest
        self._decoder = getincrementaldecoder("utf-8")()
        self._scan = json.JSONDecoder(parse_constant=self._refuse).raw_decode
        self._text, self._at, self._is_whole = "", 0, False
        self._line, self._column, self._bytes = 1, 1, 0

    def peek(self) -> str:
        """The next character that is no white space; none at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text) or not self._read():
                return self._text[self._at : self._at + 1]

    def take(self, character: str) -> None:
        if self.peek() != character:
            self.fail(f"expecting {character!r}")
        self._at += 1

    def parts(self, first: str, last: str) -> Iterator[None]:
        """Once for each part between brackets, which then has to be read."""
        self.take(first)
        while self.peek() != last:
            yield
            if self.peek() != last:
                self.take(",")
                if self.peek() == last:
                    self.fail("expecting another value")
        self._at += 1

    def value(self) -> Plain:
        self.peek()
        while True:
            try:
                value: Plain
                value, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as error:
                is_near_the_end = error.pos + _LONGEST_WORD >= len(self._text)
                may_go_on = is_near_the_end or error.msg.startswith(_CUT_OFF)
                if may_go_on and self._read_as_much_again():
                    continue
                self._at = min(error.pos, len(self._text))
                self.fail(error.msg.lower())
            except ValueError as error:
                raise StreamError(": no JSON that can be read") from error
            if end < len(self._text) or not self._read():  # else a number might go on
                self._at = end
                return value

    def fail(self, reason: str) -> Never:
        self._forget()
        raise StreamError(f":{self._line}:{self._column}: no JSON: {reason}")

    def _refuse(self, name: str) -> None:
        """JSON knows no NaN and no infinity."""
        raise ValueError(name)

    def _read_as_much_again(self) -> bool:
        """More of the text, so much that reading a value again and again stays cheap."""
        self._forget()
        if len(self._text) > self._largest:
            raise TooLargeError
        before = len(self._text)
        while len(self._text) <= 2 * before and self._read():
            pass
        return len(self._text) > before

    def _read(self) -> bool:
        """A chunk more of the text, and less of what was read."""
        if self._is_whole:
            return False
        self._forget()
        chunk = next(self._chunks, b"")
        self._is_whole = not chunk
        waiting = len(self._decoder.getstate()[0])
        try:
            self._text += self._decoder.decode(chunk, final=self._is_whole)
        except UnicodeDecodeError as error:
            raise StreamError(
                f" is not UTF-8: byte {self._bytes - waiting + error.start}"
            ) from error
        self._bytes += len(chunk)
        return bool(chunk)

    def _forget(self) -> None:
        done = self._text[: self._at]
        lines = done.count("\n")
        self._line += lines
        self._column = len(done) - done.rfind("\n") if lines else self._column + len(done)
        self._text, self._at = self._text[self._at :], 0
