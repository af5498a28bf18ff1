"""Turns declarative serving specs kept in Git into the manifests a GitOps controller applies.

`load` reads a repository, `check` says what is wrong with it, `render` makes its manifests, and
`compare` says what changes between two of them and what that does to what runs.
"""

import sys
from types import ModuleType

TYPE_CHECKING = False  # type checkers take it for true; importing typing would cost start-up
if TYPE_CHECKING:
    from renderer.compare.comparison import compare
    from renderer.evaluate.run import check, render
    from renderer.io.repository import load

__version__ = "0.2.0.dev0"
__all__ = ["check", "compare", "load", "render"]

_HOMES = {
    "check": "renderer.evaluate.run",
    "compare": "renderer.compare.comparison",
    "load": "renderer.io.repository",
    "render": "renderer.evaluate.run",
}


class _Package(ModuleType):
    """Imports a public function when it is first asked for, so that start-up stays short.

    Three of them have the name of a room. Importing the room would put it in the function's place.
    """

    def __getattribute__(self, name: str) -> object:
        if name not in _HOMES:
            return super().__getattribute__(name)
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)


sys.modules[__name__].__class__ = _Package
