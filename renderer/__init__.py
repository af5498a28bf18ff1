"""Turns declarative serving specs kept in Git into the manifests a GitOps controller applies.

`load` reads a repository, `check` says what is wrong with it, `render` makes its manifests, and
`compare` says what changes between two of them and what that does to what runs.
"""

TYPE_CHECKING = False  # type checkers take it for true; importing typing would cost start-up
if TYPE_CHECKING:
    from renderer.comparison.comparing import compare
    from renderer.loading import load
    from renderer.pipeline import check, render

__version__ = "0.1.0"
__all__ = ["check", "compare", "load", "render"]

_HOMES = {
    "check": "renderer.pipeline",
    "compare": "renderer.comparison.comparing",
    "load": "renderer.loading",
    "render": "renderer.pipeline",
}


def __getattr__(name: str) -> object:
    """Import a public function when it is first asked for, so that start-up stays short."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
