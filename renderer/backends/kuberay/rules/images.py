"""The images of a cluster: nodes can fetch them, and all of them have the same Ray and Python."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.dialect import (
    RayImage,
    Version,
    parse_version,
    version_text,
)
from renderer.backends.kuberay.pods import template_pods
from renderer.backends.kuberay.rules import PODS, UPGRADES
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.names import is_image
from renderer.kubernetes.pods import SOURCE, Field
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple

_SUBMITTER = ("submitterPodTemplate", "spec")
_NO_REGISTRY = "ray.io/"
#: The oldest Ray that versions of KubeRay are tried with, newest first.
_OLDEST: tuple[tuple[Version, Version], ...] = (
    ((1, 3, 0), (2, 38, 0)),
    ((1, 1, 0), (2, 8, 0)),
    ((0, 0, 0), (2, 0, 1)),
)
#: Those whose dashboard agent hangs as soon as a job is made.
_HANGS_FROM, _HANGS_UNTIL = (2, 11, 0), (2, 38, 0)


class NamedImage(NamedTuple):
    """The image of Ray in a group, or in the pod that submits a job."""

    title: str
    path: Path
    image: RayImage


def ray_images(workload: PlacelessWorkload) -> Iterator[NamedImage]:
    """The images that run Ray, that of the head first."""
    for group in workload.groups:
        if group.container:
            yield NamedImage(group.title, (*group.container.path, "image"), group.image)
    submitter = workload.fields.get(*_SUBMITTER, "containers", 0, "image")
    if submitter:
        path = (*_SUBMITTER, "containers", 0, "image")
        yield NamedImage("the submitter", path, RayImage.of(str(submitter.value)))


@rule("RAY250", Severity.ERROR, "RayCluster")
def images_of_ray_can_be_fetched(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Every container has an image, by a name that nodes understand.

    Kubernetes refuses pods without one, after the cluster was accepted; with a name that is
    none they never start. A name has no `https://`, no blanks, and small letters in its path.

    Fails:
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'https://example/ray:2.52.0'}]}}
    Passes:
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'example/ray:2.52.0'}]}}
    """
    for pod in template_pods(workload):
        for container in pod.containers():
            yield from _image_problems(workload, container)


def _image_problems(workload: PlacelessWorkload, container: Field) -> Iterator[Finding]:
    image = container.get("image")
    path, fix = (*container.path, "image"), "write REGISTRY/PATH:TAG, as in rayproject/ray:2.52.0"
    if image is None and not workload.is_message:
        name = visible(text(container.node, "name"))
        yield workload.wrong(path, f"the container {name!r} has no image", "add image")
    elif image and image.text and not is_image(image.text):
        message = f"{visible(image.text)!r} is no name of an image"
        yield workload.wrong(path, message, fix)


@rule("RAY251", Severity.WARNING, "RayCluster")
def registry_exists(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Images of Ray are at rayproject/ray.

    `ray.io/ray`, as old samples have it, is no registry: nodes cannot fetch it, unless the
    destination has another one instead.

    Fails:
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'ray.io/ray:2.52.0'}]}}
    Passes:
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'rayproject/ray:2.52.0'}]}}
    """
    for named in ray_images(workload):
        if named.image.repository.startswith(_NO_REGISTRY):
            message = "there never was a registry ray.io"
            rest = named.image.repository.removeprefix(_NO_REGISTRY)
            tag = f":{named.image.tag}" if named.image.tag else ""
            yield workload.wrong(named.path, message, f"write rayproject/{rest}{tag}")


@rule("RAY252", Severity.ERROR, "RayCluster")
def images_have_one_ray(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Workers, and the pod that submits a job, have the version of Ray that the head has.

    Ray refuses nodes and clients of another version: workers that are made so start again and
    again. In a cluster that runs KubeRay replaces no pod, unless by Recreate: there only workers
    that are made later fail.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.49.0'}]}}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    """

    def version(image: RayImage) -> str:
        return version_text(image.ray_version) if image.ray_version else ""

    yield from _differences_from_head(workload, version, "Ray")


