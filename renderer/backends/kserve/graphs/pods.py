"""The pod of a graph's router, as far as the graph itself says."""

from collections.abc import Iterator

from renderer.backends.kserve.graphs.derive import POD_FIELDS
from renderer.backends.kserve.plain_objects import ObjectView
from renderer.kubernetes.pods import Field, Pod

_AMOUNTS = "resources"


def pods(view: ObjectView) -> Iterator[Pod]:
    """KServe makes the container, and gives it amounts where the graph says none."""
    items = view.tree.items
    spec = view.tree.with_members({key: items[key] for key in POD_FIELDS if key in items})
    router = view.tree.with_members({_AMOUNTS: items[_AMOUNTS]}) if _AMOUNTS in items else None
    others = (Field((), router),) if router else ()
    if spec.items or others:
        yield Pod(Field((), spec), others=others, volumes=None, ports=None, since={"": "0.3.0"})
