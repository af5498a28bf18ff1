"""What Go's text/template asks of actions: pipelines inside them, and blocks that they open."""

from collections import Counter
from collections.abc import Iterator, Sequence

from renderer.backends.kuscia.config_templates.go_text import unquote
from renderer.backends.kuscia.config_templates.tokens import Action, TemplateFault, Token
from renderer.text.wording import listed
from renderer.values.named_tuple import NamedTuple

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
_OPENERS = ("if", "range", "with")
_OWN_DATA = ("define", "block")


class FieldPath(NamedTuple):
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
) -> Iterator[FieldPath]:
    """Read a pipeline up to its end without recursion; the fields it mentions."""
    levels = [_Level()]
    for token in _skip_declaration(tokens, variables, context):
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


def _skip_declaration(
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
    if token.kind == "string" and unquote(token.text) is None:
        fix = "write \\\\ for a backslash"
        raise TemplateFault(f"{token.text} has an escape that Go does not know", token.offset, fix)


def _fields(tokens: Sequence[Token]) -> Iterator[FieldPath]:
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
            yield FieldPath(tuple(names), start, variable)
            names = []
        if token.kind == "variable":
            start, variable = token.offset, token.text
        before = token.kind if token.kind != "field" else before


def unexpected(token: Token) -> TemplateFault:
    return TemplateFault(f"unexpected {token.text!r} between braces", token.offset)


class _Block(NamedTuple):
    """An open block, and what holds in it and in all around it."""

    kind: str
    offset: int
    outer: Variables
    declared: int
    own_data: bool = False  # `$` is what the caller of a named template passes
    own_dot: bool = False
    in_range: bool = False
    in_else: bool = False


class Blocks:
    """Reads actions one by one; nesting costs a list entry and no recursion."""

    def __init__(self) -> None:
        self.variables = Variables()
        self.open: list[_Block] = []
        self.outside = _Block("", 0, self.variables, 1)

    def take(self, action: Action) -> Iterator[FieldPath]:
        """Check an action; yields the fields it takes from the data of the template."""
        tokens = list(action.tokens)
        while tokens and tokens[0].kind == "space":
            tokens.pop(0)
        end = Token("close", "}}", action.end - 2)
        if not tokens:
            raise TemplateFault("a value is missing", action.start, "write {{.NAME}}")
        around = self.top
        for field in self._check(tokens, end):
            below_dot = not field.variable and not around.own_dot
            if not around.own_data and (field.variable == "$" or below_dot):
                yield field

    def finish(self) -> None:
        if self.open:
            block = self.open[-1]
            message = f"{{{{{block.kind}}}}} is not closed"
            raise TemplateFault(message, block.offset, "close it with {{end}}")

    @property
    def top(self) -> _Block:
        return self.open[-1] if self.open else self.outside

    def _check(self, tokens: list[Token], end: Token) -> Iterator[FieldPath]:
        first, rest = tokens[0], tokens[1:]
        if first.kind in _OPENERS:
            self._push(first)
            return check_pipeline(rest, end, self.variables, first.kind)
        if first.kind in ("define", "block", "template"):
            return self._named(first, rest, end)
        if first.kind == "else":
            return self._else(first, rest, end)
        if first.kind == "end":
            self._end(first)
        elif first.kind in ("break", "continue"):
            self._leave(first)
        else:
            return check_pipeline(tokens, end, self.variables)
        _nothing_more(rest)
        return iter(())

    def _push(self, token: Token) -> None:
        around, own = self.top, token.kind in _OWN_DATA
        block = _Block(
            token.kind,
            token.offset,
            self.variables,
            len(self.variables.names),
            around.own_data or own,
            around.own_dot or token.kind in ("range", "with"),
            token.kind == "range" or (around.in_range and not own),
        )
        self.open.append(block)

    def _end(self, token: Token) -> None:
        if not self.open:
            raise TemplateFault("{{end}} closes nothing", token.offset, "delete it")
        block = self.open.pop()
        self.variables = block.outer
        self.variables.forget(block.declared)

    def _else(self, token: Token, rest: list[Token], end: Token) -> Iterator[FieldPath]:
        block = self.open[-1] if self.open else None
        if not block or block.kind not in _OPENERS or block.in_else:
            message = "{{else}} does not belong to an open {{if}}, {{with}} or {{range}}"
            raise TemplateFault(message, token.offset)
        words = [item for item in rest if item.kind != "space"]
        if words and words[0].kind == block.kind and block.kind != "range":
            return check_pipeline(rest[rest.index(words[0]) + 1 :], end, self.variables)
        _nothing_more(rest)
        around = self.open[-2] if len(self.open) > 1 else self.outside
        self.open[-1] = block._replace(
            in_else=True, own_dot=around.own_dot, in_range=around.in_range
        )
        return iter(())

    def _named(self, token: Token, rest: list[Token], end: Token) -> Iterator[FieldPath]:
        """`define "name"`, `template "name" value` and `block "name" value`."""
        words = [place for place, item in enumerate(rest) if item.kind != "space"]
        nested = token.kind == "define" and self.open
        if nested or not words or rest[words[0]].kind != "string":
            raise unexpected(token)
        value = rest[words[0] + 1 :]
        fields: list[FieldPath] = []
        if token.kind == "define":
            _nothing_more(value)
        elif token.kind == "block" or len(words) > 1:
            fields = list(check_pipeline(value, end, self.variables))
        if token.kind in _OWN_DATA:
            self._push(token)
            self.variables = Variables()
        return iter(fields)

    def _leave(self, token: Token) -> None:
        if not self.top.in_range:
            raise TemplateFault(f"{{{{{token.kind}}}}} outside {{{{range}}}}", token.offset)


def _nothing_more(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.kind != "space":
            raise unexpected(token)
