"""A cluster, a job or a service in the fields of its custom resource, however it was written."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from renderer.backends.fields import elements, is_true, members, text, whole_number
from renderer.backends.kuberay.compute_templates import apply_template, drop_template_name
from renderer.backends.kuberay.dialect import NEWEST, RayImage, Version, parse_version
from renderer.backends.kuberay.messages.workloads import cluster_fields, job_fields, service_fields
from renderer.backends.kuberay.settings import PLATFORM, KubeRaySettings
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    CLUSTER_FIELD,
    JOB,
    MESSAGE,
    TEMPLATE,
    is_written_as_message,
    resource_fields,
)
from renderer.kubernetes.pods import Field
from renderer.kubernetes.stored_pods import Change, each, replace_at
from renderer.schema.versions import VersionedSchema
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import (
    Destination,
    Environment,
    Placeless,
    PlacelessSpec,
    Reference,
    Spec,
    Summary,
)
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, constant

HEAD = "head"
_MESSAGE_WORKERS, _WORKERS = "workerGroupSpec", "workerGroupSpecs"
ENABLES_SERVE = "ray.io/enable-serve-service"
_NONE = constant({}, "not given")
_SCHEMAS = {
    kind: VersionedSchema("KubeRay", "shared/ray.json", f"{kind}Spec") for kind in CLUSTER_FIELD
}


class Group(NamedTuple):
    """The head, or a group of workers; `path` leads to it through the fields of the workload.

    `pod` is the spec of its pods, `container` the first of them, which runs Ray.
    """

    path: Path
    node: Node
    pod: Field
    container: Field | None
    image: RayImage
    start_params: Mapping[str, str]

    @classmethod
    def of(cls, path: Path, node: Node) -> "Group":
        pod = Field((*path, "template", "spec"), node.get("template", "spec") or _NONE)
        container = next(pod.each("containers"), None)
        image = RayImage.of(text(container.node, "image") if container else "")
        params = {key: str(n.value) for key, n in members(node, "rayStartParams").items()}
        return cls(path, node, pod, container, image, params)

    @property
    def is_head(self) -> bool:
        return self.path[-1] == "headGroupSpec"

    @property
    def name(self) -> str:
        return HEAD if self.is_head else text(self.node, "groupName")

    @property
    def title(self) -> str:
        """What it is called in messages."""
        if self.is_head:
            return "the head"
        return f"the group {visible(self.name)!r}" if self.name else "a group without a name"

    @property
    def variables(self) -> dict[str, Field]:
        """The variables of that container by name."""
        listed = self.container.each("env") if self.container else ()
        return {name.text: item for item in listed if (name := item.get("name"))}

    @property
    def is_suspended(self) -> bool:
        return is_true(self.node, "suspend")

    def number(self, key: str) -> int | None:
        """The number in a field; nothing where there is none."""
        return whole_number(self.node, key)


class Cluster(NamedTuple):
    """A cluster, on its own or within a job or service."""

    path: Path
    node: Node
    head: Group
    workers: tuple[Group, ...]

    @classmethod
    @cached_by_identity
    def of(cls, path: Path, node: Node) -> "Cluster":
        head = Group.of((*path, "headGroupSpec"), node.get("headGroupSpec") or _NONE)
        listed = enumerate(elements(node, _WORKERS))
        workers = tuple(Group.of((*path, _WORKERS, number), item) for number, item in listed)
        return cls(path, node, head, workers)

    @property
    def groups(self) -> tuple[Group, ...]:
        return (self.head, *self.workers)

    @property
    def is_scaled(self) -> bool:
        """Whether Ray itself decides how many workers there are."""
        return is_true(self.node, "enableInTreeAutoscaling")

    def get(self, *keys: str) -> Field | None:
        """A field of the cluster; nothing if it is not there."""
        return Field(self.path, self.node).get(*keys)

    @property
    def stated_version(self) -> Version | None:
        """The version of Ray that it states, or the tag of its image if that is one of Ray's."""
        image = self.head.image
        convert = parse_version(text(self.node, "rayVersion"))
        return convert or (image.ray_version if image.is_of_ray else None)


class PlacelessWorkload(Placeless, Protocol):
    """What a workload is by its spec and by the settings of KubeRay, wherever it goes."""

    @property
    def spec(self) -> PlacelessSpec: ...
    @property
    def settings(self) -> KubeRaySettings: ...
    @property
    def fields(self) -> Node: ...
    @property
    def is_message(self) -> bool: ...
    @property
    def has_cluster(self) -> bool: ...
    @property
    def cluster(self) -> Cluster: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def groups(self) -> tuple[Group, ...]: ...
    @property
    def workers(self) -> tuple[Group, ...]: ...
    @property
    def ray_version(self) -> Version | None: ...
    @property
    def submission_mode(self) -> str: ...
    @property
    def schema(self) -> VersionedSchema: ...
    def annotation(self, key: str) -> str: ...
    def has_field(self, path: Path, value: str = "") -> bool: ...
    def wrong(
        self, path: Path, message: str, fix: str = "", *, at_key: bool = False
    ) -> Finding: ...


