"""Faults of rules: each is found at its line, in words that name it."""

import pytest

from renderer.values.diagnostics import Severity
from tests.support.policies import FILE, RULE, changed, found_with
from tests.support.rows import each

pytestmark = pytest.mark.process

_EXPRESSION = "has(spec.labels) && 'owner' in spec.labels"
_BOMB = "['aaaaaaaaaaaaaaaa']{}.all(z, z.size() > 1)"
_BOMB = _BOMB.format(".map(a, a + a)" * 25)


def expression(text):
    return {f"expression: {_EXPRESSION}": f"expression: {text}"}


#: Name, what is changed in the rule, code, line, column, a part of the message.
FAULTS = [
    ("unknown variable", expression("specs.a == 1"), "SPC022", 7, 18, "reference to 'specs"),
    ("variable of a unit", expression("unit.name == ''"), "SPC022", 7, 17, "reference to 'unit"),
    ("variable of an object", expression("object.kind == ''"), "SPC022", 7, 19, "'object.kind'"),
    ("unknown function", expression("spec.a.trimAll()"), "SPC022", 7, 27, "'trimAll'"),
    ("type error", expression("1 + 'a' == 2"), "SPC022", 7, 15, "no matching overload"),
    ("two types", expression("1 == '1'"), "SPC022", 7, 15, "no matching overload"),
    ("open bracket", expression("(true"), "SPC022", 7, 18, "Syntax error"),
    ("nothing behind an operator", expression("true &&"), "SPC022", 7, 20, "Syntax error"),
    ("two expressions", expression("true; true"), "SPC022", 7, 17, "Syntax error"),
    ("assignment", expression("spec.a = 1"), "SPC022", 7, 20, "Syntax error"),
    ("reserved word", expression("spec.in == 1"), "SPC022", 7, 18, "Syntax error"),
    ("wrong number of arguments", expression("size(spec, 1) > 0"), "SPC022", 7, 17, "size"),
    (
        "a pattern with lookahead",
        expression("\"'a'.matches('(?=a)')\""),
        "SPC023",
        11,
        12,
        "invalid perl operator",
    ),
    ("a sum of forty", expression("1" + " + 1" * 39 + " > 0"), "SPC022", 7, 13, "32 levels"),
    ("a number", expression('"1"'), "SPC023", 11, 12, "is found by it"),
    ("always true", expression('"true"'), "SPC023", 12, 11, "of 'fails'"),
    ("always false", expression('"false"'), "SPC023", 11, 12, "of 'passes'"),
    (
        "ReDoS elsewhere is none here",
        expression("\"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(a+)+$')\""),
        "SPC023",
        11,
        12,
        "of 'passes'",
    ),
    (
        "endless comprehension",
        expression("'[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, "
                   "[1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, "
                   "[1,2,3,4,5,6,7,8,9,10].map(e, e))))).size() > 0'"),
        "SPC023",
        11,
        12,
        "more than 10,000 items",
    ),
    ("too much memory", expression(f'"{_BOMB}"'), "SPC023", 11, 12, "more than"),
    ("division by zero", expression("1 / 0 == 1"), "SPC023", 11, 12, "division by zero"),
    ("a method of something else", expression("spec.labels.isInteger()"), "SPC023", 11, 12,
     "a value is not of the type"),
    ("two types of items", expression("'[1, spec].isSorted()'"), "SPC023", 11, 12,
     "not of the type"),
    ("an open bracket in a pattern", expression("\"'a'.find('(') == ''\""), "SPC023", 11, 12,
     "invalid regular expression: missing ): ("),
    ("too big a sum", expression("'[9223372036854775807, 1].sum() > 0'"), "SPC023", 11, 12,
     "integer overflow"),
    ("a format of a number", expression("format.uri().validate(1).hasValue()"), "SPC022", 7, 35,
     "'validate'"),
    ("a field of a text", expression("self.labels.owner.first == 1"), "SPC023", 11, 12,
     "not of the type"),
    ("no such quantity", expression("sign(quantity('x')) > 0"), "SPC023", 11, 12, "quantities"),
    ("missing field", expression("spec.labels.owner != ''"), "SPC023", 12, 11, "'labels'"),
    ("an example that passes", {"spec: {}": "spec: {labels: {owner: a}}"}, "SPC023", 12, 11, "it"),
    ("an example that fails", {"{owner: me}": "{}"}, "SPC023", 11, 12, "is found by it"),
    ("an example of something else", {"spec: {}": "unit: {}"}, "SPC023", 12, 11, "has no 'spec'"),
    ("no examples", {RULE[RULE.index("examples:") :]: ""}, "SPC011", 1, 1, "examples"),
    ("no failing example", {"  fails: [{spec: {}}]\n": ""}, "SPC011", 10, 1, "fails"),
    ("empty examples", {"fails: [{spec: {}}]": "fails: []"}, "SPC016", 12, 10, "fails"),
    ("unknown variable in an example", {"spec: {}": "specs: {}"}, "SPC010", 12, 12, "specs"),
    ("no code", {"code: ACME012\n": ""}, "SPC011", 1, 1, "code"),
    ("a code of ours", {"ACME012": "KUS101"}, "SPC015", 3, 7, "KUS101"),
    ("a code as ours are", {"ACME012": "XYZ999"}, "SPC015", 3, 7, "XYZ999"),
    ("a short code", {"ACME012": "AB1"}, "SPC015", 3, 7, "AB1"),
    ("a code in lower case", {"ACME012": "acme012"}, "SPC015", 3, 7, "acme012"),
    ("a long code", {"ACME012": "ACME012345678"}, "SPC015", 3, 7, "ACME012345678"),
    ("unknown severity", {"severity: error": "severity: fatal"}, "SPC014", 5, 11, "fatal"),
    ("no why", {"why: Somebody is called at night.\n": ""}, "SPC011", 1, 1, "why"),
    ("no title", {"title: specs have an owner\n": ""}, "SPC011", 1, 1, "title"),
    ("unknown key", {"why:": "reason: x\nwhy:"}, "SPC010", 8, 1, "reason"),
    ("unknown key of match", {"{kinds:": "{kind: a, kinds:"}, "SPC010", 6, 9, "kind"),
    ("unknown subject", {"match:": "on: pod\nmatch:"}, "SPC014", 6, 5, "pod"),
    ("of without a change", {"match:": "of: unit\nmatch:"}, "SPC020", 6, 1, "rules on changes"),
    ("a change of nothing", {"match:": "on: change\nof: pod\nmatch:"}, "SPC014", 7, 5, "pod"),
    ("one state in two", {"match:": "on: change\nmatch:"}, "SPC022", 8, 16, "reference to 'spec"),
    (
        "an example without sides",
        {"match:": "on: change\nmatch:", **expression("after == null")},
        "SPC023",
        12,
        12,
        "has no 'after'",
    ),
    (
        "an example of a change that is a text",
        {"match:": "on: change\nmatch:", "{spec: {}}": "{after: a}"},
        "SPC012",
        13,
        19,
        "after",
    ),
    ("kinds are a list", {"[Serving]": "Serving"}, "SPC012", 6, 16, "kinds"),
    ("a misspelt kind", {"[Serving]": "[Servng, Serving]"}, "POL015", 6, 17, "no kind by 'Servng'"),
    ("a kind in lower case", {"[Serving]": "[inferenceservice]"}, "POL015", 6, 17, "no kind by"),
    ("a kind in the plural", {"[Serving]": "[Servings]"}, "POL015", 6, 17, "no kind by"),
    ("a misspelt platform", {"kinds: [Serving]": "platforms: [kubernets]"}, "POL015", 6, 21,
     "no platform by 'kubernets'"),
    ("a misspelt environment", {"kinds: [Serving]": "environments: [dev, dve]"}, "POL015", 6, 29,
     "no environment by 'dve'"),
    ("no such environment", {"kinds: [Serving]": "environments: [live*]"}, "POL015", 6, 24,
     "no environment by 'live*'"),
    ("no such destination", {"kinds: [Serving]": "destinations: [moon]"}, "POL015", 6, 24,
     "no destination by 'moon'"),
    ("a path with items", {"why:": "at: a[0]\nwhy:"}, "SPC015", 8, 5, "a[0]"),
    ("an expression that is a number", {_EXPRESSION: "1.5"}, "SPC013", 7, 13, "1.5"),
    ("a message of nothing", {"why:": "messageExpression: foo\nwhy:"}, "SPC022", 8, 20, "'foo'"),
    ("a key twice", {"why:": "code: A\nwhy:"}, "YML005", 8, 1, "code"),
    ("another kind", {"kind: Rule": "kind: Ruler"}, "SPC020", 1, 1, "no rule"),
    ("another version", {"gitops/v1": "gitops/v2"}, "SPC020", 1, 1, "no rule"),
    ("two documents", {"why:": "---\nkind: Rule\nwhy:"}, "SPC020", 1, 1, "more than one"),
]  # fmt: skip


