"""Rules of a repository over what changes: which sides they see, and where their findings stand."""

import json

import pytest

from renderer import check, compare
from renderer.evaluate.question import Shard
from renderer.outputs.diff import FORMATS
from renderer.outputs.diff.parts import join, read
from renderer.outputs.diff.report import build_report
from renderer.values.objects import Output
from tests.support.admission import FILES, FLOWERS
from tests.support.memory import project
from tests.support.policies import changed
from tests.support.repositories import DESCRIPTION, IMAGE, RISK, SCORER, SMALL
from tests.support.rows import each

pytestmark = pytest.mark.process
RULE = """\
apiVersion: serving.gitops/v1
kind: Rule
code: ACME050
title: never fewer replicas than before
severity: error
"on": change
of: unit
expression: before == null || after == null || after.pods.least >= before.pods.least
messageExpression: >-
  after.name + ' goes from ' + string(before.pods.least) + ' to ' + string(after.pods.least)
why: What served the load yesterday serves it today.
fix: keep the number
examples:
  passes:
    - {before: {name: a, pods: {least: 1}}, after: {name: a, pods: {least: 2}}}
    - {before: null, after: {name: a, pods: {least: 2}}}
    - {before: {name: a, pods: {least: 2}}, after: null}
  fails: [{before: {name: a, pods: {least: 2}}, after: {name: a, pods: {least: 1}}}]
"""
FILE = "policies/replicas.yaml"
EXPRESSION = "before == null || after == null || after.pods.least >= before.pods.least"
MESSAGE = RULE[RULE.index("messageExpression") : RULE.index("why:")]
EXAMPLES = RULE[RULE.index("  passes:") :]
OF_SPEC = {
    "of: unit\n": "",
    EXPRESSION: "before == null || after == null || after.parties == before.parties",
    MESSAGE: "",
    EXAMPLES: "  passes: [{before: {parties: []}, after: {parties: []}}]\n"
    "  fails: [{before: {parties: [a]}, after: {parties: []}}]\n",
}
OF_OBJECT = {
    "of: unit": "of: object",
    EXPRESSION: "before == null || after == null || after.spec.initiator == before.spec.initiator",
    MESSAGE: "",
    EXAMPLES: "  passes: [{before: null, after: {}}]\n"
    "  fails: [{before: {spec: {initiator: a}}, after: {spec: {initiator: b}}}]\n",
}
SERVING = """\
apiVersion: serving.gitops/v1
kind: Serving
initiator: alice
parties:
  - domain_id: alice
    app_image: scorer
    replicas: 3
  - {domain_id: bob, app_image: pair, replicas: 2}
"""
FEWER = SERVING.replace("replicas: 3", "replicas: 1")
BASE = {**SMALL, FILE: RULE, RISK: SERVING}


def compared(changes, rule=RULE, before=None, **options):
    first = {**BASE, FILE: rule, **(before or {})}
    return compare(project(first), project({**first, **changes}), **options)


def unevaluated(comparison):
    return [item.message for item in comparison.findings if item.code == "POL013"]


def own(comparison):
    return [item for item in comparison.findings if item.code == "ACME050"]


def places(comparison):
    return [(item.file, item.line, item.column) for item in own(comparison)]


def test_a_finding_stands_at_the_line_that_was_edited():
    (item,) = own(compared({RISK: FEWER}))
    assert item.place == (RISK, 7, 15)
    assert item.message == "alice goes from 3 to 1"
    assert (item.why, item.fix) == (
        "What served the load yesterday serves it today.",
        "keep the number",
    )
    assert item.environments == ("dev",)
    assert FILE in item.related


def test_validate_does_not_ask_it():
    assert {item.code for item in check(project({**BASE, RISK: FEWER}))} == {"POL004"}


@each(
    "change",
    [
        {RISK: SERVING.replace("replicas: 3", "replicas: 4")},
        {RISK: None},
        {RISK: SERVING.replace("Serving\n", "Serving\nserving_id: other\n")},
        {IMAGE: SCORER.replace("v1", "v2")},
        {IMAGE: SCORER.replace("replicas: 2", "replicas: 1")},  # live ones follow the serving
    ],
    name=str,
)
def test_what_keeps_its_pods_passes(change):
    assert own(compared(change)) == []


