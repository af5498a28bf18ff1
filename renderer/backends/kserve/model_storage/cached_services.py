"""The services that use a cache: those whose model it keeps, or has below what it keeps."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import members, text
from renderer.backends.kserve.model import FRAMEWORKS, MODEL
from renderer.backends.kserve.plain_objects import SERVICE
from renderer.backends.kserve.settings import PLATFORM
from renderer.values.derivations import Applied
from renderer.values.model import Spec

_OFF, _GROUP = "serving.kserve.io/disable-localmodel", "serving.kserve.io/nodegroup"


def namespaces_by_group(applied: Applied, groups: Sequence[str]) -> dict[str, list[str]]:
    """Where services of the repository use a cache, by the group that they take it from.

    A service that names no group takes the first one; one that names another takes none.
    """
    found: dict[str, list[str]] = {}
    address = text(applied.tree, "spec", "sourceModelUri")
    for spec in applied.environment.specs:
        if spec.kind.name == SERVICE and _uses(spec, address):
            group = text(spec.tree, "annotations", _GROUP) or groups[0]
            if group in groups:
                found.setdefault(group, []).extend(_namespaces(spec, applied))
    return {group: sorted({*found[group]}) for group in groups if group in found}


def _uses(spec: Spec, address: str) -> bool:
    predictor = members(spec.tree, "predictor")
    own = (text(predictor[key], "storageUri") for key in (MODEL, *FRAMEWORKS) if key in predictor)
    is_off = text(spec.tree, "annotations", _OFF).lower() == "true"
    return not is_off and any(uri == address or uri.startswith(f"{address}/") for uri in own)


def _namespaces(spec: Spec, applied: Applied) -> Iterator[str]:
    for item in applied.environment.destinations_by_fields(PLATFORM, spec.tree):
        if item.cluster == applied.cluster:
            yield text(spec.tree, "namespace") or item.namespace
