"""What an application asks of the plugin, by the contract between Argo CD and its plugins."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from renderer.errors import UsageError

ENVIRONMENT, DESTINATION, ALLOW_EMPTY = "environment", "destination", "allow-empty"
_PARAMETERS = "ARGOCD_APP_PARAMETERS"
_VARIABLE_PREFIX = "ARGOCD_ENV_"


class RenderParameters(NamedTuple):
    """What an application asks for; empty names are to be found out."""

    environment: str
    destination: str
    allow_empty: bool


def render_parameters(variables: Mapping[str, str]) -> RenderParameters:
    """The parameters of an application, or the variables that it sets instead."""
    given = _parameters(variables.get(_PARAMETERS, ""))
    environment, destination, allow_empty = (
        given.get(name) or variables.get(f"{_VARIABLE_PREFIX}{name.upper().replace('-', '_')}", "")
        for name in (ENVIRONMENT, DESTINATION, ALLOW_EMPTY)
    )
    if allow_empty not in ("", "true", "false"):
        raise UsageError(f"the parameter {ALLOW_EMPTY} is true or false, not {allow_empty!r}")
    return RenderParameters(environment, destination, allow_empty == "true")


def _parameters(text: str) -> dict[str, str]:
    """The parameters that are texts; what else an application may have is not ours."""
    try:
        entries = json.loads(text) if text else []
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{_PARAMETERS} is not JSON: {error}") from error
    found: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else ():
        fields = entry if isinstance(entry, dict) else {}
        name, value = fields.get("name"), fields.get("string")
        if isinstance(name, str) and isinstance(value, str):
            found[name] = value
    return found
