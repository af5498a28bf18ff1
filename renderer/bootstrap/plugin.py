"""The plugin by which Argo CD renders specs itself: how it is set up, used, and asked."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from renderer.bootstrap.documents import Document
from renderer.errors import UsageError
from renderer.values.tree import Plain

SIDECAR = "plugin/repo-server.yaml"
REPO_SERVER = "argocd-repo-server"
IMAGE = "HOST/OWNER/servingctl:TAG"
ENVIRONMENT, DESTINATION, ALLOW_EMPTY = "environment", "destination", "allow-empty"
_CONFIG = "plugin/plugin.yaml"
_NAME = "servingctl"
_CONFIG_MAP = "servingctl-plugin"
_TMP = "servingctl-tmp"
_TMP_FOLDER = "/tmp"  # noqa: S108 - in a container of its own
_GIVEN = "ARGOCD_APP_PARAMETERS"
_VARIABLE = "ARGOCD_ENV_"
#: As Argo CD's own documentation asks for a sidecar.
_USER = 999


class Asked(NamedTuple):
    """What an application asks of the plugin; empty names are to be found out."""

    environment: str
    destination: str
    allow_empty: bool


def asked(variables: Mapping[str, str]) -> Asked:
    """The parameters of an application, or the variables that it sets instead."""
    given = _parameters(variables.get(_GIVEN, ""))
    values = [
        given.get(name) or variables.get(f"{_VARIABLE}{name.upper().replace('-', '_')}", "")
        for name in (ENVIRONMENT, DESTINATION, ALLOW_EMPTY)
    ]
    environment, destination, allow_empty = values
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


def use(environment: str, destination: str) -> Plain:
    """How an application names the plugin and what it wants of it."""
    return {
        "name": _NAME,
        "parameters": [
            {"name": ENVIRONMENT, "string": environment},
            {"name": DESTINATION, "string": destination},
        ],
    }


def config_map() -> dict[str, Plain]:
    """What makes a ConfigMap of the plugin's file.

    Its name stays as it is: kustomize would not find who refers to it where an installation says no
    namespace.
    """
    return {
        "configMapGenerator": [
            {
                "name": _CONFIG_MAP,
                "namespace": "argocd",
                "files": [f"plugin.yaml={_CONFIG}"],
                "options": {"disableNameSuffixHash": True},
            }
        ]
    }


def documents(image: str) -> dict[str, list[Document]]:
    """The plugin's own file, and the container that runs it."""
    return {_CONFIG: [_configuration()], SIDECAR: [_sidecar(image)]}


def _configuration() -> Document:
    about = "Read by the sidecar, not by the API server: what Argo CD runs and what it may be told."
    return Document(
        about,
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "ConfigManagementPlugin",
            "metadata": {"name": _NAME},
            "spec": {
                "generate": {"command": ["servingctl", "argocd", "generate"]},
                "parameters": {"static": [*_announced()]},
            },
        },
    )


def _announced() -> list[Plain]:
    """What the user interface of Argo CD offers to fill in."""
    return [
        {
            "name": ENVIRONMENT,
            "title": "Environment",
            "tooltip": "A folder of environments/; needed unless only one has destinations",
        },
        {
            "name": DESTINATION,
            "title": "Destination",
            "tooltip": "A destination of the environment; needed unless it has only one",
        },
        {
            "name": ALLOW_EMPTY,
            "title": "Allow empty",
            "tooltip": "true: nothing to render is meant, and everything may be deleted",
            "string": "false",
        },
    ]


def _sidecar(image: str) -> Document:
    about = "A patch of Argo CD's repo server: the container that renders specs."
    container: Plain = {
        "name": _NAME,
        "image": image,
        "command": ["/var/run/argocd/argocd-cmp-server"],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "volumeMounts": [
            {"name": "var-files", "mountPath": "/var/run/argocd"},
            {"name": "plugins", "mountPath": "/home/argocd/cmp-server/plugins"},
            {
                "name": _CONFIG_MAP,
                "mountPath": "/home/argocd/cmp-server/config/plugin.yaml",
                "subPath": "plugin.yaml",
            },
            {"name": _TMP, "mountPath": _TMP_FOLDER},
        ],
    }
    volumes: Plain = [
        {"name": _CONFIG_MAP, "configMap": {"name": _CONFIG_MAP}},
        {"name": _TMP, "emptyDir": {}},
    ]
    return Document(
        about,
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": REPO_SERVER, "namespace": "argocd"},
            "spec": {"template": {"spec": {"containers": [container], "volumes": volumes}}},
        },
    )
