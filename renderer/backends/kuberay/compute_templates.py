"""Compute templates: what a group of pods gets by naming one."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.dialect import Dialect
from renderer.backends.kuberay.vocabulary import TEMPLATE
from renderer.kubernetes.names import STANDARD, is_of_containers
from renderer.kubernetes.pods import OPERATOR, Field, Pod
from renderer.kubernetes.stored_pods import replace_at
from renderer.schema.versions import VersionedSchema
from renderer.values.diagnostics import Path
from renderer.values.model import Environment, Spec, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, constant

#: The annotation of pods that names the template they were made with.
ANNOTATION = "ray.io/compute-template"
DEFAULT_GPU = "nvidia.com/gpu"
DEFAULT_UNIT = "Gi"
_SCHEMA = VersionedSchema("KubeRay", "spec/computetemplate.json")
_AMOUNTS = ("limits", "requests")
_TOLERATION = ("key", "operator", "value", "effect")


def has_memory_units(dialect: Dialect) -> bool:
    """Whether templates have a memoryUnit: then the API server reads plain numbers as bytes."""
    return dialect.knows(_SCHEMA.span_of(("memoryUnit",)).first)


class ComputeTemplate(NamedTuple):
    """A template, as a group refers to it: `reference` is the name that it gives."""

    spec: Spec
    reference: Node

    @classmethod
    def of(cls, group: Node, environment: Environment) -> "ComputeTemplate | None":
        """The template that a group names; nothing if it names none, or none that is there."""
        reference = group.get("computeTemplate")
        spec = environment.spec_named(TEMPLATE, str(reference.value)) if reference else None
        return cls(spec, reference) if spec and reference else None

    def resources(self) -> Node:
        """Limits and requests, which are the same."""
        amounts = self._node(self.spec.tree, dict(self._amounts()))
        return self._node(self.spec.tree, dict.fromkeys(_AMOUNTS, amounts))

    def _amounts(self) -> Iterator[tuple[str, Node]]:
        tree = self.spec.tree
        if cpu := tree.get("cpu"):
            yield "cpu", self._text(cpu, str(cpu.value))
        if memory := tree.get("memory"):
            unit = text(tree, "memoryUnit") or DEFAULT_UNIT
            yield "memory", self._text(memory, f"{memory.value}{unit}")
        for _, name, amount in devices(tree):
            if is_device(name):
                yield name, self._text(amount, str(amount.value))

    def tolerations(self) -> tuple[Node, ...]:
        """As they are written: an empty effect means all of them."""
        return tuple(map(self._toleration, elements(self.spec.tree, "tolerations")))

    def _toleration(self, given: Node) -> Node:
        given_fields = {key: node for key in _TOLERATION if (node := given.get(key)) and node.value}
        return self._node(given, given_fields)

    def _text(self, node: Node, value: str) -> Node:
        return Node(value, node.origin, self.reference.key)

    def _node(self, node: Node, value: dict[str, Node]) -> Node:
        """What stands in the template, reached by the key that names it."""
        return Node(value, node.origin, self.reference.key)

    @property
    def annotation(self) -> Node:
        return self.reference.with_value(self.spec.name)


def devices(tree: Node) -> Iterator[tuple[Path, str, Node]]:
    """What a template asks for besides cpu and memory: where it is named, its name, how many."""
    gpu = tree.get("gpu")
    if gpu and _is_positive(gpu):
        name = text(tree, "gpuAccelerator")
        yield ("gpuAccelerator",) if name else ("gpu",), name or DEFAULT_GPU, gpu
    for name, amount in sorted(members(tree, "extendedResources").items()):
        if _is_positive(amount):
            yield ("extendedResources", name), name, amount


def is_device(name: str) -> bool:
    """Whether a container can ask for it beside cpu and memory; RAY150 reports the others."""
    return is_of_containers(name) and name not in STANDARD


def _is_positive(amount: Node) -> bool:
    """Whether it is more than nothing, as a number or as text."""
    return str(amount.value).strip("0") != ""


def apply_template(group: Node, environment: Environment) -> Node:
    """A group of a custom resource, with the sizes of the template that it names.

    Resources that the Ray container states itself win. Other containers are not changed: they need
    not be as big as Ray. The reference is not a field of the custom resource, and left out.
    """
    kept = drop_template_name(group)
    template = ComputeTemplate.of(group, environment)
    if template is None:
        return kept
    kept = replace_at(kept, ("template",), lambda pod: _annotate(pod, template))
    return replace_at(kept, ("template", "spec"), lambda pod: _size_pod(pod, template))


def drop_template_name(group: Node) -> Node:
    return group.with_members({k: n for k, n in group.items.items() if k != "computeTemplate"})


def _annotate(pod: Node, template: ComputeTemplate) -> Node:
    metadata = pod.get("metadata") or constant({}, "not given")
    given = metadata.get("annotations") or constant({}, "not given")
    annotations = given.with_members({ANNOTATION: template.annotation, **given.items})
    whole = metadata.with_members({**metadata.items, "annotations": annotations})
    return pod.with_members({**pod.items, "metadata": whole})


def _size_pod(pod: Node, template: ComputeTemplate) -> Node:
    listing = pod.get("containers")
    found: dict[str, Node] = {}
    if listing and listing.elements:
        first, *others = listing.elements
        found["containers"] = listing.with_members((_size_container(first, template), *others))
    if added := template.tolerations():
        given = pod.get("tolerations")
        where = given or template.spec.tree.get("tolerations") or pod
        found["tolerations"] = where.with_members((*(given.elements if given else ()), *added))
    return pod.with_members({**pod.items, **found})


def _size_container(container: Node, template: ComputeTemplate) -> Node:
    """The container with the amounts of the template for all that it does not state itself."""
    own, given = container.get("resources"), template.resources()
    own_names = {name for key in _AMOUNTS for name in members(own, key)}
    amounts = {}
    for key, node in given.items.items():
        more = {name: amount for name, amount in node.items.items() if name not in own_names}
        amounts[key] = node.with_members({**more, **members(own, key)})
    resources = (own or given).with_members({**(own.items if own else {}), **amounts})
    return container.with_members({**container.items, "resources": resources})


class TemplateView(NamedTuple):
    """What the rules of a ComputeTemplate are given; `users` are the specs that name it."""

    spec: Spec
    environment: Environment
    users: tuple[Summary, ...] = ()


def tolerating_pod(view: TemplateView) -> Iterator[Pod]:
    """The tolerations of a template, as those of a pod that they are given to."""
    tree = view.spec.tree
    given = {key: node for key, node in tree.items.items() if key == "tolerations"}
    yield Pod(Field((), tree.with_members(given)), maker=OPERATOR)


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> TemplateView:
    return TemplateView(spec, environment, tuple(users))
