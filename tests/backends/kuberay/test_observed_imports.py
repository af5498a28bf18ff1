"""What KubeRay stored, imported to specs: they are rendered as those of the manifest are."""

from tests.support.imported_rows import given_and_stored, repository, sound_rows
from tests.support.replay import every_row, shares
from tests.support.stored_rows import rows

FEWEST = 100


@shares
def test_defaults_and_the_operator_change_nothing_that_is_imported(share):
    files = repository({"kuberay": {"version": "1.6.1"}})
    told = [row for row in rows("kuberay") if share(row["name"])]
    asked = [row for row in told if row["accepted"] and "stored" in row]
    compared = sound_rows(files, [row for row in asked if not row.get("others_before")])
    given, stored = given_and_stored(files, compared)
    assert given == stored
    assert len(given) >= FEWEST or share is not every_row
