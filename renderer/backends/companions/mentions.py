"""What companions name, and what controllers make of them: tables of paths by kind."""

from collections.abc import Iterator
from functools import cache

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.table import Path
from renderer.backends.fields import text
from renderer.kubernetes.mentions import POD, QUEUED, Mention, below
from renderer.values.model import Spec


def _path(text: str) -> Path:
    return tuple(text.split("."))


def _row(path: str, kind: str, kind_at: str = "", namespace_at: str = "") -> Mention:
    return Mention(_path(path), kind, kind_at, namespace_at)


_ISSUER = _row("spec.issuerRef.name", "Issuer", "kind")
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
_BACKENDS = _row("spec.rules.*.backendRefs.*.name", "Service", "kind", "namespace")
_PARENTS = _row("spec.parentRefs.*.name", "Gateway.gateway.networking.k8s.io", "", "namespace")

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
        _row("subjects.*.name", "ServiceAccount", "kind", "namespace"),
    ),
    "ClusterRoleBinding": (
        _row("roleRef.name", "ClusterRole", "kind"),
        _row("subjects.*.name", "ServiceAccount", "kind", "namespace"),
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
#: Objects that a controller makes: the kind, then where it takes the name from, the first that is
#: there; without one it has the name of the companion.
_MADE: dict[str, tuple[str, tuple[Path, ...]]] = {
    "ExternalSecret": ("Secret", (_path("spec.target.name"),)),
    "ClusterExternalSecret": (
        "Secret",
        (_path("spec.externalSecretSpec.target.name"), _path("spec.externalSecretName")),
    ),
    "SealedSecret": ("Secret", (_path("spec.template.metadata.name"),)),
    "Certificate": ("Secret", (_path("spec.secretName"),)),
}


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """Where companions of a kind name other objects."""
    in_pods = (below(place, POD) for place in row_of(kind).pods)
    queued = below(("metadata",), QUEUED)
    return (*_OWN.get(kind, ()), *queued, *(one for some in in_pods for one in some))


def makes(spec: Spec) -> Iterator[tuple[str, str]]:
    """The kinds and names of the objects that are there because of a companion."""
    yield spec.kind.name, spec.name
    if made := _MADE.get(spec.kind.name):
        kind, places = made
        given = (text(spec.tree, *place) for place in places)
        yield kind, next(filter(None, given), spec.name)
