"""Text of a shell as statements and words, before anything is known of its variables."""

from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_NAME = expression(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?]")
_BRACED = expression(r"([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?])(?:(:?[-+=?])(.*))?", 16)
_ENDS = frozenset(";|&\n()")
_REDIRECTION = expression(r"[0-9]*(?:&?>>?|<)(?:&[0-9-]+)?")
_BLANKS = " \t\r"


class Piece(NamedTuple):
    """A part of a word: plain text, or a variable with what the shell does to it."""

    text: str
    start: int
    name: str = ""
    operator: str = ""
    other: str = ""
    is_quoted: bool = False
    is_unknown: bool = False


def statements(text: str) -> Iterator[list[list[Piece]]]:
    """Statements as words of pieces, up to the end of each line, `;`, `&` or `|`."""
    words: list[list[Piece]] = []
    index = 0
    while index < len(text):
        char = text[index]
        if text.startswith(("\\\n", "\\\r\n"), index):
            index = text.index("\n", index) + 1
        elif char in _BLANKS:
            index += 1
        elif char == "#":
            end = text.find("\n", index)
            index = len(text) if end < 0 else end
        elif (found := _REDIRECTION.match(text, index)) and found.end() > index:
            index = found.end()
            if not found[0].endswith(tuple("0123456789-")):
                _, index = _word(text, _skip_blanks(text, index))
        elif char in _ENDS:
            index += 1
            if words:
                yield words
            words = []
        else:
            pieces, index = _word(text, index)
            words.append(pieces)
    if words:
        yield words


def _skip_blanks(text: str, index: int) -> int:
    while index < len(text) and text[index] in _BLANKS:
        index += 1
    return index


def _word(text: str, index: int) -> tuple[list[Piece], int]:
    pieces: list[Piece] = []
    while index < len(text) and text[index] not in _BLANKS and text[index] not in _ENDS:
        char = text[index]
        if text.startswith(("\\\n", "\\\r\n"), index):
            index = text.index("\n", index) + 1
        elif char == "'":
            end = text.find("'", index + 1)
            end = len(text) if end < 0 else end
            pieces.append(Piece(text[index + 1 : end], index + 1, is_quoted=True))
            index = end + 1
        elif char == '"':
            found, index = _double_quoted(text, index + 1)
            pieces += found or [Piece("", index, is_quoted=True)]
        elif char in "$`":
            piece, index = _variable(text, index)
            pieces.append(piece)
        else:
            start = index
            literal, index = _bare(text, index)
            pieces.append(Piece(literal, start))
    return pieces, index


def _bare(text: str, index: int) -> tuple[str, int]:
    parts: list[str] = []
    while index < len(text) and text[index] not in "'\"$`" and text[index] not in _BLANKS:
        if text[index] in _ENDS or text.startswith(("\\\n", "\\\r\n"), index):
            break
        if text[index] == "\\":
            parts.append(text[index + 1 : index + 2])
            index += 2
        else:
            parts.append(text[index])
            index += 1
    return "".join(parts), index


def _double_quoted(text: str, index: int) -> tuple[list[Piece], int]:
    pieces: list[Piece] = []
    parts: list[str] = []
    start = index
    while index < len(text) and text[index] != '"':
        if text[index] == "\\" and text[index + 1 : index + 2] in ('"', "\\", "$", "`", "\n"):
            parts.append(text[index + 1 : index + 2].replace("\n", ""))
            index += 2
        elif text[index] in "$`":
            if parts:
                pieces.append(Piece("".join(parts), start, is_quoted=True))
            piece, index = _variable(text, index)
            pieces.append(piece._replace(is_quoted=True))
            parts, start = [], index
        else:
            parts.append(text[index])
            index += 1
    if parts:
        pieces.append(Piece("".join(parts), start, is_quoted=True))
    return pieces, index + 1


def _variable(text: str, index: int) -> tuple[Piece, int]:
    """What a `$` or a backtick begins: a variable, or what only a shell can work out."""
    if text[index] == "`" or text.startswith("$(", index):
        end = _closing(text, index + 1, "`" if text[index] == "`" else ")")
        return Piece(text[index:end], index, is_unknown=True), end
    if text.startswith("${", index):
        end = _closing(text, index + 2, "}")
        found = _BRACED.fullmatch(text[index + 2 : end - 1])
        if found is None:
            return Piece(text[index:end], index, is_unknown=True), end
        return Piece(text[index:end], index, found[1], found[2] or "", found[3] or ""), end
    found = _NAME.match(text, index + 1)
    if found is None:
        return Piece("$", index), index + 1
    return Piece(text[index : found.end()], index, found[0]), found.end()


def _closing(text: str, index: int, sign: str) -> int:
    """The index behind the sign that closes a bracket; nested brackets are skipped."""
    depth, opening = 1, {")": "(", "}": "{"}.get(sign, "")
    index += text.startswith("(", index) and sign == ")"
    while index < len(text):
        depth += (text[index] == opening) - (text[index] == sign)
        index += 1
        if depth == 0:
            break
    return index
