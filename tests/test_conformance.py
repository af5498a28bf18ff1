"""The recorded answers of the API server belong to the table of mutations as it is now."""

from conformance.kubernetes.answers import Answer, count, read_rows, row_of
from conformance.kubernetes.mutations import read_mutations
from tests.support.places import ROOT

ASKED = ("name", "spec", "path", "value", "times")


def test_every_mutation_is_recorded_as_it_is_written():
    table = {f"{item.file}/{item.name}": row_of(item, Answer()) for item in read_mutations()}
    recorded = read_rows()
    assert list(recorded) == list(table)
    for name, row in recorded.items():
        assert {key: row.get(key) for key in ASKED} == {key: table[name].get(key) for key in ASKED}
        assert row["accepted"] == ("refused" not in row) == ("causes" not in row)


def test_the_documentation_counts_them():
    assert count(read_rows().values()) in (ROOT / "docs/conformance.md").read_text("utf-8")