@rule("RAY253", Severity.ERROR, "RayCluster")
def images_have_one_python(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Workers, and the pod that submits a job, have the version of Python that the head has.

    Ray refuses nodes and clients of another minor version of Python.

    Fails:
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, image: 'rayproject/ray:2.52.0-py311'}]}
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0-py310-gpu'}]}
    Passes with:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0-py311-gpu'}]}
    """
    yield from _differences_from_head(workload, lambda image: image.python, "Python")


def _differences_from_head(
    workload: PlacelessWorkload, read: Callable[[RayImage], str], what: str
) -> Iterator[Finding]:
    """The images whose tags name another version than the tag of the head's image."""
    images = [named for named in ray_images(workload) if named.image.is_of_ray]
    wanted = read(images[0].image) if images and images[0].title == "the head" else ""
    for named in images[1:] if wanted else ():
        found = read(named.image)
        if found and found != wanted:
            message = f"{named.title} has {what} {found}, and the head {wanted}"
            fix = f"write an image with {wanted}, or another one for the head"
            yield workload.wrong(named.path, message, fix)


@rule("RAY254", Severity.WARNING, "RayCluster")
def stated_version_is_that_of_the_image(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`rayVersion` is the version of Ray in the head's image, in numbers.

    It does not choose the image; the operator decides by it what Ray can do: how pods are probed,
    and whether tokens and priorities are possible.

    Fails:
        rayVersion: 2.49.0
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'rayproject/ray:2.52.0'}]}}
    Passes with: rayVersion: 2.52.0
    """
    cluster = workload.cluster
    given = text(cluster.node, "rayVersion")
    if not given:
        return
    image, stated, path = cluster.head.image, parse_version(given), (*cluster.path, "rayVersion")
    has = image.ray_version if image.is_of_ray else None
    if stated is None:
        what = version_text(has) if has else "three numbers, as in 2.52.0"
        message = f"the operator cannot compare {visible(given)!r} with other versions"
        yield workload.wrong(path, message, f"write {what}")
    elif has and has != stated:
        message = f"the image of the head has Ray {version_text(has)}, not {visible(given)}"
        yield workload.wrong(path, message, f"write {version_text(has)}, or change the image")


@rule("RAY255", Severity.WARNING, "RayCluster")
def ray_is_young_enough(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Ray is at least as new as KubeRay expects, and none of 2.11.0 to 2.37.0.

    KubeRay 1.3 and later are tried with Ray 2.38 and later, 1.1 and 1.2 with 2.8 and later. In Ray
    2.11.0 to 2.37.0 the dashboard agent hangs when a job is made, and probes fail.

    Fails: rayVersion: 2.9.0
    Passes: rayVersion: 2.52.0
    """
    cluster = workload.cluster
    version = cluster.stated_version
    if version is None:
        return
    dialect = workload.settings.dialect
    least = next(oldest for since, oldest in _OLDEST if dialect.knows(since))
    if version < least:
        message = f"KubeRay {dialect} was not tested with Ray before {version_text(least)}"
    elif _HANGS_FROM <= version < _HANGS_UNTIL:
        message = f"the dashboard agent of Ray {version_text(version)} hangs when a job is made"
        least = _HANGS_UNTIL
    else:
        return
    stated = parse_version(text(cluster.node, "rayVersion")) is not None
    image = next((named.path for named in ray_images(workload)), cluster.path)
    path = (*cluster.path, "rayVersion") if stated else image
    yield workload.wrong(path, message, f"take Ray {version_text(least)} or later")


RULES = (
    *rules_with_source((images_of_ray_can_be_fetched, registry_exists), SOURCE),
    *rules_with_source(
        (images_have_one_ray, images_have_one_python, stated_version_is_that_of_the_image), PODS
    ),
    *rules_with_source((ray_is_young_enough,), UPGRADES),
)
