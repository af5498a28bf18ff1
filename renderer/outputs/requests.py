"""Requests to APIs and to what is served: a body, or a command that people paste into a shell."""

import json
import shlex
from typing import TYPE_CHECKING

from renderer.values.unit_details import Address

if TYPE_CHECKING:  # `preview` shows addresses only
    from renderer.values.requests import ApiRequest

_JSON = ("Content-Type", "application/json")


def body_text(request: "ApiRequest") -> str:
    """What is sent; of a request without a body, the line that it is."""
    if request.body is None:
        return f"{request.method} {request.path}\n"
    return json.dumps(request.body, indent=2) + "\n"


def curl_command(request: "ApiRequest") -> str:
    """A command to paste, once its placeholders are filled in; quoted, as < and > mean much."""
    lines = [f"curl -X {request.method} {shlex.quote(request.server.address + request.path)}"]
    if request.body is not None:
        lines.append("--header 'Content-Type: application/json'")
    lines += request.server.options
    if request.body is not None:
        lines.append(f"--data {shlex.quote(body_text(request).rstrip())}")
    return " \\\n  ".join(lines) + "\n"


def address_command(item: Address) -> str:
    """The lines of a `curl` command; empty if an address is not meant to be tried."""
    if not item.method:
        return ""
    headers = (*item.headers, *((_JSON,) if item.body else ()))
    options = [f"--header {shlex.quote(f'{name}: {value}')}" for name, value in headers]
    options += [f"--data {shlex.quote(item.body)}"] if item.body else []
    return " \\\n  ".join(("curl --fail", *options, shlex.quote(item.through or item.url)))
