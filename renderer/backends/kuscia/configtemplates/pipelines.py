"""The inside of an action: what Go asks of a pipeline before anything is evaluated."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.faults import TemplateFault
from renderer.backends.kuscia.configtemplates.gotext import unquoted
from renderer.backends.kuscia.configtemplates.lexing import Token
from renderer.text.wording import listed

FUNCTIONS = frozenset(
    (
        *("and", "call", "eq", "ge", "gt", "html", "index", "js", "kuscia", "le", "len", "lt"),
        *("ne", "not", "or", "print", "printf", "println", "slice", "urlquery"),
    )
)
_OPERANDS = frozenset(
    ("bool", "character", "number", "dot", "nil", "string", "variable", "word", "field")
)
_WITHOUT_FIELDS = frozenset(("bool", "character", "number", "dot", "nil", "string"))


class Field(NamedTuple):
    """`.NAME`, or a path of names, below the dot (or, with a variable, below that)."""

    names: tuple[str, ...]
    offset: int
    variable: str = ""


class Variables:
    """The declared variables; those of a block are forgotten at its end."""

    def __init__(self) -> None:
        self.names = ["$"]
        self.counts = Counter(self.names)

    def __contains__(self, name: str) -> bool:
        return self.counts[name] > 0

    def declare(self, name: str) -> None:
        self.names.append(name)
        self.counts[name] += 1

    def forget(self, number: int) -> None:
        """All but the first few."""
        while len(self.names) > number:
            self.counts[self.names.pop()] -= 1


class _Level:
    """A pipeline being read: an outer one, or one in parentheses."""

    def __init__(self) -> None:
        self.stage = 0
        self.arguments = 0
        self.before = ""  # the kind of the operand that ends right here

    def operand(self, token: Token, kind: str) -> None:
        if self.before:
            raise unexpected(token)
        if self.stage and not self.arguments and kind in _WITHOUT_FIELDS:
            raise TemplateFault(f"{token.text} is not a function to pipe into", token.offset)
        self.before = kind
        self.arguments += 1

    def finish(self, token: Token) -> None:
        if not self.arguments and not self.stage:  # Go lets a pipe lead nowhere
            raise TemplateFault("a value is missing", token.offset)


def check_pipeline(
    tokens: Sequence[Token], end: Token, variables: Variables, context: str = ""
) -> Iterator[Field]:
    """Read a pipeline up to its end without recursion; the fields it mentions."""
    levels = [_Level()]
    for token in _after_declaration(tokens, variables, context):
        level = levels[-1]
        if token.kind == "space":
            level.before = ""
        elif token.kind == "field" and level.before:
            if level.before in _WITHOUT_FIELDS:
                raise unexpected(token)
        elif token.kind in _OPERANDS:
            _check_operand(token, variables, tokens)
            level.operand(token, token.kind)
        elif token.kind == "(":
            level.operand(token, "(")
            levels.append(_Level())
        elif token.kind == ")" and len(levels) > 1:
            levels.pop().finish(token)
        elif token.kind == "|" and level.arguments:
            level.stage, level.arguments, level.before = level.stage + 1, 0, ""
        else:
            raise unexpected(token)
    if len(levels) > 1:
        raise TemplateFault("a parenthesis is not closed", end.offset, "close it with ')'")
    levels[0].finish(end)
    return _fields(tokens)


def _after_declaration(
    tokens: Sequence[Token], variables: Variables, context: str
) -> Sequence[Token]:
    """The tokens after `$x :=` or `$i, $x :=`, whose variables are known from here on."""
    words = [(place, token) for place, token in enumerate(tokens) if token.kind != "space"]
    kinds = [token.kind for _, token in words[:4]]
    two = [["variable", ",", "variable"]] if context == "range" else []
    for shape in (["variable"], *two):
        if kinds[: len(shape)] == shape and kinds[len(shape) :][:1] in ([":="], ["="]):
            for _, token in words[: len(shape) : 2]:
                variables.declare(token.text)
            return tokens[words[len(shape)][0] + 1 :]
    return tokens


def _check_operand(token: Token, variables: Variables, tokens: Sequence[Token]) -> None:
    if token.kind == "word" and token.text not in FUNCTIONS:
        alone = [item for item in tokens if item.kind != "space"] == [token]
        dotted = f"a variable has a dot before its name: {{{{.{token.text}}}}}"
        fix = dotted if alone else f"Go's own are {listed(sorted(FUNCTIONS - {'kuscia'}))}"
        raise TemplateFault(f"there is no function {token.text!r}", token.offset, fix)
    if token.kind == "variable" and token.text not in variables:
        raise TemplateFault(f"the variable {token.text!r} is not declared", token.offset)
    if token.kind == "string" and unquoted(token.text) is None:
        fix = "write \\\\ for a backslash"
        raise TemplateFault(f"{token.text} has an escape that Go does not know", token.offset, fix)


def _fields(tokens: Sequence[Token]) -> Iterator[Field]:
    """Chains such as `.X.y` and `$.X`."""
    names: list[str] = []
    start, variable, before = 0, "", ""
    for token in (*tokens, Token("space", " ", 0)):
        if token.kind == "field":
            if not names and before not in ("variable", ")", "word"):
                start, variable = token.offset, ""
            if before not in (")", "word"):
                names.append(token.text[1:])
                continue
        elif names:
            yield Field(tuple(names), start, variable)
            names = []
        if token.kind == "variable":
            start, variable = token.offset, token.text
        before = token.kind if token.kind != "field" else before


def unexpected(token: Token) -> TemplateFault:
    return TemplateFault(f"unexpected {token.text!r} between braces", token.offset)
