"""A difference in words: a row of the table with its blanks filled, for each party."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact.differences import Difference
from renderer.backends.kuscia.impact.rows import ROWS
from renderer.backends.kuscia.running import Deployment, Party, surge
from renderer.changes import Change, Effect, Impact

Caused = tuple[Change | None, Impact]
_ROLLS = (Effect.ROLLING, Effect.DEFERRED)
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
    said = [text.format(**difference.words) for text in (row.consequence, row.advice)]
    if row.effect in _ROLLS and deployment.runtime == "runp" and surge(party, 1):
        said = [f"{text} {more}".strip() for text, more in zip(said, _COLLIDES, strict=True)]
    place = deployment.place(party.domain)
    return Impact(row.effect, place, str(deployment.manifest.spec), party.unit, *said)
