"""The plugin by which Argo CD renders specs itself: its file, its sidecar, and how it is used."""

from renderer.bootstrap.documents import CommentedObject, text_of
from renderer.bootstrap.parameters import ALLOW_EMPTY, DESTINATION, ENVIRONMENT
from renderer.text.digests import sha256
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
