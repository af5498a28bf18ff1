"""The components of an InferenceService: their fields, replicas, and what canaries inherit."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.dialect import KNATIVE
from renderer.derive.pods import Bounds
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

PREDICTOR, TRANSFORMER, EXPLAINER = "predictor", "transformer", "explainer"
#: The annotation that chooses between Deployments, Knative Services and ModelMesh.
MODE = "serving.kserve.io/deploymentMode"
#: The annotation in which the webhook notes the format of the model.
FORMAT = "modelFormat"
#: What scales Deployments.
AUTOSCALER = "serving.kserve.io/autoscalerClass"
#: Whether nothing of the service is to run.
STOP = "serving.kserve.io/stop"
#: Whether KServe leaves the service alone once it is ready.
FROZEN = "serving.kserve.io/disable-auto-update"
#: What the class of the autoscaler may be.
HPA, KEDA, EXTERNAL, NONE = "hpa", "keda", "external", "none"


class Component(NamedTuple):
    """The predictor, the transformer, the explainer, or the predictor of a canary.

    `unit` is what commands call it; `name` is that of a predictor that has one.
    """

    kind: str
    unit: str
    path: Path
    node: Node

    @property
    def name(self) -> str:
        return text(self.node, "name")

    @property
    def is_canary(self) -> bool:
        return self.path[0] == "canary"

    @property
    def field(self) -> Field:
        return Field(self.path, self.node)

    @property
    def containers(self) -> tuple[Node, ...]:
        return elements(self.node, "containers")

    def has(self, key: str) -> bool:
        return key in self.node.items

    def number(self, key: str) -> int | None:
        """The number in a field; nothing where there is none."""
        found = self.node.get(key)
        value = found.value if found else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def components(tree: Node) -> Iterator[Component]:
    """The components of a spec, or of the object that is rendered from it; the predictor first."""
    for kind in (PREDICTOR, TRANSFORMER, EXPLAINER):
        if kind in tree.items or kind == PREDICTOR:
            node = tree.get(kind) or Node({}, tree.origin)
            yield Component(kind, kind, (kind,), node)
    for index, canary in enumerate(elements(tree, "canary")):
        path = ("canary", index, PREDICTOR)
        own = canary.get(PREDICTOR)
        if own is not None:
            yield Component(PREDICTOR, f"{PREDICTOR}/{text(own, 'name') or index}", path, own)


def replica_bounds(least: int | None, most: int | None, mode: str, autoscaler: str) -> Bounds:
    """The least and the most replicas, by minReplicas and maxReplicas; the most may be open.

    Only KEDA scales a Deployment to zero. With the class `external` another program scales it, and
    KServe starts with one; with `none` it always has the least number.
    """
    given, top = 1 if least is None else least, most or 0
    if mode == KNATIVE:
        return given, max(given, top) if top else None
    if autoscaler == EXTERNAL:
        return 1, None
    if autoscaler == NONE:  # cases/autoscaling.json: replicas stay at minReplicas
        return given, given
    given = given if autoscaler == KEDA else max(given, 1)
    return given, max(given, top)


def canary_replicas(own: int | None, stable: int | None, percent: int) -> int:
    """The replicas that a canary asks for, else its share of the predictor's, rounded up."""
    return own if own is not None else -(-(1 if stable is None else stable) * percent // 100)


def stable_replicas(least: int | None, canaries: Iterable[int]) -> int | None:
    """The predictor's replicas less those of its canaries, at least one; nothing if not set."""
    taken = list(canaries)
    return least if least is None or not taken else max(least - sum(taken), 1)


def merge_canary(stable: Node, canary: Node) -> Node:
    """The predictor of a canary: its fields over those of the stable predictor.

    Mappings are merged. As in Go's merge of structs, an empty value, zero or false does not replace
    what the stable predictor has.
    """
    done = dict(stable.items)
    for key, node in canary.items.items():
        old, value = done.get(key), node.value
        if old is not None and isinstance(old.value, dict) and isinstance(value, dict):
            done[key] = merge_canary(old, node)
        elif value or (isinstance(value, int) and key not in done):
            done[key] = node
    return canary.with_members(done)
