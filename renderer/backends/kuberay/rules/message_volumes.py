"""Volumes of messages: one entry is both a volume of the pod and its mount."""

from collections.abc import Iterator

from renderer.backends.fields import is_true
from renderer.backends.kuberay.messages.values import name_of, names_of, written_groups
from renderer.backends.kuberay.messages.volumes import type_of
from renderer.backends.kuberay.rules import MESSAGES
from renderer.backends.kuberay.vocabulary import CLUSTER, MESSAGE, is_placeholder
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.names import DNS_LABEL, is_dns_label
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_CLAIM, _HOST, _EPHEMERAL = "PERSISTENT_VOLUME_CLAIM", "HOST_PATH", "EPHEMERAL"
_CONFIG, _SECRET, _EMPTY = "CONFIGMAP", "SECRET", "EMPTY_DIR"
#: What `source` is, for the types that have one.
_SOURCES = {
    _CLAIM: "the name of a claim",
    _HOST: "a path on the node",
    _CONFIG: "the name of a ConfigMap",
    _SECRET: "the name of a Secret",
}
#: The types that a field counts for.
_COUNTS = {
    "source": tuple(_SOURCES),
    "storage": (_EPHEMERAL, _EMPTY),
    "storageClassName": (_EPHEMERAL,),
    "accessMode": (_EPHEMERAL,),
    "hostPathType": (_HOST,),
    "items": (_CONFIG, _SECRET),
}
_ENUMERATIONS = ("accessMode", "hostPathType")
_GROUPS = ("headGroupSpec", "workerGroupSpec")
_TYPES = tuple(f"{MESSAGE}.{group}.volumes.volumeType" for group in _GROUPS)


