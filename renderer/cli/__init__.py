"""The command line: options in, one call, print, exit. The only package that prints."""

import gc
import os
import sys
from collections.abc import Sequence

_INTERRUPTED = 130
_FLAGS = {"--check": "check", "--no-cache": "no_cache", "--quiet": "quiet", "-q": "quiet"}


def main() -> None:
    """Answer `--version` and what hooks ask at once; the rest is worth a library."""
    gc.disable()  # trees have no cycles, and a run is short
    try:
        _main()
    except KeyboardInterrupt:  # before there was anybody to report it
        os.write(2, b"servingctl: interrupted\n")
        sys.exit(_INTERRUPTED)


def _hear_one_interruption() -> None:
    """The first one ends the run; more must not disturb that. Helpers say nothing of any."""
    import signal

    own = os.getpid()

    def interrupted(_number: int, _frame: object) -> None:
        if os.getpid() != own:
            os._exit(_INTERRUPTED)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupted)


def _main() -> None:
    arguments = sys.argv[1:]
    if arguments == ["--version"] and sys.stdout:
        _tell_version()
        return
    _hear_one_interruption()
    from renderer.cli.failures import open_streams, reported

    open_streams()
    with reported():
        _run(arguments)


def _tell_version() -> None:
    from renderer import __version__

    try:
        sys.stdout.write(f"servingctl {__version__}\n")
        sys.stdout.flush()
    except OSError:
        from renderer.cli.failures import reported

        with reported():
            raise


def _run(arguments: list[str]) -> None:
    if arguments[:1] == ["validate"] and all(map(_is_path, arguments[1:])):
        _validate(arguments[1:])
    elif arguments[:1] == ["render"] and (options := _options(arguments[1:])) is not None:
        _render(options)
    else:
        from renderer.cli.app import run

        run()


def _is_path(argument: str) -> bool:
    return not argument.startswith("-") and os.path.exists(argument)


def _options(arguments: Sequence[str]) -> dict[str, int] | None:
    """The flags of a rendering and how many jobs it has; nothing if there are other options."""
    given: dict[str, int] = {}
    left = [*reversed(arguments)]  # `list` is the command's module here, once imported
    while left:
        name = left.pop()
        if name == "--jobs" and left and left[-1].isdecimal() and int(left[-1]):
            given["jobs"] = int(left.pop())
        elif name in _FLAGS:
            given[_FLAGS[name]] = True
        else:
            return None
    return given


def _validate(paths: list[str]) -> None:
    from renderer.cli.recovery import settled_root
    from renderer.cli.validate_request import ValidateRequest, validate

    sys.exit(validate(settled_root(os.getcwd()), ValidateRequest(tuple(paths))))


def _render(options: dict[str, int]) -> None:
    from pathlib import Path

    from renderer.cli.recovery import settled_root
    from renderer.cli.render_request import RenderRequest, render

    wanted = RenderRequest()._replace(**options)  # type: ignore[arg-type] # of its flags and numbers
    sys.exit(render(Path(settled_root(os.getcwd())), wanted))
