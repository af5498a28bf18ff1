"""A request as a command that people paste into a shell."""

import shlex

from renderer.values.derivations import Address

_JSON = ("Content-Type", "application/json")


def shell_command(item: Address) -> str:
    """The lines of a `curl` command; empty if an address is not meant to be tried."""
    if not item.method:
        return ""
    headers = (*item.headers, *((_JSON,) if item.body else ()))
    options = [f"--header {shlex.quote(f'{name}: {value}')}" for name, value in headers]
    options += [f"--data {shlex.quote(item.body)}"] if item.body else []
    return " \\\n  ".join(("curl --fail", *options, shlex.quote(item.through or item.url)))
