"""Fields that nobody writes: the cluster sets them before policies look, so that none is known."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.policies.reads import paths_read
from renderer.policies.requests import Request
from renderer.values.diagnostics import Path

_METADATA = ("uid", "creationTimestamp", "generation", "managedFields", "resourceVersion")
#: What every object has as soon as a cluster has it; what people write of a status is dropped.
_OF_ALL: tuple[Path, ...] = (("status",), *(("metadata", name) for name in _METADATA))
#: What a controller says of the objects that it makes.
_OF_MADE: tuple[Path, ...] = (("metadata", "ownerReferences"), ("metadata", "generateName"))
#: What follows from priority classes, service accounts and the workload of a pod.
_OF_PODS: tuple[Path, ...] = (
    ("spec", "priority"),
    ("spec", "priorityClassName"),
    ("spec", "preemptionPolicy"),
    ("spec", "imagePullSecrets"),
    ("metadata", "labels", "pod-template-hash"),
)
_OF_NAMESPACES: tuple[Path, ...] = (*_OF_ALL, ("spec",))


def unknown_field(texts: Iterable[str], request: Request) -> str:
    """The first field that expressions read and that the cluster sets; nothing if there is none."""
    fields = (*_OF_ALL, *(_OF_MADE if request.maker else ()))
    fields += _OF_PODS if request.kind == "Pod" else ()
    read = _read(texts, ("object", "oldObject"), fields)
    unknown = (path for path in read if path in _OF_ALL or not request.tree.get(*path))
    return ".".join(map(str, next(unknown, ())))


def unknown_field_of_namespace(texts: Iterable[str]) -> str:
    """The same of the namespace that a companion makes."""
    return ".".join(map(str, next(_read(texts, ("namespaceObject",), _OF_NAMESPACES), ())))


def is_set_by_cluster(key: str) -> bool:
    """Whether a key that is missing may be one of them, read by way of a variable."""
    return key in _METADATA


def _read(texts: Iterable[str], roots: tuple[str, ...], fields: Sequence[Path]) -> Iterator[Path]:
    """Those of some fields that expressions read, or read something of."""
    for text in texts:
        for path in paths_read(text, roots):
            yield from (field for field in fields if path[: len(field)] == field)
