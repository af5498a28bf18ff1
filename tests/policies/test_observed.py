"""Expressions come to what the API server's own CEL makes of them, as it was recorded."""

import json

import pytest

from renderer.policies.worker import Question, ask
from tests.support.places import ROOT
from tests.support.rows import each

pytestmark = pytest.mark.process
RECORDED = json.loads((ROOT / "tests/observed/cel/expressions.json").read_text("utf-8"))
DATA, ROWS = RECORDED["data"], RECORDED["rows"]
#: What the engine lacks: such an expression cannot be compiled here, and that is found.
NOT_EVALUATED = {
    "type(ip('1.2.3.4')) == net.IP": "types of Kubernetes",
    "[duration('1m'), duration('1s')].sum() == duration('61s')": "durations in a sum",
}
#: What is evaluated here and refused there: types that only the API server's checker tells apart.
LENIENT = {
    "[?self.?missing, 1].size() == 1": "a list of two types",
    "[1, 'a'][1] == 'a'": "a list of two types",
    "sets.contains([1], [1.0])": "sets of two types",
    "quantity('1.5Gi').asInteger() == 1610612736": "fails there, though it is a whole number",
}
#: What both evaluate, and say otherwise.
OTHERWISE = {"'%s'.format([{'a': 1}])": "a map as text has quotes there"}


@pytest.fixture(scope="module")
def answers():
    questions = [Question(row["expression"], ("self",), {"self": DATA}) for row in ROWS]
    pairs = zip(questions, ask(questions), strict=True)
    return {question.expression: answer for question, answer in pairs}


@each("row", ROWS, name=lambda row: row["expression"])
def test_an_expression_comes_to_the_same(row, answers):
    text = row["expression"]
    answer = answers[text]
    if text in NOT_EVALUATED:
        assert answer.error
    elif text in LENIENT:
        assert not answer.error
    elif "value" not in row:
        assert answer.error, answer
    elif text in OTHERWISE:
        assert answer.value != row["value"]
    elif not isinstance(row["value"], list | dict):
        assert not answer.error
        assert str(answer.value or False) == str(row["value"] or False)


def test_exceptions_are_few_and_recorded():
    texts = {row["expression"] for row in ROWS}
    assert {*NOT_EVALUATED, *LENIENT, *OTHERWISE} <= texts
    assert len(ROWS) > 300
