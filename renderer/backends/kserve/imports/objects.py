"""Objects of KServe in the fields of specs, each in its order; nothing is left out yet."""

from renderer.backends.brief_specs import beside, spec_of
from renderer.backends.fields import members
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_RUNTIME
from renderer.backends.kserve.settings import PLATFORM
from renderer.backends.object_places import place_of
from renderer.values.identity_cache import cached_by_identity
from renderer.values.imports import Source, Surroundings
from renderer.values.model import Environment
from renderer.values.tree import Node

GROUP = "serving.kserve.io"
SERVICE = "InferenceService"
#: The version of each kind that is rendered.
VERSIONS = {SERVICE: "v1beta1", SERVING_RUNTIME: "v1alpha1", CLUSTER_RUNTIME: "v1alpha1"}
_METADATA = ("labels", "annotations")


def service_fields(source: Source, environment: Environment) -> Node:
    """A service: the object's own labels and annotations beside the fields of its spec."""
    fields = place_of(source, environment, PLATFORM).fields
    spec = members(source.tree, "spec")
    return source.tree.with_members({**fields, **_metadata(source), **spec})


def runtime_fields(source: Source, *, is_placed: bool) -> Node:
    """A runtime, whose spec has labels and annotations of its own; it goes where its users are."""
    tree = source.tree
    fields: dict[str, Node] = {}
    given = tree.get("metadata", "namespace")
    if given and is_placed and source.kind == SERVING_RUNTIME:
        fields["namespace"] = given
    if metadata := _metadata(source):
        fields["metadata"] = tree.items["metadata"].with_members(metadata)
    return tree.with_members({**fields, **members(tree, "spec")})


def _metadata(source: Source) -> dict[str, Node]:
    given = members(source.tree, "metadata")
    return {key: given[key] for key in _METADATA if key in given}


def is_told_apart(source: Source, around: Surroundings) -> bool:
    """Whether a runtime has to say its namespace: no destination has it, or runtimes differ."""
    usual = {item.namespace for item in around.environment.platform_destinations(PLATFORM)}
    same = [item for item in around.sources if (item.kind, item.name) == (source.kind, source.name)]
    contents = [runtime_fields(item, is_placed=False).plain() for item in same]
    differ = any(content != contents[0] for content in contents)
    return differ or any(item.namespace not in ("", *usual) for item in same)


@cached_by_identity
def with_runtimes(around: Surroundings) -> Environment:
    """The environment with the runtimes of the import, of which KServe may choose one."""
    found = (
        spec_of(
            item.kind,
            item.name,
            runtime_fields(item, is_placed=is_told_apart(item, around)),
            around.environment,
        )
        for item in around.sources
        if item.group == GROUP and item.kind in (SERVING_RUNTIME, CLUSTER_RUNTIME)
    )
    return beside(found, around.environment)
