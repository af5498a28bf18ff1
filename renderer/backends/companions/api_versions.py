"""Versions of APIs: which ones Kubernetes and its neighbours no longer serve, and since when."""

from collections.abc import Iterator

from renderer.backends.base import OBJECT
from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.objects import CompanionView
from renderer.backends.companions.table import BUILT_IN_GROUPS
from renderer.backends.fields import elements, text
from renderer.kubernetes.versions import CLUSTERS, VERSION_PATH, Version, shown, versions_of
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.kinds import DESTINATION
from renderer.values.model import Destination, Environment, Fleet, Spec
from renderer.values.named_tuple import NamedTuple


class Retirement(NamedTuple):
    """An API that Kubernetes serves until a version, some kinds of it, and what took its place."""

    api_version: str
    kinds: str
    deprecated: Version
    removed: Version
    instead: str


def _row(group: str, version: str, served: tuple[int, int], kinds: str, now: str) -> Retirement:
    """A row: the minor versions that deprecated it, and that no longer serve it."""
    deprecated, removed = served
    instead = now if "/" in now else f"{group}/{now}"
    return Retirement(f"{group}/{version}", kinds, (1, deprecated), (1, removed), instead)


_ADMISSION, _NETWORK = "admissionregistration.k8s.io", "networking.k8s.io"
_RBAC, _STORAGE, _RESOURCE = "rbac.authorization.k8s.io", "storage.k8s.io", "resource.k8s.io"
_FLOW, _CERTIFICATES = "flowcontrol.apiserver.k8s.io", "certificates.k8s.io"
_EXTENSIONS, _REGISTRATION = "apiextensions.k8s.io", "apiregistration.k8s.io"
_SETS = "DaemonSet Deployment ReplicaSet"
_WEBHOOKS = "MutatingWebhookConfiguration ValidatingWebhookConfiguration"
_ROLES = "ClusterRole ClusterRoleBinding Role RoleBinding"
_FLOWS = "FlowSchema PriorityLevelConfiguration"
_POLICIES = "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"
_CLAIMS = "ResourceClaim ResourceClaimTemplate"
_AUTOSCALER, _ATTRIBUTES = "HorizontalPodAutoscaler", "VolumeAttributesClass"

#: From the guide to deprecated APIs in Kubernetes' documentation; since 1.25 held by a test.
RETIREMENTS = (
    _row("extensions", "v1beta1", (9, 16), _SETS, "apps/v1"),
    _row("extensions", "v1beta1", (9, 16), "NetworkPolicy", f"{_NETWORK}/v1"),
    _row("extensions", "v1beta1", (14, 22), "Ingress", f"{_NETWORK}/v1"),
    _row("apps", "v1beta1", (9, 16), f"{_SETS} StatefulSet", "v1"),
    _row("apps", "v1beta2", (9, 16), f"{_SETS} StatefulSet", "v1"),
    _row(_ADMISSION, "v1beta1", (16, 22), _WEBHOOKS, "v1"),
    _row(_EXTENSIONS, "v1beta1", (16, 22), "CustomResourceDefinition", "v1"),
    _row(_REGISTRATION, "v1beta1", (19, 22), "APIService", "v1"),
    _row(_CERTIFICATES, "v1beta1", (19, 22), "CertificateSigningRequest", "v1"),
    _row("coordination.k8s.io", "v1beta1", (19, 22), "Lease", "v1"),
    _row(_NETWORK, "v1beta1", (19, 22), "Ingress IngressClass", "v1"),
    _row(_RBAC, "v1beta1", (17, 22), _ROLES, "v1"),
    _row("scheduling.k8s.io", "v1beta1", (14, 22), "PriorityClass", "v1"),
    _row(_STORAGE, "v1beta1", (19, 22), "CSIDriver StorageClass", "v1"),
    _row("batch", "v1beta1", (21, 25), "CronJob", "v1"),
    _row("discovery.k8s.io", "v1beta1", (21, 25), "EndpointSlice", "v1"),
    _row("autoscaling", "v2beta1", (19, 25), _AUTOSCALER, "v2"),
    _row("policy", "v1beta1", (21, 25), "PodDisruptionBudget", "v1"),
    _row("node.k8s.io", "v1beta1", (22, 25), "RuntimeClass", "v1"),
    _row("autoscaling", "v2beta2", (23, 26), _AUTOSCALER, "v2"),
    _row(_FLOW, "v1beta1", (23, 26), _FLOWS, "v1"),
    _row(_FLOW, "v1beta2", (26, 29), _FLOWS, "v1"),
    _row(_FLOW, "v1beta3", (29, 32), _FLOWS, "v1"),
    _row(_ADMISSION, "v1alpha1", (30, 32), _POLICIES, "v1"),
    _row(_ADMISSION, "v1beta1", (30, 34), _POLICIES, "v1"),
    _row(_RESOURCE, "v1alpha2", (31, 31), _CLAIMS, "v1"),
    _row(_RESOURCE, "v1alpha3", (32, 34), f"DeviceClass {_CLAIMS}", "v1"),
    _row(_STORAGE, "v1alpha1", (31, 35), _ATTRIBUTES, "v1"),
    _row(_STORAGE, "v1beta1", (34, 37), _ATTRIBUTES, "v1"),
)
_BY_KIND = {(kind, row.api_version): row for row in RETIREMENTS for kind in row.kinds.split()}

