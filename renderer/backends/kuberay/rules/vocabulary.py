"""The two ways to write a spec: each spec uses one of them, and says all that is needed."""

from collections.abc import Iterator

from renderer.backends.fields import members
from renderer.backends.kuberay.messages.values import written_groups
from renderer.backends.kuberay.messages.workloads import ray_version
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    CLUSTER_FIELD,
    JOB,
    MESSAGE,
    answer_fields,
    is_placeholder,
    mixed_fields,
    resource_fields,
)
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.text.expressions import expression
from renderer.text.wording import listed, path_text
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.identity_cache import recent_results_cached
from renderer.values.tree import Node, walk

_HEAD = "headGroupSpec"
_CLUSTERS = (MESSAGE, _HEAD, "rayClusterSpec", "rayClusterConfig")
_KEY = expression(r"additionalProp[0-9]+")
#: Fields that name something: none of them is called so in earnest.
_NAMING = frozenset((
    "name", "namespace", "user", "version", "entrypoint", "jobId", "runtimeEnv", "computeTemplate",
    "image", "groupName", "mountPath", "source", "serviceAccount", "imagePullSecret", "importPath",
    "deploymentName", "routePrefix",
))  # fmt: skip
#: The user's own data, in which any word may mean something.
_DATA = frozenset(("serveConfigV2", "runtimeEnvYAML", "template", "submitterPodTemplate"))
_MOST_LISTED = 4


@rule("RAY101", Severity.ERROR, CLUSTER)
def words_are_of_one_kind(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A spec has the fields of the custom resource, or those of requests to KubeRay's API server.

    The two have different names for the same things: a request has `clusterSpec`. Of a mixture, one
    half would be ignored.

    Fails:
        clusterSpec: {headGroupSpec: {image: 'rayproject/ray:2.52.0'}}
        rayVersion: 2.52.0
    Passes with: rayVersion: null
    """
    found = mixed_fields(workload.spec)
    if found is None:
        return
    first, later, _ = found
    ways = ["the custom resource", "requests to KubeRay's API server"]
    own, other = ways if later in resource_fields(workload.spec.tree) else reversed(ways)
    message = f"{later} is a field of {own}, and {first} is one of {other}"
    fix = f"use one form only: {MESSAGE}, or the fields of the custom resource"
    yield Finding((later,), message, fix, at_key=True)


@rule("RAY102", Severity.ERROR, CLUSTER, reads=(*_CLUSTERS, "clusterSelector"))
def cluster_is_described(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A spec describes the cluster that it is, or that it runs in.

    A custom resource has `headGroupSpec` if it is a cluster, `rayClusterSpec` if it is a job and
    `rayClusterConfig` if it is a service; a request to KubeRay's API server has `clusterSpec`. A
    job may name a cluster that is there instead, in `clusterSelector`.

    Fails: headGroupSpec: null
    Passes: headGroupSpec: {rayStartParams: {num-cpus: '0'}}
    """
    tree, kind = workload.spec.tree, workload.kind
    field = (*CLUSTER_FIELD[kind], _HEAD)[0]
    chosen = kind == JOB and bool(members(tree, "clusterSelector"))
    if not chosen and tree.items.keys().isdisjoint(_CLUSTERS):
        ways = [MESSAGE] if workload.is_message else [field, MESSAGE]
        fix = f"add {listed([*ways, *(['clusterSelector'] if kind == JOB else [])], 'or')}"
        yield Finding((), f"the {kind} describes no cluster", fix)


@rule("RAY104", Severity.INFO, CLUSTER)
def answers_are_left_out(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A spec has no fields that only answers of KubeRay's API server have.

    They came with a copy of an answer. The server writes them, and nothing is made of them here.

    Fails:
        clusterSpec: {headGroupSpec: {computeTemplate: small}}
        createdAt: '2022-08-19T21:20:30Z'
    Passes with: createdAt: null
    """
    found = [key for key in workload.spec.tree.items if key in answer_fields()]
    if found:
        verb = "is" if len(found) == 1 else "are"
        message = f"{listed(found)} {verb} part of an answer, and ignored"
        fix = "delete it: KubeRay's API server writes it"
        yield Finding((found[0],), message, fix, at_key=True)


@rule("RAY105", Severity.ERROR, CLUSTER, reads=(MESSAGE, "version"))
def version_is_told(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A spec with `clusterSpec` says its version of Ray, or the tag of the head's image does.

    Groups without an image get `rayproject/ray` in that version, and KubeRay needs it to know what
    Ray can do. KubeRay's API server makes the image `rayproject/ray:` where there is none. Instead,
    an environment may say `kuberay.ray_version`, if every group has its image.

    Fails:
        version: null
        clusterSpec: {headGroupSpec: {image: 'example/ray:ours'}}
    Passes with: version: 2.52.0
    """
    tree = workload.spec.tree
    if MESSAGE not in tree.items or ray_version(tree) is not None:
        return
    bare = [group for group in written_groups(tree) if not group.get("image")]
    if bare or workload.settings.ray_version is None:
        by_image = "the tag of the head's image does not tell it"
        what = "a group without an image gets one by it" if bare else by_image
        message = f"version is missing, and {what}"
        yield Finding((MESSAGE,), message, "add version: three numbers, such as 2.52.0", True)


@rule("RAY103", Severity.ERROR, CLUSTER)
def placeholders_are_filled_in(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A payload that was copied from the API's documentation has values instead of placeholders.

    Its generated examples have the text `string` for every text and the keys `additionalProp1` to
    `additionalProp3` for every mapping. They say what may be there, and mean nothing themselves.

    Fails:
        user: string
        clusterSpec: {headGroupSpec: {rayStartParams: {additionalProp1: a}}}
    Passes:
        user: ada
        clusterSpec: {headGroupSpec: {rayStartParams: {num-cpus: '0'}}}
    """
    found = _left_over_places(workload.spec.tree)
    if found:
        names = [path_text(path) for path in found[:_MOST_LISTED]]
        more = [f"{len(found) - len(names)} more"] if len(found) > len(names) else []
        verb = "is a placeholder" if len(found) == 1 else "are placeholders"
        message = f"{listed([*names, *more])} {verb} of the API's documentation"
        fix = "write what is meant, and delete what is not needed"
        at_key = _KEY.fullmatch(str(found[0][-1])) is not None
        yield Finding(found[0], message, fix, at_key=at_key)


@recent_results_cached
def _left_over_places(tree: Node) -> list[Path]:
    return [path for path, node in _own_values(tree) if _is_left_over(path, node)]


def _own_values(tree: Node) -> Iterator[tuple[Path, Node]]:
    """All values of a spec, without the user's own data and fields of answers."""
    for key, node in tree.items.items():
        if key not in _DATA and key not in answer_fields():
            yield from walk(node, (key,))


def _is_left_over(path: Path, node: Node) -> bool:
    key = str(path[-1])
    return _KEY.fullmatch(key) is not None or (key in _NAMING and is_placeholder(node.value))


RULES = (
    words_are_of_one_kind,
    cluster_is_described,
    placeholders_are_filled_in,
    answers_are_left_out,
    version_is_told,
)
