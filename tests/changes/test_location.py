"""Where a change is said to be: the line that made it, or the nearest one that is left."""

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.repositories import ENVIRONMENT, HEADER, PAIR, SERVING, SMALL

RISK = "environments/dev/servings/risk.yaml"
BASE_RISK = "environments/base/servings/risk.yaml"
IMAGE = "environments/dev/appimages/pair.yaml"
DESCRIPTION = "environments/dev/environment.yaml"
NAMED = SERVING + "serving_id: credit\n"
#: Overrides the base, and so has a file of its own whatever it says.
OWN = HEADER.format("Serving")
INHERITED = {
    **SMALL,
    "environments/base/environment.yaml": HEADER.format("Environment"),
    DESCRIPTION: ENVIRONMENT + "extends: base\n",
    BASE_RISK: NAMED + "labels: {team: risk, tier: gold}\n",
    RISK: OWN,
}


def places(before, after):
    """Where each change of each object is, and last where the object is."""
    found = compare(project(before), project(after))
    assert all(item.severity is not Severity.ERROR for item in found.findings)
    return {
        (item.change.manifest.spec.stem, item.change.after is not None): [
            origin.place for origin in item.origins
        ]
        for item in found.objects
    }


def test_an_object_whose_file_is_gone_is_where_its_name_was():
    files = {**SMALL, RISK: NAMED}
    found = places(files, {name: text for name, text in files.items() if name != RISK})
    assert found["risk", False] == [(RISK, 7, 13)]


def test_an_object_that_leaves_a_file_which_stays_is_at_the_file():
    files = {**SMALL, IMAGE: PAIR + "name: pair\n"}
    found = places(files, {**files, RISK: SERVING[: SERVING.index("  - {domain_id: bob")]})
    assert found["pair", False] == [(IMAGE, 1, 1)]


def test_a_null_in_a_layer_is_the_place_of_what_it_deletes():
    found = places(INHERITED, {**INHERITED, RISK: OWN + "labels: {tier: null}\n"})
    assert found["risk", True][0] == (RISK, 3, 16)


def test_what_is_no_longer_said_is_at_the_nearest_value_that_is_left():
    found = places(INHERITED, {**INHERITED, BASE_RISK: NAMED + "labels: {team: risk}\n"})
    assert found["risk", True][0] == (BASE_RISK, 8, 9)


def test_an_object_that_an_edit_takes_away_is_at_the_edit():
    found = places(SMALL, {**SMALL, RISK: SERVING.replace("pair", "scorer")})
    assert found["pair", False] == [(RISK, 6, 22)]
