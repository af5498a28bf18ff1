"""What is fine in a pod while trying things out, and an error in production."""

from collections.abc import Iterator

from renderer.kubernetes.names import ImageName, is_image, is_moving
from renderer.kubernetes.pods import POD, Field, Pod
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import FIRST_VERSION, Finding, Severity, rule

#: What the first version of this rule knew.
_FIRST_MOVING_TAGS = ("", "latest")


@rule("POL001", Severity.WARNING, POD)
def images_are_pinned(pod: Pod) -> Iterator[Finding]:
    """The tag of an image names one image, not the `latest` or a `nightly` one.

    Nodes keep the image that they have under a tag, so pods of one kind may run different ones; and
    a new image under the same tag restarts no pod.

    Fails: containers: [{name: a, image: 'example/a:latest'}]
    Passes: containers: [{name: a, image: 'example/a:v1'}]
    """
    for tag in pod.tags:
        if is_moving(tag.text):
            yield _moving_tag(tag, tag.text)
    tagged = {tag.path[:-1] for tag in pod.tags}
    for container in pod.containers():
        image = container.get("image")
        if image is None or container.path in tagged or not is_image(image.text):
            continue
        name = ImageName.of(image.text)
        if is_moving(name.tag) and not name.digest:
            yield _moving_tag(image, name.tag)


def _moving_tag(field: Field, tag: str) -> Finding:
    what = f"the tag {visible(tag)}" if tag else "an image without a tag"
    message, fix = f"{what} means another image tomorrow", "write the tag of a release"
    if not field.node.origin.file:  # the platform says it
        message, fix = (
            f"{message} ({field.node.origin.note})",
            f"add {field.name}: the tag of a release",
        )
    since = FIRST_VERSION if tag in _FIRST_MOVING_TAGS else "0.2.0"
    return field.wrong(message, fix)._replace(since=since)


@rule("POL002", Severity.WARNING, POD)
def containers_are_not_privileged(pod: Pod) -> Iterator[Finding]:
    """A container is not privileged.

    A privileged container can do on the node what the node's administrator can.

    Fails: containers: [{name: a, securityContext: {privileged: true}}]
    Passes: containers: [{name: a, securityContext: {privileged: false}}]
    """
    for container in pod.containers():
        switch = container.get("securityContext", "privileged")
        if switch and switch.node.value is True:
            yield switch.wrong(f"{_title(container)} is privileged", "delete it")


@rule("POL004", Severity.WARNING, POD, reads=("replicas", "minReplicas"))
def replicas_are_enough(pod: Pod) -> Iterator[Finding]:
    """What serves in production has two replicas or more.

    With one, every restart of its pod interrupts whoever asks. Where several owners serve together
    this holds in every environment, as a restart interrupts them all. With autoscaling the minimum
    counts; a minimum of 0 is not reported.

    Fails: replicas: 1
    Passes: replicas: 2
    """
    replicas = pod.replicas
    if replicas and replicas.least == 1 and (pod.in_production or replicas.serves_others):
        yield Finding(replicas.path, f"{replicas.owner} has one replica", "write 2 or more")


@rule("POL010", Severity.WARNING, POD)
def volumes_are_not_of_the_node(pod: Pod) -> Iterator[Finding]:
    """A volume is no folder of the node.

    What is there differs from node to node, and who can write to it can do so to the node.

    Fails: volumes: [{name: logs, hostPath: {path: /var/log}}]
    Passes: volumes: [{name: logs, emptyDir: {}}]
    """
    for volume in pod.spec.each("volumes"):
        if folder := volume.get("hostPath"):
            name = volume.get("name")
            message = f"the volume {visible(name.text if name else '')!r} is a folder of the node"
            yield folder.wrong_key(message, "take an emptyDir or a persistent volume claim")


@rule("POL012", Severity.WARNING, POD)
def capabilities_are_not_added(pod: Pod) -> Iterator[Finding]:
    """A container has no capabilities beyond the default ones.

    Each of them is a part of the rights of the node's administrator.

    Fails: containers: [{name: a, securityContext: {capabilities: {add: [SYS_PTRACE]}}}]
    Passes: containers: [{name: a, securityContext: {capabilities: {drop: [ALL]}}}]
    """
    for container in pod.containers():
        names = [item.text for item in container.each("securityContext", "capabilities", "add")]
        added = container.get("securityContext", "capabilities", "add")
        if added and names:
            more = listed(map(visible, names))
            message = f"{_title(container)} has capabilities besides the usual: {more}"
            yield added.wrong_key(message, "delete it")


def _title(container: Field) -> str:
    name = container.get("name")
    return f"the container {visible(name.text)!r}" if name and name.text else "the container"


RULES = (
    images_are_pinned,
    containers_are_not_privileged,
    replicas_are_enough,
    volumes_are_not_of_the_node,
    capabilities_are_not_added,
)
#: What holds for a pod of which nothing is said but how many there are.
REPLICA_RULES = (replicas_are_enough,)
