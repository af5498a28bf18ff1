"""The command line: options in, one call, print, exit. The only package that prints."""

import gc
import os
import sys


def main() -> None:
    """Answer `--version` and a hook's `validate FILE…` at once; the rest is worth a library."""
    gc.disable()  # trees have no cycles, and a run is short
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from renderer import __version__

        sys.stdout.write(f"servingctl {__version__}\n")
    elif arguments[:1] == ["validate"] and all(map(_is_path, arguments[1:])):
        _validate(arguments[1:])
    else:
        from renderer.cli.app import run

        run()


def _is_path(argument: str) -> bool:
    return not argument.startswith("-") and os.path.exists(argument)


def _validate(paths: list[str]) -> None:
    from renderer.cli.failures import reported

    with reported():
        from renderer.cli.validation import Wanted, validate
        from renderer.loading import find_root

        sys.exit(validate(find_root(os.getcwd()), Wanted(tuple(paths))))
