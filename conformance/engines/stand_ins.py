"""Modules that stand for what an engine imports and its argument parsers do not need.

Whatever is not there, or not named as real, is imported as a module that has every name: a class
that can be inherited from, called, used as a decorator or in a type, and looked through.
"""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any


class _Names(type):
    """The class of stand-ins: each attribute of one is another."""

    def __getattr__(cls, name: str) -> Any:
        if name == "__version__":
            return "9.0.0"
        if name.startswith("__"):
            raise AttributeError(name)
        found = made(f"{cls.__name__}.{name}")
        setattr(cls, name, found)
        return found

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(type(value), _Names) or type(value) is _Names

    def __iter__(cls) -> Iterator[Any]:
        return iter(())

    def __getitem__(cls, _: Any) -> Any:
        return cls

    def __len__(cls) -> int:
        return 0

    def __contains__(cls, _: Any) -> bool:
        return False


class StandIn(metaclass=_Names):
    """What is made of a stand-in, or stands for a function's result."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Whatever it is given."""

    def __init_subclass__(cls, **_: Any) -> None:
        """Whatever it is given."""

    def __call__(self, *given: Any, **_: Any) -> Any:
        """As a decorator it leaves what it decorates as it is."""
        return given[0] if len(given) == 1 and callable(given[0]) else StandIn()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, _: Any) -> Any:
        return StandIn()

    def __setitem__(self, _: Any, __: Any) -> None:
        """Nothing is kept."""

    def __len__(self) -> int:
        return 0

    def __lt__(self, _: Any) -> bool:
        return False

    def __ge__(self, _: Any) -> bool:
        return False

    def __enter__(self) -> "StandIn":
        return self

    def __exit__(self, *_: Any) -> None:
        """Nothing was entered."""

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __or__(self, _: Any) -> Any:
        return Any

    __ror__ = __or__

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: Any) -> Any:
        core_schema = importlib.import_module("pydantic_core.core_schema")
        return core_schema.any_schema()


def made(name: str) -> Any:
    """A stand-in for a class or a function."""
    return _Names(name.rsplit(".", 1)[-1], (StandIn,), {})


class _Module(types.ModuleType):
    __version__ = "9.0.0"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = made(name)
        setattr(self, name, found)
        return found


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports stand-ins: for all that is not there, and for modules that are not named real.

    `folders` says where the sources of a package are, which modules of it are real `is_real`.
    """

    def __init__(self, folders: Mapping[str, str], is_real: Callable[[str], bool]) -> None:
        self.folders, self.is_real = folders, is_real

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target  # a stand-in is found by its name alone
        top = name.partition(".")[0]
        if top in self.folders:
            return self._own(name, self.folders[top])
        if top in sys.stdlib_module_names or _is_installed(top):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _own(self, name: str, folder: str) -> importlib.machinery.ModuleSpec | None:
        base = "/".join((folder, *name.split(".")))
        for path, places in ((f"{base}/__init__.py", [base]), (f"{base}.py", None)):
            if self.is_real(name) and Path(path).is_file():
                return importlib.util.spec_from_file_location(
                    name, path, submodule_search_locations=places
                )
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing in it."""


@functools.cache
def _is_installed(top: str) -> bool:
    finder = importlib.machinery.PathFinder
    return (top in sys.modules and not isinstance(sys.modules[top], _Module)) or (
        finder.find_spec(top) is not None
    )
