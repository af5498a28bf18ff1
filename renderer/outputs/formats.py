"""The form of every registry of formats: by its name, a function from a value to text."""

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, Protocol, TypeAlias, TypeVar

from renderer.outputs.layout import PLAIN, Layout

Value_contra = TypeVar("Value_contra", contravariant=True)


class Format(Protocol[Value_contra]):
    """Writes a value; formats that are laid out for nobody leave the layout aside."""

    def __call__(self, value: Value_contra, layout: Layout = PLAIN, /) -> str: ...


Formats: TypeAlias = Mapping[str, Format[Value_contra]]


def format_modules(package: str, *names: str) -> Formats[Any]:
    """A format for each module with a function `show`, imported when it is called.

    A command writes one format, and some of them need large libraries.
    """
    return {name: partial(_show, f"{package}.{name}") for name in names}


def _show(module: str, value: object, layout: Layout = PLAIN) -> str:
    text: str = import_module(module).show(value, layout)
    return text
