"""What KServe stored, imported to specs: they are rendered as those of the manifest are."""

import pytest

from tests.support.imported_rows import given_and_stored, repository, sound_rows
from tests.support.replay import every_row, shares
from tests.support.stored_rows import rows

ROWS = [row for row in rows("kserve") if row["accepted"] and "stored" in row]
FEWEST = {"Knative": 150, "Standard": 4}


@shares
@pytest.mark.parametrize("mode", FEWEST)
def test_the_webhooks_change_nothing_that_is_imported(mode, share):
    files = repository({"kserve": {"version": "0.20.0", "default_mode": mode}})
    rows = [row for row in ROWS if share(row["name"])]
    asked = [row for row in rows if row.get("default_mode", "Knative") == mode]
    alone = [row for row in asked if not row.get("others_before")]
    compared = sound_rows(files, alone)
    given, stored = given_and_stored(files, compared)
    assert given == stored
    assert len(given) >= FEWEST[mode] or share is not every_row
