"""Whether a tree fits a schema, and no more: the schema as functions, made when first needed.

It says nothing about what is wrong. Where a keyword is not known here the answer is "no", and the
validator that explains has the last word.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sized
from typing import Any

from renderer.schemacheck.patterns import regex
from renderer.schemacheck.sources import Schema

Value = Any  # of a node: a scalar, a dict of nodes or a tuple of nodes
Fits = Callable[[Value], bool]

_TYPES: dict[str, Fits] = {
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is tuple,
    "string": lambda value: type(value) is str,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) is int or type(value) is float,
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
}
_ANNOTATIONS = frozenset((
    "$schema", "$id", "$comment", "title", "description", "default", "examples", "definitions",
    "format",
))  # fmt: skip
_MEMBERS = frozenset(("properties", "patternProperties", "additionalProperties"))


class _Unsure(Exception):
    """A keyword is not known here."""


class Fitting:
    """A schema made ready; what it refers to is made ready when a tree leads there."""

    def __init__(self, schema: Schema) -> None:
        self._definitions: Schema = schema.get("definitions", {})
        self._named: dict[str, Fits] = {}
        self._whole = self.compiled(schema)

    def fits(self, value: Value) -> bool:
        try:
            return self._whole(value)
        except _Unsure:
            return False

    def compiled(self, schema: Any) -> Fits:
        if isinstance(schema, bool):
            return lambda _value: schema
        if "$ref" in schema:  # what stands beside it does not count
            return self._reference(str(schema["$ref"]))
        parts = [*self._structure(schema), *self._keywords(schema)]
        if len(parts) == 1:
            return parts[0]
        return lambda value: all(part(value) for part in parts)

    def _reference(self, pointer: str) -> Fits:
        name = pointer.removeprefix("#/definitions/")

        def fits(value: Value) -> bool:
            if name not in self._named:
                found = self._definitions.get(name)
                self._named[name] = _unknown if found is None else self.compiled(found)
            return self._named[name](value)

        return fits

    def _keywords(self, schema: Schema) -> Iterator[Fits]:
        for key, wanted in schema.items():
            if key in _ANNOTATIONS or key in _MEMBERS or key.startswith("x-"):
                continue
            make = _KEYWORDS.get(key)
            yield make(self, wanted) if make else _unknown

    def _structure(self, schema: Schema) -> Iterator[Fits]:
        """The members of a mapping: what is named, what matches a pattern, and all others."""
        if not _MEMBERS & schema.keys():
            return
        named = {key: _Later(self, part) for key, part in schema.get("properties", {}).items()}
        patterned = [
            (re.compile(pattern), self.compiled(part))
            for pattern, part in schema.get("patternProperties", {}).items()
        ]
        others = self.compiled(schema.get("additionalProperties", True))

        def fits(value: Value) -> bool:
            if type(value) is not dict:
                return True
            for key, child in value.items():
                known = named.get(key)
                if known is not None and not known(child[0]):
                    return False
                matching = [part for pattern, part in patterned if pattern.search(key)]
                if not all(part(child[0]) for part in matching):
                    return False
                if known is None and not matching and not others(child[0]):
                    return False
            return True

        yield fits


class _Later:
    """A part of a schema that is made ready when the first value comes."""

    __slots__ = ("_fits", "_home", "_schema")

    def __init__(self, home: Fitting, schema: Any) -> None:
        self._home = home
        self._schema = schema
        self._fits: Fits | None = None

    def __call__(self, value: Value) -> bool:
        if self._fits is None:
            self._fits = self._home.compiled(self._schema)
        return self._fits(value)


def _unknown(_value: Value) -> bool:
    raise _Unsure


def _type(_home: Fitting, wanted: str | list[str]) -> Fits:
    if isinstance(wanted, str):
        return _TYPES.get(wanted, _unknown)
    tests = [_TYPES.get(name, _unknown) for name in wanted]
    return lambda value: any(test(value) for test in tests)


def _enum(_home: Fitting, allowed: list[Any]) -> Fits:
    if any(isinstance(item, dict | list) for item in allowed):
        return _unknown
    known = {_told_apart(item) for item in allowed}
    return lambda value: type(value) not in (dict, tuple) and _told_apart(value) in known


def _const(home: Fitting, wanted: Any) -> Fits:
    return _enum(home, [wanted])


def _told_apart(value: Value) -> tuple[bool, Value]:
    """True is not 1 in a schema."""
    return isinstance(value, bool), value


def _pattern(_home: Fitting, pattern: str) -> Fits:
    search = regex(pattern).search
    return lambda value: type(value) is not str or search(value) is not None


def _go_pattern(_home: Fitting, pattern: str) -> Fits:
    from renderer.gopatterns.matching import matches

    return lambda value: type(value) is not str or matches(pattern, value)


def _required(_home: Fitting, keys: list[str]) -> Fits:
    return lambda value: type(value) is not dict or all(key in value for key in keys)


def _items(home: Fitting, schema: Any) -> Fits:
    if isinstance(schema, list):
        return _unknown
    fits = home.compiled(schema)
    return lambda value: type(value) is not tuple or all(fits(child[0]) for child in value)


def _unique(_home: Fitting, wanted: bool) -> Fits:
    if not wanted:
        return lambda _value: True
    return lambda value: (
        type(value) is not tuple or len({_counted_as(child[0]) for child in value}) == len(value)
    )


def _counted_as(value: Value) -> Hashable:
    """The same for values that count as one; True and 1 do not, wherever they stand."""
    if type(value) is dict:
        return dict, frozenset((key, _counted_as(child[0])) for key, child in value.items())
    if type(value) is tuple:
        return tuple, tuple(_counted_as(child[0]) for child in value)
    return _told_apart(value)


def _names(home: Fitting, schema: Any) -> Fits:
    fits = home.compiled(schema)
    return lambda value: type(value) is not dict or all(fits(key) for key in value)


def _any_of(home: Fitting, schemas: list[Any]) -> Fits:
    parts = [_Later(home, schema) for schema in schemas]
    return lambda value: any(part(value) for part in parts)


def _all_of(home: Fitting, schemas: list[Any]) -> Fits:
    parts = [home.compiled(schema) for schema in schemas]
    return lambda value: all(part(value) for part in parts)


def _one_of(home: Fitting, schemas: list[Any]) -> Fits:
    parts = [home.compiled(schema) for schema in schemas]
    return lambda value: sum(part(value) for part in parts) == 1


def _not(home: Fitting, schema: Any) -> Fits:
    fits = home.compiled(schema)
    return lambda value: not fits(value)


def _size(kind: type[Sized], bound: Callable[[int, Any], bool]) -> Callable[[Fitting, Any], Fits]:
    def make(_home: Fitting, limit: Any) -> Fits:
        return lambda value: not isinstance(value, kind) or bound(len(value), limit)

    return make


def _amount(bound: Callable[[Any, Any], bool]) -> Callable[[Fitting, Any], Fits]:
    number = _TYPES["number"]
    return lambda _home, limit: lambda value: not number(value) or bound(value, limit)


def _at_least(value: Any, limit: Any) -> bool:
    return bool(value >= limit)


def _at_most(value: Any, limit: Any) -> bool:
    return bool(value <= limit)


_KEYWORDS: dict[str, Callable[[Fitting, Any], Fits]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "goPattern": _go_pattern,
    "required": _required,
    "items": _items,
    "uniqueItems": _unique,
    "propertyNames": _names,
    "anyOf": _any_of,
    "allOf": _all_of,
    "oneOf": _one_of,
    "not": _not,
    "minLength": _size(str, _at_least),
    "maxLength": _size(str, _at_most),
    "minItems": _size(tuple, _at_least),
    "maxItems": _size(tuple, _at_most),
    "minProperties": _size(dict, _at_least),
    "maxProperties": _size(dict, _at_most),
    "minimum": _amount(_at_least),
    "maximum": _amount(_at_most),
    "exclusiveMinimum": _amount(lambda value, limit: value > limit),
    "exclusiveMaximum": _amount(lambda value, limit: value < limit),
}
