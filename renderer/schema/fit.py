"""Whether a tree fits a schema, and no more: the schema as functions, made when first needed.

It says nothing about what is wrong. Where a keyword is not known here the answer is "no", and the
validator that explains has the last word. Every part of a schema is made ready for each type of
value by itself: what a keyword says of other types is gone then, and often nothing is left to ask.
"""

import operator
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache, partial
from types import NoneType
from typing import Any

from renderer.kubernetes.patterns import matches
from renderer.schema.bundle import Schema
from renderer.text.expressions import expression

Value = Any  # of a node: a scalar, a dict of nodes or a tuple of nodes
Type = type[Any]
Test = Callable[[Value], object]
"""Of a value of one type: something true if it fits."""

_TYPES: dict[str, tuple[Type, ...]] = {
    "object": (dict,),
    "array": (tuple,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (NoneType,),
}
_KNOWN_TYPES = frozenset(kind for kinds in _TYPES.values() for kind in kinds)
_ANNOTATIONS = frozenset((
    "$schema", "$id", "$comment", "title", "description", "default", "examples", "definitions",
    "format", "readOnly",
))  # fmt: skip
_TOKEN = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_ENDS = {"$": r"\Z", r"\z": r"\Z"}
_MEMBERS = frozenset(("required", "properties", "additionalProperties"))


@cache
def regex(pattern: str) -> re.Pattern[str]:
    """A pattern of our own schemas as ECMA and Go read it: `$` is the very end, classes ASCII.

    Ours are known to be quick; those of a user's CRDs are matched by RE2.
    """
    return re.compile(_TOKEN.sub(lambda token: _ENDS.get(token[0], token[0]), pattern), re.ASCII)


class _Unsure(Exception):
    """A keyword is not known here."""


class FastValidator:
    """A schema made ready; what it refers to is made ready when a tree leads there."""

    def __init__(self, schema: Schema) -> None:
        self._definitions: Schema = schema.get("definitions", {})
        self._named: dict[str, _CompiledSchema] = {}
        self._whole = _CompiledSchema(self, schema)

    def fits(self, value: Value) -> bool:
        try:
            test = self._whole[type(value)]
            return test is None or bool(test(value))
        except _Unsure:
            return False

    def test(self, schema: Any, kind: Type) -> Test | None:
        """What a value of a type has to pass; nothing if every one fits."""
        if isinstance(schema, bool):
            return None if schema else _never
        if "$ref" in schema:  # what stands beside it does not count
            return self._definition(str(schema["$ref"]))[kind]
        if kind not in _KNOWN_TYPES:
            return _unknown
        members = [self._members(schema)] if kind is dict and _MEMBERS & schema.keys() else []
        return _all([*members, *self._keywords(schema, kind)])

    def _definition(self, pointer: str) -> "_CompiledSchema":
        name = pointer.removeprefix("#/definitions/")
        if name not in self._named:
            self._named[name] = _CompiledSchema(self, self._definitions.get(name, _NOWHERE))
        return self._named[name]

    def _keywords(self, schema: Schema, kind: Type) -> Iterator[Test | None]:
        for key, wanted in schema.items():
            if key in _ANNOTATIONS or key in _MEMBERS or key.startswith("x-"):
                continue
            make = _KEYWORDS.get(key)
            yield make(self, wanted, kind) if make else _unknown

    def _members(self, schema: Schema) -> Test:
        """The members of a mapping: what is needed, what is named, and all others."""
        needed = frozenset(schema.get("required", ()))
        named = {
            key: _CompiledSchema(self, part) for key, part in schema.get("properties", {}).items()
        }
        others = _CompiledSchema(self, schema.get("additionalProperties", True))

        def fits(value: Value) -> bool:
            if not value.keys() >= needed:
                return False
            for key, child in value.items():
                inner = child[0]
                test = named.get(key, others)[type(inner)]
                if test is not None and not test(inner):
                    return False
            return True

        return fits


class _CompiledSchema(dict[Type, Test | None]):
    """A part of a schema: by the type of a value its test, made when the first one comes."""

    __slots__ = ("_home", "_schema")

    def __init__(self, home: FastValidator, schema: Any) -> None:
        super().__init__()
        self._home = home
        self._schema = schema

    def __missing__(self, kind: Type) -> Test | None:
        test = self[kind] = self._home.test(self._schema, kind)
        return test


_NOWHERE = {"$nowhere": True}  # no keyword is known of it


def _unknown(_value: Value) -> bool:
    raise _Unsure


def _never(_value: Value) -> bool:
    return False


def _all(tests: Iterable[Test | None]) -> Test | None:
    asked = [test for test in tests if test is not None]
    if _never in asked:
        return _never

    def fits(value: Value) -> bool:
        for test in asked:  # noqa: SIM110 - a generator takes three times as long
            if not test(value):
                return False
        return True

    return fits if len(asked) > 1 else next(iter(asked), None)


def _any(tests: list[Test | None]) -> Test | None:
    asked = [test for test in tests if test is not None and test is not _never]

    def fits(value: Value) -> bool:
        for test in asked:  # noqa: SIM110 - a generator takes three times as long
            if test(value):
                return True
        return False

    if None in tests:
        return None
    return fits if len(asked) > 1 else next(iter(asked), _never)


def _type(_home: FastValidator, wanted: str | list[str], kind: Type) -> Test | None:
    names = [wanted] if isinstance(wanted, str) else wanted
    if any(name not in _TYPES for name in names):
        return _unknown
    return None if any(kind in _TYPES[name] for name in names) else _never


def _enum(_home: FastValidator, allowed: list[Any], kind: Type) -> Test | None:
    if any(isinstance(item, dict | list) for item in allowed):
        return _unknown
    if kind in (dict, tuple):
        return _never
    known = {item for item in allowed if isinstance(item, bool) is (kind is bool)}
    return known.__contains__


def _const(home: FastValidator, wanted: Any, kind: Type) -> Test | None:
    return _enum(home, [wanted], kind)


def _pattern(_home: FastValidator, pattern: str, kind: Type) -> Test | None:
    return regex(pattern).search if kind is str else None


def _go_pattern(_home: FastValidator, pattern: str, kind: Type) -> Test | None:
    return partial(matches, pattern) if kind is str else None


def _items(home: FastValidator, schema: Any, kind: Type) -> Test | None:
    if isinstance(schema, list):
        return _unknown
    part = _CompiledSchema(home, schema)

    def fits(value: Value) -> bool:
        for child in value:
            inner = child[0]
            test = part[type(inner)]
            if test is not None and not test(inner):
                return False
        return True

    return fits if kind is tuple else None


def _unique(_home: FastValidator, wanted: bool, kind: Type) -> Test | None:
    if not wanted or kind is not tuple:
        return None
    return lambda value: len({_counted_as(child[0]) for child in value}) == len(value)


def _counted_as(value: Value) -> Hashable:
    """The same for values that count as one; True and 1 do not, wherever they stand."""
    if type(value) is dict:
        return dict, frozenset((key, _counted_as(child[0])) for key, child in value.items())
    if type(value) is tuple:
        return tuple, tuple(_counted_as(child[0]) for child in value)
    return isinstance(value, bool), value


def _names(home: FastValidator, schema: Any, kind: Type) -> Test | None:
    test = home.test(schema, str) if kind is dict else None
    return test and (lambda value: all(map(test, value)))


def _any_of(home: FastValidator, schemas: list[Any], kind: Type) -> Test | None:
    return _any([home.test(schema, kind) for schema in schemas])


def _all_of(home: FastValidator, schemas: list[Any], kind: Type) -> Test | None:
    return _all([home.test(schema, kind) for schema in schemas])


def _one_of(home: FastValidator, schemas: list[Any], kind: Type) -> Test | None:
    tests = [home.test(schema, kind) for schema in schemas]
    return lambda value: sum(test is None or bool(test(value)) for test in tests) == 1


def _not(home: FastValidator, schema: Any, kind: Type) -> Test | None:
    test = home.test(schema, kind)
    return (lambda value: not test(value)) if test else _never


def _size(of: Type, within: Callable[[Any, Any], bool]) -> Callable[..., Test | None]:
    def make(_home: FastValidator, limit: Any, kind: Type) -> Test | None:
        return (lambda value: within(limit, len(value))) if kind is of else None

    return make


def _amount(within: Callable[[Any, Any], bool]) -> Callable[..., Test | None]:
    return lambda _home, limit, kind: partial(within, limit) if kind in _TYPES["number"] else None


_KEYWORDS: dict[str, Callable[[FastValidator, Any, Type], Test | None]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "goPattern": _go_pattern,
    "items": _items,
    "uniqueItems": _unique,
    "propertyNames": _names,
    "anyOf": _any_of,
    "allOf": _all_of,
    "oneOf": _one_of,
    "not": _not,
    "minLength": _size(str, operator.le),
    "maxLength": _size(str, operator.ge),
    "minItems": _size(tuple, operator.le),
    "maxItems": _size(tuple, operator.ge),
    "minProperties": _size(dict, operator.le),
    "maxProperties": _size(dict, operator.ge),
    "minimum": _amount(operator.le),
    "maximum": _amount(operator.ge),
    "exclusiveMinimum": _amount(operator.lt),
    "exclusiveMaximum": _amount(operator.gt),
}
