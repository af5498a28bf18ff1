"""Rules of CRDs over rendered objects: where they find something, in which words, and when not."""

import pytest

from renderer import check
from renderer.evaluate.rulebook import every_rule
from renderer.policies import worker
from renderer.values.diagnostics import Severity
from tests.support.examples import repository
from tests.support.memory import project
from tests.support.rows import each
from tests.support.scalers import CRD, SPEC, scaler_files

pytestmark = pytest.mark.process


def found_with(rule, spec):
    """What is found in a scaler whose spec has a rule."""
    return [item for item in check(project(scaler_files(rule, spec))) if item.code[:3] == "MAN"]


#: A rule, a spec that it refuses, in which column and words, and a spec that it takes.
ROWS = [
    ("{rule: self.least <= self.most}", "{least: 3, most: 2}", 7, "failed rule", "{least: 1}"),
    ("{rule: self.least <= self.most, message: too many}", "{least: 3}", 7, "too many", "{}"),
    ("{rule: 'self.ratio / 2.0 > 1.0'}", "{ratio: 2}", 7, "spec is invalid", "{ratio: 3}"),
    ("{rule: 'self.wait < duration(\"1h\")'}", "{wait: 2h}", 7, "failed", "{wait: 59m}"),
    ("{rule: self.cost__dash__centre != ''}", '{cost-centre: ""}', 7, "failed", "{cost-centre: a}"),
    (
        "{rule: 'self.stages.all(s, s.after < duration(\"1h\"))'}",
        "{stages: [{after: 1m}, {after: 60m}]}", 7, "failed", "{stages: [{after: 1m}]}",
    ),
    ("{rule: 'self.hosts == [\"a\", \"b\"]'}", "{hosts: [a, c]}", 7, "failed", "{hosts: [b, a]}"),
    (
        "{rule: self.least < 3, fieldPath: .least, reason: FieldValueForbidden, message: too many}",
        "{most: 3, least: 3}", 24, "spec.least is forbidden: too many", "{least: 1}",
    ),
    (
        "{rule: 'self.labels.all(k, k.size() < 3)', fieldPath: '.labels', messageExpression: "
        "'\"there are \" + string(self.labels.size())'}",
        "{labels: {team: a}}", 16, "spec.labels is invalid: there are 1", "{labels: {a: c}}",
    ),
    ("{rule: self.labels.a == 'b'}", "{labels: {}}", 7, "no such key: a", "{labels: {a: b}}"),
    (
        "{rule: 'self.stages.filter(s, has(s.after)).all(s, s.after < duration(\"1h\"))'}",
        "{stages: [{after: 1m}, {after: 60m}]}", 7, "failed", "{stages: [{after: 1m}, {}]}",
    ),
    (
        "{rule: 'self.stages.filter(s, true)[0].after < duration(\"1h\")'}",
        "{stages: [{after: 60m}]}", 7, "failed", "{stages: [{after: 1m}]}",
    ),
    (
        "{rule: 'self.stages.filter(s, true).all(s, s.tags == [\"a\", \"b\"])'}",
        "{stages: [{tags: [a]}]}", 7, "failed", "{stages: [{tags: [b, a]}]}",
    ),
]  # fmt: skip


@each("rule refused column words taken", ROWS, name=lambda row: row[0])
def test_a_rule_finds_what_it_refuses_at_its_line(rule, refused, column, words, taken):
    if taken != "{}":
        assert found_with(rule, taken) == []
    (item,) = found_with(rule, refused)
    assert item.place_and_code == (SPEC, 4, column, "MAN019")
    assert words in item.message
    assert CRD in item.related
    assert item.environments == ("dev",)


def test_what_compares_with_a_former_object_is_not_asked_of_one():
    assert found_with("{rule: self.least >= oldSelf.least}", "{least: 1}") == []
    optional = "{rule: '!oldSelf.hasValue() || self.least >= oldSelf.value().least', "
    assert found_with(optional + "optionalOldSelf: true}", "{least: 1}") == []
    (item,) = found_with("{rule: 'oldSelf.hasValue()', optionalOldSelf: true}", "{least: 1}")
    assert item.code == "MAN019"


def test_a_rule_that_cannot_be_compiled_is_said_to_be_unevaluated():
    (item,) = found_with("{rule: self.least.frobnicate()}", "{least: 1}")
    assert (item.file, item.line, item.code) == (CRD, 30, "MAN020")
    assert item.severity is Severity.INFO
    assert "frobnicate" in item.message


BROKEN = ["self.", "oldSelf.", "self.most == self.", "self.waits[0", "self.?", "self.stages.all("]


@each("text", BROKEN)
def test_an_expression_that_ends_too_early_is_said_to_be_unevaluated(text):
    (item,) = found_with(f"{{rule: '{text}'}}", "{least: 1}")
    assert (item.file, item.line, item.code) == (CRD, 30, "MAN020")
    assert "Syntax error" in item.message


def test_what_the_engine_lacks_is_not_a_refusal():
    (item,) = found_with("{rule: 'self.waits.sum() < duration(\"1h\")'}", "{waits: [2h]}")
    assert (item.code, item.file) == ("MAN020", CRD)
    assert "sums, least and most of durations" in item.message


#: Where it is not followed what type a value has that an expression selects.
LOST = [
    'self.stages.map(s, s).all(t, t.after < duration("1h"))',
    '[self.stages[0]].all(t, t.after < duration("1h"))',
    '(self.least > 0 ? self.stages : []).all(s, s.tags == ["a"])',
    'self.?stages[0].after.orValue("") != ""',
    'self.stages.map(s, s.tags).all(t, t == ["b", "a"])',
]


@each("text", LOST)
def test_where_a_type_is_lost_a_rule_is_not_evaluated(text):
    (item,) = found_with(f"{{rule: '{text}'}}", "{least: 1, stages: [{after: 1m, tags: [a, b]}]}")
    assert (item.file, item.code) == (CRD, "MAN020")
    assert "type" in item.message


KEPT = [
    'self.stages.map(s, s.after).all(a, a < duration("1h"))',
    "self.stages.exists(s, has(s.after)) && self.stages.map(s, s.tags.size())[0] == 2",
    "self.stages.all(s, self.stages.exists_one(o, o.tags == s.tags))",
    '(has(self.waits) ? self.waits.size() : 0) == 0 && self.stages[0].tags.exists(t, t == "a")',
    'self.stages.filter(s, has(s.tags)).size() == 1 && !("c" in self.stages[0].tags)',
]


@each("text", KEPT)
def test_where_types_are_followed_a_rule_is_evaluated(text):
    assert found_with(f"{{rule: '{text}'}}", "{stages: [{after: 1m, tags: [a, b]}]}") == []


def test_without_the_engine_it_is_said_once(monkeypatch):
    monkeypatch.setattr(worker.cel, "is_available", lambda: False)
    (item,) = found_with("{rule: self.least < 3}, {rule: self.least < 2}", "{least: 4}")
    assert (item.code, item.file, item.severity) == ("MAN020", CRD, Severity.INFO)
    assert "servingctl[cel]" in item.fix


def test_no_worker_starts_where_no_object_has_rules():
    worker.stop()
    found_with("", "{least: 1}")
    assert worker._current == []


@pytest.mark.parametrize("outcome", ["fails", "passes"])
def test_the_documented_example(outcome):
    (rule,) = (item for item in every_rule() if item.code == "MAN019")
    found = {item.code for item in check(project(repository(rule, outcome)))}
    assert ("MAN019" in found) == (outcome == "fails")
