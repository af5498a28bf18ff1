"""What admission policies look at beside an object: its namespace, and objects with parameters."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from renderer.backends.object_places import MANAGED_BY, OURS
from renderer.evaluate.shared import Shared
from renderer.manifests.placement import place
from renderer.policies.admission_files import NAMESPACE, ParamKind, kind_of
from renderer.policies.requests import NAMESPACE_NAME, Namespace, Surroundings, labels_of
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec
from renderer.values.references import ReferenceSettings
from renderer.values.tree import Node, constant

if TYPE_CHECKING:
    from renderer.values.tree import Plain


@cached_by_identity
def surroundings(shared: Shared) -> dict[str, Surroundings]:
    """Those of each environment; what is made here goes before what is there already."""
    admission = shared.policies.admission
    return {
        item.name: Surroundings(
            {**dict(_provided(item)), **dict(_made(item))},
            (*admission.params, *_params(item, admission.param_kinds)),
        )
        for item in shared.environments
    }


def _params(environment: Environment, kinds: Collection[ParamKind]) -> Iterator[Node]:
    """Companions that have parameters, each with its name and once for each of its namespaces."""
    for spec in environment.specs:
        if kind_of(spec.tree) not in kinds:
            continue
        about = spec.tree.get("metadata") or spec.tree.with_members({})
        written = about.get("namespace")
        places = () if written or spec.kind.cluster_wide else place(spec, environment).own
        names = dict.fromkeys(item.namespace for item in places)
        routed: list[Node | None] = [constant(name, "where it goes") for name in names]
        for namespace in routed or [written]:
            members = {**about.items, "name": spec.name_node}
            members |= {"namespace": namespace} if namespace else {}
            metadata = about.with_members(members)
            yield spec.tree.with_members({**spec.tree.items, "metadata": metadata})


def _provided(environment: Environment) -> Iterator[tuple[str, Namespace]]:
    for item in ReferenceSettings.of(environment).provided:
        given = item.node.get("labels")
        if item.kind == "Namespace" and given:
            labels = {key: str(node.value) for key, node in given.items.items()}
            yield item.name, _namespace(item.name, labels)


def _made(environment: Environment) -> Iterator[tuple[str, Namespace]]:
    for spec in environment.specs:
        if kind_of(spec.tree) == NAMESPACE:
            yield spec.name, _namespace(spec.name, labels_of(spec.tree), spec)


def _namespace(name: str, given: dict[str, str], spec: Spec | None = None) -> Namespace:
    """A namespace with the labels that everybody gives it."""
    labels = {**given, NAMESPACE_NAME: name, **({MANAGED_BY: str(OURS.value)} if spec else {})}
    data = spec.tree.plain() if spec else {"apiVersion": "v1", "kind": "Namespace"}
    data = data if isinstance(data, dict) else {}
    metadata = data.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    whole: Plain = {**data, "metadata": {**known, "name": name, "labels": {**labels}}}
    return Namespace(labels, whole, is_whole=spec is not None)