@each("fault", FAULTS, name=lambda fault: fault[0])
def test_faults_are_found_at_their_line(fault):
    name, pairs, code, line, column, message = fault
    found = [item for item in found_with(changed(pairs)) if item.file == FILE]
    said = [(item.code, item.line, item.column, item.message) for item in found]
    assert any(s[:3] == (code, line, column) and message in s[3] for s in said), (name, said)


@each("fault", FAULTS, name=lambda fault: fault[0])
def test_faults_of_rules_count_whatever_version_the_others_are_of(fault):
    _, pairs, code, line, column, _ = fault
    old = {"servingctl.yaml": "rules_as_of: 0.2.0\n"}
    found = [item for item in found_with(changed(pairs), old) if item.file == FILE]
    (first, *_) = [i for i in found if (i.code, i.line, i.column) == (code, line, column)]
    assert first.severity is (Severity.WARNING if code == "POL015" else Severity.ERROR)


@each(
    "match",
    [
        "{kinds: [Serving, Certificate]}",
        "{kinds: [Certificate, KusciaDeployment, ConfigMap]}",
        "{environments: [d*, live, test*]}",
        "{destinations: [east, moon], platforms: [kuscia, kubernetes]}",
    ],
    name=str,
)
def test_names_that_may_be_there_are_no_fault(match):
    found = found_with(changed({"{kinds: [Serving]}": match}))
    assert [item for item in found if item.file == FILE] == []


def test_what_others_keep_in_the_folder_fails_no_upgrade():
    foreign = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: a}\n"
    old = {"servingctl.yaml": "rules_as_of: 0.2.0\n"}
    for more, severity in (({}, Severity.ERROR), (old, Severity.WARNING)):
        (found,) = [i for i in found_with(foreign, more) if i.file == FILE]
        assert (found.code, found.severity) == ("SPC020", severity)


def test_the_rule_itself_has_no_fault():
    assert [item for item in found_with() if item.file == FILE] == []


def test_there_are_forty_faults():
    assert len(FAULTS) > 40


def test_a_rule_with_a_code_of_another_names_it():
    found = found_with(changes={"policies/second.yaml": RULE})
    assert [(i.code, i.line) for i in found if i.file == "policies/second.yaml"] == [("SPC021", 3)]
