"""Labels and annotations that are not a spec's to set."""

from collections.abc import Iterator

from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.kinds import Stage
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_REMOVE = "delete it"
_PLACES = ("labels", "annotations")
_OURS = {
    "app.kubernetes.io/managed-by": "servingctl marks its objects with it",
    "argocd.argoproj.io/tracking-id": "Argo CD writes it to know its objects",
    "argocd.argoproj.io/installation-id": "Argo CD writes it to know its objects",
    "kustomize.toolkit.fluxcd.io/name": "Flux writes it to know its objects",
    "kustomize.toolkit.fluxcd.io/namespace": "Flux writes it to know its objects",
    "kustomize.toolkit.fluxcd.io/substitute": "servingctl sets it where a text contains ${",
}
_OUR_PREFIX = "serving.gitops/"
_HOOKS = ("argocd.argoproj.io/hook", "helm.sh/hook")
_PREFIXES = {
    "argocd.argoproj.io/hook": "Argo CD applies hooks in phases of their own, and deletes them",
    "helm.sh/hook": "Argo CD applies hooks in phases of their own, and deletes them",
    "kustomize.config.k8s.io/": "kustomize would rename or merge the object",
    "internal.config.kubernetes.io/": "kustomize keeps it",
}
WAVE = "argocd.argoproj.io/sync-wave"
_NUMBER = expression(r"[+-]?[0-9]{1,9}")
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
_WAVES = {
    Stage.FIRST: f"write {Stage.FIRST:d} or less, or delete it",
    Stage.MAIN: f"write {Stage.FIRST + 1} or more",
    Stage.LAST: f"write {Stage.LAST:d} or more, or delete it",
}
REPLACING = ("Replace=true", "Force=true")


class _Value(NamedTuple):
    """Values of a key that are refused, in lower case, and why; some of prerequisites only."""

    values: frozenset[str]
    reason: str
    of_prerequisites: bool = False


_MISSED = "{0} keeps it from being applied before what refers to it"
_VALUES = {
    "kustomize.toolkit.fluxcd.io/force": _Value(
        frozenset(("enabled",)), "{0} deletes the object and creates it anew"
    ),
    "kustomize.toolkit.fluxcd.io/reconcile": _Value(
        frozenset(("disabled",)), _MISSED, of_prerequisites=True
    ),
    "kustomize.toolkit.fluxcd.io/ssa": _Value(
        frozenset(("ignore", "ifnotpresent")), _MISSED, of_prerequisites=True
    ),
}
_LOCAL = "config.kubernetes.io/local-config"
_DEPENDS_ON = "config.kubernetes.io/depends-on"


def is_ours(key: str) -> bool:
    """Whether a label or annotation is one that no spec has, as servingctl sets it."""
    return key in _OURS or key.startswith(_OUR_PREFIX)


def is_hook(key: str) -> bool:
    """Whether an annotation makes an object one that a tool runs at a moment, and then deletes."""
    return key.startswith(_HOOKS)


def is_left_out(key: str) -> bool:
    """Whether an annotation keeps tools from applying the object at all."""
    return key == _LOCAL


@rule("SPC007", Severity.ERROR, "*")
def metadata_is_free_to_use(spec: Spec) -> Iterator[Finding]:
    """A spec does not set labels and annotations that servingctl or a GitOps controller keeps.

    Its value would be overwritten, or would break what the controller knows of the object. Objects
    are never replaced as a whole: what the platform has noted on them would be lost. Nor does a
    spec change that prerequisites are applied before what refers to them: they are in the sync
    wave -10 or an earlier one, all others in later ones, and none is a hook or is left out.

    Fails: labels: {app.kubernetes.io/managed-by: helm}
    Passes: labels: {team: risk}
    """
    where = spec.kind.metadata
    metadata = spec.tree.get(*where)
    if metadata is None:
        return
    for place in _PLACES:
        node = metadata.get(place)
        for key in node.items if node else ():
            if is_ours(key):
                path, reason = (*where, place, key), _OURS.get(key, "servingctl keeps it")
                yield Finding(path, f"{key} is reserved: {reason}", _REMOVE, at_key=True)
    for found in misuses(metadata, spec.stage):
        yield found._replace(path=(*where, *found.path))


def misuses(metadata: Node, stage: Stage) -> Iterator[Finding]:
    """Labels and annotations that change how or when an object is applied."""
    for place in _PLACES:
        node = metadata.get(place)
        for key, child in node.items.items() if node else ():
            if reason := _reserved_reason(key):
                yield Finding((place, key), f"{key} is reserved: {reason}", _REMOVE, at_key=True)
            elif reason := _misuse(key, str(child.value), stage):
                yield Finding((place, key), reason, _remedy(key, stage))


def _reserved_reason(key: str) -> str:
    """Why a key must not be set, whatever its value; empty if it may."""
    return next((why for prefix, why in _PREFIXES.items() if key.startswith(prefix)), "")


def _misuse(key: str, value: str, stage: Stage) -> str:
    """What a value does that must not be done to an object; empty if there is nothing."""
    first = stage is Stage.FIRST
    if key == WAVE:
        return _wave_fault(value, stage)
    if key == SYNC_OPTIONS:
        option = next((option for option in REPLACING if option in value), "")
        return f"{option} destroys what the platform has noted on the object" if option else ""
    if key == _LOCAL and value != "false":
        return "kustomize and Flux leave an object out that is local-config"
    if key == _DEPENDS_ON and first:
        return "what refers to it must not be applied before it"
    refused = _VALUES.get(key)
    if refused is None or value.lower() not in refused.values:
        return ""
    return refused.reason.format(value) if first or not refused.of_prerequisites else ""


def _wave_fault(value: str, stage: Stage) -> str:
    """Why an object must not be in a sync wave; one that is no number is the wave 0."""
    if not _NUMBER.fullmatch(value):
        return f"the sync wave {value!r} is no number, and Argo CD takes it for 0"
    if stage is Stage.FIRST and int(value) > Stage.FIRST:
        return f"in the sync wave {value} it may come after what refers to it"
    if stage is Stage.LAST and int(value) < Stage.LAST:
        return f"in the sync wave {value} it may come before what it goes with"
    if stage is Stage.MAIN and int(value) <= Stage.FIRST:
        return f"in the sync wave {value} it may come before what it refers to"
    return ""


def _remedy(key: str, stage: Stage) -> str:
    if key == SYNC_OPTIONS:
        return "delete the option"
    if key == WAVE:
        return _WAVES[stage]
    return _REMOVE


RULES = (metadata_is_free_to_use,)
