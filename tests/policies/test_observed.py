"""Expressions come to what the API server's own CEL makes of them, as it was recorded."""

import json

import pytest

from renderer.policies.answers import ask
from renderer.policies.failures import failure_words
from renderer.policies.worker import Question
from tests.support.places import ROOT
from tests.support.rows import each

pytestmark = pytest.mark.process
RECORDED = json.loads((ROOT / "tests/observed/cel/expressions.json").read_text("utf-8"))
DATA, ROWS = RECORDED["data"], RECORDED["rows"]
#: What the engine lacks: such an expression is an error here, and that is found.
NOT_EVALUATED = {
    "type(ip('1.2.3.4')) == net.IP": "types of Kubernetes",
    "[duration('1m'), duration('1s')].sum() == duration('61s')": "durations in a sum",
    "[duration('1m'), duration('2m')].max() == duration('2m')": "durations in a sum",
    "{'a': 1, 'a': 2}.size()": "a key twice",
}
#: What is evaluated here and refused there: types that only the API server's checker tells apart.
LENIENT = {
    "[?self.?missing, 1].size() == 1": "a list of two types",
    "[1, 'a'][1] == 'a'": "a list of two types",
    "sets.contains([1], [1.0])": "sets of two types",
}
#: What both evaluate, and say otherwise: how maps, lists and exponents are made texts.
OTHERWISE = {
    "'%s'.format([{'a': 1}])",
    "'%s'.format([['a', 1.0]])",
    "'%e'.format([1234.5])",
}
#: What fails on both sides, with words that are Go's there.
OTHER_WORDS = {
    "semver('1') == semver('1.0.0')",
    "ip('1.2.3') == ip('1.2.3.4')",
    "cidr('10.0.0.0/33').prefixLength() == 33",
    "ip.isCanonical('x')",
    "url('relative').getHost() == ''",
    "self.text.sum()",
    "self.list.all(i, v, v.x > 0)",
    "self.text.charAt(99)",
    "'abc'.substring(2, 1)",
    "self.text.substring(3, 99)",
    "string(self.list)",
    "self.none.x == 1",
    "self.list.x",
    "self.text.x",
    "self.replicas.x == 1",
    "has(self.list.x)",
    "self.text.all(x, x)",
    "self.none.size() == 0",
}
_MOST_NOT_EVALUATED = 0.02


@pytest.fixture(scope="module")
def answers():
    questions = [Question(row["expression"], ("self",), {"self": DATA}) for row in ROWS]
    pairs = zip(questions, ask(questions), strict=True)
    return {question.expression: answer for question, answer in pairs}


def is_same(value, recorded):
    """JSON has one kind of numbers, and what is empty is recorded as false."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value or False) == str(recorded or False)
    return value == (recorded or 0) and not isinstance(recorded, str)


@each("row", ROWS, name=lambda row: row["expression"])
def test_an_expression_comes_to_the_same(row, answers):
    text = row["expression"]
    answer = answers[text]
    if text in NOT_EVALUATED:
        assert answer.error
    elif text in LENIENT:
        assert not answer.error
    elif "failed" in row:
        assert not answer.is_invalid, answer
        assert (failure_words(answer) == row["failed"]) is (text not in OTHER_WORDS), answer
    elif "refused" in row:
        assert answer.error
    elif text in OTHERWISE:
        assert answer.value != row["value"]
    else:
        assert not answer.error
        assert is_same(answer.value, row["value"])


def test_exceptions_are_few_and_recorded():
    texts = {row["expression"] for row in ROWS}
    assert {*NOT_EVALUATED, *LENIENT, *OTHERWISE, *OTHER_WORDS} <= texts
    assert len(ROWS) > 500
    assert len(NOT_EVALUATED) + len(LENIENT) + len(OTHERWISE) < len(ROWS) * _MOST_NOT_EVALUATED
