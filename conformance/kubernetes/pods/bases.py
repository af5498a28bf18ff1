"""Pods that have something at a place, so that it can be changed there."""

from typing import Any

from conformance.kubernetes.pods.fields import Field
from conformance.kubernetes.pods.tables import Tables
from conformance.kubernetes.pods.trees import changed, found


def bases_of(tables: Tables) -> dict[str, Any]:
    """A pod for each place that has fields, and at the empty one the small pod."""
    named = {
        place: _pod_with(field, tables)
        for place, field in tables.fields.items()
        if field.properties
    }
    return {"": tables.pod, **named}


def _pod_with(field: Field, tables: Tables) -> Any:
    """The small pod with all that is on the way to a field, and the field itself."""
    words = field.place.split(".")
    way = [tables.fields[".".join(words[: end + 1])] for end in range(len(words))]
    pod = tables.pod
    for part in way:
        for key, value in tables.needs(part.place).items():
            pod = changed(pod, ("spec", key), value)
    for part, following in zip(way, [*words[1:], ""], strict=True):
        if found(pod, part.path) is None:
            pod = changed(pod, part.path, tables.sample(part))
        pod = _with_one(pod, part, following, tables)
    return pod


def _with_one(pod: Any, part: Field, member: str, tables: Tables) -> Any:
    """Without the members of a union that exclude the one that is needed."""
    members = tables.members(part)
    for other in members if member in members else ():
        if other != member:
            pod = changed(pod, (*part.place_of_one, other), None)
    return pod
