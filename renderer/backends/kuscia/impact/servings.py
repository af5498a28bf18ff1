"""From the change of a KusciaDeployment to what it does to each party that runs."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact.deployment import DEPLOYMENT, Deployment, destinations
from renderer.backends.kuscia.impact.deployment_differences import compare_deployments
from renderer.backends.kuscia.impact.differences import (
    CausedImpact,
    Difference,
    distinct,
    find_impacts,
)
from renderer.backends.kuscia.impact.refusals import find_refusal
from renderer.values.changes import ObjectChange, State
from renderer.values.objects import Manifest


@distinct
def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a deployment's changes do to its parties."""
    old = Deployment.of(change.before, before, after) if change.before else None
    new = Deployment.of(change.after, after, before) if change.after else None
    if new and (reason := find_refusal(new.manifest, after)):
        words = {"kind": DEPLOYMENT, "reason": reason}
        difference = Difference("refused", (), (old or new).parties, words)
        yield from find_impacts(difference, old or new, ())
    elif new and old and change.is_renamed:
        words = {"before": old.name, "after": new.name}
        difference = Difference("renamed", ("metadata", "name"), new.parties, words)
        yield from find_impacts(difference, new, change.changes)
    elif new and old:
        for difference in compare_deployments(old, new):
            yield from find_impacts(difference, new, change.changes)
    elif new:
        yield from _whole(new, before, came=True)
    elif old:
        yield from _whole(old, after, came=False)


def _whole(deployment: Deployment, other: State, *, came: bool) -> Iterator[CausedImpact]:
    """A deployment that is on one side only, here; it may be at another place there."""
    manifest = deployment.manifest
    elsewhere = _elsewhere(manifest, other)
    for party in deployment.parties:
        kind = "created" if came else "deleted"
        if elsewhere:
            kind = "moved"
        elif deployment.plane(party.domain) != deployment.home:
            kind = f"{kind}-at-partner"
        places = [elsewhere, manifest.destination] if came else [manifest.destination, elsewhere]
        words = {
            "deployment": party.names_in(deployment.name).deployment,
            "domain": party.domain,
            "image": party.image_name,
            "before": places[0],
            "after": places[1],
        }
        yield from find_impacts(Difference(kind, (), (party,), words), deployment, ())


def _elsewhere(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = destinations(state).get((manifest.environment, manifest.identity), ())
    return next((name for name in same if name != manifest.destination), "")
