"""From the change of an object to what it does to each party that runs."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact import reaching, servings
from renderer.backends.kuscia.impact.differences import Difference
from renderer.backends.kuscia.impact.refusals import refusal
from renderer.backends.kuscia.impact.telling import Caused, tell
from renderer.backends.kuscia.names import deployment_name
from renderer.backends.kuscia.running import IMAGE, Deployment, below, kind_of
from renderer.values.changes import Impact, ObjectChange, State
from renderer.values.model import Manifest


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[Caused]:
    """What an object's changes do to the parties of every deployment they reach."""
    judge = reaching.impacts if kind_of(change.manifest) == IMAGE else _of_deployment
    seen: set[tuple[int, Impact]] = set()
    for cause, impact in judge(change, before, after):
        if (id(cause), impact) not in seen:
            seen.add((id(cause), impact))
            yield cause, impact


def _of_deployment(change: ObjectChange, before: State, after: State) -> Iterator[Caused]:
    old = Deployment.of(change.before, before, after) if change.before else None
    new = Deployment.of(change.after, after, before) if change.after else None
    if new and (reason := refusal(new.manifest)):
        words = {"kind": "KusciaDeployment", "reason": reason}
        difference = Difference("refused", (), (old or new).parties, words)
        yield from tell(difference, old or new, ())
    elif new and old and change.is_renamed:
        words = {"before": old.name, "after": new.name}
        difference = Difference("renamed", ("metadata", "name"), new.parties, words)
        yield from tell(difference, new, change.changes)
    elif new and old:
        for difference in servings.differences(old, new):
            yield from tell(difference, new, change.changes)
    elif new:
        yield from _whole(new, before, came=True)
    elif old:
        yield from _whole(old, after, came=False)


def _whole(deployment: Deployment, other: State, *, came: bool) -> Iterator[Caused]:
    """A deployment that is on one side only, here; it may be at another place there."""
    manifest = deployment.manifest
    elsewhere = _elsewhere(manifest, other)
    for party in deployment.parties:
        row = "created" if came else "deleted"
        if elsewhere:
            row = "moved"
        elif deployment.plane(party.domain) != deployment.home:
            row = f"{row}-at-partner"
        places = [elsewhere, manifest.destination] if came else [manifest.destination, elsewhere]
        words = {
            "deployment": deployment_name(deployment.name, party.role),
            "domain": party.domain,
            "image": party.image,
            "before": places[0],
            "after": places[1],
        }
        yield from tell(Difference(row, (), (party,), words), deployment, ())


def _elsewhere(manifest: Manifest, state: State) -> str:
    """Another destination of the environment that has the same object."""
    same = (
        item.destination
        for item in below(state, f"{manifest.environment}/")
        if item.identity == manifest.identity and item.destination != manifest.destination
    )
    return next(same, "")
