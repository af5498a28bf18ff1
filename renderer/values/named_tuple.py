"""Named tuples as those of `typing`, which are made in a third of the time.

Most of what a short run costs is making the classes of its values, some two hundred. `typing` makes
each from source text and checks the types of its fields, which mypy does for us.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NamedTuple, Self
else:
    # private to CPython, whose `collections.namedtuple` reads fields by it as well; other
    # interpreters need not have it, and a `property` would do there
    from _collections import _tuplegetter
    from types import FunctionType

    #: The code of `__new__` by the number of fields, which all classes of so many share.
    _CODES = {}

    def _new(class_name: str, names: "tuple[str, ...]", defaults: "tuple[Any, ...]") -> Any:
        """`__new__` with these parameters."""
        code = _CODES.get(len(names))
        if code is None:
            parameters = "".join(f"_{number}, " for number in range(len(names)))
            source = f"lambda _cls, {parameters}: _tuple_new(_cls, ({parameters}))"
            code = _CODES[len(names)] = eval(source).__code__  # noqa: S307 - no text of others
        named = code.replace(
            co_varnames=("_cls", *names), co_name="__new__", co_qualname=f"{class_name}.__new__"
        )
        return FunctionType(named, {"_tuple_new": tuple.__new__}, "__new__", defaults)

    def _names_of_fields(namespace: "Mapping[str, Any]") -> "tuple[str, ...]":
        if "__annotations__" in namespace:
            return tuple(namespace["__annotations__"])
        annotate = namespace.get("__annotate_func__")  # Python 3.14
        return tuple(annotate(1)) if annotate else ()

    class _Declared(type):
        """Makes a plain class of each body: asking whether a value is of it costs nothing more."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            names = _names_of_fields(namespace)
            defaults = tuple(namespace[one] for one in names if one in namespace)
            if any(one in namespace for one in names[: len(names) - len(defaults)]):
                raise TypeError(f"{name}: a field without a default follows one that has it")
            for number, one in enumerate(names):
                namespace[one] = _tuplegetter(number, None)
            namespace["__new__"] = _new(namespace["__qualname__"], names, defaults)
            namespace["__slots__"] = ()
            namespace["__match_args__"] = namespace["_fields"] = names
            return type(name, (_Fields,), namespace)

    class _Fields(tuple):
        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: "Iterable[Any]") -> "Self":
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changed: object) -> "Self":
            made = tuple.__new__(type(self), map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"there are no such fields: {sorted(changed)}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={one!r}' for name, one in fields)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class NamedTuple(metaclass=_Declared):
        """What the classes of values are declared with; none of them has it as its base."""
