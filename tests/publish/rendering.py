"""One command in a process of its own: `python -m tests.publish.rendering …`."""

import ctypes  # noqa: F401 - before the user changes
import hashlib  # noqa: F401 - likewise
import json
import os
import sys
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import transaction
from renderer.publish.publisher import compare
from tests.publish.failing import choose
from tests.publish.scenarios import EVERY_SCENARIO


def main(action: str, folder: str, name: str, method: str = "exchange", user: str = "") -> None:
    scenario, place = EVERY_SCENARIO[name], Path(folder)
    if user:  # only now, because it may have no access to the interpreter's own files
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))
    choose(method, scenario.lower)
    try:
        if action == "build":
            scenario.build(place)
        elif action == "publish":
            scenario.run(place)
        elif action == "slowly":
            _linger()
            scenario.run(place)
        else:
            found = compare(place, scenario.after, scenario.scope)
            sys.stdout.write(json.dumps(found._asdict()))
    except RendererError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(3)


def _linger() -> None:
    """Hold the lock until told to go on."""
    original = transaction.carry_out

    def carry_out(*args):
        sys.stdout.write("working\n")
        sys.stdout.flush()
        sys.stdin.readline()
        original(*args)

    from renderer.publish import publisher

    publisher.carry_out = carry_out


if __name__ == "__main__":
    main(*sys.argv[1:])