class Workload(NamedTuple):
    """A spec as KubeRay will see it once it is rendered for the environment.

    `fields` are those of the custom resource, before defaults; findings lead through them to what
    was written. `destination` is nothing where it is not clear which one is meant. `cluster` is the
    one that it describes, which is empty if it describes none; a job may use one that is there.
    """

    spec: Spec
    environment: Environment
    settings: KubeRaySettings
    destination: Destination | None
    fields: Node
    is_message: bool
    has_cluster: bool
    cluster: Cluster

    @classmethod
    @cached_by_identity
    def of(cls, spec: Spec, environment: Environment) -> "Workload":
        places = environment.routed_destinations(PLATFORM, spec)
        is_message = is_written_as_message(spec.tree, spec.kind.name)
        convert = _convert_message if is_message else _apply_templates
        fields = convert(spec, environment)
        settings = KubeRaySettings.of(environment)
        path = CLUSTER_FIELD[spec.kind.name]
        described = fields.get(*path)
        return cls(
            spec,
            environment,
            settings,
            places[0] if places else None,
            fields,
            is_message,
            described is not None,
            Cluster.of(path, described or _NONE),
        )

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def namespace(self) -> str:
        """Its own, else that of the destination; empty if neither has one."""
        own = text(self.spec.tree, "namespace")
        return own or (self.destination.namespace if self.destination else "")

    @property
    def kind(self) -> str:
        return self.spec.kind.name

    @property
    def groups(self) -> tuple[Group, ...]:
        """The head and all groups of workers, if it describes a cluster."""
        return self.cluster.groups if self.has_cluster else ()

    @property
    def workers(self) -> tuple[Group, ...]:
        return self.cluster.workers

    @property
    def ray_version(self) -> Version | None:
        """The version of Ray by the spec, or else by the environment."""
        return self.cluster.stated_version or self.settings.ray_version

    @property
    def submission_mode(self) -> str:
        """How a job is submitted; empty if the spec leaves that to KubeRay."""
        return text(self.fields, "submissionMode")

    def annotation(self, key: str) -> str:
        return text(self.spec.tree, "annotations", key)

    @property
    def schema(self) -> VersionedSchema:
        """Its fields with the versions of KubeRay that have them."""
        return _SCHEMAS[self.kind]

    def has_field(self, path: Path, value: str = "") -> bool:
        """Whether the environment's KubeRay has a field, and takes a value for it."""
        dialect = self.settings.dialect
        # the schema has nothing newer, so it need not be read
        return dialect.knows(NEWEST) or dialect.knows(self.schema.span_of(path, value).first)

    def wrong(self, path: Path, message: str, fix: str = "", *, at_key: bool = False) -> Finding:
        """What is wrong with a field of the custom resource, at the line that gave it."""
        return Finding(path, message, fix, at_key=at_key, tree=self.fields)


def _convert_message(spec: Spec, environment: Environment) -> Node:
    """The fields of a message, as the API server converts them."""
    match spec.kind.name:
        case kind if kind == CLUSTER:
            serves = text(spec.tree, "annotations", ENABLES_SERVE) == "true"
            return cluster_fields(spec, environment, serves=serves) or _NONE
        case kind if kind == JOB:
            return job_fields(spec, environment)
        case _:
            return service_fields(spec, environment)


def _apply_templates(spec: Spec, environment: Environment) -> Node:
    """The fields of a custom resource, its groups with the templates that they name."""
    kind = spec.kind.name
    if not _named_templates(spec.tree, kind):
        return _plain_fields(spec.tree, kind)
    return _change_groups(spec.tree, kind, lambda group: apply_template(group, environment))


@cached_by_identity
def _plain_fields(tree: Node, kind: str) -> Node:
    """Those of a spec that names no templates: the same in every environment."""
    return _change_groups(tree, kind, drop_template_name)


def _change_groups(tree: Node, kind: str, change: Change) -> Node:
    path = CLUSTER_FIELD[kind]
    fields = tree.with_members(resource_fields(tree))
    fields = replace_at(fields, (*path, "headGroupSpec"), change)
    return each(fields, (*path, _WORKERS), change)


def placeless(workload: Workload) -> tuple[object, ...]:
    """What a placeless workload is read from."""
    return workload.spec.tree, workload.spec.stem, workload.fields, workload.settings


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Workload:  # noqa: ARG001
    """What the rules of clusters, jobs and services are given."""
    return Workload.of(spec, environment)


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:  # noqa: ARG001
    """The compute templates that groups name."""
    return iter(_named_templates(spec.tree, spec.kind.name))


@cached_by_identity
def _named_templates(tree: Node, kind: str) -> list[Reference]:
    head, workers = _group_paths(tree, kind)
    paths: list[Path] = [head]
    paths += ((*workers, number) for number, _ in enumerate(elements(tree, *workers)))
    return [
        Reference(TEMPLATE, name, (*path, "computeTemplate"), number)
        for number, path in enumerate(paths)
        if (name := text(tree, *path, "computeTemplate"))
    ]


def _group_paths(tree: Node, kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where a spec describes its head, and where its workers."""
    if is_written_as_message(tree, kind):
        return (MESSAGE, "headGroupSpec"), (MESSAGE, _MESSAGE_WORKERS)
    path = CLUSTER_FIELD[kind]
    return (*path, "headGroupSpec"), (*path, _WORKERS)
