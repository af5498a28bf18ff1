"""Fields that API servers refuse to change, by kind.

Most answers are recorded in `tests/observed/kubernetes/companions/edits`. The others are inferred
from the validation of Kubernetes, and of custom kinds from the rules of their CRDs; the tests list
them.
"""

from collections.abc import Mapping

from renderer.backends.companions.sides import new_value, old_value
from renderer.derive.behaviour import ANY, Condition, Row, Situation, always, matches, negated
from renderer.kubernetes.forms.persistent_volume import VOLUME_SOURCES
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_SPEC: Path = ("spec",)
_TEMPLATE: Path = ("spec", "template")


class _Fixed(NamedTuple):
    """A place that stays as it was made, `but_for` some below it.

    `default` is stored where nothing is written. `when` is what else must hold.
    """

    path: Path
    but_for: tuple[Path, ...] = ()
    default: str = ""
    when: Condition = always

    def is_changed(self, situation: Situation) -> bool:
        """Whether something else would be stored there; to write a default changes nothing."""
        if any(matches(place, situation.path) for place in self.but_for):
            return False
        change = situation.change
        sides = (change.before, change.after) if change else (None, None)
        old, new = (node.plain() if node else self.default for node in sides)
        if self.default and old == new:
            return False
        unit = situation.new_unit
        runs = unit is not None and bool(unit.objects)
        return self.when(situation) and (not runs or bool(situation.differences))


def _fixed(*paths: str) -> tuple[_Fixed, ...]:
    return tuple(_Fixed(tuple(path.split("."))) for path in paths)


def _members(place: Path, *names: str) -> tuple[Path, ...]:
    return tuple((*place, name) for name in names)


def _is_suspended(situation: Situation) -> bool:
    """Of a suspended Job, where its pods may go can still be changed."""
    return old_value(situation, "spec", "suspend") is True


def _is_resized(situation: Situation) -> bool:
    """An indexed Job may get as many completions as pods at a time, both at once."""
    after = [new_value(situation, "spec", key) for key in ("completions", "parallelism")]
    return old_value(situation, "spec", "completionMode") == "Indexed" and after[0] == after[1]


def _keeps_type(situation: Situation) -> bool:
    """Whether the type of a Service is what it was; another one gives and takes addresses."""
    return old_value(situation, "spec", "type") == new_value(situation, "spec", "type")


def _is_another_address(situation: Situation) -> bool:
    """Whether an address is asked for; one that is no longer written stays as it is."""
    is_given = situation.change is not None and situation.change.after is not None
    return is_given and _keeps_type(situation)


def _had_nodes(situation: Situation) -> bool:
    """Whether it was said on which nodes a volume is; it may be said later."""
    return old_value(situation, "spec", "nodeAffinity") is not None


def _has_another_family(situation: Situation) -> bool:
    """Whether the first family of addresses changes; a second one may come and go."""
    sides = (old_value(situation, *_FAMILIES), new_value(situation, *_FAMILIES))
    old, new = (side[0].value if isinstance(side, tuple) and side else None for side in sides)
    return old is not None and new is not None and old != new


def _has_no_address(situation: Situation) -> bool:
    """Whether a type that needs an address is asked of a Service that is to have none."""
    is_headless = new_value(situation, "spec", "clusterIP") == "None"
    return is_headless and new_value(situation, "spec", "type") in ("NodePort", "LoadBalancer")


def _loses_stored_version(situation: Situation) -> bool:
    """Whether the version in which objects are stored is no longer there."""
    versions = (old_value(situation, *_VERSIONS), new_value(situation, *_VERSIONS))
    old, new = (side if isinstance(side, tuple) else () for side in versions)
    stored = {name.value for item in old if _is_stored(item) and (name := item.get("name"))}
    return not stored <= {name.value for item in new if (name := item.get("name"))}


def _is_stored(version: Node) -> bool:
    node = version.get("storage")
    return node is not None and node.value is True


