"""Fields of pods that an older API server leaves out of what it stores.

Their feature gates are closed there unless somebody opens them, so that to write, change or remove
such a field changes nothing.
"""

from collections.abc import Mapping

from renderer.kubernetes.stored_pods import Change, each, replace_at
from renderer.kubernetes.versions import (
    IMAGE_VOLUMES,
    POD_RESOURCES,
    RESOURCE_CLAIMS,
    STOP_SIGNALS,
    TRUST_BUNDLES,
    Version,
)
from renderer.values.tree import Node

_PODS: Mapping[str, tuple[str, ...]] = {
    "Pod": ("spec",),
    **dict.fromkeys(("Deployment", "StatefulSet", "Job"), ("spec", "template", "spec")),
}
#: The first version that reads all of them.
ALL_READ = max(IMAGE_VOLUMES, POD_RESOURCES, RESOURCE_CLAIMS, STOP_SIGNALS, TRUST_BUNDLES)


def read_fields(tree: Node, version: Version) -> Node:
    """An object with pods, without what a version of Kubernetes does not read."""
    if version >= ALL_READ:
        return tree
    kind = tree.get("kind")
    path = _PODS.get(str(kind.value)) if kind else None
    return replace_at(tree, path, lambda pod: _read_pod(pod, version)) if path else tree


def _read_pod(pod: Node, version: Version) -> Node:
    done = _drop(pod, "resourceClaims") if version < RESOURCE_CLAIMS else pod
    done = _drop(done, "resources") if version < POD_RESOURCES else done
    for key in ("containers", "initContainers"):
        done = each(done, (key,), lambda item: _read_container(item, version))
    if version < TRUST_BUNDLES:
        done = each(done, ("volumes",), _drop_trust_bundles)
    return _drop_image_volumes(done) if version < IMAGE_VOLUMES else done


def _read_container(container: Node, version: Version) -> Node:
    done = container
    if version < RESOURCE_CLAIMS:
        done = replace_at(done, ("resources",), _dropping("claims"))
    return (
        replace_at(done, ("lifecycle",), _dropping("stopSignal"))
        if version < STOP_SIGNALS
        else done
    )


def _drop_trust_bundles(volume: Node) -> Node:
    """The sources stay, and are made of nothing (observed)."""
    return each(volume, ("projected", "sources"), _dropping("clusterTrustBundle"))


def _drop_image_volumes(pod: Node) -> Node:
    """The whole volumes go, and the mounts of them."""
    volumes = pod.get("volumes")
    listed = volumes.elements if volumes else ()
    gone = {_name(item) for item in listed if "image" in item.items}
    if not gone:
        return pod
    done = _drop_named(pod, "volumes", gone)
    for key in ("containers", "initContainers"):
        done = each(done, (key,), lambda item: _drop_named(item, "volumeMounts", gone))
    return done


def _drop_named(node: Node, key: str, names: set[object]) -> Node:
    return replace_at(
        node,
        (key,),
        lambda items: items.with_members(
            tuple(item for item in items.elements if _name(item) not in names)
        ),
    )


def _name(item: Node) -> object:
    found = item.get("name")
    return found.value if found else None


def _dropping(key: str) -> Change:
    return lambda node: _drop(node, key)


def _drop(node: Node, key: str) -> Node:
    return node.with_members({name: item for name, item in node.items.items() if name != key})
