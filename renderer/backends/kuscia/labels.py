"""The labels and annotations by which Kuscia, GitOps controllers and we know objects."""

from collections.abc import Mapping

from renderer.backends.kuscia.fields import members
from renderer.values.tree import Node, constant

PREFIX = "kuscia.secretflow/"
APP_TYPE = f"{PREFIX}app-type"
AFFINITY_MODE = f"{PREFIX}affinity-mode"
DEPLOYMENT_NAME = f"{PREFIX}deployment-name"
SERVING_NAME = f"{PREFIX}kd-name"
DIGEST = "serving.gitops/appimage-digest"
MANAGED_BY = "app.kubernetes.io/managed-by"
GITOPS = ("argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", MANAGED_BY)
#: What Kuscia keeps as its own state, and reads back.
STATE = frozenset(
    PREFIX + name
    for name in (
        "allocated-ports",
        "initiator",
        "initiator-master-domain",
        "interconn-kuscia-parties",
        "interconn-self-parties",
        "party-master-domain",
        "self-cluster-as-initiator",
    )
)
_OURS = constant("servingctl", "marks what servingctl rendered")


def object_labels(tree: Node, own: Mapping[str, Node]) -> Node:
    """The user's labels and ours, which only the marker of our output overrides."""
    return Node({**own, **members(tree, "labels"), MANAGED_BY: _OURS}, tree.locate(("labels",)))
