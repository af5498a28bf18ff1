"""Rules of a CRD in words that the engine has, where the types of the schema say more than JSON.

Texts of the formats `duration`, `date` and `date-time` are made durations and times where an
expression reads them. Lists that are sets or maps are compared and added as such.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from renderer.policies.expressions import Token, tokens
from renderer.policies.schema_values import escaped
from renderer.schema.bundle import Schema
from renderer.values.named_tuple import NamedTuple

DURATION, TIME = "kubernetesDuration", "kubernetesTime"
DURATIONS, TIMES = "kubernetesDurations", "kubernetesTimes"
SAME, MERGED = "kubernetesSame", "kubernetesMerged"
_FORMATS = {"duration": DURATION, "date": TIME, "date-time": TIME}
_PLURALS = {DURATION: DURATIONS, TIME: TIMES}
_LIST_TYPE, _MAP_KEYS = "x-kubernetes-list-type", "x-kubernetes-list-map-keys"
_LOOPS = frozenset((
    "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
    "transformMapEntry",
))  # fmt: skip
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
_WEAK = frozenset(("&&", "||", "?", ":", ",", "==", "!=", "<", ">", "<=", ">=", "in"))
_ADDITIVE = frozenset(("+", "-"))
#: They make a list of what their last argument gives.
_MAPS = frozenset(("map", "transformList", "transformMap", "transformMapEntry"))


class Typed(NamedTuple):
    """An expression for the engine; `lost` is a field of which it does not know the type."""

    text: str
    lost: str = ""


_READY: dict[tuple[str, int, bool], tuple[Schema, Typed]] = {}


def typed_expression(expression: str, schema: Schema, *, optional: bool) -> Typed:
    """An expression over `self` of a schema; with `optional`, `oldSelf` is an optional value."""
    key = (expression, id(schema), optional)
    if key not in _READY:  # the schema is kept, so that its number stays its own
        is_typed = _has_types(schema)
        made = _written(expression, schema if is_typed else {}, optional=optional)
        _READY[key] = (schema, made if is_typed or optional else Typed(expression))
    return _READY[key][1]


def _has_types(schema: Schema) -> bool:
    """Whether a schema has types, here or below, that JSON has not."""
    return bool(_time_of(schema) or schema.get(_LIST_TYPE) in ("set", "map")) or any(
        _has_types(part) for part in _parts(schema)
    )


def _parts(schema: Schema) -> Iterator[Schema]:
    every = (*(schema.get("properties") or {}).values(), *map(schema.get, ("items", _VALUES)))
    return (part for part in every if isinstance(part, dict))


_VALUES = "additionalProperties"


class _Chain(NamedTuple):
    """Fields and indices behind a variable: where they end, and the schema of what is there."""

    end: int
    schema: Schema
    is_optional: bool = False


class _Writing:
    """An expression, and what is written before, behind and in place of its words."""

    def __init__(self, given: Sequence[Token]) -> None:
        self.before = [""] * len(given)
        self.behind = [""] * len(given)
        self.words = [item.text for item in given]

    def call(self, name: str, first: int, operator: int, last: int, argument: str) -> None:
        self.before[first] = f"{name}({self.before[first]}"
        self.words[operator] = ","
        self.behind[last] += f", {_text(argument)})"

    def __str__(self) -> str:
        parts = zip(self.before, self.words, self.behind, strict=True)
        return " ".join(word for some in parts for word in some if word)


def _text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _written(expression: str, schema: Schema, *, optional: bool) -> Typed:
    given = tokens(expression)
    writing = _Writing(given)
    chains = _chains(given, {"self": schema} if optional else {"self": schema, "oldSelf": schema})
    for start, chain in chains.items():
        _write_times(writing, given, start, chain)
    for at, item in enumerate(given):
        if item.text in ("==", "!="):
            _write_equality(writing, given, at, chains)
        elif item.text == "+":
            _write_sum(writing, given, at, chains)
        elif optional and item.text == "oldSelf" and _is_variable(given, at):
            writing.words[at] = "oldSelf[?0]"
    return Typed(str(writing), _lost_field(given, chains, _typed_names(schema)))


def _typed_names(schema: Schema) -> frozenset[str]:
    """The fields, at any depth, that are more than JSON says."""
    fields = schema.get("properties") or {}
    own = {escaped(name) for name, part in fields.items() if _is_more(_part(part))}
    return frozenset(own.union(*map(_typed_names, _parts(schema))))


def _is_more(schema: Schema) -> bool:
    is_time = _time_of(schema) or _time_of(_part(schema.get("items")))
    return bool(is_time) or schema.get(_LIST_TYPE) in ("set", "map")


def _lost_field(given: Sequence[Token], chains: dict[int, _Chain], names: frozenset[str]) -> str:
    """A typed field of what no chain leads to, such as an item of a list that `map` made."""
    followed = {at for start, chain in chains.items() for at in range(start, chain.end)}
    for at, item in enumerate(given):
        is_field = item.text in names and _word(given, at - 1) in (".", "?")
        if is_field and at not in followed and _word(given, at + 1) not in ("(", ")"):
            return item.text
    moved = (chain for start, chain in chains.items() if _is_mapped(given, start, chain))
    return next((given[chain.end - 1].text for chain in moved), "")


def _is_mapped(given: Sequence[Token], start: int, chain: _Chain) -> bool:
    """Whether `map` makes a list of sets, as which nobody knows them then."""
    if chain.schema.get(_LIST_TYPE) not in ("set", "map") or _word(given, chain.end) != ")":
        return False
    opening = _left(given, start, frozenset()) - 1
    return _word(given, start - 1) == "," and _word(given, opening - 1) in _MAPS


def _is_variable(given: Sequence[Token], at: int) -> bool:
    is_member = at > 0 and given[at - 1].text == "."
    return given[at].kind == "name" and not is_member and _word(given, at + 1) != "("


def _word(given: Sequence[Token], at: int) -> str:
    return given[at].text if 0 <= at < len(given) else ""


def _chains(given: Sequence[Token], scope: dict[str, Schema]) -> dict[int, _Chain]:
    """What each variable leads to; those of loops over lists of the schema are known as well."""
    found: dict[int, _Chain] = {}
    known: set[int] = set()
    for at, item in enumerate(given):
        if item.text in scope and _is_variable(given, at):
            found[at] = _chain(given, at, scope, known)
        elif item.text in _LOOPS and _word(given, at + 1) == "(" and at not in known:
            for name in _loop_variables(given, at + 2):
                scope.pop(name, None)
    return found


def _chain(given: Sequence[Token], at: int, scope: dict[str, Schema], loops: set[int]) -> _Chain:
    """Where a variable leads; the `loops` over it are noted."""
    schema, end = scope[given[at].text], at + 1
    while not _time_of(schema):
        first, second, third = (_word(given, end + n) for n in range(3))
        if first == "." and second in _LOOPS and third == "(":
            _bind(given, end + 3, schema, scope)
            loops.add(end + 1)
            closing = _closing(given, end + 2)
            if second != "filter" or closing >= len(given) or not schema.get("items"):
                break
            # what is left of a set or map is a plain list of its items
            schema, end = {"items": schema["items"]}, closing + 1
        elif first == "[" and (closing := _closing(given, end)) < len(given):
            schema, end = _element(schema), closing + 1
        elif first == "." and second == "?" and third:
            return _Chain(end + 3, _field(schema, third), is_optional=True)
        elif first == "." and second and third != "(" and given[end + 1].kind == "name":
            schema, end = _field(schema, second), end + 2
        else:
            break
    return _Chain(end, schema)


def _bind(given: Sequence[Token], at: int, schema: Schema, scope: dict[str, Schema]) -> None:
    """The variables of a loop: one is an item or a key, of two the second is an item or a value."""
    names = _loop_variables(given, at)
    is_map = isinstance(schema.get(_VALUES), dict)
    element = {} if len(names) == 1 and is_map else _element(schema)
    scope[names[0]] = {}
    scope[names[-1]] = {} if _time_of(element) else element


def _loop_variables(given: Sequence[Token], at: int) -> list[str]:
    return [_word(given, at), *([_word(given, at + 2)] if _word(given, at + 3) == "," else [])]


def _field(schema: Schema, name: str) -> Schema:
    fields = schema.get("properties") or {}
    found = next((part for key, part in fields.items() if escaped(key) == name), None)
    return _part(found if found is not None else schema.get(_VALUES))


def _element(schema: Schema) -> Schema:
    return _part(schema.get("items") or schema.get(_VALUES))


def _part(schema: Any) -> Schema:
    return schema if isinstance(schema, dict) else {}


def _time_of(schema: Schema) -> str:
    return _FORMATS.get(schema.get("format", ""), "") if schema.get("type") == "string" else ""


def _write_times(writing: _Writing, given: Sequence[Token], start: int, chain: _Chain) -> None:
    if _word(given, start - 2) == "has" and _word(given, start - 1) == "(":
        return
    name = _time_of(chain.schema) or _PLURALS.get(_time_of(_part(chain.schema.get("items"))), "")
    if name and chain.is_optional:
        writing.behind[chain.end - 1] = f".optMap(moment_, moment_.{name}())"
    elif name:
        writing.behind[chain.end - 1] = f".{name}()"


def _write_equality(
    writing: _Writing, given: Sequence[Token], at: int, chains: dict[int, _Chain]
) -> None:
    first, last = _left(given, at, _WEAK), _right(given, at, _WEAK)
    shape = _shape(_operand(given, first, chains)) or _shape(_operand(given, at + 1, chains))
    if shape:
        is_negated = given[at].text == "!="
        writing.call(f"{'!' * is_negated}{SAME}", first, at, last, json.dumps(shape))


def _write_sum(
    writing: _Writing, given: Sequence[Token], at: int, chains: dict[int, _Chain]
) -> None:
    first = _left(given, at, _WEAK)
    schema = _operand(given, first, chains)
    if schema.get(_LIST_TYPE) in ("set", "map"):
        keys = [escaped(key) for key in schema.get(_MAP_KEYS) or ()]
        writing.call(MERGED, first, at, _right(given, at, _WEAK | _ADDITIVE), json.dumps(keys))


def _operand(given: Sequence[Token], first: int, chains: dict[int, _Chain]) -> Schema:
    """The schema of what begins here, if that is nothing but a field, or a sum of such."""
    chain = chains.get(first)
    whole = chain and _word(given, chain.end) in (_WEAK | _CLOSED | _ADDITIVE | {""})
    return chain.schema if chain and whole and not chain.is_optional else {}


def _left(given: Sequence[Token], at: int, stops: frozenset[str]) -> int:
    """Where the operand to the left of an operator begins."""
    depth = 0
    for index in range(at - 1, -1, -1):
        text = given[index].text
        depth += (text in _CLOSED) - (text in _OPEN)
        if depth < 0 or (not depth and text in stops):
            return index + 1
    return 0


def _right(given: Sequence[Token], at: int, stops: frozenset[str]) -> int:
    """Where the operand to the right of an operator ends."""
    depth = 0
    for index in range(at + 1, len(given)):
        text = given[index].text
        depth += (text in _OPEN) - (text in _CLOSED)
        if depth < 0 or (not depth and text in stops):
            return index - 1
    return len(given) - 1


def _closing(given: Sequence[Token], at: int) -> int:
    return _right(given, at, frozenset()) + 1


def _shape(schema: Schema) -> dict[str, Any]:
    """Where a value of a schema has lists whose order says nothing; nothing if it has none."""
    made: dict[str, Any] = {}
    if not schema:
        return made
    fields = schema.get("properties") or {}
    parts = {escaped(key): shape for key, part in fields.items() if (shape := _shape(_part(part)))}
    if parts:
        made["fields"] = parts
    for key in ("items", _VALUES):
        if shape := _shape(_part(schema.get(key))):
            made[key] = shape
    if schema.get(_LIST_TYPE) in ("set", "map"):
        made["unordered"] = True
    return made
