"""Accelerators: which of them a pod may get, and how much memory each has."""

import json
from collections.abc import Iterator, Mapping
from functools import cache

from renderer.assets import read_engine_table
from renderer.engines.settings import own_accelerators
from renderer.kubernetes.quantities import value
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PARTS = "nvidia.com/mig-"
_GPUS = ("nvidia.com/gpu", "amd.com/gpu")


class Accelerator(NamedTuple):
    """An accelerator: its memory in bytes, and labels of nodes that have it, each with values.

    `capability` is the CUDA compute capability; without one, there is none or it is not known.
    `source` is where the environment has it; nothing for those of the table. `ray_type` is what
    Ray finds on a node that has it; empty if that is not known.
    """

    product: str
    resource: str
    memory: int
    labels: Mapping[str, tuple[str, ...]]
    capability: tuple[int, int] | None = None
    source: Node | None = None
    ray_type: str = ""


class Choice(NamedTuple):
    """The accelerators that a pod may get, smallest first, and what the pod says of that.

    `place` is what chose them: a value of its node selector or affinity; nothing if nothing did.
    """

    candidates: tuple[Accelerator, ...]
    place: Node | None = None

    @property
    def smallest(self) -> Accelerator | None:
        return self.candidates[0] if self.candidates else None


@cache
def known_accelerators() -> tuple[Accelerator, ...]:
    """The table that comes with the program."""
    data = json.loads(read_engine_table("accelerators"))
    return tuple(
        Accelerator(
            item["product"],
            item["resource"],
            _bytes(item["memory"]),
            {label: tuple(values) for label, values in item["labels"].items()},
            _capability(item["capability"]),
            ray_type=item.get("ray", ""),
        )
        for item in data["accelerators"]
    )


def all_accelerators(environment: Environment) -> tuple[Accelerator, ...]:
    """Those of the environment, then those of the table that it does not say anew."""
    own = tuple(map(_own, own_accelerators(environment)))
    names = {item.product for item in own}
    return (*own, *(item for item in known_accelerators() if item.product not in names))


def _own(node: Node) -> Accelerator:
    given = {key: str(item.value) for key, item in node.items.items() if not item.items}
    labels = node.get("labels")
    pairs = labels.items.items() if labels else ()
    return Accelerator(
        given.get("product", ""),
        given.get("resource", _GPUS[0]),
        _bytes(given.get("memory", "")),
        {key: (str(item.value),) for key, item in pairs},
        _capability(given.get("capability", "")),
        node,
        given.get("product", ""),
    )


def _bytes(text: str) -> int:
    return int(value(text) or 0)


def _capability(text: str) -> tuple[int, int] | None:
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None


def devices(container: Node) -> dict[str, tuple[int, Node]]:
    """How many of each sort of accelerator a container has, by resource, and where that stands.

    A part of one (MIG) counts as one.
    """
    found: dict[str, tuple[int, Node]] = {}
    for key in ("requests", "limits"):
        given = container.get("resources", key)
        for name, node in (given.items if given else {}).items():
            amount = str(node.value)
            if (name in _GPUS or name.startswith(_PARTS)) and amount.isdigit() and len(amount) < 6:  # noqa: PLR2004
                found[name] = int(amount), node
    return {name: pair for name, pair in found.items() if pair[0]}


def choose(pod: Node, resource: str, environment: Environment) -> Choice:
    """The accelerators that the node selector and the affinity of a pod leave.

    Without a label that names accelerators nothing is known, not even the smallest.
    """
    known = [item for item in all_accelerators(environment) if item.resource == resource]
    place: Node | None = None
    for key, node in _selector(pod):
        if any(key in item.labels for item in known):
            known = [item for item in known if str(node.value) in item.labels.get(key, ())]
            place = node
    for terms in _node_terms(pod):
        kept = [item for item in known if any(_may_be(item, term, known) for term in terms)]
        naming = [node for term in terms for node in _naming(term, known)]
        if naming and all(any(_naming(term, known)) for term in terms):
            known, place = kept, naming[0]
    if place is None:
        return Choice(())
    return Choice(tuple(sorted(known, key=lambda item: (item.memory, item.product))), place)


def accelerators_of_ray(name: str, environment: Environment) -> tuple[Accelerator, ...]:
    """The accelerators that Ray calls by a name, smallest first."""
    found = (
        item for item in all_accelerators(environment) if name in (item.ray_type, item.product)
    )
    return tuple(sorted(found, key=lambda item: (item.memory, item.product)))


def _selector(pod: Node) -> Iterator[tuple[str, Node]]:
    found = pod.get("nodeSelector")
    yield from (found.items if found else {}).items()


def _node_terms(pod: Node) -> Iterator[tuple[Node, ...]]:
    found = pod.get("affinity", "nodeAffinity", _REQUIRED, "nodeSelectorTerms")
    if found and found.elements:
        yield found.elements


def _conditions(term: Node) -> Iterator[tuple[str, str, tuple[Node, ...]]]:
    found = term.get("matchExpressions")
    for item in found.elements if found else ():
        key, operator, values = (item.get(name) for name in ("key", "operator", "values"))
        if key and operator:
            yield str(key.value), str(operator.value), values.elements if values else ()


def _naming(term: Node, known: list[Accelerator]) -> Iterator[Node]:
    """The values of a term that name accelerators."""
    for key, operator, values in _conditions(term):
        if operator == "In" and any(key in item.labels for item in known):
            yield from values


def _may_be(item: Accelerator, term: Node, known: list[Accelerator]) -> bool:
    """Whether nodes with an accelerator may fit a term."""
    for key, operator, values in _conditions(term):
        if not any(key in other.labels for other in known):
            continue
        texts = {str(node.value) for node in values}
        own = set(item.labels.get(key, ()))
        if operator == "In" and own.isdisjoint(texts):
            return False
        if operator == "NotIn" and own and own <= texts:
            return False
    return True
