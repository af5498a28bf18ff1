"""Findings that have one cause, and how many of them are told."""

import json

import pytest

from renderer.cli.findings import summary
from renderer.outputs import diff
from renderer.outputs.diff.report import DiffReport
from renderer.outputs.findings import FORMATS
from renderer.outputs.findings.baseline import fingerprints
from renderer.outputs.findings.causes import cause_ids, group_by_cause
from renderer.outputs.findings.report import Report, limited
from renderer.values.diagnostics import Diagnostic, Severity, merge_findings

BASE = "environments/base/environment.yaml"


def finding(name="m-1", line=3, message="no 'carol'", fix="", **others):
    file = name if "/" in name else f"environments/dev/servings/{name}.yaml"
    severity = others.pop("severity", Severity.ERROR)
    return Diagnostic(file, line, 1, "KUS201", severity, message, fix=fix, **others)


def fleet(count):
    return [finding(f"m-{number:04}") for number in range(1, count + 1)]


def test_a_place_that_is_wrong_in_two_environments_counts_once():
    """It is shown once, so the last line of a run says one error."""
    one, other = (finding(message=f"no {name!r}", environments=(name,)) for name in ("dev", "prod"))
    mild = one._replace(severity=Severity.WARNING, environments=("test",))
    both = "2 environments, 4 specs"
    assert summary([one, other, mild], {"dev": 1, "prod": 3}) == f"{both}: 1 error, 0 warnings"
    assert summary([*fleet(3), mild], {"dev": 1, "prod": 3}) == f"{both}: 3 errors, 1 warning"


def specs_of(found):
    return {item.file: item.file.rpartition("/")[2].removesuffix(".yaml") for item in found}


def text_of(found):
    return FORMATS["text"](Report(found, {}, specs=specs_of(found)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (finding("a"), finding("b", 9)),
        (finding(BASE, message="the party 'alice'"), finding(BASE, message="the party 'bob'")),
        (finding("a", message="'a': see x.yaml:7:1"), finding("b", message="'b': see x.yaml:9:1")),
    ],
    ids=["same words", "same line", "own name and lines"],
)  # fmt: skip
def test_findings_with_one_cause(one, other):
    assert len(set(cause_ids([one, other]))) == 1


@pytest.mark.parametrize(
    "other",
    [
        finding("b", message="no 'dave'"),
        finding("b", fix="write dave"),
        finding("b", severity=Severity.WARNING),
        finding("b")._replace(code="KUS101"),
    ],
    ids=["another name", "another remedy", "another severity", "another rule"],
)
def test_findings_with_causes_of_their_own(other):
    assert len(set(cause_ids([finding("a"), other]))) == 2


def test_lines_of_which_a_rule_says_the_same_several_things_have_one_cause():
    found = [finding(f"x/{n}", message=f"the party '{p}'") for n in range(3) for p in "ab"]
    assert [cause.places for cause in group_by_cause(found)] == [3]


def test_a_cause_is_the_same_whatever_else_is_found():
    alone = cause_ids([finding("b", 7)])
    assert cause_ids([finding("a"), finding("z", message="no 'dave'")])[:1] == alone


class TestText:
    def test_many_specs_are_one_block_that_names_a_few(self):
        shown = text_of(fleet(300))
        assert shown.count("[KUS201]") == 1
        assert "  also: 299 more places, of 300 specs: m-0001, m-0002 and 298 more\n" in shown

    def test_of_few_every_place_is_named(self):
        shown = text_of(fleet(3))
        place = "environments/dev/servings/m-000"
        assert f"  also: {place}2.yaml:3 and {place}3.yaml:3\n" in shown

    def test_one_line_names_the_specs_that_it_makes_wrong(self):
        users = fleet(300)
        found = [finding(BASE, related=(item.file,)) for item in users]
        shown = FORMATS["text"](Report(merge_findings(found), {}, specs=specs_of(users)))
        assert "  of: 300 specs: m-0001, m-0002 and 298 more\n" in shown

    def test_one_line_of_which_several_things_are_said(self):
        shown = text_of([finding(BASE, message=f"the party '{name}'") for name in "abcde"])
        assert "error: the party 'a' [" in shown
        assert "  also: the party 'b'; the party 'c' and 2 more\n" in shown

    def test_environments_of_all_are_named(self):
        found = [finding("a", environments=("dev",)), finding("b", environments=("prod",))]
        assert "  in: dev and prod\n" in text_of(found)


