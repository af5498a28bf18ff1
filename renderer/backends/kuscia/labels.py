"""The labels and annotations by which Kuscia, GitOps controllers and we know objects."""

from renderer.backends.object_labels import MANAGED_BY

PREFIX = "kuscia.secretflow/"
APP_TYPE = f"{PREFIX}app-type"
AFFINITY_MODE = f"{PREFIX}affinity-mode"
DEPLOYMENT_NAME = f"{PREFIX}deployment-name"
SERVING_NAME = f"{PREFIX}kd-name"
DIGEST = "serving.gitops/appimage-digest"
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