@rule("RAY111", Severity.ERROR, CLUSTER, reads=_TYPES)
def volumes_of_messages_are_complete(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A volume below `clusterSpec` has what its type needs.

    `source` is the claim, the path on the node, the ConfigMap or the Secret. A volume of type
    EPHEMERAL needs `storage`, its size. Without a type it is a PERSISTENT_VOLUME_CLAIM. Kubernetes
    refuses the pods otherwise, and KubeRay's API server an EPHEMERAL volume without a size.

    Fails:
        clusterSpec:
          headGroupSpec: {volumes: [{name: data, mountPath: /data, volumeType: SECRET}]}
    Passes with: clusterSpec: {headGroupSpec: {volumes: [{name: data, volumeType: EMPTY_DIR}]}}
    """
    for volume in _volumes(workload):
        kind = type_of(volume.node)
        field = "storage" if kind == _EPHEMERAL else "source"
        if kind in (_EPHEMERAL, *_SOURCES) and not _is_given(volume, field):
            what = _SOURCES.get(kind, "its size, such as 10Gi")
            assumed = "" if volume.get("volumeType") else " (as it says no volumeType)"
            message = f"a volume of the type {kind} needs {field}{assumed}"
            yield volume.wrong(message, f"add {field}: {what}")


@rule("RAY112", Severity.WARNING, CLUSTER, reads=_TYPES)
def fields_of_volumes_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A volume below `clusterSpec` has only fields that count for its type.

    `accessMode` and `storageClassName` are for EPHEMERAL, `hostPathType` is for HOST_PATH, `items`
    for CONFIGMAP and SECRET, and `storage` for EPHEMERAL and EMPTY_DIR. KubeRay's API server
    ignores others.

    Fails:
        clusterSpec:
          headGroupSpec:
            volumes: [{name: data, mountPath: /data, volumeType: EMPTY_DIR, accessMode: RWX}]
    Passes with: clusterSpec: {headGroupSpec: {volumes: [{name: data, accessMode: null}]}}
    """
    for volume in _volumes(workload):
        kind = type_of(volume.node)
        for name, kinds in _COUNTS.items():
            if kind and kind not in kinds and _is_given(volume, name):
                message = f"{name} has no effect for the type {kind}"
                fix = f"delete it, or write volumeType: {listed(kinds, 'or')}"
                yield from (field.wrong_key(message, fix) for field in volume.present([name]))


@rule("RAY113", Severity.ERROR, CLUSTER)
def volumes_of_messages_are_named(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The name of a volume below `clusterSpec` is one that a volume can have.

    These are lower-case letters, digits and '-', at most 63 of them. Kubernetes refuses the pods
    otherwise.

    Fails:
        clusterSpec:
          headGroupSpec: {volumes: [{name: My_Data, mountPath: /data, volumeType: EMPTY_DIR}]}
    Passes:
        clusterSpec:
          headGroupSpec: {volumes: [{name: my-data, mountPath: /data, volumeType: EMPTY_DIR}]}
    """
    for volume in _volumes(workload):
        name = volume.get("name")
        if name and not is_dns_label(name.text):
            message = f"no volume can be called {visible(name.text)!r}"
            yield name.wrong(message, f"write 1 to 63 {DNS_LABEL}")


@rule("RAY114", Severity.WARNING, CLUSTER)
def volumes_of_messages_are_at_whole_paths(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A volume is mounted at a path that begins with `/`.

    Nodes take another one as if it did, wherever the program in the container works.

    Fails:
        clusterSpec:
          headGroupSpec: {volumes: [{name: data, mountPath: data, volumeType: EMPTY_DIR}]}
    Passes with: clusterSpec: {headGroupSpec: {volumes: [{name: data, mountPath: /data}]}}
    """
    for volume in _volumes(workload):
        path = volume.get("mountPath")
        if path and not path.text.startswith("/") and not is_placeholder(path.text):
            message = f"{visible(path.text)!r} is no absolute path"
            yield path.wrong(message, f"write /{path.text}" if path.text else "write a path")


@rule("RAY115", Severity.ERROR, CLUSTER)
def items_stay_in_their_volume(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The files of a ConfigMap or Secret have relative paths, without `..`.

    Kubernetes refuses the pods otherwise.

    Fails:
        clusterSpec:
          headGroupSpec:
            volumes:
              - name: a
                mountPath: /a
                volumeType: CONFIGMAP
                source: a
                items: {key: ../file}
    Passes with: clusterSpec: {headGroupSpec: {volumes: [{name: a, items: {key: file}}]}}
    """
    for volume in _volumes(workload):
        for path in volume.members("items").values():
            if not path.text or path.text.startswith("/") or ".." in path.text.split("/"):
                message = f"{visible(path.text)!r} is no path within the volume"
                yield path.wrong(message, "write a relative path without ..")


@rule("RAY116", Severity.ERROR, CLUSTER)
def shared_mounts_are_privileged(workload: PlacelessWorkload) -> Iterator[Finding]:
    """BIDIRECTIONAL propagation of mounts is for privileged containers.

    Kubernetes refuses the pods otherwise.

    Fails:
        clusterSpec:
          headGroupSpec:
            volumes:
              - name: data
                mountPath: /data
                volumeType: EMPTY_DIR
                mountPropagationMode: BIDIRECTIONAL
    Passes with: clusterSpec: {headGroupSpec: {securityContext: {privileged: true}}}
    """
    for group in written_groups(workload.spec.tree):
        if is_true(group.node, "securityContext", "privileged"):
            continue
        for volume in group.each("volumes"):
            mode = volume.get("mountPropagationMode")
            if mode and name_of(mode.node, mode.name) == "BIDIRECTIONAL":
                message = "mounts reach the node from privileged containers only"
                yield mode.wrong(message, "write HOSTTOCONTAINER, or privileged: true")


def _volumes(workload: PlacelessWorkload) -> Iterator[Field]:
    for group in written_groups(workload.spec.tree):
        yield from group.each("volumes")


def _is_given(volume: Field, name: str) -> bool:
    """Whether a field has a value: to the server, an empty one and the first of a list are none."""
    node = volume.node.get(name)
    if node is None or not node.value:
        return False
    return name not in _ENUMERATIONS or name_of(node, name) != names_of(name)[0]


RULES = rules_with_source(
    (
        volumes_of_messages_are_complete,
        fields_of_volumes_count,
        volumes_of_messages_are_named,
        volumes_of_messages_are_at_whole_paths,
        items_stay_in_their_volume,
        shared_mounts_are_privileged,
    ),
    MESSAGES,
)
