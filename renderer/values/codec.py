"""Named tuples as data for JSON and back, by the types of their own fields.

A tuple is a list in the order of its fields, a set is sorted, an enumeration is its value. What is
read back is checked against the types, as it comes from files that anyone may have changed.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, ForwardRef, TypeVar, Union, get_args, get_origin

Value = TypeVar("Value")
Reader = Callable[[Any], Any]
_JSON_TYPES = (str, int, float, NoneType, dict, list)


def encode(value: Any) -> Any:
    """Data for JSON, whose encoders write named tuples as lists by themselves."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    return value if isinstance(value, _JSON_TYPES) else str(value)  # a decimal


class Decoder:
    """Reads values of given types; `readers` are for types whose form is not that of their fields.

    The reader of a type is made once: reading thousands of results asks for the same few types.
    """

    def __init__(self, readers: Mapping[Any, Reader] | None = None) -> None:
        self._readers = dict(readers or {})

    def decode(self, hint: type[Value], data: Any) -> Value:
        """The value; a `TypeError` or `ValueError` if the data are none of this type."""
        value: Value = self._reader(hint)(data)
        return value

    def _reader(self, hint: Any) -> Reader:
        if isinstance(hint, str | ForwardRef):  # bare data, whose type refers to itself
            return _unchanged
        known = self._readers.get(hint)
        if known is None:
            known = self._readers[hint] = self._new_reader(hint)
        return known

    def _new_reader(self, hint: Any) -> Reader:
        origin, arguments = get_origin(hint), get_args(hint)
        if hasattr(hint, "_fields"):
            return self._tuple_reader(hint, [hint.__annotations__[name] for name in hint._fields])
        if origin is tuple and arguments[-1] is not Ellipsis:
            return self._tuple_reader(_listed, arguments)
        if origin in (tuple, frozenset):
            return self._items_reader(origin, arguments[0])
        if origin in (dict, Mapping):
            return self._members_reader(arguments[1])
        if origin in (Union, UnionType):
            return self._union_reader(hint, [item for item in arguments if item is not NoneType])
        if origin is None and issubclass(hint, Enum):
            return hint  # type: ignore[no-any-return]
        return _checked(origin or hint)

    def _tuple_reader(self, build: Callable[..., Any], hints: Any) -> Reader:
        readers = [self._reader(hint) for hint in hints]

        def read(data: Any) -> Any:
            return build(*[read(item) for read, item in zip(readers, data, strict=True)])

        return read

    def _items_reader(self, build: Callable[..., Any], hint: Any) -> Reader:
        def read(data: Any) -> Any:
            if not isinstance(data, list):
                raise TypeError(f"{data!r} is no list")
            if not data:  # so that no reader is made for items that are seldom there
                return build()
            item = self._reader(hint)
            return build([item(one) for one in data])

        return read

    def _members_reader(self, hint: Any) -> Reader:
        member = self._reader(hint)
        return lambda data: {str(key): member(value) for key, value in data.items()}

    def _union_reader(self, hint: Any, others: list[Any]) -> Reader:
        if len(others) > 1:
            return _checked(hint)
        known = self._reader(others[0])
        return lambda data: None if data is None else known(data)


def _listed(*items: Any) -> tuple[Any, ...]:
    return items


def _unchanged(data: Any) -> Any:
    return data


def _checked(kind: Any) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, kind):
            raise TypeError(f"{data!r} is no {kind}")
        return data

    return read
