"""A ServingRuntime or ClusterServingRuntime: what its rules are given, and what is rendered."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import ABSENT, unless_empty
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, Runtime
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.stored_components import stored_runtime
from renderer.backends.object_places import namespace, object_labels
from renderer.values.model import Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Render, Scene

_KEPT = (("metadata", "name"), ("metadata", "namespace"), ("spec", "supportedModelFormats", "name"))
_OBJECT_FIELDS = ("apiVersion", "kind", "name", "namespace", "metadata")


class RuntimeView(NamedTuple):
    """What the rules of a ServingRuntime or ClusterServingRuntime are given."""

    spec: Spec
    environment: Environment
    settings: KServeSettings
    runtime: Runtime
    users: tuple[Summary, ...] = ()


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> RuntimeView:
    settings = KServeSettings.of(environment)
    return RuntimeView(spec, environment, settings, Runtime.of(spec), tuple(users))


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The runtime: all fields but those of the object itself are its spec."""
    tree = spec.tree
    fields = {key: node for key, node in tree.items.items() if key not in _OBJECT_FIELDS}
    metadata = tree.get("metadata") or ABSENT
    values = {
        "name": spec.name_node,
        "namespace": namespace(spec, scene),
        "labels": object_labels(metadata, {}),
        "annotations": unless_empty(metadata.get("annotations")),
        "spec": stored_runtime(tree.with_members(fields), scene.destination),
    }
    kind = "clusterservingruntime" if spec.kind.name == CLUSTER_RUNTIME else "servingruntime"
    schema = f"manifests/kserve/{kind}.json"
    yield Render(f"kserve/{kind}.yaml.j2", values, schema, f"{kind}s", spec.name, _KEPT)
