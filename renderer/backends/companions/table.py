"""Which kinds of objects there are: where they belong, when they are applied, what they hold."""

from renderer.values.kinds import Stage
from renderer.values.named_tuple import NamedTuple

Path = tuple[str, ...]

#: People may add these only where it is allowed: they run something, grant and change rights, or
#: make a GitOps controller apply whatever another repository holds.
WORKLOAD, RBAC, WEBHOOK, ENGINE = "workload", "RBAC", "webhook", "GitOps controller"
_TEMPLATE: tuple[Path, ...] = (("spec", "template", "spec"),)


class PodCount(NamedTuple):
    """How many pods an object has: the number `at` a place, one where it says none.

    What `is_everywhere` has one on each node. Pods that `end` are there for a while only, and those
    of what `is_scheduled` not from the start. With a `size`, the number counts groups: the pods of
    the first place are one in each, and those of the second all others. A rollout adds what is said
    at `surge`, else the `usual_surge`; `strategy` says whether all stop before.
    """

    at: Path = ()
    is_everywhere: bool = False
    end: bool = False
    is_scheduled: bool = False
    size: Path = ()
    surge: Path = ()
    usual_surge: str = "0"
    strategy: Path = ()


class ObjectKind(NamedTuple):
    """A kind of object. One that `waits` becomes ready only with pods, or needs them.

    `family` says what it is beside an ordinary object. What `holds` data or other objects is not
    pruned. `pods` are the places of specs of pods in it, and `numbers` say how many it makes of
    them, if it makes any.
    """

    kind: str
    group: str = ""
    is_namespaced: bool = True
    family: str = ""
    waits: bool = False
    holds: bool = False
    pods: tuple[Path, ...] = ()
    numbers: PodCount | None = None

    @property
    def stage(self) -> Stage:
        """Only what becomes ready without a pod is applied before the specs."""
        return Stage.MAIN if self.waits else Stage.FIRST


_REPLICATED = PodCount(("spec", "replicas"))
_ROLLED = _REPLICATED._replace(
    surge=("spec", "strategy", "rollingUpdate", "maxSurge"),
    usual_surge="25%",
    strategy=("spec", "strategy", "type"),
)
_EVERYWHERE = PodCount(
    is_everywhere=True, surge=("spec", "updateStrategy", "rollingUpdate", "maxSurge")
)


def _workload(
    kind: str,
    group: str = "",
    pods: tuple[Path, ...] = _TEMPLATE,
    numbers: PodCount | None = _REPLICATED,
) -> ObjectKind:
    return ObjectKind(kind, group, True, WORKLOAD, waits=True, pods=pods, numbers=numbers)


def _cluster(kind: str, group: str = "", family: str = "", *, holds: bool = False) -> ObjectKind:
    return ObjectKind(kind, group, False, family, holds=holds)


_ADMISSION, _RBAC = "admissionregistration.k8s.io", "rbac.authorization.k8s.io"
_NETWORK, _STORAGE, _RESOURCE = "networking.k8s.io", "storage.k8s.io", "resource.k8s.io"
_GATEWAY, _KUEUE, _KEDA = "gateway.networking.k8s.io", "kueue.x-k8s.io", "keda.sh"
_SECRETS, _CERTIFICATES = "external-secrets.io", "cert-manager.io"
_MONITORING, _ISTIO = "monitoring.coreos.com", "networking.istio.io"

