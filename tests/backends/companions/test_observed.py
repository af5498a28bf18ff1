"""What API servers answered to companions: `validate` and `diff` say the same of each.

`tests/observed/kubernetes/README.md` says how the answers came about.
"""

import pytest
import yaml

from conformance.kubernetes.companions.asking import NOT_SERVED, NOTHING, REFUSED
from conformance.kubernetes.companions.recordings import (
    CASES,
    EDITS,
    VERSIONS,
    answer_of,
    versions_that_serve,
)
from conformance.operators.records import read_rows
from renderer import compare
from renderer.backends.companions.fixed_fields import fixed_rows
from renderer.backends.companions.table import ROWS
from renderer.kubernetes.forms.persistent_volume import VOLUME_SOURCES
from renderer.schema import kubernetes_schemas
from tests.support.companion_exceptions import (
    INFERRED,
    OTHER_CLASSES,
    REFUSALS_FOUND,
    REFUSALS_FOUND_WITHOUT_SCHEMAS,
    STRICTER,
)
from tests.support.replay import TOGETHER, Row, opened, replay, shares

ALLOWED = sorted(f"{row.kind}.{row.group}".rstrip(".") for row in ROWS)
#: What is said of an edit after which the same is stored.
HARMLESS = {"ignored", "in-place"}


def recorded(place):
    return [row for rows in read_rows(place).values() for row in rows]


def environment(row):
    """With the oldest version that has the kind; one that is gone is asked of the oldest of all."""
    version = next(iter(versions_that_serve(row)), "1.33")
    return {
        "kubernetes": {"version": version},
        "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "models"}],
        "companions": {"allow": ALLOWED},
    }


def answer(row):
    return answer_of(row, environment(row)["kubernetes"]["version"])


def classes(rows):
    """What `diff` says of each edit: the classes, by the row's name."""
    found = {}
    for start in range(0, len(rows), TOGETHER):
        some = rows[start : start + TOGETHER]
        states = (
            opened(Row(environment(row), {"one": row[side]}) for row in some)
            for side in ("before", "after")
        )
        found |= {row["name"]: set() for row in some}
        for item in compare(*states).objects:
            name = some[int(item.change.environment.removeprefix("row-"))]["name"]
            found[name] |= {str(impact.effect) for _, impact in item.impacts}
    return found


def unfit(rows):
    """The edits after which `validate` refuses the object, so that `diff` ends with an error."""
    after = {row["name"]: Row(environment(row), {"one": row["after"]}) for row in rows}
    return {name for name, found in replay(after).items() if found.errors}


def is_foretold(row, said):
    outcome = answer(row)["outcome"]
    if outcome == NOTHING:
        return said <= HARMLESS
    return bool(said) and (outcome == REFUSED) == ("refused" in said)


@shares
def test_edits_are_refused_as_diff_says(share):
    rows = [row for row in recorded(EDITS) if share(row["name"])]
    said = classes(rows)
    silent = [row for row in rows if not said[row["name"]] and answer(row)["outcome"] == REFUSED]
    for name in unfit(silent):
        said[name] = {"refused"}
    wrong = {row["name"] for row in rows if not is_foretold(row, said[row["name"]])}
    assert {name: said[name] for name in wrong - OTHER_CLASSES} == {}


def value_at(tree, path):
    for key in path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def test_fields_without_an_answer_are_known_to_be_inferred():
    """A field is recorded if a server refused an edit there, whichever version it was."""
    refused = [row for row in recorded(EDITS) if REFUSED in answers(row)]
    fields = [(row.of, row.at) for row in fixed_rows()]
    found = {
        f"{kind} {'.'.join(map(str, path))}"
        for kind, path in fields
        if not any(
            row["before"]["kind"] == kind
            and value_at(row["before"], path) != value_at(row["after"], path)
            for row in refused
        )
    }
    volumes = {f"PersistentVolume spec.{source}" for source in VOLUME_SOURCES} - {
        "PersistentVolume spec.nfs"
    }
    assert found == INFERRED | volumes


def answers(row):
    return {answer_of(row, version)["outcome"] for version in VERSIONS}


def verdicts(rows):
    """What `validate` finds of each companion, and what is rendered of it."""
    return replay({row["name"]: Row(environment(row), {"one": row["manifest"]}) for row in rows})


def is_refused(row):
    return answer(row)["outcome"] in (REFUSED, NOT_SERVED)


@shares
def test_what_is_accepted_is_no_error(share):
    rows = [row for row in recorded(CASES) if share(row["name"]) and not is_refused(row)]
    wrong = {name: found.errors for name, found in verdicts(rows).items() if found.errors}
    assert {name: errors for name, errors in wrong.items() if name not in STRICTER} == {}


@pytest.mark.long
def test_what_is_refused_is_an_error():
    rows = [row for row in recorded(CASES) if is_refused(row)]
    found = [name for name, row in verdicts(rows).items() if row.errors]
    assert len(found) >= REFUSALS_FOUND


@pytest.mark.long
@pytest.mark.usefixtures("without_schemas")
def test_what_is_refused_is_an_error_by_tables_alone():
    rows = [row for row in recorded(CASES) if is_refused(row)]
    found = [name for name, row in verdicts(rows).items() if row.errors]
    assert len(found) >= REFUSALS_FOUND_WITHOUT_SCHEMAS


@pytest.fixture
def without_schemas(monkeypatch):
    """As if the package were not installed."""
    asked = (kubernetes_schemas.installed_versions, kubernetes_schemas.object_schema)
    monkeypatch.setattr(kubernetes_schemas, "_home", str)
    for function in asked:
        function.cache_clear()
    yield
    for function in asked:
        function.cache_clear()


@shares
def test_what_is_accepted_is_rendered_as_it_is(share):
    """But for our own label and marks: so that what was stored of it is what is rendered."""
    rows = [row for row in recorded(CASES) if share(row["name"]) and not is_refused(row)]
    for name, found in verdicts(rows).items():
        if not found.errors:
            (manifest,) = found.manifests
            (given,) = (row["manifest"] for row in rows if row["name"] == name)
            rendered = yaml.load(manifest.text, yaml.CSafeLoader)
            assert without_marks(rendered) == without_marks(given), name


def without_marks(tree):
    metadata = {
        key: item
        for key, item in tree["metadata"].items()
        if key not in ("namespace", "labels", "annotations")
    }
    return {**tree, "metadata": metadata}
