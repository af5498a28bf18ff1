"""The spec that runs, of a service that is not rendered yet: what rules on it are given."""

from renderer.backends.fields import text
from renderer.backends.kserve.llm.cluster import Cluster, cluster_of
from renderer.backends.kserve.llm.effective import Effective, Layer, Named, combine
from renderer.backends.kserve.llm.merge import merge_all
from renderer.backends.kserve.llm.plan import own_fields, stored_spec
from renderer.backends.kserve.llm.service import LLM_CONFIG, LlmView, base_names
from renderer.backends.kserve.llm.webhook import written_again
from renderer.backends.kserve.settings import PLATFORM
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain


class Merged(NamedTuple):
    """A service with the spec that runs; `own` is its own part, `bases` all that is below it.

    `named` are the configurations that its `baseRefs` name, with their places in the list.
    """

    effective: Effective
    cluster: Cluster
    own: Node
    bases: Node
    named: tuple[tuple[int, Layer], ...]

    @property
    def spec(self) -> Node:
        return self.effective.spec


def merged(view: LlmView) -> Merged:
    return _merged(view.spec, view.environment)


@cached_by_identity
def _merged(spec: Spec, environment: Environment) -> Merged:
    places = environment.routed_destinations(PLATFORM, spec)
    place = places[0] if places else None
    cluster = cluster_of(environment, place.name if place else "")
    namespace = text(spec.tree, "namespace") or (place.namespace if place else "")
    known = {
        item.name: own_fields(item)
        for item in environment.specs
        if item.kind.name == LLM_CONFIG
        and text(item.tree, "namespace") in ("", namespace, "kserve")
    }

    def find(name: str) -> Node | None:
        found = known.get(name)
        return cluster.preset(name) if found is None else found

    own = written_again(stored_spec(own_fields(spec), None), spec)
    metadata: dict[str, Plain] = {"name": spec.name, "namespace": namespace}
    given = spec.tree.get("metadata")
    more = given.plain() if given else None
    about = {**(more if isinstance(more, dict) else {}), **metadata}
    effective = combine(Named(about, own), find, cluster)
    nothing = Node({}, spec.tree.origin)
    bases = merge_all([nothing, *(layer.spec for layer in effective.layers)])
    named = tuple(
        (index, Layer(name, known[name], is_preset=False))
        for index, name in base_names(spec.tree)
        if name in known
    )
    return Merged(effective, cluster, own, bases, named)


def nearest(tree: Node, path: Path) -> Path:
    """A place of the service itself: where it says something of it, else its `baseRefs`."""
    for depth in range(len(path), 0, -1):
        if tree.get(*path[:depth]) is not None:
            return path[:depth]
    return ("baseRefs",)
