"""Generated rows of other versions than the usual one: which of them are replayed."""

import pytest

from conformance.operators.versions import read_version
from tests.support.evidence import versions_of
from tests.support.replay import every_row, one_in_ten


def shares_of_versions(place):
    """Runs a test on one in ten of what a version answers otherwise; if long, on all its rows."""
    found = []
    for version in versions_of(place):
        known = read_version(place, version).otherwise
        names = {name for name in known if one_in_ten(name)}
        found.append(pytest.param(version, names.__contains__, id=version))
        found.append(pytest.param(version, every_row, marks=pytest.mark.long, id=f"{version}, all"))
    return pytest.mark.parametrize(("version", "share"), found)
