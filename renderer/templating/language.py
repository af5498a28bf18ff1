"""The template language: a small part of Jinja's that always ends."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes, pass_context
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from renderer.templating.faults import as_text
from renderer.tree import Node, Scalar
from renderer.wording import listed

PLACED = "_placed"
_RESERVED = re.compile("[\ue000-\ue003]")
_MOST_TURNS = 10_000
_FILTERS = ("default", "lower", "trim", "upper")
_TESTS = ("defined", "undefined", "none", "true", "false", "string", "number", "in")
_LANGUAGE = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Name, nodes.Const,
    nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.Not,
    nodes.And, nodes.Or, nodes.CondExpr, nodes.Tuple, nodes.List,
)  # fmt: skip


class Placed:
    """The values of one rendering, in the order of their tokens."""

    def __init__(self) -> None:
        self.values: list[Node | None] = []
        self.constants: list[Scalar] = []
        self.turns = 0

    def token(self, value: object) -> str:
        if isinstance(value, View):
            self.values.append(value.node)
            self.constants.append(None)
        elif isinstance(value, str | int | float | bool | None):
            self.values.append(None)
            self.constants.append(value)
        else:
            str(value)  # an undefined name says here that it is undefined
            raise TypeError(f"a {type(value).__name__} cannot be placed")
        return f"\ue000{len(self.values) - 1}\ue001"


class View:
    """What a template sees of a node: members, elements, and a value to compare."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __iter__(self) -> Iterator["View | str"]:
        if self.node.elements:
            return iter([View(child) for child in self.node.elements])
        return iter(list(self.node.items))

    def __len__(self) -> int:
        return len(self.node.elements or self.node.items)

    def __bool__(self) -> bool:
        return bool(self.node.value)

    def __eq__(self, other: object) -> bool:
        return self.node.value == (other.node.value if isinstance(other, View) else other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return as_text(self.node)


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
        elif isinstance(part, nodes.Test) and part.name not in _TESTS:
            what = f"the test {part.name!r}"
        elif isinstance(part, _LANGUAGE):
            return
        self.fail(f"{what} is not part of the template language", part.lineno or 1)


@pass_context
def _counted(context: Context, items: Iterable[object]) -> Iterator[object]:
    placed = context[PLACED]
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
        if isinstance(obj, View):
            child = obj.node.step(argument)
            return self.undefined(_absence(obj.node, argument)) if child is None else View(child)
        return super().getitem(obj, argument)


def _absence(node: Node, name: object) -> str:
    return f"{name!r} is not given; there is {listed(node.items)}"


@cache
def compiled(text: str) -> Any:
    if found := _RESERVED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise TemplateSyntaxError(f"the character U+{ord(found[0]):04X} is reserved", line)
    environment = _Environment(
        undefined=StrictUndefined,
        finalize=pass_context(lambda context, value: context[PLACED].token(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[_Marks],
    )
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.filters["counted"] = _counted
    environment.globals.clear()
    return environment.from_string(text)
