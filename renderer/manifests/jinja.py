"""The template language: a small part of Jinja's that always ends."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, nodes, pass_context
from jinja2.compiler import CodeGenerator
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from renderer.manifests.template_values import (
    MEND,
    MOST_TEXT,
    MOST_TURNS,
    RESERVED,
    PlacedValues,
    TemplateFault,
    View,
    mark_lines,
)
from renderer.text.wording import listed
from renderer.values.tree import Node

PLACED_VALUES = "_placed"
_FAULTS = (
    TemplateError,
    ArithmeticError,
    LookupError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
_RESERVED = re.compile(RESERVED)
_FILTERS = ("default", "lower", "trim", "upper")
_TESTS = ("defined", "undefined", "none", "true", "false", "string", "number", "in")
_LANGUAGE = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Name, nodes.Const,
    nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.Not,
    nodes.And, nodes.Or, nodes.CondExpr, nodes.Tuple, nodes.List,
)  # fmt: skip


class _Marks(Extension):
    """Puts the number of its line before every line of the template's own text."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type != "data":
                yield token
                continue
            yield Token(token.lineno, "data", mark_lines(token.value, token.lineno))


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
    placed = context[PLACED_VALUES]
    for item in items:
        placed.turns += 1
        if placed.turns > MOST_TURNS:
            raise ValueError(f"loops turn more than {MOST_TURNS:,} times")
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
        finalize=pass_context(lambda context, value: context[PLACED_VALUES].token(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[_Marks],
    )
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.filters["counted"] = _counted
    environment.globals.clear()
    return environment.from_string(text)


def rendered(text: str, values: Mapping[str, Node], placed: PlacedValues) -> str:
    """The template's text with a token in the place of every value."""
    try:
        template = compiled(text)
        views = {name: View(node) for name, node in values.items()}
        return _bounded_text(template.generate({**views, PLACED_VALUES: placed}))
    except TemplateSyntaxError as error:
        raise TemplateFault(error.lineno, error.message or "cannot be read", MEND) from error
    except _FAULTS as error:
        given = ", ".join(sorted(values))
        message = str(error) or type(error).__name__
        raise TemplateFault(_line_of(error), message, f"a template may use {given}") from error


def _bounded_text(chunks: Iterator[str]) -> str:
    parts: list[str] = []
    size = 0
    for chunk in chunks:
        parts.append(chunk)
        size += len(chunk)
        if size > MOST_TEXT:
            raise ValueError(f"the text grows beyond {MOST_TEXT:,} characters")
    return "".join(parts)


def _line_of(error: BaseException) -> int:
    """Jinja's tracebacks have the template's lines; the innermost one is the place."""
    trace, line = error.__traceback__, 1
    while trace:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
