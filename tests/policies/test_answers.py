"""Questions are asked once, and of no more than they read."""

import pytest

from renderer.policies import answers, worker
from renderer.policies.answers import ask, forget
from renderer.policies.reads import fields_read, narrowed
from renderer.policies.worker import Question
from tests.support.rows import each

VARIABLES = ("self", "spec")


@pytest.fixture
def sent(monkeypatch):
    """The questions that the worker is asked."""
    seen = []
    real = worker.ask

    def note(questions):
        seen.extend(questions)
        return real(questions)

    forget()
    monkeypatch.setattr(answers.worker, "ask", note)
    yield seen
    forget()


@pytest.mark.process
def test_only_what_is_read_is_sent(sent):
    data = {"self": {"a": {"b": 1, "c": 2}, "d": 3}, "spec": {"name": "x"}}
    (found,) = ask([Question("self.a.b == 1", VARIABLES, data)])
    assert found.value is True
    assert [item.data for item in sent] == [{"self": {"a": {"b": 1}}}]


@pytest.mark.process
def test_what_reads_the_same_is_asked_once(sent):
    questions = [Question("self.a == 1", VARIABLES, {"self": {"a": 1, "b": n}}) for n in range(9)]
    assert all(item.value is True for item in ask(questions) + ask(questions))
    assert len(sent) == 1


@pytest.mark.process
def test_equal_values_of_other_types_are_asked_by_themselves(sent):
    values = [1, 1.0, True, "1", None]
    questions = [Question("type(self) == int", VARIABLES, {"self": value}) for value in values]
    assert [item.value for item in ask(questions)] == [True, False, False, False, False]
    assert len(sent) == len(values)


@pytest.mark.process
def test_an_expression_that_is_only_compiled_is_another_question(sent):
    ask([Question("self == 1", VARIABLES, {}), Question("self == 1", VARIABLES)])
    assert len(sent) == 2


@pytest.mark.process
def test_a_missing_field_is_named_though_its_neighbours_are_not_sent(sent):
    data = {"self": {"labels": {"team": "a"}}}
    (found,) = ask([Question("self.labels.owner == 'x'", VARIABLES, data)])
    assert found.missing == "owner"


@pytest.mark.process
def test_not_everything_is_remembered(sent, monkeypatch):
    monkeypatch.setattr(answers, "_MOST", 2)
    for number in range(5):
        ask([Question("self == 1", VARIABLES, {"self": number})])
    assert len(answers._known) <= 2
    ask([Question("self != ''", VARIABLES, {"self": "long" * 1000})])
    assert all(len(key[-1]) < 4000 for key in answers._known)


READS = [
    ("self.a.b == 1", {"self": {"a": {"b": None}}}),
    ("has(self.a.b) && self.a.c", {"self": {"a": {"b": None, "c": None}}}),
    ("self.a.b == self.a", {"self": {"a": None}}),
    ("self.a == self.a.b", {"self": {"a": None}}),
    ("self.a.?b[?'c.d'].hasValue()", {"self": {"a": {"b": {"c.d": None}}}}),
    ("self.a[spec.b].c", {"self": {"a": None}, "spec": {"b": None}}),
    ("self.a.all(x, x.b)", {"self": {"a": None}, "x": None}),
    ("size(self) > 1", {"self": None}),
    ("self.a.size() > 1", {"self": {"a": None}}),
    ("'spec.a' == self.b", {"self": {"b": None}}),
    ("{'k': self.a}.k", {"self": {"a": None}}),
    ("(self).a", {"self": None}),
    (".self.a == .spec.b", {"self": {"a": None}, "spec": {"b": None}}),
    ("'x' in .self.a", {"self": {"a": None}}),
    ("true ? .self.a : [.spec.b][0]", {"self": {"a": None}, "spec": {"b": None}}),
    ("self.spec.a", {"self": {"spec": {"a": None}}}),
]


@each("expression reads", READS, name=lambda row: row[0])
def test_what_an_expression_reads(expression, reads):
    found = fields_read([expression])
    assert {name: found.get(name, "nothing") for name in reads} == reads


def test_what_is_no_mapping_is_whole():
    reads = fields_read(["self.a.b"])["self"]
    assert narrowed({"a": ["x"], "c": 1}, reads) == {"a": ["x"]}
    assert narrowed({}, reads) == {}
    assert narrowed(None, reads) is None
