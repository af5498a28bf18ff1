"""What a spec needs in the cluster, to the end of the chain, and what makes each of these."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from renderer.backends.kinds import names_objects
from renderer.evaluate.group import summary_of
from renderer.manifests.prerequisite_places import PlacedPrerequisites, place_prerequisites
from renderer.values.model import Environment, Spec, Summary

if TYPE_CHECKING:
    from renderer.values.references import Need


def placed_specs(
    environment: Environment, specs: Collection[Spec]
) -> tuple[PlacedPrerequisites, list[Summary]]:
    """Where those specs go that others need, and summaries of the others."""
    users = (spec for spec in specs if not spec.kind.follows_users)
    summaries = [summary_of(spec, environment, is_placed=True) for spec in users]
    followers = [spec for spec in specs if spec.kind.follows_users]
    return place_prerequisites(environment, followers, summaries, summaries), summaries


def placed_needs(environment: Environment) -> "tuple[PlacedPrerequisites, tuple[Need, ...]]":
    """Where those specs go that others need, and all that specs need in the cluster."""
    from renderer.manifests.references import resolve

    placed, summaries = placed_specs(environment, environment.specs)
    return placed, resolve(environment, placed, summaries).needs


def needs_of(spec: Spec, environment: Environment, destination: str = "") -> "tuple[Need, ...]":
    """The needs of a spec, and of the companions that make what it needs."""
    if not names_objects(environment):
        return ()
    _, every = placed_needs(environment)
    there = [need for need in every if destination in ("", need.destination)]
    found: list[Need] = []
    owners, waiting = {str(spec)}, [str(spec)]
    while waiting:
        owner = waiting.pop(0)
        own = [need for need in there if need.owner == owner]
        found += own
        makers = [need.maker.name for need in own if need.maker]
        waiting += (name for name in dict.fromkeys(makers) if name not in owners)
        owners.update(makers)
    return tuple(found)
