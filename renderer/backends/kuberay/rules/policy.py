"""What is fine while trying things out, and an error in production."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.images import Image
from renderer.backends.kuberay.rules.sources import PODS
from renderer.backends.kuberay.workloads import Workload, pods
from renderer.kubernetes.images import is_image
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


def _containers(workload: Workload) -> Iterator[Field]:
    for pod in pods(workload):
        yield from pod.containers()


@rule("POL009", Severity.WARNING, "RayCluster")
def image_tags_stay(workload: Workload) -> Iterator[Finding]:
    """The tag of an image names one image, not the `latest` or a `nightly` one.

    Nodes keep the image that they have under a tag, so head and workers may run different ones; and
    a new image under the same tag is no change that would roll anything.

    Fails:

        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'rayproject/ray:latest'}]}}

    Passes:

        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'rayproject/ray:2.52.0'}]}}
    """
    for container in _containers(workload):
        image = container.get("image")
        if image and is_image(image.text) and Image.of(image.text).is_mutable:
            tag = Image.of(image.text).tag
            what = f"the tag {visible(tag)}" if tag else "an image without a tag"
            message = f"{what} means another image tomorrow"
            yield workload.wrong(image.path, message, "write the tag of a release")


@rule("POL010", Severity.WARNING, "RayCluster")
def volumes_are_not_of_the_node(workload: Workload) -> Iterator[Finding]:
    """A volume is no folder of the node.

    What is there differs from node to node, and who can write to it can do so to the node.

    Fails:

        headGroupSpec: {template: {spec: {volumes: [{name: logs, hostPath: {path: /var/log}}]}}}

    Passes:

        headGroupSpec: {template: {spec: {volumes: [{name: logs, emptyDir: {}}]}}}
    """
    for pod in pods(workload):
        for volume in pod.spec.each("volumes"):
            if volume.get("hostPath"):
                name, path = text(volume.node, "name"), (*volume.path, "hostPath")
                message = f"the volume {visible(name)!r} is a folder of the node"
                fix = "take an emptyDir or a persistent volume claim"
                yield workload.wrong(path, message, fix, at_key=True)


@rule("POL011", Severity.WARNING, "RayCluster")
def ray_is_not_privileged(workload: Workload) -> Iterator[Finding]:
    """A container is not privileged.

    A privileged container can do on the node what the node's administrator can.

    Fails:

        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, securityContext: {privileged: true}}]}

    Passes:

        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, securityContext: {privileged: false}}]}
    """
    for container in _containers(workload):
        switch = container.get("securityContext", "privileged")
        if switch and switch.node.value is True:
            name = visible(text(container.node, "name"))
            yield workload.wrong(switch.path, f"the container {name!r} is privileged", "delete it")


@rule("POL012", Severity.WARNING, "RayCluster")
def capabilities_are_not_added(workload: Workload) -> Iterator[Finding]:
    """A container has no more capabilities than every other.

    Each of them is a part of the rights of the node's administrator.

    Fails:

        headGroupSpec:
          template:
            spec:
              containers:
                - {name: ray-head, securityContext: {capabilities: {add: [SYS_PTRACE]}}}

    Passes:

        headGroupSpec:
          template:
            spec:
              containers:
                - {name: ray-head, securityContext: {capabilities: {drop: [ALL]}}}
    """
    for container in _containers(workload):
        added = list(container.each("securityContext", "capabilities", "add"))
        if added:
            name = visible(text(container.node, "name"))
            names = listed(visible(item.text) for item in added)
            message = f"the container {name!r} has capabilities besides the usual: {names}"
            path = (*container.path, "securityContext", "capabilities", "add")
            yield workload.wrong(path, message, "delete it", at_key=True)


RULES = rules_with_source(
    (
        image_tags_stay,
        volumes_are_not_of_the_node,
        ray_is_not_privileged,
        capabilities_are_not_added,
    ),
    PODS,
)
