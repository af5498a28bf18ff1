"""Turns declarative serving specs kept in Git into the manifests a GitOps controller applies.

`load` reads a repository, `check` says what is wrong with it, `render` makes its manifests, and
`compare` says what changes between two of them and what that does to what runs.
"""

__version__ = "0.2.0"
__all__ = ["check", "compare", "load", "render"]

TYPE_CHECKING = False  # type checkers take it for true; importing typing would cost start-up
if TYPE_CHECKING:
    from renderer.changes.comparison import compare
    from renderer.evaluate.run import check, render
    from renderer.io.repository import load
else:
    _HOMES = {
        "check": "renderer.evaluate.run",
        "compare": "renderer.changes.comparison",
        "load": "renderer.io.repository",
        "render": "renderer.evaluate.run",
    }

    def __getattr__(name: str) -> object:
        """A public function, imported on first use, because `--version` needs none of them.

        No room may have the name of one: importing the room would take the function's place.
        """
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
