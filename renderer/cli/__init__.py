"""The command line: options in, one call, print, exit. The only package that prints."""

import sys


def main() -> None:
    """Answer `--version` at once; everything else is worth importing click for."""
    if sys.argv[1:] == ["--version"]:
        from renderer import __version__

        sys.stdout.write(f"servingctl {__version__}\n")
        return
    from renderer.cli.app import run

    run()
