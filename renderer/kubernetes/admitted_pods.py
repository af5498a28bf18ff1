"""What every pod is given before policies look: a token, a service account, two tolerations.

These are the plug-ins `ServiceAccount` and `DefaultTolerationSeconds` of the API server, which are
on unless an administrator switches them off.
"""

from renderer.values.tree import Node, Plain, constant

_GIVEN = "what the API server gives every pod"
_TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"  # noqa: S105 - where it is mounted
#: The end of the name is drawn by the server.
_TOKEN_VOLUME = "kube-api-access-xxxxx"  # noqa: S105 - a name
_SECONDS = 300
_TAINTS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_SOURCES: Plain = [
    {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
    {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
    {
        "downwardAPI": {
            "items": [
                {
                    "path": "namespace",
                    "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"},
                }
            ]
        }
    },
]
_MOUNT: Plain = {"name": _TOKEN_VOLUME, "readOnly": True, "mountPath": _TOKEN_PATH}
_VOLUME: Plain = {"name": _TOKEN_VOLUME, "projected": {"sources": _SOURCES, "defaultMode": 420}}


def admitted_pod(spec: Node) -> Node:
    """The spec of a pod with what it is given."""
    account = spec.text_at("serviceAccountName") or spec.text_at("serviceAccount") or "default"
    names = dict.fromkeys(("serviceAccountName", "serviceAccount"), constant(account, _GIVEN))
    given = spec.with_members({**names, **spec.items})
    given = _with(given, "tolerations", [_toleration(taint) for taint in _missing(spec)])
    node = spec.get("automountServiceAccountToken")
    return given if node and node.value is False else _add_token(given)


def _missing(spec: Node) -> list[str]:
    """The taints of failing nodes that a pod does not tolerate so far."""
    listing = spec.get("tolerations")
    known = listing.elements if listing else ()
    return [
        taint
        for taint in _TAINTS
        if not any(
            item.text_at("key") in (taint, "") and item.text_at("effect") in ("NoExecute", "")
            for item in known
        )
    ]


def _toleration(taint: str) -> Plain:
    return {
        "key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _SECONDS,
    }  # fmt: skip


def _add_token(spec: Node) -> Node:
    members = dict(spec.items)
    for key in ("containers", "initContainers"):
        if key in members:
            listing = members[key]
            members[key] = listing.with_members(tuple(map(_mounting, listing.elements)))
    mounted = spec.with_members(members)
    return mounted if members == spec.items else _with(mounted, "volumes", [_VOLUME])


def _mounting(container: Node) -> Node:
    mounts = container.get("volumeMounts")
    known = mounts.elements if mounts else ()
    if any(item.text_at("mountPath") == _TOKEN_PATH for item in known):
        return container
    return _with(container, "volumeMounts", [_MOUNT])


def _with(node: Node, key: str, more: list[Plain]) -> Node:
    """A mapping in which a list has more elements."""
    if not more:
        return node
    listing = node.get(key) or constant([], _GIVEN)
    added = (*listing.elements, *(constant(item, _GIVEN) for item in more))
    return node.with_members({**node.items, key: listing.with_members(added)})
