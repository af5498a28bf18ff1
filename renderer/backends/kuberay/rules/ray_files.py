"""Folders of the container that runs Ray: where Ray writes, and where its image has it."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kuberay.dialect import RayImage
from renderer.backends.kuberay.rules import PODS
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SESSIONS = "/tmp/ray"  # noqa: S108 - where Ray writes, unless it is started with another folder
_MOVED_BY = "temp-dir"
#: Folders of Ray's own images, without which there is no `ray` to run.
_INSTALLED = ("/home/ray", "/home/ray/anaconda3")
_PUBLISHER = "rayproject"


@rule("RAY289", Severity.ERROR, "RayCluster", since="0.2.0")
def sessions_can_be_written(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What is mounted where Ray keeps its sessions can be written.

    `ray start` makes a folder for each session in /tmp/ray, or where `temp-dir` says, and fails if
    it cannot (inferred).

    Fails:
        headGroupSpec:
          template:
            spec:
              volumes: [{name: sessions, emptyDir: {}}]
              containers:
                - name: ray-head
                  volumeMounts: [{name: sessions, mountPath: /tmp/ray, readOnly: true}]
    Passes with:
        headGroupSpec:
          template:
            spec:
              containers:
                - {name: ray-head, volumeMounts: [{mountPath: /tmp/ray, readOnly: false}]}
    """
    for group in workload.groups:
        mount = _mount_around(group)
        if mount and is_true(mount.node, "readOnly"):
            message = f"Ray writes to {_sessions(group)}, and this mount is read-only"
            yield workload.wrong((*mount.path, "readOnly"), message, "delete readOnly", at_key=True)


@rule("RAY291", Severity.WARNING, "RayCluster", since="0.2.0")
def sessions_are_outside_of_a_closed_image(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A container of Ray whose own files cannot be changed has a volume for Ray's sessions.

    With `readOnlyRootFilesystem: true` only volumes can be written, and `ray start` fails without
    one at /tmp or /tmp/ray (inferred). The operator mounts one itself in the head of a cluster that
    Ray scales.

    Fails:
        headGroupSpec:
          template:
            spec:
              containers: [{name: ray-head, securityContext: {readOnlyRootFilesystem: true}}]
    Passes with:
        headGroupSpec:
          template:
            spec:
              volumes: [{name: sessions, emptyDir: {}}]
              containers: [{name: ray-head, volumeMounts: [{name: sessions, mountPath: /tmp}]}]
    """
    for group in workload.groups:
        closed = group.container and group.container.get("securityContext")
        has_own = group.is_head and workload.cluster.is_scaled
        if closed and is_true(closed.node, "readOnlyRootFilesystem") and not has_own:
            folder = _sessions(group)
            if _mount_around(group) is None:
                message = f"Ray cannot write to {folder} of {group.title}"
                fix = f"mount an emptyDir at {folder}"
                path = (*closed.path, "readOnlyRootFilesystem")
                yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY297", Severity.ERROR, "RayCluster", since="0.2.0")
def images_keep_their_ray(workload: PlacelessWorkload) -> Iterator[Finding]:
    """No volume is mounted over the folder in which the images of rayproject have Ray.

    It hides /home/ray/anaconda3 with `ray` and Python in it, and the container does not start
    (inferred). An init container with Ray that mounts the same volume may have filled it.

    Fails:
        headGroupSpec:
          template:
            spec:
              volumes: [{name: work, emptyDir: {}}]
              containers: [{name: ray-head, volumeMounts: [{name: work, mountPath: /home/ray}]}]
    Passes:
        headGroupSpec:
          template:
            spec:
              volumes: [{name: work, emptyDir: {}}]
              containers:
                - {name: ray-head, volumeMounts: [{name: work, mountPath: /home/ray/work}]}
    """
    for group in workload.groups:
        if not group.image.is_of_ray or _PUBLISHER not in group.image.repository.split("/"):
            continue
        filled = {
            text(mount.node, "name")
            for container in group.pod.each("initContainers")
            if RayImage.of(text(container.node, "image")).is_of_ray
            for mount in container.each("volumeMounts")
        }
        for folder, mount in _mounts(group).items():
            if folder in _INSTALLED and text(mount.node, "name") not in filled:
                message = f"a volume at {folder} hides the Ray of the image"
                fix = f"mount it below, as at {_INSTALLED[0]}/work"
                yield workload.wrong((*mount.path, "mountPath"), message, fix)


def _sessions(group: Group) -> str:
    return group.start_params.get(_MOVED_BY, _SESSIONS).rstrip("/")


def _mounts(group: Group) -> dict[str, Field]:
    """What is mounted in the container of Ray, by folder."""
    mounts = group.container.each("volumeMounts") if group.container else ()
    return {text(mount.node, "mountPath").rstrip("/"): mount for mount in mounts}


def _mount_around(group: Group) -> Field | None:
    """The mount that Ray's sessions are in: the innermost, if there are several."""
    inside = f"{_sessions(group)}/"
    around = {
        path: mount for path, mount in _mounts(group).items() if inside.startswith(f"{path}/")
    }
    return around[max(around, key=len)] if around else None


RULES = rules_with_source(
    (sessions_can_be_written, sessions_are_outside_of_a_closed_image, images_keep_their_ray), PODS
)
