"""A text that is shown again and again: on a terminal in its place, elsewhere when it changed."""

import sys
import time
from collections.abc import Callable
from typing import Never

import click

from renderer.cli.streams import say
from renderer.errors import RendererError
from renderer.text.wording import visible

EVERY = 3.0
_CLEAR = "\x1b[H\x1b[J"


def redraw(draw: Callable[[], str]) -> Never:
    """Show a text until somebody interrupts; what fails after the first time may heal."""
    shown = draw()
    _show(shown)
    while True:
        time.sleep(EVERY)
        try:
            text = draw()
        except RendererError as error:
            say(f"servingctl: {visible(str(error))}")
            continue
        if text != shown:
            shown = text
            _show(shown)


def _show(text: str) -> None:
    before = _CLEAR if sys.stdout.isatty() else ""
    click.echo(before + text, nl=False, color=True)
    sys.stdout.flush()
