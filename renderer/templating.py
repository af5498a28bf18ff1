"""Templates place values and decide nothing; the only module that knows Jinja.

A template is rendered with an opaque token for every `{{ value }}`, so no value can change the
structure. The text is read as YAML, and `fill` puts the values, with their origins, in the place
of their tokens. The language is a small part of Jinja's that always ends.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, nodes, pass_context
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from renderer.assets import TEMPLATES
from renderer.diagnostics import Origin
from renderer.model import Node, Scalar
from renderer.wording import listed

_TOKEN = re.compile("\ue000([0-9]+)\ue001")
_MARK = re.compile("\ue002([0-9]+)\ue003")
_LEADING_MARKS = re.compile("(?:\ue002[0-9]+\ue003)*")
_RESERVED = re.compile("[\ue000-\ue003]")
_PLACED = "_placed"
_MOST_TURNS = 10_000
_MOST_TEXT = 4 << 20
_FILTERS = ("default", "lower", "trim", "upper")
_LANGUAGE = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Name, nodes.Const,
    nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.Not,
    nodes.And, nodes.Or, nodes.CondExpr, nodes.Tuple, nodes.List,
)  # fmt: skip


class TemplateFault(Exception):
    """A template cannot be used; `line` is the template's own."""

    def __init__(self, line: int, message: str, fix: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.fix = fix


class Source(NamedTuple):
    """A template's text and the file it is known by."""

    file: str
    text: str


class Skeleton(NamedTuple):
    """Rendered text with tokens, the values they stand for, and the template line of each line."""

    source: Source
    text: str
    values: list[Node | None]
    constants: list[Scalar]
    lines: list[int]

    def origin(self, rendered: Origin) -> Origin:
        """The place in the template that wrote a place in the text."""
        line = self.lines[min(rendered.line, len(self.lines)) - 1] if self.lines else 1
        return Origin(self.source.file, line)


def find(name: str, overrides: Mapping[str, str]) -> Source:
    """A template by its path: the repository's own if it has one, else the bundled one."""
    if name in overrides:
        return Source(f"templates/{name}", overrides[name])
    return Source(f"servingctl:templates/{name}", (TEMPLATES / name).read_text("utf-8"))


def names() -> list[str]:
    """The templates that can be overridden."""
    return sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2"))


def render(source: Source, values: Mapping[str, Node]) -> Skeleton:
    """The template's text with a token in the place of every value."""
    placed = _Placed()
    try:
        template = _compiled(source.text)
        views = {name: _View(node) for name, node in values.items()}
        text = _bounded_text(template.generate({**views, _PLACED: placed}))
    except TemplateSyntaxError as error:
        fix = "mend the template, or delete it to use the bundled one"
        raise TemplateFault(error.lineno, error.message or "cannot be read", fix) from error
    except (TemplateError, TypeError, ValueError, RecursionError, SyntaxError) as error:
        given = ", ".join(sorted(values))
        message = str(error) or type(error).__name__
        raise TemplateFault(_line_of(error), message, f"a template may use {given}") from error
    return _unmarked(source, text, placed)


class _Placed:
    """The values of one rendering, in the order of their tokens."""

    def __init__(self) -> None:
        self.values: list[Node | None] = []
        self.constants: list[Scalar] = []
        self.turns = 0

    def token(self, value: object) -> str:
        if isinstance(value, _View):
            self.values.append(value.node)
            self.constants.append(None)
        elif isinstance(value, str | int | float | bool | None):
            self.values.append(None)
            self.constants.append(value)
        else:
            str(value)  # an undefined name says here that it is undefined
            raise TypeError(f"a {type(value).__name__} cannot be placed")
        return f"\ue000{len(self.values) - 1}\ue001"


class _View:
    """What a template sees of a node: members, elements, and a value to compare."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __iter__(self) -> Iterator["_View | str"]:
        if self.node.elements:
            return iter([_View(child) for child in self.node.elements])
        return iter(list(self.node.items))

    def __len__(self) -> int:
        return len(self.node.elements or self.node.items)

    def __bool__(self) -> bool:
        return bool(self.node.value)

    def __eq__(self, other: object) -> bool:
        return self.node.value == (other.node.value if isinstance(other, _View) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return _as_text(self.node)


class _Marks(Extension):
    """Puts the number of its line before every line of the template's own text."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type != "data":
                yield token
                continue
            lines = token.value.split("\n")
            numbered = (f"\ue002{token.lineno + n}\ue003{line}" for n, line in enumerate(lines))
            yield Token(token.lineno, "data", "\n".join(numbered))


class _Generator(CodeGenerator):
    """Compiles the part of the language we allow, with every loop counted."""

    def visit_Template(self, node: nodes.Template, frame: Any = None) -> None:  # noqa: N802
        for part in node.find_all(nodes.Node):
            self._allow(part)
        for loop in node.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "counted", [], [], None, None, lineno=loop.lineno)
        super().visit_Template(node, frame)

    def _allow(self, part: nodes.Node) -> None:
        what = type(part).__name__
        if isinstance(part, nodes.Filter) and part.name not in _FILTERS:
            what = f"the filter {part.name!r}"
        elif isinstance(part, _LANGUAGE):
            return
        self.fail(f"{what} is not part of the template language", part.lineno or 1)


