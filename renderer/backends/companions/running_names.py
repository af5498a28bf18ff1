"""Names of what platforms make: backends of routes, and what is scaled."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.mentions import mentions
from renderer.backends.companions.selection_rules import NOT_DERIVED
from renderer.backends.companions.table import SCALERS
from renderer.backends.fields import text
from renderer.kubernetes.mentions import references
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from renderer.values.references import ReferenceSettings

if TYPE_CHECKING:
    from renderer.backends.companions.selections import RunningAround

_SERVICE, _USUAL_TARGET = "Service", "Deployment"


def check_names(
    item: Manifest, around: "RunningAround", environment: Environment
) -> Iterator[Diagnostic]:
    """Names of objects that begin as those of a platform, and that are none of these."""
    for kind, namespace, name, origin in _names(item):
        there = {n for k, where, n in _objects(around) if (k, where) == (kind, namespace)}
        if name in there or _is_provided(kind, namespace, name, item.destination, environment):
            continue
        for running in around.running:
            made = sorted(n for k, where, n in running.objects if (k, where) == (kind, namespace))
            is_named = name == running.name or name.startswith(f"{running.name}-")
            # A Service with any other name is looked for as every reference is.
            is_near = is_named or (kind != _SERVICE and bool(nearest(name, made)))
            if made and running.is_known and running.namespace == namespace and is_near:
                message = f"{running.owner} has no {kind} {name!r}, by what its platform makes"
                yield NOT_DERIVED.at(origin, message, f"write {listed(map(repr, made), 'or')}")
                break


def _names(item: Manifest) -> Iterator[tuple[str, str, str, Origin]]:
    """What an object names of what platforms make: kind, namespace, name, and where it does so."""
    own = text(item.tree, "metadata", "namespace")
    for use in references(item.tree, mentions(item.spec.kind.name)):
        if use.kind == _SERVICE and use.origin:
            yield use.kind, use.namespace or own, use.name, use.origin
    scaler = SCALERS.get(item.spec.kind.name)
    target = item.tree.get(*scaler.target) if scaler else None
    node = target.get("name") if target else None
    if target and node:
        kind = text(target, "kind") or _USUAL_TARGET
        if row_of(kind).numbers:
            yield kind, own, str(node.value), node.origin


def _objects(around: "RunningAround") -> Iterator[tuple[str, str, str]]:
    for running in around.running:
        yield from running.objects
    for item in around.objects:
        metadata = (text(item.tree, "metadata", key) for key in ("namespace", "name"))
        namespace, name = metadata
        yield row_of(item.spec.kind.name).kind, namespace, name


def _is_provided(
    kind: str, namespace: str, name: str, destination: str, environment: Environment
) -> bool:
    return any(
        (item.kind, item.name) == (kind, name) and item.is_at(destination, namespace)
        for item in ReferenceSettings.of(environment).provided
    )
