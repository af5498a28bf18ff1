"""Volumes of messages: one entry is both a volume of the pod and a mount of its container."""

from collections.abc import Callable

from renderer.backends.fields import elements, made, members
from renderer.backends.kuberay.messages.values import name_of, nonempty
from renderer.backends.object_places import MANAGED_BY, OURS
from renderer.values.tree import Node

_PROPAGATIONS = {"HOSTTOCONTAINER": "HostToContainer", "BIDIRECTIONAL": "Bidirectional"}
_HOST_PATHS = {"DIRECTORY": "Directory", "FILE": "File"}
_ACCESS = {"RWO": "ReadWriteOnce", "ROX": "ReadOnlyMany", "RWX": "ReadWriteMany"}


def type_of(volume: Node) -> str:
    return name_of(volume.get("volumeType"), "volumeType")


def mounts(group: Node) -> Node | None:
    """The mounts of a container, in the order of the volumes."""
    return _each_volume(group, _mount)


def volumes(group: Node) -> Node | None:
    return _each_volume(group, _volume)


def _each_volume(group: Node, change: Callable[[Node], Node]) -> Node | None:
    listing = group.get("volumes")
    items = tuple(map(change, elements(listing)))
    return listing.with_members(items) if listing and items else None


def _mount(volume: Node) -> Node:
    written = volume.get("mountPropagationMode")
    mode = _PROPAGATIONS.get(name_of(written, "mountPropagationMode"))
    return made(
        volume,
        {
            "name": volume.get("name"),
            "mountPath": volume.get("mountPath"),
            "readOnly": nonempty(volume, "readOnly"),
            "mountPropagation": written.with_value(mode) if written and mode else None,
        },
    )


def _volume(volume: Node) -> Node:
    return made(volume, {"name": volume.get("name"), **_source(volume)})


def _source(volume: Node) -> dict[str, Node]:
    """What is behind a volume; nothing for a type that is none."""
    source = volume.get("source")
    match type_of(volume):
        case "PERSISTENT_VOLUME_CLAIM":
            claim = made(volume, {"claimName": source, "readOnly": nonempty(volume, "readOnly")})
            return {"persistentVolumeClaim": claim}
        case "HOST_PATH":
            written = volume.get("hostPathType")
            kind = _HOST_PATHS.get(name_of(written, "hostPathType"), "Directory")
            kept = {"path": source, "type": (written or volume).with_value(kind)}
            return {"hostPath": made(volume, kept)}
        case "EPHEMERAL":
            return {"ephemeral": made(volume, {"volumeClaimTemplate": _claim(volume)})}
        case "CONFIGMAP":
            return {"configMap": made(volume, {"name": source, "items": _items(volume)})}
        case "SECRET":
            return {"secret": made(volume, {"secretName": source, "items": _items(volume)})}
        case "EMPTY_DIR":
            return {"emptyDir": made(volume, {"sizeLimit": nonempty(volume, "storage")})}
        case _:
            return {}


def _claim(volume: Node) -> Node:
    written = volume.get("accessMode")
    mode = _ACCESS.get(name_of(written, "accessMode"), "ReadWriteOnce")
    requests = made(volume, {"storage": volume.get("storage")})
    labels = made(volume, {MANAGED_BY: OURS})
    spec = {
        "accessModes": volume.with_value(((written or volume).with_value(mode),)),
        "resources": made(volume, {"requests": requests}),
        "storageClassName": nonempty(volume, "storageClassName"),
    }
    metadata = made(volume, {"labels": labels})
    return made(volume, {"metadata": metadata, "spec": made(volume, spec)})


def _items(volume: Node) -> Node | None:
    """Which keys go where, by key."""
    listing = volume.get("items")
    found = tuple(
        made(path, {"key": Node(key, path.key or path.origin), "path": path})
        for key, path in sorted(members(volume, "items").items())
    )
    return listing.with_value(found) if listing and found else None
