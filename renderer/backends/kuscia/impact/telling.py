"""A difference in words: a row of the table with its blanks filled, for each party."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact.differences import Difference
from renderer.backends.kuscia.impact.rows import ROWS
from renderer.backends.kuscia.running import Deployment, Party, surge
from renderer.values.changes import Change, Effect, Impact

Caused = tuple[Change | None, Impact]
_ROLLS = frozenset((Effect.ROLLING, Effect.DEFERRED))
_SERVICES_ONLY = frozenset(("port-opened",))
_COLLIDES = (
    "Under runp a new pod cannot start beside the old one on a node (inferred): it may never end.",
    "Change the strategy to Recreate first.",
)


def tell(
    difference: Difference, deployment: Deployment, changes: tuple[Change, ...]
) -> Iterator[Caused]:
    """A difference as impacts of each change it is about, on each party it reaches."""
    for cause in difference.causes(changes):
        for party in difference.parties:
            yield cause, _impact(difference, party, deployment, cause)


def _impact(
    difference: Difference, party: Party, deployment: Deployment, cause: Change | None
) -> Impact:
    name = difference.row
    if name == "input-config" and cause and cause.texts_only:
        name = "input-config-text"
    row = ROWS[name]
    consequence, advice = (t.format(**difference.words) for t in (row.consequence, row.advice))
    rolls = row.effect in _ROLLS and name not in _SERVICES_ONLY
    if rolls and deployment.runtime == "runp" and surge(party, 1):
        consequence, advice = f"{consequence} {_COLLIDES[0]}", f"{advice} {_COLLIDES[1]}".strip()
    return Impact(
        row.effect,
        deployment.place(party.domain),
        str(deployment.manifest.spec),
        party.unit,
        consequence,
        advice,
        replaces_pods=rolls or name == "image-pinned",
        by_platform=name != "gitops",
    )
