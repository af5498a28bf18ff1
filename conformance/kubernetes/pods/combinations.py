"""The changes that no single field shows, as `combinations.yaml` has them."""

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.kubernetes.pods.tables import Tables, table
from conformance.kubernetes.pods.trees import Path, changed

#: Beside an amount, so that no platform fills in what is missing.
_AMOUNTS = {"cpu": "2", "memory": "4Gi"}
_Combination = tuple[str, str, Path, Any]


def combinations(tables: Tables, bases: Mapping[str, Any]) -> Iterator[_Combination]:
    """Each with its name, the pod that it begins with, a path and a value."""
    for section in table("combinations"):
        place, path = section["in"], tuple(section["at"])
        base = place if place in bases else ""
        for label, value in section.get("try", {}).items():
            subject = section.get("subject", place)
            yield f"{subject}, together: {label}", base, path, value
        for resource, family in section.get("amounts", {}).items():
            for label, value in tables.values(family).items():
                amounts = {**_AMOUNTS, resource: value}
                both = {"limits": amounts, "requests": amounts}
                yield f"{place}, {resource}: {label}", base, path, both
        for label, values in section.get("pods", {}).items():
            yield f"{place}, together: {label}", "", ("spec",), _joined(tables.pod["spec"], values)


def _joined(spec: Any, values: Mapping[str, Any]) -> Any:
    """The small pod with values at places that are written with dots."""
    for place, value in values.items():
        steps = tuple(int(step) if step.isdigit() else step for step in place.split("."))
        spec = changed(spec, steps, value)
    return spec