def test_what_is_new_passes():
    assert own(compared({RISK: FEWER}, before={RISK: None})) == []


def test_of_several_edits_it_is_the_one_that_decides():
    text = FEWER.replace("initiator: alice", "initiator: bob")
    assert places(compared({RISK: text})) == [(RISK, 7, 15)]


def test_each_unit_is_looked_at_by_itself():
    text = FEWER.replace("replicas: 2", "replicas: 1")
    assert places(compared({RISK: text})) == [(RISK, 7, 15), (RISK, 8, 49)]


def test_of_a_spec_it_is_the_first_edit_of_what_the_rule_reads():
    text = FEWER.replace("initiator: alice", "initiator: bob")
    assert places(compared({RISK: text}, changed(OF_SPEC, RULE))) == [(RISK, 7, 15)]


def test_a_line_that_is_taken_away_is_found_where_it_was():
    text = SERVING.replace("    replicas: 3\n", "")
    assert places(compared({RISK: text}, changed(OF_SPEC, RULE))) == [(RISK, 5, 5)]


def test_of_an_object_it_is_the_line_that_set_the_value():
    text = FEWER.replace("initiator: alice", "initiator: bob")
    assert places(compared({RISK: text}, changed(OF_OBJECT, RULE))) == [(RISK, 3, 12)]


def test_a_deleted_spec_is_found_where_it_was():
    none = {
        EXPRESSION: "after != null",
        MESSAGE: "",
        EXAMPLES: "  passes: [{after: {}}]\n  fails: [{before: {}, after: null}]\n",
    }
    assert places(compared({RISK: None}, changed(none, RULE)))[0][0] == RISK


def test_a_side_that_is_not_there_is_named():
    text = RULE.replace("before == null || after == null || ", "")
    text = text[: text.index("    - {before: null")] + text[text.index("  fails") :]
    (item, *_) = own(compared({RISK: None}, text))
    assert "after is null: it is deleted" in item.message
    assert item.fix == f"begin with 'after == null ||' in {FILE}"


MATCHES = [
    ("{kinds: [Serving]}", {}, 1),
    ("{kinds: [InferenceService]}", {}, 0),
    ("{production: false}", {}, 1),
    ("{production: true}", {}, 0),
    # nobody leaves a rule by the change that it forbids
    ("{production: true}", {DESCRIPTION: ("production: true\n", "")}, 1),
    ("{names: [risk]}", {RISK: ("", "serving_id: other\n")}, 1),
]


@each("row", MATCHES, name=str)
def test_one_side_has_to_match(row):
    match, more, count = row
    first = {file: f"{BASE[file]}{old}" for file, (old, _) in more.items()}
    then = {file: f"{BASE[file]}{new}" for file, (_, new) in more.items()}
    then[RISK] = FEWER + (more.get(RISK) or ("", ""))[1]
    rule = RULE.replace("of: unit", f"of: unit\nmatch: {match}")
    assert len(own(compared(then, rule, before=first))) == count


def test_it_is_ignored_with_a_reason():
    text = FEWER.replace(
        "    replicas", "    # servingctl: ignore[ACME050] a quiet week\n    replicas"
    )
    assert own(compared({RISK: text})) == []
    # nor does `validate`, which cannot know, say that the comment is needless
    assert {item.code for item in check(project({**BASE, RISK: text}))} == {"POL004"}


@each("word", ["warning", "info"], name=str)
def test_settings_say_how_bad_it_is(word):
    (item,) = own(compared({RISK: FEWER, "servingctl.yaml": f"rules: {{ACME050: {word}}}\n"}))
    assert str(item.severity) == word


def test_the_rules_are_those_of_the_new_state():
    assert own(compared({RISK: FEWER, FILE: None})) == []
    new_rule = compare(project({**BASE, FILE: None}), project({**BASE, RISK: FEWER}))
    assert len(own(new_rule)) == 1


