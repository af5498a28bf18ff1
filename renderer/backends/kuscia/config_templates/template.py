"""A config template as Kuscia and then Go's text/template read it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from renderer.backends.kuscia.config_templates.actions import Blocks, FieldPath
from renderer.backends.kuscia.config_templates.go_text import unquote
from renderer.backends.kuscia.config_templates.tokens import Action, TemplateFault, Text, Token, lex
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_PLACEHOLDER = expression(r"\{\{?\{\.([^{}]+)\}\}?\}")
_OPENING = '{{kuscia "'


class ScannedText(NamedTuple):
    """The text that Go parses, the keys it needs, and how its places map to the template's."""

    text: str
    needed: tuple[str, ...]
    starts: tuple[int, ...]
    originals: tuple[int, ...]

    def original(self, place: int) -> int:
        """Where in the template a place of the rewritten text comes from."""
        piece = bisect_right(self.starts, place) - 1
        last = self.originals[piece + 1] if piece + 1 < len(self.originals) else None
        there = self.originals[piece] + place - self.starts[piece]
        return there if last is None else min(there, last)


def scan(text: str) -> ScannedText:
    """Rewrite `{{{.path}}}` as a call of Kuscia's function; the rest stays as it is."""
    pieces: list[str] = []
    starts, originals = [0], [0]
    needed: dict[str, None] = {}
    done = length = 0
    for match in _PLACEHOLDER.finditer(text):
        needed[match[1].partition(".")[0]] = None
        if not match[0].startswith("{{{"):
            continue
        call = _call(match[1])
        pieces += [text[done : match.start()], call]
        length += match.start() - done
        starts += [length, length + len(_OPENING), length + len(call)]
        originals += [match.start(), match.start(1), match.end()]
        done, length = match.end(), length + len(call)
    return ScannedText(
        "".join([*pieces, text[done:]]), tuple(needed), tuple(starts), tuple(originals)
    )


def _call(expression: str) -> str:
    """Dots inside brackets become `#`, so that splitting at dots leaves brackets whole."""
    lines = map(_mark_dots, expression.split("\n"))
    return _OPENING + "\n".join(lines) + '"}}'


def _mark_dots(line: str) -> str:
    """A line whose dots from a `[` to the next `]` are replaced, in one pass."""
    *closed, rest = line.split("]")
    pairs = (chunk.partition("[") for chunk in closed)
    safe = (before + bracket + inside.replace(".", "#") for before, bracket, inside in pairs)
    return "]".join([*safe, rest])


class Query(NamedTuple):
    """`{{{.NAME.path}}}`: a path into raw values, with `#` for dots inside brackets."""

    path: str
    offset: int

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(part for part in self.path.split(".") if part)

    @property
    def variable(self) -> str:
        """The variable that the path starts from."""
        return self.segments[0].partition("[")[0] if self.segments else ""


class OtherAction(NamedTuple):
    """An action that is not previewed, or a whole block of them, as it is written."""

    source: str
    offset: int


Part: TypeAlias = Text | FieldPath | Query | OtherAction


class Template(NamedTuple):
    """A template: its parts in order, and all that it mentions, inside blocks too.

    `needed` are the keys that Kuscia asks the configuration manager for if the container's
    environment does not have them.
    """

    text: str
    parts: tuple[Part, ...]
    fields: tuple[FieldPath, ...]
    queries: tuple[Query, ...]
    needed: frozenset[str]

    @property
    def other_actions(self) -> tuple[OtherAction, ...]:
        return tuple(part for part in self.parts if isinstance(part, OtherAction))


@lru_cache(maxsize=8)
def parse(text: str) -> Template | TemplateFault:
    """The template, or what makes it none; Go stops at the first fault, and so does this."""
    scanned = scan(text)
    try:
        return _Reader(text, scanned).read()
    except TemplateFault as fault:
        place = scanned.original(fault.offset)
        return TemplateFault(fault.message, place, fault.fix)


class _Reader:
    """Gathers parts and mentions while blocks open and close."""

    def __init__(self, text: str, scanned: ScannedText) -> None:
        self.text = text
        self.scanned = scanned
        self.blocks = Blocks()
        self.parts: list[Part] = []
        self.fields: list[FieldPath] = []
        self.queries: list[Query] = []
        self.opened = 0

    def read(self) -> Template:
        for item in lex(self.scanned.text):
            if isinstance(item, Action):
                self.parts += self.action(item)
            elif item.text and not self.blocks.open:
                self.parts.append(item)
        self.blocks.finish()
        needed = frozenset(self.scanned.needed)
        return Template(
            self.text, tuple(self.parts), tuple(self.fields), tuple(self.queries), needed
        )

    def action(self, action: Action) -> Iterator[Part]:
        """What the action contributes; a block does when its outermost end is reached."""
        inside = bool(self.blocks.open)
        fields = [self.placed(field) for field in self.blocks.take(action)]
        self.fields += fields
        query = self.query(action)
        self.queries += [query] if query else []
        if not inside:
            self.opened = action.start
        if not self.blocks.open:
            simple = None if inside else query or _only(fields, action.tokens)
            yield simple or self.other(action.end)

    def other(self, end: int) -> OtherAction:
        start = self.scanned.original(self.opened)
        return OtherAction(self.text[start : self.scanned.original(end)], start)

    def placed(self, field: FieldPath) -> FieldPath:
        return field._replace(offset=self.scanned.original(field.offset))

    def query(self, action: Action) -> Query | None:
        """`kuscia "path"`, which is what three braces become."""
        words = [token for token in action.tokens if token.kind != "space"]
        if [token.kind for token in words] != ["word", "string"] or words[0].text != "kuscia":
            return None
        start = self.scanned.original(action.start)
        dot = start + 3 if self.text.startswith("{{{.", start) else start
        return Query(unquote(words[1].text) or "", dot)


def _only(fields: Sequence[FieldPath], tokens: Sequence[Token]) -> FieldPath | None:
    """The field, if the action is nothing else."""
    kinds = {token.kind for token in tokens} - {"space"}
    return fields[0] if kinds == {"field"} and len(fields) == 1 else None
