"""The keywords of Go's text/template: which blocks are open, and what may stand in them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.faults import TemplateFault
from renderer.backends.kuscia.configtemplates.lexing import Action, Token
from renderer.backends.kuscia.configtemplates.pipelines import (
    Field,
    Variables,
    check_pipeline,
    unexpected,
)

_OPENERS = ("if", "range", "with")
_OWN_DATA = ("define", "block")


class _Block(NamedTuple):
    """An open block, and what holds in it and in all around it."""

    kind: str
    offset: int
    outer: Variables
    declared: int
    own_data: bool = False  # what `$` is, somebody else decides
    own_dot: bool = False
    in_range: bool = False
    in_else: bool = False


class Blocks:
    """Reads actions one by one; nesting costs a list entry and no recursion."""

    def __init__(self) -> None:
        self.variables = Variables()
        self.open: list[_Block] = []
        self.outside = _Block("", 0, self.variables, 1)

    def take(self, action: Action) -> Iterator[Field]:
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

    def _check(self, tokens: list[Token], end: Token) -> Iterator[Field]:
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

    def _else(self, token: Token, rest: list[Token], end: Token) -> Iterator[Field]:
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

    def _named(self, token: Token, rest: list[Token], end: Token) -> Iterator[Field]:
        """`define "name"`, `template "name" value` and `block "name" value`."""
        words = [place for place, item in enumerate(rest) if item.kind != "space"]
        nested = token.kind == "define" and self.open
        if nested or not words or rest[words[0]].kind != "string":
            raise unexpected(token)
        value = rest[words[0] + 1 :]
        fields: list[Field] = []
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