def test_a_rule_on_specs_is_not_evaluated_over_rendered_output():
    rule = changed(OF_SPEC, RULE)
    found = compare(Output(()), project({**BASE, FILE: rule})).findings
    assert [(item.code, item.file) for item in found] == [("POL013", FILE)]


FORMS = {
    "markdown": ("🛑 | <code>parties", f"[ACME050] `{RISK}:7:15`"),
    "text": (f"{RISK}:7:15: error: alice goes from 3 to 1 [ACME050]",),
    "html": ("ACME050", "alice goes from 3 to 1"),
    "json": ('"code": "ACME050"',),
}


@each("form", [*FORMS], name=str)
def test_every_format_shows_it(form):
    report = build_report(compared({RISK: FEWER}), ("a", "b"), {})
    text = FORMATS[form](report)
    assert all(part in text for part in FORMS[form])


def test_the_edit_is_marked_as_wrong():
    report = build_report(compared({RISK: FEWER}), ("a", "b"), {})
    (cause,) = json.loads(FORMATS["json"](report))["causes"]
    assert cause["errors"] is True
    assert (cause["edit"]["file"], cause["edit"]["line"]) == (RISK, 7)


def test_parts_find_what_one_run_does():
    more = {f"environments/dev/servings/s{n}.yaml": SERVING for n in range(4)}
    fewer = dict.fromkeys(more, FEWER)
    once = compared({RISK: FEWER, **fewer}, before=more)
    parts = []
    for number in (1, 2, 3):
        part = compared({RISK: FEWER, **fewer}, before=more, shard=Shard(number, 3))
        report = build_report(part, ("a", "b"), {})._replace(shard=(number, 3))
        parts.append(read(FORMATS["json"](report)))
    joined = join(parts)
    assert [i.place for i in joined.findings] == [i.place for i in once.findings]
    assert len(own(once)) == 5


def test_only_what_was_asked_for_is_reported():
    more = {"environments/dev/servings/other.yaml": SERVING}
    then = {RISK: FEWER, "environments/dev/servings/other.yaml": FEWER}
    found = compared(then, before=more, specs=("other",))
    assert {item.file for item in own(found)} == {"environments/dev/servings/other.yaml"}


@each(
    "match said",
    [
        ("", 1),
        ("match: {kinds: [Serving]}", 1),
        ("match: {kinds: [RayJob]}", 0),
        ("match: {kinds: [KusciaDeployment], production: false}", 1),
        ("match: {environments: [prod]}", 0),
    ],
    name=lambda row: row[0],
)
def test_a_rule_that_an_error_keeps_from_being_asked_says_so(match, said):
    rule = changed({'"on": change': f'"on": change\n{match}'}, RULE)
    wrong = FEWER.replace("app_image: pair", "app_image: pear")
    for sides in ({"changes": {RISK: wrong}}, {"changes": {RISK: FEWER}, "before": {RISK: wrong}}):
        found = unevaluated(compared(rule=rule, **sides))
        assert len(found) == said
        assert all("ACME050" in one and "Serving 'risk' in dev" in one for one in found)
    assert unevaluated(compared({RISK: FEWER}, rule=rule)) == []


def test_what_runs_nothing_is_no_unit():
    account = "environments/dev/beside/reader.yaml"
    rule = RULE.replace(EXPRESSION, "after != null").replace(MESSAGE, "")
    examples = "  passes: [{after: {}}]\n  fails: [{before: {}}]\n"
    files = {
        **FILES,
        "servingctl.yaml": "companions: {allow: [ServiceAccount]}\n",
        FILE: rule.replace(EXAMPLES, examples),
        account: "apiVersion: v1\nkind: ServiceAccount\n",
    }
    kept = {path: text for path, text in files.items() if path != account}
    left = {path: text for path, text in files.items() if path != FLOWERS}
    assert own(compare(project(files), project(kept))) == []
    assert len(own(compare(project(files), project(left)))) == 1
