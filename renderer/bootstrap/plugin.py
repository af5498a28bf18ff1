"""The plugin by which Argo CD renders specs itself: its file, its sidecar, and how it is used."""

import json
from collections.abc import Mapping

from renderer.bootstrap.documents import CommentedObject, text_of
from renderer.errors import UsageError
from renderer.text.digests import sha256
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

CONFIG, SIDECAR = "plugin/plugin.yaml", "plugin/repo-server.yaml"
REPO_SERVER = "argocd-repo-server"
IMAGE = "HOST/OWNER/servingctl:TAG"
_NAME = "servingctl"
_NAMESPACE = "argocd"
_CONFIG_MAP = "servingctl-plugin"
_TMP = "servingctl-tmp"
_TMP_FOLDER = "/tmp"  # noqa: S108 - in a container of its own
#: The user that Argo CD asks a sidecar to run as.
_USER = 999


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
                "namespace": _NAMESPACE,
                "files": [f"plugin.yaml={CONFIG}"],
                "options": {"disableNameSuffixHash": True},
            }
        ]
    }


def documents(image: str) -> dict[str, list[CommentedObject]]:
    """The plugin's own file, and the container that runs it."""
    configuration = _configuration()
    digest = sha256(text_of([configuration]).encode()).hexdigest()
    return {CONFIG: [configuration], SIDECAR: [_sidecar(image, digest)]}


def _configuration() -> CommentedObject:
    comment = (
        "Read by the sidecar, not by the API server: what Argo CD runs and what it may be told."
    )
    return CommentedObject(
        comment,
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "ConfigManagementPlugin",
            "metadata": {"name": _NAME},
            "spec": {
                "generate": {"command": ["servingctl", "argocd", "generate"]},
                "parameters": {"static": [*_announcement()]},
            },
        },
    )


def _announcement() -> list[Plain]:
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


def _sidecar(image: str, digest: str) -> CommentedObject:
    comment = (
        "A patch of Argo CD's repo server: the container that renders specs. It starts anew when "
        "its file has changed."
    )
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
    return CommentedObject(
        comment,
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": REPO_SERVER, "namespace": _NAMESPACE},
            "spec": {
                "template": {
                    "metadata": {"annotations": {"serving.gitops/plugin-digest": digest}},
                    "spec": {"containers": [container], "volumes": volumes},
                }
            },
        },
    )


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