#: APIs of neighbours, whose versions nobody states here: which release no longer serves them.
_LEAVING = {
    "external-secrets.io/v1alpha1": ("External Secrets 0.16", "external-secrets.io/v1"),
    "external-secrets.io/v1beta1": ("External Secrets 0.17", "external-secrets.io/v1"),
    "cert-manager.io/v1alpha2": ("cert-manager 1.7", "cert-manager.io/v1"),
    "cert-manager.io/v1alpha3": ("cert-manager 1.7", "cert-manager.io/v1"),
    "cert-manager.io/v1beta1": ("cert-manager 1.7", "cert-manager.io/v1"),
}


@rule("MAN231", Severity.ERROR, OBJECT, since="0.2.0")
def api_version_is_served(view: CompanionView) -> Iterator[Finding]:
    """The Kubernetes of a destination serves the apiVersion of an object.

    It refuses the object otherwise. The version is that of the destination, or of its environment
    (`kubernetes: {version: "1.33"}`), else the newest that is known here.

    Fails:

        apiVersion: policy/v1beta1
        kind: PodDisruptionBudget
        spec: {maxUnavailable: 1}

    Passes:

        apiVersion: policy/v1
        kind: PodDisruptionBudget
        spec: {maxUnavailable: 1, selector: {}}
    """
    row = _retirement(view.spec)
    newest = max(versions(view))
    if row and newest >= row.removed:
        since = f", since {shown(row.removed)}" if newest > row.removed else ""
        message = f"Kubernetes {shown(newest)} serves no {_title(view.spec)}{since}"
        yield Finding(("apiVersion",), message, f"write apiVersion: {row.instead}")


@rule("MAN232", Severity.WARNING, OBJECT, since="0.2.0")
def api_version_stays(view: CompanionView) -> Iterator[Finding]:
    """The apiVersion of an object is one that the next versions serve as well.

    Of what is no part of Kubernetes the version is not known here: the finding names the release
    that no longer serves it.

    Fails:

        apiVersion: external-secrets.io/v1beta1
        kind: SecretStore
        spec: {provider: {vault: {server: "https://vault.example.com"}}}

    Passes:

        apiVersion: external-secrets.io/v1
        kind: SecretStore
        spec: {provider: {vault: {server: "https://vault.example.com"}}}
    """
    row, newest = _retirement(view.spec), max(versions(view))
    if row and row.deprecated <= newest < row.removed:
        message = f"Kubernetes serves no {_title(view.spec)} since {shown(row.removed)}"
        yield Finding(("apiVersion",), message, f"write apiVersion: {row.instead}")
    if leaving := _LEAVING.get(text(view.spec.tree, "apiVersion")):
        message = f"{leaving[0]} and later ones serve no {_title(view.spec)}"
        yield Finding(("apiVersion",), message, f"write apiVersion: {leaving[1]}")


@rule("MAN018", Severity.INFO, "Fleet", since="0.2.0")
def schemas_are_installed(fleet: Fleet) -> Iterator[Finding]:
    """Objects of Kubernetes are checked against the schemas of the version that they go to.

    That takes the extra `servingctl[kubernetes]`, a package of schemas by version. Without it the
    fields of such objects are not checked, but for those of pods; this is said once, at the first
    of them. Of a version that the package does not have, the next older one is taken, or else the
    oldest.
    """
    from renderer.schema.kubernetes_schemas import installed_versions, nearest_version

    firsts = [(e, spec) for e in fleet.environments if (spec := _first_built_in(e))]
    if firsts and not installed_versions():
        message = "the fields of Kubernetes' own kinds are not checked: there are no schemas of it"
        fix = "install servingctl[kubernetes], or kubernetes-validate beside servingctl"
        environments = tuple(environment.name for environment, _ in firsts)
        spec = firsts[0][1]
        yield Finding(
            ("kind",), message, fix, tree=spec.tree, environments=environments, related=spec.files
        )
        return
    for environment, _ in firsts:
        for holder in (environment.tree, *(item.tree for item in _clusters(environment))):
            node = holder.get(*VERSION_PATH)
            version = versions_of(environment._replace(tree=holder), ())[0]
            near = nearest_version(version)
            if node and near and near != version:
                message = f"there are no schemas of Kubernetes {shown(version)}"
                fix = f"objects are checked as {shown(near)} has them; nothing need be done"
                yield Finding(
                    VERSION_PATH, message, fix, tree=holder, environments=(environment.name,)
                )


def _first_built_in(environment: Environment) -> Spec | None:
    specs = (spec for spec in environment.specs if spec.kind.is_open)
    own = (spec for spec in specs if row_of(spec.kind.name).group in BUILT_IN_GROUPS)
    return min(own, key=lambda spec: spec.file, default=None)


def _retirement(spec: Spec) -> Retirement | None:
    return _BY_KIND.get((text(spec.tree, "kind"), text(spec.tree, "apiVersion")))


def _title(spec: Spec) -> str:
    return f"{text(spec.tree, 'kind')} of {text(spec.tree, 'apiVersion')}"


def _clusters(environment: Environment) -> tuple[Destination, ...]:
    return environment.platform_destinations(CLUSTERS)


def versions(view: CompanionView) -> tuple[Version, ...]:
    """Of the clusters that a companion names, or where its users are, else of all."""
    node = view.spec.tree.get(DESTINATION)
    given = elements(node) or ((node,) if node else ())
    names = {str(item.value) for item in given} or {n for user in view.users for n in user.needs}
    places = _clusters(view.environment)
    return versions_of(view.environment, [p for p in places if p.name in names] or places)
