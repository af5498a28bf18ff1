"""What Kubernetes wants of each field of its own kinds, as tables: a shape for each kind."""

from collections.abc import Callable, Mapping
from functools import cache

from renderer.backends.companions.forms import (
    admission,
    amounts,
    content,
    network,
    rights,
    scaling,
    storage,
    workloads,
)
from renderer.kubernetes.forms.shape import Shape, ready
from renderer.kubernetes.forms.shape import Walk as Walk
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

_SHAPES: Mapping[str, Shape] = {
    **admission.SHAPES,
    **amounts.SHAPES,
    **content.SHAPES,
    **network.SHAPES,
    **rights.SHAPES,
    **scaling.SHAPES,
    **storage.SHAPES,
    **workloads.SHAPES,
}


@cache
def look_at(kind: str) -> Callable[[Node, Path, Walk], None] | None:
    """The function that compares an object of a kind with its shape; nothing if it has none."""
    shape = _SHAPES.get(kind)
    return ready(shape) if shape else None
