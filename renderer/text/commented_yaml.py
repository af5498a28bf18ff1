"""YAML for people: a tree with the comments that stood beside its values, written by ruamel.

Comments are found by the places of values in the text that they come from. What is written says
the same to every reader as what the program itself writes, or it is written without comments.
"""

import io
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import CommentMark
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    LiteralScalarString,
    PlainScalarString,
    SingleQuotedScalarString,
)
from ruamel.yaml.tokens import CommentToken

from renderer.text.expressions import expression
from renderer.text.libyaml import yaml
from renderer.text.wording import LINE_END
from renderer.text.yaml_writer import dispute, write
from renderer.values.diagnostics import Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Value

_Loader: Any = getattr(yaml, "CLoader", yaml.SafeLoader)
_MARK = expression(r"(?:^|(?<=[ \t\r\n]))#")
_STEERING_WORD = expression(r"\$[a-z]+")
_INDENT = 2
_REFERENCE = "file"  # `{file: name}` on one line, as people write it
_WIDTH = 1 << 20
_NOWHERE = Origin("")
#: Where ruamel keeps what follows a value on its line; its own function aligns neighbours.
_COMMENT_SLOTS = {CommentedMap: 2, CommentedSeq: 0}


class Comment(NamedTuple):
    """What is said of a value: lines above its key, and the rest of its line."""

    above: tuple[str, ...] = ()
    beside: str = ""


Comments = Mapping[tuple[str, int], Comment]
_NO_COMMENT = Comment()


def comments_in(text: str, file: str) -> dict[tuple[str, int], Comment]:
    """The comments of a YAML text, by the file and the line of what they are about."""
    if "#" not in text:
        return {}
    found: dict[tuple[str, int], Comment] = {}
    above: list[str] = []
    for number, (code, comment) in enumerate(_split_lines(text), start=1):
        if comment and not code:
            above.append(comment)
        elif code:
            if above or comment:
                found[file, number] = Comment(tuple(above), comment)
            above = []
    return found


def _split_lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line as what it says and its comment; an empty line has neither."""
    scalars = _scalars(text)
    starts = [start for start, _ in scalars]
    begin = 0
    for end in (*(match.span() for match in LINE_END.finditer(text)), (len(text), len(text))):
        marks = (match.start() for match in _MARK.finditer(text, begin, end[0]))
        comment = next((at for at in marks if not _is_inside(at, starts, scalars)), end[0])
        yield text[begin:comment].strip(), text[comment : end[0]]
        begin = end[1]


def _is_inside(index: int, starts: list[int], scalars: list[tuple[int, int]]) -> bool:
    near = bisect_right(starts, index) - 1
    return near >= 0 and index < scalars[near][1]


def _scalars(text: str) -> list[tuple[int, int]]:
    """Where values begin and end, in which a number sign is one of their characters."""
    try:
        return [
            (token.start_mark.index, token.end_mark.index)
            for token in yaml.scan(text, Loader=_Loader)
            if isinstance(token, yaml.ScalarToken)
        ]
    except yaml.YAMLError:
        return [(0, len(text))]


def write_commented(tree: Node, comments: Comments) -> str:
    """The text of a file that holds a tree, with the comments that its values had."""
    stream = io.StringIO()
    writer = YAML()
    writer.width = _WIDTH
    writer.indent(mapping=_INDENT, sequence=_INDENT * 2, offset=_INDENT)
    writer.dump(_CommentedTree(comments).value(tree.value, 0), stream)
    text = stream.getvalue()
    return write(tree) if dispute(text, tree) else text


class _CommentedTree:
    """Turns nodes into what ruamel writes, with their comments; each is said once."""

    def __init__(self, comments: Comments) -> None:
        self._left = dict(comments)

    def value(self, value: Value, indent: int) -> Any:
        if isinstance(value, dict):
            return self._mapping(value, indent)
        if isinstance(value, tuple):
            return self._list(value, indent)
        return _quote(value) if isinstance(value, str) else value

    def _mapping(self, members: Mapping[str, Node], indent: int) -> Any:
        made = CommentedMap()
        for key, node in members.items():
            comment = self._comment(one.key for one in _node_and_earlier(node))
            made[_key(key)] = self.value(node.value, indent + _INDENT)
            self._attach(made, key, comment, indent, is_leaf=not node.items and not node.elements)
        if not made or list(made) == [_REFERENCE]:
            made.fa.set_flow_style()
        return made

    def _list(self, items: Sequence[Node], indent: int) -> Any:
        made = CommentedSeq()
        for index, node in enumerate(items):
            comment = self._comment(one.origin for one in _node_and_earlier(node))
            made.append(self.value(node.value, indent + _INDENT))
            self._attach(made, index, comment, indent, is_leaf=not node.items and not node.elements)
        if not made:
            made.fa.set_flow_style()
        return made

    def _comment(self, places: Iterable[Origin | None]) -> Comment:
        """What is said at the first of some places where anything is said."""
        known = ((place.file, place.line) for place in places if place)
        return next((self._left.pop(one) for one in known if one in self._left), _NO_COMMENT)

    def _attach(
        self, made: Any, key: str | int, comment: Comment, indent: int, *, is_leaf: bool
    ) -> None:
        """Above the key; what stood beside a mapping or list stands above it as well."""
        beside = (comment.beside,) if _bare(comment.beside) else ()
        above = (*comment.above, *(() if is_leaf else beside))
        if above:
            text = "\n".join(_bare(line) for line in above)
            made.yaml_set_comment_before_after_key(key, before=text, indent=indent)
        if is_leaf and beside:
            place = made.ca.items.setdefault(key, [None, [], None, None])
            place[_COMMENT_SLOTS[type(made)]] = CommentToken(
                f" # {_bare(beside[0])}", CommentMark(0), None
            )


def _node_and_earlier(node: Node) -> Iterator[Node]:
    """A value, and what was said of it before, if another file changed it."""
    yield node
    yield from (step.node for step in reversed(node.trail) if step.node)


def _bare(comment: str) -> str:
    return comment.lstrip("#").removeprefix(" ") if comment.strip("# ") else ""


_STYLES: Mapping[str, Callable[[str], Any]] = {
    "'": SingleQuotedScalarString,
    '"': DoubleQuotedScalarString,
    "|": LiteralScalarString,
}


def _key(text: str) -> Any:
    """A key; words that steer a spec stand as people write them."""
    return PlainScalarString(text) if _STEERING_WORD.fullmatch(text) else _quote(text)


def _quote(text: str) -> Any:
    """In the quotes that the program's own writer puts a text into."""
    shown = write(Node(text, _NOWHERE))
    return _STYLES.get(shown[0], PlainScalarString)(text)
