"""Text of a shell: its simple commands, with what is known of the words that variables stand for.

No shell is run. What only a running container can tell stays in a word as `unknown`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from renderer.engines.shell_words import Piece, statements
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_ASSIGNMENT = expression(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_OPENERS = frozenset(("if", "for", "while", "until", "case"))
#: Those that are followed by a name or a value, not by a command.
_NAMING = frozenset(("for", "case"))
_CLOSERS = frozenset(("fi", "done", "esac"))
_BETWEEN = frozenset(("then", "do", "else", "elif", "{", "}", "!", "time", "(", ")"))
_DECLARATIONS = frozenset(("export", "local", "readonly", "declare", "typeset"))
#: What a script may hold; more of it is not read.
_LONGEST, _MOST_WORDS, _DEEPEST = 100_000, 5_000, 3
#: The longest word that Linux starts a program with, and what stands for a longer one.
LONGEST_WORD = 131_071
TOO_LONG = f"a word of more than {LONGEST_WORD} characters"
_MORE = f"what follows {_MOST_WORDS} words"


class Word(NamedTuple):
    """A word of a command: the value that it stands in, and at which of its characters.

    `unknown` is what in it only a running container can tell; if that `may_be_many`, it is the
    whole word, which may also be several or none. One that an option before it needs as a value
    does not end with it.
    """

    text: str
    node: Node
    inside: int | None = None
    unknown: str = ""
    may_be_many: bool = False

    def after(self, count: int) -> "Word":
        """What is left of a word behind its first characters."""
        start = None if self.inside is None else self.inside + count
        return self._replace(text=self.text[count:], inside=start)


Variables = Mapping[str, Sequence[Word] | None]
"""The words that variables stand for; nothing if only a running container can tell."""


def commands(text: str, node: Node, variables: Variables, start: int = 0) -> Iterator[list[Word]]:
    """The words of each simple command, in order; `start` is where the text begins in its value."""
    known = dict(variables)
    depth = 0
    for statement in statements(text[:_LONGEST]):
        pieces, change = _skip_keywords(statement)
        depth += change
        if pieces and _plain(pieces[0]) in _NAMING:
            known.update(dict.fromkeys(map(_plain, pieces[1:2])))
            continue
        rest = list(_assign(pieces, known, node, start, is_certain=depth <= 0))
        if rest and _plain(rest[0]) == "eval":
            rest = [part for item in rest for part in _cut_at_blanks(item)]
        words = _limited((_expand(item, known, node, start) for item in rest), node)
        if words:
            yield words


def _limited(found: Iterable[list[Word]], node: Node) -> list[Word]:
    """Words in a row; of too many, one stands for the rest."""
    words = list(islice((word for some in found for word in some), _MOST_WORDS + 1))
    if len(words) <= _MOST_WORDS:
        return words
    return [*words[:_MOST_WORDS], Word("", node, unknown=_MORE, may_be_many=True)]


def _cut_at_blanks(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """A word of `eval` in parts, which it lays together with blanks: each keeps its own place."""
    part: list[Piece] = []
    for piece in pieces:
        ends = part and not part[-1].name and part[-1].text[-1:].isspace()
        if part and (ends or (not piece.name and piece.text[:1].isspace())):
            yield part
            part = []
        part.append(piece)
    yield part


def _skip_keywords(pieces: list[list[Piece]]) -> tuple[list[list[Piece]], int]:
    """A statement without words such as `then`, and how much deeper the next one stands."""
    depth = index = 0
    for item in pieces:
        word = _plain(item)
        depth += (word in _OPENERS) - (word in _CLOSERS)
        if word in _NAMING or word not in _OPENERS | _CLOSERS | _BETWEEN:
            break
        index += 1
    return pieces[index:], depth


def _plain(pieces: Sequence[Piece]) -> str:
    """The text of a word without quotes and variables; empty for any other."""
    return pieces[0].text if len(pieces) == 1 and not pieces[0].is_quoted else ""


def _assign(
    pieces: list[list[Piece]],
    known: dict[str, Sequence[Word] | None],
    node: Node,
    start: int,
    *,
    is_certain: bool,
) -> list[list[Piece]]:
    """The words of a statement behind its assignments, which are noted."""
    rest = [*pieces]
    if rest and _plain(rest[0]) in _DECLARATIONS:
        rest = rest[1:]
    while rest and (found := _ASSIGNMENT.match(rest[0][0].text)) and not rest[0][0].is_quoted:
        first = rest[0][0]._replace(
            text=rest[0][0].text[found.end() :], start=rest[0][0].start + found.end()
        )
        value = [*([first] if first.text or first.name else []), *rest[0][1:]]
        quoted = [item._replace(is_quoted=True) for item in value]
        words = _expand(quoted, known, node, start) if quoted else [Word("", node)]
        is_known = is_certain and not found[2] and not any(word.unknown for word in words)
        known[found[1]] = words if is_known else None
        rest = rest[1:]
    return rest


def _expand(
    pieces: Sequence[Piece], known: Variables, node: Node, start: int, depth: int = 0
) -> list[Word]:
    """The words that a word of the text stands for."""
    if not pieces:
        return []
    done: list[Word] = []
    for piece in pieces:
        found = _piece_words(piece, known, node, start, depth)
        is_joined = bool(done and found) and piece is not pieces[0]
        if is_joined:
            done[-1] = _join(done[-1], found[0])
            found = found[1:]
        done += found
        if len(done) > _MOST_WORDS:
            break
    if any(item.unknown for item in done) and len(pieces) == 1 and not pieces[0].is_quoted:
        done = [item._replace(may_be_many=bool(item.unknown)) for item in done]
    return done


def _join(one: Word, other: Word) -> Word:
    if len(one.text) + len(other.text) > LONGEST_WORD:
        return one._replace(text="", inside=None, unknown=TOO_LONG, may_be_many=False)
    unknown = one.unknown or other.unknown
    return one._replace(text=one.text + other.text, unknown=unknown, may_be_many=False)


def _piece_words(piece: Piece, known: Variables, node: Node, start: int, depth: int) -> list[Word]:
    here = Word(piece.text, node, start + piece.start)
    if piece.is_unknown:
        return [here._replace(unknown=piece.text)]
    if not piece.name:
        return [here]
    words = known.get(piece.name)
    is_set = bool(words) and any(word.text for word in words or ())
    if piece.operator in (":-", "-", ":=", "=") and not is_set and piece.name not in known:
        return _other_words(piece, known, node, start, depth)
    if piece.operator in (":-", "-") and words is not None and not is_set:
        return _other_words(piece, known, node, start, depth)
    if piece.operator in (":+", "+"):
        return _other_words(piece, known, node, start, depth) if is_set else []
    if words is None:
        return [here._replace(unknown=piece.text)]
    if piece.name == "@" or (piece.name == "*" and not piece.is_quoted):
        return [*words]
    if piece.is_quoted:
        return [_lay_together(words)] if words else [here]
    return [part for word in words for part in _split(word)]


def _lay_together(words: Sequence[Word]) -> Word:
    """Several words as one, with blanks between them."""
    if sum(len(word.text) + 1 for word in words) > LONGEST_WORD:
        return words[0]._replace(text="", inside=None, unknown=TOO_LONG)
    return words[0]._replace(text=" ".join(word.text for word in words))


def _other_words(piece: Piece, known: Variables, node: Node, start: int, depth: int) -> list[Word]:
    """What a variable that is not set has instead, in `${NAME:-other}`."""
    if depth >= _DEEPEST:
        return [Word(piece.text, node, start + piece.start, piece.text)]
    offset = piece.start + piece.text.index(piece.other) if piece.other else piece.start
    found: list[Word] = []
    for statement in statements(piece.other):
        for item in statement:
            quoted = [p._replace(is_quoted=p.is_quoted or piece.is_quoted) for p in item]
            found += _expand(quoted, known, node, start + offset, depth + 1)
    return found or ([Word("", node, start + piece.start)] if piece.is_quoted else [])


def _split(word: Word) -> Iterator[Word]:
    """The words of a variable's value, which is not in quotes."""
    if word.unknown:
        yield word
        return
    index = 0
    for part in word.text.split():
        index = word.text.index(part, index)
        yield word._replace(text=part, inside=None if word.inside is None else word.inside + index)
        index += len(part)