class TestLimits:
    def test_errors_come_first_then_file_and_line(self):
        levels = (Severity.INFO, Severity.WARNING, Severity.ERROR)
        found = [finding(f, n, severity=s) for s in levels for f in "ba" for n in (2, 1)]
        files = [(item.severity.name, item.file[-6:-5], item.line) for item in limited(found)]
        assert files[0] == ("ERROR", "a", 1)
        assert [severity for severity, *_ in files[::4]] == ["ERROR", "WARNING", "INFO"]
        assert [place for _, *place in files[:4]] == [["a", 1], ["a", 2], ["b", 1], ["b", 2]]

    def test_fifty_of_a_rule_and_file_and_one_for_the_rest(self):
        found = [finding("a", n, message=f"no {n}") for n in range(1, 81)]
        *told, rest = limited(found)
        assert told == found[:50]
        assert (rest.line, rest.stands_for) == (51, 30)
        assert rest.message == "30 more of this rule in this file are left out"

    def test_fifty_are_not_too_many(self):
        found = [finding("a", n, message=f"no {n}") for n in range(1, 51)]
        assert limited(found) == found

    def test_what_was_left_out_before_is_counted(self):
        found = [finding("a", n, message=f"no {n}") for n in range(1, 61)]
        earlier = finding("a", 61).summary_of_others(1000)
        assert limited([*found, earlier])[-1].stands_for == 1010
        assert limited([*found[:50], earlier])[-1] == earlier

    def test_the_worst_are_told_and_the_rest_is_as_bad_as_it_is(self):
        errors = [finding("a", n, message=f"no {n}") for n in range(100, 155)]
        warnings = [finding("a", n, severity=Severity.WARNING) for n in range(1, 99)]
        assert limited([*warnings, *errors])[50].severity is Severity.ERROR
        assert limited([*warnings, *errors[:50]])[50].severity is Severity.WARNING

    def test_other_files_and_rules_have_room_of_their_own(self):
        found = [finding(f, n, message=f"no {n}") for n in range(40) for f in "ab"]
        assert len(limited(found)) == 80


class TestReportsForPrograms:
    def test_json_has_a_finding_for_each_place_in_order_of_place_and_its_cause(self):
        found = limited([finding("b"), finding("a", severity=Severity.INFO), finding("c")])
        said = json.loads(FORMATS["json"](Report(found, {})))["findings"]
        assert [item["file"][-6:-5] for item in said] == ["a", "b", "c"]
        assert said[1]["cause"] == said[2]["cause"] != said[0]["cause"]

    def test_sarif_has_the_cause_among_the_properties(self):
        results = json.loads(FORMATS["sarif"](Report(fleet(2), {})))["runs"][0]["results"]
        assert {item["properties"]["cause"] for item in results} == {*cause_ids(fleet(2))}

    def test_fingerprints_do_not_depend_on_the_order(self):
        found = [finding("a", line) for line in (9, 5, 7)]
        by_line = dict(zip((9, 5, 7), fingerprints(found), strict=True))
        assert [by_line[line] for line in (5, 7, 9)] == fingerprints(sorted(found))


class TestDiffs:
    @staticmethod
    def shown(form):
        found = tuple(limited(fleet(300)))
        sides = ("a", "b", (), found, (), (), (), {})
        return diff.FORMATS[form](DiffReport(*sides, specs=specs_of(found)))

    @pytest.mark.parametrize("form", ["text", "markdown"])
    def test_one_cause_is_told_once_with_a_count(self, form):
        shown = self.shown(form)
        assert shown.count("KUS201") == 1
        assert "of 300 specs: m-0001, m-0002 and 298 more" in shown

    def test_a_page_unfolds_all_places(self):
        shown = self.shown("html")
        assert shown.count("KUS201") == 1
        assert shown.count("<li>environments/") == 300

    def test_json_has_them_all(self):
        found = json.loads(self.shown("json"))["findings"]
        assert len(found) == 300
        assert len({item["cause"] for item in found}) == 1


def test_what_is_milder_elsewhere_is_told_with_the_worst():
    """A policy: an error in production, and a warning in other environments."""
    worst = finding(BASE, environments=("prod",))
    milder = worst._replace(severity=Severity.WARNING, environments=("dev", "stage"))
    text = text_of([worst, milder])
    assert text.count("no 'carol'") == 1
    assert f"{BASE}:3:1: error: " in text
    assert "  in: prod\n" in text
    assert "  elsewhere: warning in dev and stage\n" in text
    assert len(json.loads(FORMATS["json"](Report([worst, milder], {})))["findings"]) == 2
