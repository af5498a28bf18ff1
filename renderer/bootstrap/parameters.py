"""What an application asks of the plugin, by the contract between Argo CD and its plugins."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from renderer.errors import UsageError

ENVIRONMENT, DESTINATION, ALLOW_EMPTY = "environment", "destination", "allow-empty"
_GIVEN = "ARGOCD_APP_PARAMETERS"
_VARIABLE = "ARGOCD_ENV_"


class Asked(NamedTuple):
    """What an application asks for; empty names are to be found out."""

    environment: str
    destination: str
    allow_empty: bool


def asked(variables: Mapping[str, str]) -> Asked:
    """The parameters of an application, or the variables that it sets instead."""
    given = _parameters(variables.get(_GIVEN, ""))
    environment, destination, allow_empty = (
        given.get(name) or variables.get(f"{_VARIABLE}{name.upper().replace('-', '_')}", "")
        for name in (ENVIRONMENT, DESTINATION, ALLOW_EMPTY)
    )
    if allow_empty not in ("", "true", "false"):
        raise UsageError(f"the parameter {ALLOW_EMPTY} is true or false, not {allow_empty!r}")
    return Asked(environment, destination, allow_empty == "true")


def _parameters(text: str) -> dict[str, str]:
    """The parameters that are texts; what else an application may have is not ours."""
    try:
        entries = json.loads(text) if text else []
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{_GIVEN} is not JSON: {error}") from error
    found: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else ():
        about = entry if isinstance(entry, dict) else {}
        name, value = about.get("name"), about.get("string")
        if isinstance(name, str) and isinstance(value, str):
            found[name] = value
    return found
