"""Rules of CRDs that compare an object with the former one: what they refuse, `diff` says."""

import pytest

from renderer import check, compare
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.report import build_report
from renderer.rules.impacts import REFUSED
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.rows import each
from tests.support.scalers import CRD, SPEC, scaler_files

pytestmark = pytest.mark.process


def compared(rule, before, after):
    return compare(project(scaler_files(rule, before)), project(scaler_files(rule, after)))


def refused(comparison):
    return [i.finding for i in comparison.impact_findings if i.finding.code == REFUSED.code]


#: A rule, a spec, one that it refuses in its place, in which words, and one that it takes.
ROWS = [
    ("{rule: self.least >= oldSelf.least}", "{least: 3}", "{least: 2}", "failed", "{least: 4}"),
    (
        "{rule: self.least == oldSelf.least, message: it stays, fieldPath: .least, "
        "reason: FieldValueForbidden}",
        "{least: 3}", "{least: 2}", "spec.least is forbidden: it stays", "{least: 3, most: 4}",
    ),
    (
        "{rule: '!oldSelf.hasValue() || self.least >= oldSelf.value().least', "
        "optionalOldSelf: true, message: never fewer}",
        "{least: 3}", "{least: 2}", "never fewer", "{least: 3, most: 9}",
    ),
    (
        "{rule: self.most == oldSelf.most}",
        "{least: 1}", "{least: 1, most: 3}", "failed", "{least: 2}",
    ),
]  # fmt: skip


@each("rule before refusal words taken", ROWS, name=lambda row: row[0])
def test_what_is_refused_in_the_place_of_another(rule, before, refusal, words, taken):
    assert refused(compared(rule, before, taken)) == []
    comparison = compared(rule, before, refusal)
    (item,) = refused(comparison)
    assert item.severity is Severity.ERROR
    assert words in item.message
    assert (item.file, item.line) == (SPEC, 4)
    comment = FORMATS["markdown"](build_report(comparison, ("old", "new"), {}))
    assert "refused" in comment
    assert words in comment


def test_what_is_new_or_deleted_is_not_compared():
    rule = "{rule: self.least >= oldSelf.least}"
    other = {path: text for path, text in scaler_files(rule, "{least: 1}").items() if path != SPEC}
    for pair in (
        (other, scaler_files(rule, "{least: 1}")),
        (scaler_files(rule, "{least: 1}"), other),
    ):
        assert refused(compare(*map(project, pair))) == []


def test_a_rule_on_changes_that_cannot_be_compiled_is_said_to_be_unevaluated():
    (item,) = check(
        project(scaler_files("{rule: self.least >= oldSelf.frobnicate()}", "{least: 1}"))
    )
    assert (item.code, item.file) == ("MAN020", CRD)


def test_the_crds_of_the_new_state_are_asked():
    strict, loose = "{rule: self.least >= oldSelf.least}", "{rule: self.least >= 0}"
    states = project(scaler_files(loose, "{least: 3}")), project(scaler_files(strict, "{least: 2}"))
    assert len(refused(compare(*states))) == 1
    assert refused(compare(*reversed(states))) == []
