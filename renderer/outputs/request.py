"""A request to an API: its body, or the command that sends it."""

import json
import shlex

from renderer.values.requests import ApiRequest


def as_body(request: ApiRequest) -> str:
    """What is sent; of a request without a body, the line that it is."""
    if request.body is None:
        return f"{request.method} {request.path}\n"
    return json.dumps(request.body, indent=2) + "\n"


def as_curl(request: ApiRequest) -> str:
    """A command to paste, once its placeholders are filled in; quoted, as < and > mean much."""
    lines = [f"curl -X {request.method} {shlex.quote(request.server.address + request.path)}"]
    if request.body is not None:
        lines.append("--header 'Content-Type: application/json'")
    lines += request.server.options
    if request.body is not None:
        lines.append(f"--data {shlex.quote(as_body(request).rstrip())}")
    return " \\\n  ".join(lines) + "\n"
