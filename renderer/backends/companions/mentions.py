"""What companions name: tables of paths by kind."""

from functools import cache

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.table import Path
from renderer.kubernetes.mentions import POD, QUEUED, Mention, nest


def path(text: str) -> Path:
    return tuple(text.split("."))


def _row(place: str, kind: str, kind_at: str = "", namespace_at: str = "") -> Mention:
    return Mention(path(place), kind, kind_at, namespace_at)


_ISSUER = _row("spec.issuerRef.name", "Issuer", "kind")._replace(group_at="group")
_SOURCES = tuple(
    _row(f"{place}.name", "SecretStore", "kind")
    for place in (
        "spec.secretStoreRef",
        "spec.data.*.sourceRef.storeRef",
        "spec.dataFrom.*.sourceRef.storeRef",
    )
)
#: Credentials of providers: where their fields differ, only the last steps are the same.
_STORE_SECRETS = tuple(
    _row(f"spec.provider.{place}.name", "Secret", "", "namespace")
    for place in (
        "vault.auth.tokenSecretRef",
        "vault.auth.appRole.secretRef",
        "vault.auth.kubernetes.secretRef",
        "vault.auth.userPass.secretRef",
        "aws.auth.secretRef.accessKeyIDSecretRef",
        "aws.auth.secretRef.secretAccessKeySecretRef",
        "gcpsm.auth.secretRef.secretAccessKeySecretRef",
        "azurekv.authSecretRef.clientId",
        "azurekv.authSecretRef.clientSecret",
        "gitlab.auth.SecretRef.accessToken",
        "doppler.auth.secretRef.dopplerToken",
    )
)
#: Users and groups are no objects.
_SUBJECTS = _row("subjects.*.name", "ServiceAccount", "kind", "namespace")._replace(
    kinds=(("ServiceAccount", "ServiceAccount"),)
)
_BACKENDS, _PARENTS = (
    _row(place, kind, "kind", "namespace")._replace(group_at="group")
    for place, kind in (
        ("spec.rules.*.backendRefs.*.name", "Service"),
        ("spec.parentRefs.*.name", "Gateway.gateway.networking.k8s.io"),
    )
)

#: By the names that specs of a kind have.
_OWN: dict[str, tuple[Mention, ...]] = {
    "ServiceAccount": (
        _row("imagePullSecrets.*.name", "Secret"),
        _row("secrets.*.name", "Secret"),
    ),
    "PersistentVolumeClaim": (
        _row("spec.storageClassName", "StorageClass"),
        _row("spec.volumeName", "PersistentVolume"),
        _row("spec.volumeAttributesClassName", "VolumeAttributesClass"),
    ),
    "PersistentVolume": (_row("spec.storageClassName", "StorageClass"),),
    "StatefulSet": (
        _row("spec.serviceName", "Service"),
        _row("spec.volumeClaimTemplates.*.spec.storageClassName", "StorageClass"),
    ),
    "Ingress": (
        _row("spec.ingressClassName", "IngressClass"),
        _row("spec.tls.*.secretName", "Secret"),
        _row("spec.defaultBackend.service.name", "Service"),
        _row("spec.rules.*.http.paths.*.backend.service.name", "Service"),
    ),
    "RoleBinding": (
        _row("roleRef.name", "Role", "kind"),
        _SUBJECTS,
    ),
    "ClusterRoleBinding": (
        _row("roleRef.name", "ClusterRole", "kind"),
        _SUBJECTS,
    ),
    "Certificate": (_ISSUER,),
    "ExternalSecret": _SOURCES,
    "SecretStore": _STORE_SECRETS,
    "ClusterSecretStore": _STORE_SECRETS,
    "ClusterExternalSecret": (
        _row("spec.externalSecretSpec.secretStoreRef.name", "SecretStore", "kind"),
    ),
    "HTTPRoute": (_PARENTS, _BACKENDS),
    "GRPCRoute": (_PARENTS, _BACKENDS),
    "Gateway.gateway.networking.k8s.io": (
        _row("spec.gatewayClassName", "GatewayClass"),
        _row("spec.listeners.*.tls.certificateRefs.*.name", "Secret", "kind", "namespace"),
    ),
    "ScaledObject": (
        _row("spec.triggers.*.authenticationRef.name", "TriggerAuthentication", "kind"),
    ),
    "TriggerAuthentication": (
        _row("spec.secretTargetRef.*.name", "Secret"),
        _row("spec.configMapTargetRef.*.name", "ConfigMap"),
    ),
    "LocalQueue": (_row("spec.clusterQueue", "ClusterQueue"),),
    "ClusterQueue": (_row("spec.resourceGroups.*.flavors.*.name", "ResourceFlavor"),),
}


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """Where companions of a kind name other objects."""
    in_pods = (nest(place, POD) for place in row_of(kind).pods)
    queued = nest(("metadata",), QUEUED)
    return (*_OWN.get(kind, ()), *queued, *(one for some in in_pods for one in some))
