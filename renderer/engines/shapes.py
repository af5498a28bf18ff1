"""Whether a value has the type of a field, as pydantic sees it where engines read JSON.

A shape is a name (`str`, `int`, `float`, `bool`, `None`, `any`) or a list that begins with one:
`["int", {"gt": 0}]`, `["literal", "a", "b"]`, `["list", SHAPE]`, `["dict", SHAPE]`, `["union", …]`,
`["config", NAME]`.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from renderer.text.expressions import expression
from renderer.text.wording import nearest
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple

_INTEGER = expression(r"\s*[-+]?[0-9]+(_[0-9]+)*(\.0*)?\s*")
_TRUTH = frozenset(["0", "1", "true", "false", "on", "off", "yes", "no", "y", "n", "t", "f"])
_LONGEST_NUMBER = 400
_DEEPEST = 50
_MOST_NAMED = 100
_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "gt": lambda value, bound: value > bound,
    "ge": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "le": lambda value, bound: value <= bound,
}


class Mismatch(NamedTuple):
    """What is wrong at a path of a value.

    `kind` is `type`, `choice`, `bound`, `unknown` (a field that there is not) or `missing`;
    `expected` are types, choices or a bound; `near` is the field that was probably meant. Of
    a field's own checks are `forbidden` (a key, `near` is its new name) and `prefix`.
    """

    path: Path
    kind: str
    value: Any
    expected: tuple[Any, ...] = ()
    near: str = ""


class Fields(Protocol):
    """A configuration: its fields with their shapes, and what it does with others."""

    @property
    def fields(self) -> Mapping[str, Mapping[str, Any]]: ...
    @property
    def extra(self) -> str: ...


Lookup = Callable[[str], Fields | None]


def mismatches(shape: Any, value: Any, lookup: Lookup, path: Path = ()) -> Iterator[Mismatch]:
    """What of a value does not have a shape; `lookup` finds a configuration by its name."""
    name, rest = (shape, []) if isinstance(shape, str) else (shape[0], shape[1:])
    if name == "any" or len(path) > _DEEPEST:
        return
    if name == "union":
        yield from _union_mismatches(rest, value, lookup, path)
    elif name == "config":
        yield from _config_mismatches(rest[0], value, lookup, path)
    elif name == "literal":
        if not any(value == item for item in rest):
            yield Mismatch(path, "choice", value, tuple(rest))
    elif name in ("list", "dict"):
        yield from _container_mismatches(name, rest[0], value, lookup, path)
    elif not _PLAIN[name](value):
        yield Mismatch(path, "type", value, (name,))
    elif rest:
        yield from _out_of_bounds(rest[0], value, path)


def _union_mismatches(
    members: list[Any], value: Any, lookup: Lookup, path: Path
) -> Iterator[Mismatch]:
    some = [item for item in members if item != "None"] if value is not None else members
    found = [list(mismatches(member, value, lookup, path)) for member in some or members]
    if not all(found):
        return
    inside = [some for some in found if any(item.path != path for item in some)]
    inside += [some for some in found if all(item.kind in ("unknown", "missing") for item in some)]
    if inside:
        yield from inside[0]
        return
    kinds = {item.kind for some in found for item in some}
    expected = dict.fromkeys(part for some in found for item in some for part in item.expected)
    yield Mismatch(path, kinds.pop() if len(kinds) == 1 else "type", value, tuple(expected))


def _config_mismatches(name: str, value: Any, lookup: Lookup, path: Path) -> Iterator[Mismatch]:
    config = lookup(name)
    if config is None:
        return
    if not isinstance(value, dict):
        yield Mismatch(path, "type", value, ("mapping",))
        return
    yield from field_mismatches(config, value, lookup, path)


def field_mismatches(
    config: Fields, value: Mapping[str, Any], lookup: Lookup, path: Path = ()
) -> Iterator[Mismatch]:
    """What is wrong with the fields of a mapping."""
    names = {fact.get("alias", key): fact for key, fact in config.fields.items()}
    for number, (key, item) in enumerate(value.items()):
        if key in names:
            yield from mismatches(names[key]["shape"], item, lookup, (*path, str(key)))
            yield from _check_mismatches(names[key], item, (*path, str(key)))
        elif config.extra == "forbid":
            near = nearest(str(key), names) if number < _MOST_NAMED else ""
            yield Mismatch((*path, str(key)), "unknown", item, tuple(names), near)
    for key, fact in names.items():
        if fact.get("required") and key not in value:
            yield Mismatch(path, "missing", None, (key,))


def _check_mismatches(fact: Mapping[str, Any], value: Any, path: Path) -> Iterator[Mismatch]:
    """What the code of a model says of a field: keys that it refuses, how a text must begin."""
    for key, near in fact.get("forbidden", {}).items():
        if isinstance(value, dict) and key in value:
            yield Mismatch((*path, key), "forbidden", value[key], (), near)
    starts = tuple(fact.get("starts", ()))
    if starts and isinstance(value, str) and not value.startswith(starts):
        yield Mismatch(path, "prefix", value, starts)


def _container_mismatches(
    name: str, inner: Any, value: Any, lookup: Lookup, path: Path
) -> Iterator[Mismatch]:
    if name == "list" and isinstance(value, list):
        for number, item in enumerate(value):
            yield from mismatches(inner, item, lookup, (*path, number))
    elif name == "dict" and isinstance(value, dict):
        for key, item in value.items():
            yield from mismatches(inner, item, lookup, (*path, str(key)))
    else:
        yield Mismatch(path, "type", value, ("list" if name == "list" else "mapping",))


def _out_of_bounds(bounds: Mapping[str, float], value: Any, path: Path) -> Iterator[Mismatch]:
    number = float(value) if isinstance(value, str) else value
    for name, bound in bounds.items():
        if not _BOUNDS[name](number, bound):
            yield Mismatch(path, "bound", value, (name, bound))


def _is_integer(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST_NUMBER and bool(_INTEGER.fullmatch(value))
    if isinstance(value, float):
        return math.isfinite(value) and value == int(value)
    return isinstance(value, int)


def _is_float(value: Any) -> bool:
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, (int, float))


def _is_truth(value: Any) -> bool:
    if isinstance(value, str):
        return value.lower() in _TRUTH
    return isinstance(value, bool) or value in (0, 1)


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "int": _is_integer,
    "float": _is_float,
    "bool": _is_truth,
    "None": lambda value: value is None,
}