@pass_context
def _counted(context: Context, items: Iterable[object]) -> Iterator[object]:
    placed = context[_PLACED]
    for item in items:
        placed.turns += 1
        if placed.turns > _MOST_TURNS:
            raise ValueError(f"loops turn more than {_MOST_TURNS:,} times")
        yield item


class _Environment(ImmutableSandboxedEnvironment):
    """Items before attributes, so that no key of a spec is hidden by a method."""

    code_generator_class = _Generator

    def getattr(self, obj: Any, attribute: str) -> Any:
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, _View):
            child = obj.node.step(argument)
            return self.undefined(_absence(obj.node, argument)) if child is None else _View(child)
        return super().getitem(obj, argument)


def _absence(node: Node, name: object) -> str:
    return f"{name!r} is not given; there is {listed(node.items)}"


@cache
def _compiled(text: str) -> Any:
    if found := _RESERVED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise TemplateSyntaxError(f"the character U+{ord(found[0]):04X} is reserved", line)
    environment = _Environment(
        undefined=StrictUndefined,
        finalize=pass_context(lambda context, value: context[_PLACED].token(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[_Marks],
    )
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.filters["counted"] = _counted
    environment.globals.clear()
    return environment.from_string(text)


def _bounded_text(chunks: Iterator[str]) -> str:
    parts: list[str] = []
    size = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > _MOST_TEXT:
            raise ValueError(f"the text grows beyond {_MOST_TEXT:,} characters")
    return "".join(parts)


def _line_of(error: BaseException) -> int:
    """Jinja makes tracebacks speak of the template's lines; the innermost one is the place."""
    trace, line = error.__traceback__, 1
    while trace:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _unmarked(source: Source, text: str, placed: _Placed) -> Skeleton:
    lines: list[int] = []
    bare: list[str] = []
    for line in text.split("\n"):
        leading = _LEADING_MARKS.match(line)
        marks = _MARK.findall(leading[0] if leading and leading[0] else line)
        lines.append(int(marks[-1]) if marks else (lines[-1] if lines else 1))
        bare.append(_MARK.sub("", line))
    return Skeleton(source, "\n".join(bare), placed.values, placed.constants, lines)


def fill(tree: Node, skeleton: Skeleton) -> Node:
    """The tree of the rendered text with values in the place of their tokens."""
    filled = _filled(tree, skeleton)
    return filled or Node(None, skeleton.origin(tree.origin))


def _filled(node: Node, skeleton: Skeleton) -> Node | None:
    """A node with its values; nothing if its value is absent."""
    origin = skeleton.origin(node.origin)
    key = skeleton.origin(node.key) if node.key else None
    value = node.value
    if isinstance(value, Mapping):
        members = {_key(name, skeleton): _filled(child, skeleton) for name, child in value.items()}
        return Node({name: child for name, child in members.items() if child}, origin, key)
    if isinstance(value, tuple):
        elements = [_filled(child, skeleton) for child in value]
        return Node(tuple(child for child in elements if child), origin, key)
    if not isinstance(value, str) or not (found := _TOKEN.search(value)):
        return Node(value, origin, key)
    first = _placed(found, skeleton, origin)
    if found[0] != value:
        text = _TOKEN.sub(lambda m: _as_text(_placed(m, skeleton, origin)), value)
        return Node(text, first.origin, key)
    return None if first.value is None else first._replace(key=key)


def _placed(found: re.Match[str], skeleton: Skeleton, origin: Origin) -> Node:
    index = int(found[1])
    return skeleton.values[index] or Node(skeleton.constants[index], origin)


def _key(name: str, skeleton: Skeleton) -> str:
    return _TOKEN.sub(lambda m: _as_text(_placed(m, skeleton, Origin(""))), name)


def _as_text(node: Node) -> str:
    value = node.value
    if isinstance(value, Mapping | tuple):
        raise TemplateFault(1, "a mapping or list stands inside a text", "place it by itself")
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