ROWS = (
    ObjectKind("ConfigMap"),
    ObjectKind("Endpoints"),
    ObjectKind("Event"),
    ObjectKind("LimitRange"),
    _cluster("Namespace", holds=True),
    _cluster("Node"),
    _cluster("PersistentVolume", holds=True),
    ObjectKind("PersistentVolumeClaim", waits=True, holds=True),
    _workload("Pod", pods=(("spec",),), numbers=PodCount()),
    _workload("PodTemplate", pods=(("template", "spec"),), numbers=None),
    _workload("ReplicationController"),
    ObjectKind("ResourceQuota"),
    ObjectKind("Secret"),
    ObjectKind("Service"),
    ObjectKind("ServiceAccount"),
    _cluster("MutatingWebhookConfiguration", _ADMISSION, WEBHOOK),
    _cluster("ValidatingWebhookConfiguration", _ADMISSION, WEBHOOK),
    _cluster("MutatingAdmissionPolicy", _ADMISSION, WEBHOOK),
    _cluster("MutatingAdmissionPolicyBinding", _ADMISSION, WEBHOOK),
    _cluster("ValidatingAdmissionPolicy", _ADMISSION, WEBHOOK),
    _cluster("ValidatingAdmissionPolicyBinding", _ADMISSION, WEBHOOK),
    _cluster("CustomResourceDefinition", "apiextensions.k8s.io", holds=True),
    _cluster("APIService", "apiregistration.k8s.io", WEBHOOK),
    ObjectKind("ControllerRevision", "apps"),
    _workload("DaemonSet", "apps", numbers=_EVERYWHERE),
    _workload("Deployment", "apps", numbers=_ROLLED),
    _workload("ReplicaSet", "apps"),
    _workload("StatefulSet", "apps"),
    ObjectKind("HorizontalPodAutoscaler", "autoscaling", waits=True),
    _workload(
        "CronJob",
        "batch",
        (("spec", "jobTemplate", "spec", "template", "spec"),),
        PodCount(("spec", "jobTemplate", "spec", "parallelism"), end=True, is_scheduled=True),
    ),
    _workload("Job", "batch", numbers=PodCount(("spec", "parallelism"), end=True)),
    _cluster("CertificateSigningRequest", "certificates.k8s.io", RBAC),
    ObjectKind("Lease", "coordination.k8s.io"),
    ObjectKind("EndpointSlice", "discovery.k8s.io"),
    _cluster("FlowSchema", "flowcontrol.apiserver.k8s.io"),
    _cluster("PriorityLevelConfiguration", "flowcontrol.apiserver.k8s.io"),
    ObjectKind("Ingress", _NETWORK, waits=True),
    _cluster("IngressClass", _NETWORK),
    ObjectKind("NetworkPolicy", _NETWORK),
    _cluster("RuntimeClass", "node.k8s.io"),
    ObjectKind("PodDisruptionBudget", "policy"),
    _cluster("ClusterRole", _RBAC, RBAC),
    _cluster("ClusterRoleBinding", _RBAC, RBAC),
    ObjectKind("Role", _RBAC, family=RBAC),
    ObjectKind("RoleBinding", _RBAC, family=RBAC),
    _cluster("DeviceClass", _RESOURCE),
    ObjectKind("ResourceClaim", _RESOURCE, waits=True),
    ObjectKind("ResourceClaimTemplate", _RESOURCE),
    _cluster("PriorityClass", "scheduling.k8s.io"),
    _cluster("CSIDriver", _STORAGE),
    _cluster("StorageClass", _STORAGE),
    _cluster("VolumeAttributesClass", _STORAGE),
    ObjectKind("AppProject", "argoproj.io", family=ENGINE),
    ObjectKind("Application", "argoproj.io", family=ENGINE),
    ObjectKind("ApplicationSet", "argoproj.io", family=ENGINE),
    ObjectKind("HelmRelease", "helm.toolkit.fluxcd.io", family=ENGINE),
    ObjectKind("Kustomization", "kustomize.toolkit.fluxcd.io", family=ENGINE),
    # Kinds of what is often there beside it; of others a CRD in the repository says the scope.
    ObjectKind("Certificate", _CERTIFICATES),
    _cluster("ClusterIssuer", _CERTIFICATES),
    ObjectKind("Issuer", _CERTIFICATES),
    _cluster("ClusterExternalSecret", _SECRETS),
    _cluster("ClusterSecretStore", _SECRETS),
    ObjectKind("ExternalSecret", _SECRETS),
    ObjectKind("SecretStore", _SECRETS),
    ObjectKind("SealedSecret", "bitnami.com"),
    ObjectKind("SecretProviderClass", "secrets-store.csi.x-k8s.io"),
    ObjectKind("Gateway", _GATEWAY),
    _cluster("GatewayClass", _GATEWAY),
    ObjectKind("GRPCRoute", _GATEWAY, waits=True),
    ObjectKind("HTTPRoute", _GATEWAY, waits=True),
    ObjectKind("ReferenceGrant", _GATEWAY),
    ObjectKind("InferencePool", "inference.networking.k8s.io", waits=True),
    ObjectKind("DestinationRule", _ISTIO),
    ObjectKind("Gateway", _ISTIO),
    ObjectKind("VirtualService", _ISTIO),
    _cluster("ClusterTriggerAuthentication", _KEDA),
    ObjectKind("ScaledObject", _KEDA, waits=True),
    ObjectKind("TriggerAuthentication", _KEDA),
    _cluster("ClusterQueue", _KUEUE),
    ObjectKind("LocalQueue", _KUEUE),
    _cluster("ResourceFlavor", _KUEUE),
    _cluster("WorkloadPriorityClass", _KUEUE),
    _workload(
        "LeaderWorkerSet",
        "leaderworkerset.x-k8s.io",
        (
            ("spec", "leaderWorkerTemplate", "leaderTemplate", "spec"),
            ("spec", "leaderWorkerTemplate", "workerTemplate", "spec"),
        ),
        PodCount(
            ("spec", "replicas"),
            size=("spec", "leaderWorkerTemplate", "size"),
            surge=("spec", "rolloutStrategy", "rollingUpdateConfiguration", "maxSurge"),
        ),
    ),
    ObjectKind("PodMonitor", _MONITORING),
    ObjectKind("PrometheusRule", _MONITORING),
    ObjectKind("ServiceMonitor", _MONITORING),
)


class Scaler(NamedTuple):
    """A kind of object that says how many pods another one has: which one, and from where to where.

    A bound is the number at its place, else the one beside it.
    """

    target: Path
    least: tuple[Path, int]
    most: tuple[Path, int]


SCALERS = {
    "HorizontalPodAutoscaler": Scaler(
        ("spec", "scaleTargetRef"), (("spec", "minReplicas"), 1), (("spec", "maxReplicas"), 1)
    ),
    "ScaledObject": Scaler(
        ("spec", "scaleTargetRef"),
        (("spec", "minReplicaCount"), 0),
        (("spec", "maxReplicaCount"), 100),
    ),
}

#: Groups of which all kinds are here, so that any other one is misspelt.
COMPLETE_GROUPS = frozenset(
    ("", "apps", "autoscaling", "batch", "policy", _ADMISSION, _NETWORK, _RBAC, _STORAGE)
)
#: Groups of Kubernetes itself.
BUILT_IN_GROUPS = COMPLETE_GROUPS | {
    "apiextensions.k8s.io", "apiregistration.k8s.io", "certificates.k8s.io", "coordination.k8s.io",
    "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io", "node.k8s.io", _RESOURCE,
    "scheduling.k8s.io",
}  # fmt: skip
#: Groups that Kubernetes had once: their kinds are in other ones today.
FORMER_GROUPS = frozenset(("extensions",))
#: Groups whose files are read by a tool and never by a cluster.
TOOL_GROUPS = frozenset(("kustomize.config.k8s.io", "audit.k8s.io", "kubeadm.k8s.io"))
