"""Rows in one evaluation come to what each comes to alone."""

import re

import pytest

from tests.support import kserve_rows, kuberay_rows
from tests.support.replay import Row, assert_agreement, findings, one_in_ten, shares

ENVIRONMENT = re.compile(r"environments/row-[0-9]+/")
PLATFORMS = {"kserve": kserve_rows, "kuberay": kuberay_rows}


def told(found):
    """What is found, without the name of the environment, which is another one alone."""

    def place(item):
        return item.file.split("/")[2], item.line, item.column

    return sorted(
        (*place(item), item.code, item.severity, ENVIRONMENT.sub("", item.fix)) for item in found
    )


@shares
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_row_is_what_it_is_alone(platform, share):
    known = PLATFORMS[platform]
    rows = {row["name"]: known.replayed(row) for row in known.ROWS if share(row["name"])}
    alone = {name: findings({name: row})[name] for name, row in rows.items()}
    together = findings(rows)
    assert_agreement((name, told(alone[name]), told(together[name])) for name in rows)
    assert sum(map(bool, alone.values())) > len(rows) / 10


def test_rows_of_one_name_do_not_meet():
    """Neither specs of one name, nor prerequisites, nor variables of another row."""
    (row,) = (row for row in kserve_rows.ROWS if row["name"] == "scale-default")
    first = kserve_rows.replayed(row)
    broken = Row(
        first.environment, {"asked": {**first.specs["asked"], "labels": {"a": "${vars.x}"}}}
    )
    given = Row({**first.environment, "vars": {"x": "y"}}, broken.specs)
    found = findings({"first": first, "broken": broken, "given": given, "again": first})
    codes = {name: [item.code for item in items] for name, items in found.items()}
    assert codes["first"] == codes["given"] == codes["again"]
    assert codes["broken"] != codes["first"]


def test_a_failure_lists_every_row_that_differs():
    rows = [("a", [], ["KSV101"]), ("b", [], []), ("c", True, False)]
    with pytest.raises(AssertionError) as failure:
        assert_agreement(rows)
    assert str(failure.value).splitlines() == [
        "2 rows:",
        "a: expected [], found ['KSV101']",
        "c: expected True, found False",
    ]


def test_the_tenth_is_the_same_everywhere():
    names = [f"row {number}" for number in range(1000)]
    assert 80 < sum(map(one_in_ten, names)) < 120
    chosen = [number for number, name in enumerate(names[:90]) if one_in_ten(name)]
    assert chosen == [0, 53, 59, 64, 65, 83, 88]
