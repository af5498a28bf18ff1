"""Objects without what a server adds to each of them, and the differences between two."""

from collections.abc import Iterator
from typing import Any

from conformance.kubernetes.client import Object

_METADATA = ("name", "namespace", "labels", "annotations")
#: What the API server writes where nobody did; an operator may have written the same.
_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "clusterIP": (),
    "clusterIPs": (),
    "creationTimestamp": (None,),
    "dnsPolicy": ("ClusterFirst",),
    "failureThreshold": (3,),
    "internalTrafficPolicy": ("Cluster",),
    "ipFamilies": (["IPv4"],),
    "ipFamilyPolicy": ("SingleStack",),
    "periodSeconds": (10,),
    "progressDeadlineSeconds": (600,),
    "protocol": ("TCP",),
    "resources": ({},),
    "restartPolicy": ("Always",),
    "revisionHistoryLimit": (10,),
    "schedulerName": ("default-scheduler",),
    "scheme": ("HTTP",),
    "securityContext": ({},),
    "serviceAccount": (),
    "sessionAffinity": ("None",),
    "successThreshold": (1,),
    "terminationGracePeriodSeconds": (30,),
    "terminationMessagePath": ("/dev/termination-log",),
    "terminationMessagePolicy": ("File",),
    "timeoutSeconds": (1,),
}
_ALWAYS = ("clusterIP", "clusterIPs", "serviceAccount")
_STRATEGY = {
    "type": "RollingUpdate",
    "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"},
}


def described(thing: Object) -> Object:
    """An object as somebody could have written it."""
    kept = {key: thing["metadata"][key] for key in _METADATA if thing["metadata"].get(key)}
    rest = {key: value for key, value in thing.items() if key not in ("metadata", "status")}
    return {**rest, "metadata": kept}


def cleaned(thing: Object) -> Object:
    """What matters of a made object; what a preview shows is cleaned with it before comparing."""
    plain = described(thing)
    return {**_without_defaults(plain), "metadata": plain["metadata"]}


def _without_defaults(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_without_defaults(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    return {
        key: _without_defaults(value)
        for key, value in tree.items()
        if not _is_default(tree, key, value)
    }


def _is_default(parent: Any, key: str, value: Any) -> bool:
    if key == "imagePullPolicy":
        return bool(value == _pull_policy(parent.get("image", "")))
    if key == "strategy":
        return bool(value == _STRATEGY)
    if key == "clusterIP" and value == "None":
        return False
    return key in _ALWAYS or value in _DEFAULTS.get(key, ())


def _pull_policy(image: str) -> str:
    """As the API server chooses it."""
    if "@" in image:
        return "IfNotPresent"
    tag = image.rpartition("/")[2].partition(":")[2]
    return "Always" if tag in ("", "latest") else "IfNotPresent"


def differences(old: Any, new: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The places that differ, each with what was there and what is."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            place = f"{path}.{key}" if path else key
            if key not in new:
                yield {"path": place, "before": old[key]}
            elif key not in old:
                yield {"path": place, "after": new[key]}
            else:
                yield from differences(old[key], new[key], place)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif old != new:
        yield {"path": path, "before": old, "after": new}
