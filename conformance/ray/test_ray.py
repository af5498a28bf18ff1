"""What Ray says to the tables is what was recorded."""

from pathlib import Path

import pytest

from conformance.conftest import Report
from conformance.ray.mutations import read_mutations
from conformance.ray.records import Row, count, read_rows, row_of, write_rows
from conformance.ray.wheels import VERSIONS, ask


def test_the_tables_are_what_ray_answers(
    tmp_path: Path, pytestconfig: pytest.Config, report: Report
) -> None:
    mutations = list(read_mutations())
    questions = [item.question for item in mutations]
    answers = {version: ask(version, questions, tmp_path) for version in VERSIONS}
    found: dict[str, list[Row]] = {}
    for number, item in enumerate(mutations):
        said = {version: some[number] for version, some in answers.items()}
        found.setdefault(item.subject, []).append(row_of(item, said))
    if pytestconfig.getoption("--update-observed"):
        write_rows(found)
    recorded = read_rows()
    report(count(recorded))
    assert recorded == {subject: found[subject] for subject in sorted(found)}