_FAMILIES: Path = ("spec", "ipFamilies")
_VERSIONS: Path = ("spec", "versions")
_SCHEDULING = (
    *_members((*_TEMPLATE, "spec"), "affinity", "nodeSelector", "schedulingGates", "tolerations"),
    (*_TEMPLATE, "metadata"),
)
_IMAGES = tuple(("spec", list_name, ANY, "image") for list_name in ("containers", "initContainers"))
_FIXED_BY_KIND: Mapping[str, tuple[_Fixed, ...]] = {
    "CSIDriver": _fixed("spec.attachRequired", "spec.volumeLifecycleModes"),
    "ClusterRoleBinding": _fixed("roleRef"),
    "ControllerRevision": _fixed("data"),
    "CustomResourceDefinition": (
        *_fixed("spec.group", "spec.scope", "spec.names.plural", "spec.names.kind"),
        _Fixed(_VERSIONS, when=_loses_stored_version),
    ),
    "DaemonSet": _fixed("spec.selector"),
    "Deployment": _fixed("spec.selector"),
    "EndpointSlice": _fixed("addressType"),
    "GatewayClass": _fixed("spec.controllerName"),
    "IngressClass": _fixed("spec.controller"),
    "Job": (
        *_fixed(
            "spec.backoffLimitPerIndex",
            "spec.completionMode",
            "spec.managedBy",
            "spec.podFailurePolicy",
            "spec.selector",
            "spec.successPolicy",
        ),
        _Fixed(("spec", "completions"), when=negated(_is_resized)),
        _Fixed(_TEMPLATE, when=negated(_is_suspended)),
        _Fixed(_TEMPLATE, _SCHEDULING, when=_is_suspended),
    ),
    "LeaderWorkerSet": _fixed("spec.leaderWorkerTemplate.subGroupPolicy"),
    "LocalQueue": _fixed("spec.clusterQueue"),
    "PersistentVolume": (
        *(_Fixed(place) for place in _members(_SPEC, *VOLUME_SOURCES)),
        _Fixed(("spec", "volumeMode"), default="Filesystem"),
        _Fixed(("spec", "nodeAffinity"), when=_had_nodes),
    ),
    "PersistentVolumeClaim": (
        _Fixed(("spec", "volumeMode"), default="Filesystem"),
        _Fixed(_SPEC, (("spec", "volumeMode"),)),
    ),
    "Pod": (
        _Fixed(_SPEC, (*_IMAGES, *_members(_SPEC, "activeDeadlineSeconds", "schedulingGates",
                                         "tolerations"))),
    ),
    "PriorityClass": (
        *_fixed("value"),
        _Fixed(("preemptionPolicy",), default="PreemptLowerPriority"),
    ),
    "PriorityLevelConfiguration": _fixed("spec.type"),
    "ReplicaSet": _fixed("spec.selector"),
    "ResourceClaim": _fixed("spec"),
    "ResourceClaimTemplate": _fixed("spec"),
    "ResourceQuota": _fixed("spec.scopes"),
    "RoleBinding": _fixed("roleRef"),
    "RuntimeClass": _fixed("handler"),
    "Secret": (_Fixed(("type",), default="Opaque"),),
    "Service": (
        *(
            _Fixed(("spec", key), when=_is_another_address)
            for key in ("clusterIP", "clusterIPs")
        ),
        _Fixed(_FAMILIES, when=_has_another_family),
        _Fixed(("spec", "loadBalancerClass"), when=_keeps_type),
        _Fixed(("spec", "type"), when=_has_no_address),
    ),
    "StatefulSet": (
        _Fixed(
            _SPEC,
            _members(
                _SPEC, "minReadySeconds", "ordinals", "persistentVolumeClaimRetentionPolicy",
                "replicas", "revisionHistoryLimit", "template", "updateStrategy",
            ),
        ),
    ),
    "StorageClass": (
        *_fixed("parameters", "provisioner"),
        _Fixed(("reclaimPolicy",), default="Delete"),
        _Fixed(("volumeBindingMode",), default="Immediate"),
    ),
    "VolumeAttributesClass": _fixed("driverName", "parameters"),
}  # fmt: skip


def fixed_rows() -> tuple[Row, ...]:
    return tuple(
        Row("fixed", field.path, of=kind, when=field.is_changed)
        for kind, fields in _FIXED_BY_KIND.items()
        for field in fields
    )
