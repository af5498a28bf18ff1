"""Expressions in words that the engine has, and where their faults stand."""

import pytest

from renderer.policies.answers import ask
from renderer.policies.expressions import tokens, uses_binding, written
from renderer.policies.worker import Question
from tests.support.rows import each

DATA = {"self": {"l": [1, 2, 3], "m": {"a": "x", "b": "y"}}}
DEFINITIONS = (
    ("items", "self.l"),
    ("count", "variables.items.size()"),
    ("missing", "self.zzz"),
    ("more", "variables.count + 1"),
)


def answer(expression, definitions=()):
    (found,) = ask([Question(expression, ("self",), DATA, ("bool",), definitions)])
    return found


@pytest.mark.process
@each(
    "expression",
    [
        "self.l.all(i, v, v > i)",
        "self.m.exists(k, v, k == 'a' && v == 'x')",
        "self.m.existsOne(k, v, v == 'x')",
        "self.l.transformList(i, v, i > 0, v * i) == [2, 6]",
        "self.m.transformMap(k, v, k == 'a', v + 'x') == {'a': 'xx'}",
        "self.m.transformMapEntry(k, v, {v: k}) == {'x': 'a', 'y': 'b'}",
        "self.m.all(k, v, self.l.all(i, x, x > i && v.size() == 1))",
        "'''a.validate(b) // no comment'''.size() == 27 // a comment",
        "!format.dns1123Label().validate('ok').hasValue()",
        "format.named('uri').value().validate('').value() == ['parse \"\": empty url']",
        "format.qualifiedName().validate('/').value().size() == 3",
    ],
    name=str,
)
def test_forms_of_kubernetes_are_evaluated(expression):
    assert answer(expression).value is True, answer(expression)


@pytest.mark.process
@each(
    "expression value",
    [
        ("variables.more == 4", True),
        ("variables.missing == 1 || true", True),
        ("has(variables.items)", True),
        ("has(.variables.items) && .variables.more == 4 && [1].all(i, .self.l.size() > i)", True),
        (".self.l.all(i, v, v > i)", True),
        ("variables.items.all(i, v, v > i && variables.count == 3)", True),
        ("variables.missing == 1", None),
    ],
    name=lambda row: row[0],
)
def test_variables_are_evaluated_when_they_are_needed(expression, value):
    assert answer(expression, DEFINITIONS).value is value


@pytest.mark.process
@each(
    "expression column part",
    [
        ("self.l.all(i, v, v > i && other)", 27, "'other'"),
        ("variables.count  == 'x'", 18, "no matching overload"),
        ("variables.later == 1", 10, "'variables.later'"),
        ("self.l", 1, "must evaluate to bool but got dyn"),
        ("cel.bind(a, 1, a == 1)", 1, "cel.bind"),
    ],
    name=lambda row: row[0],
)
def test_faults_stand_where_they_were_written(expression, column, part):
    found = answer(expression, DEFINITIONS)
    assert found.is_invalid
    assert (found.line, found.column) == (1, column)
    assert part in found.error


@pytest.mark.process
def test_faults_in_later_lines_stand_there():
    found = answer("self.l.all(i, v,\n  v > other)")
    assert (found.line, found.column) == (2, 7)


def test_what_the_engine_knows_is_left_as_it_is():
    text = "self.all(x,  x > 0)  // fine"
    assert written(text).text == text


def test_a_text_is_one_word():
    kinds = [(item.text, item.kind) for item in tokens('r\'a\\\' + "b\\"c" >= 1.5')]
    assert kinds == [
        ("r'a\\'", "text"), ("+", "mark"), ('"b\\"c"', "text"), (">=", "mark"), ("1.5", "number"),
    ]  # fmt: skip


def test_a_binding_in_a_text_is_none():
    assert not uses_binding("'cel.bind(a, b, c)' == ''")
