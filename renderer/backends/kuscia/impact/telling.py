"""A difference in words: a row of the table with its blanks filled, for each party."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact.differences import Difference
from renderer.backends.kuscia.impact.rows import ROWS
from renderer.backends.kuscia.running import Deployment, Party
from renderer.changes import Change, Impact

Caused = tuple[Change | None, Impact]


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
    return Impact(
        row.effect,
        deployment.place(party.domain),
        str(deployment.manifest.spec),
        party.unit,
        row.consequence.format(**difference.words),
        row.advice.format(**difference.words),
    )
