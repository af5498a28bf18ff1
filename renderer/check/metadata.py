"""Labels and annotations that are not a spec's to set."""

from collections.abc import Iterator

from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.model import Spec

_OURS = {
    "app.kubernetes.io/managed-by": "servingctl marks its objects with it",
    "argocd.argoproj.io/tracking-id": "Argo CD writes it to know its objects",
    "kustomize.toolkit.fluxcd.io/substitute": "servingctl sets it where a text contains ${",
}
_PREFIX = "serving.gitops/"
_OPTIONS = "argocd.argoproj.io/sync-options"


@rule("SPC007", Severity.ERROR, "*")
def metadata_is_free_to_use(spec: Spec) -> Iterator[Finding]:
    """A spec does not set labels and annotations that servingctl or a GitOps controller keeps.

    Its value would be overwritten, or would break what the controller knows of the object. Objects
    are never replaced as a whole: what the platform has noted on them would be lost.

    Fails:

        labels: {app.kubernetes.io/managed-by: helm}

    Passes:

        labels: {team: risk}
    """
    for place in ("labels", "annotations"):
        node = spec.tree.get(place)
        for key, child in node.items.items() if node else ():
            if key in _OURS or key.startswith(_PREFIX):
                reason = _OURS.get(key, "servingctl keeps it")
                message = f"{key} is not free: {reason}"
                yield Finding((place, key), message, "delete it", at_key=True)
            elif key == _OPTIONS and "Replace=true" in str(child.value):
                message = "Replace=true destroys what the platform has noted on the object"
                yield Finding((place, key), message, "delete the option")


RULES = (metadata_is_free_to_use,)
