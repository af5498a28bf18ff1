"""What rules of a repository find: at which place, in which words, as bad as settings say."""

import pytest
from jsonschema import Draft7Validator

from renderer.evaluate import own_rules
from renderer.io.repository import load_files
from renderer.schema.bundle import bundled_schema
from tests.support.memory import Memory, project
from tests.support.policies import FILE, RULE, SERVING_FILE, changed, found_with, places
from tests.support.repositories import ENVIRONMENT, SERVING, SMALL
from tests.support.rows import each

pytestmark = pytest.mark.process
OWNED = f"{SERVING}labels: {{owner: me}}\n"
UNIT = {
    "match: {kinds: [Serving]}": '"on": unit',
    "has(spec.labels) && 'owner' in spec.labels": "unit.pods.least >= 3",
    "{spec: {labels: {owner: me}}}": "{unit: {pods: {least: 3}}}",
    "{spec: {}}": "{unit: {pods: {least: 1}}}",
}
OBJECT = {
    "match: {kinds: [Serving]}": "on: object\nmatch: {kinds: [KusciaDeployment]}",
    "has(spec.labels) && 'owner' in spec.labels": "object.spec.initiator != 'alice'",
    "{spec: {labels: {owner: me}}}": "{object: {spec: {initiator: bob}}}",
    "{spec: {}}": "{object: {spec: {initiator: alice}}}",
    "fix: add a label owner": "at: spec.initiator",
}


def own(found):
    return [item for item in found if item.code == "ACME012"]


def test_a_finding_is_shown_as_ours_are():
    (item,) = own(found_with())
    assert item.place == (SERVING_FILE, 1, 1)
    assert item.message == "this does not hold: specs have an owner"
    assert item.why == "Somebody is called at night."
    assert item.fix == "add a label owner"
    assert item.environments == ("dev",)
    assert FILE in item.related


def test_a_rule_that_holds_finds_nothing():
    assert own(found_with(changes={SERVING_FILE: OWNED})) == []


@each(
    "match",
    [
        "{kinds: [InferenceGraph]}", "{environments: [prod]}",
        "{production: true}", "{names: [x*]}",
        "{destinations: [west]}", "{platforms: [kubernetes]}", "{labels: {tier: gold}}",
    ],
    name=str,
)  # fmt: skip
def test_a_rule_is_about_what_it_matches(match):
    assert own(found_with(changed({"{kinds: [Serving]}": match}))) == []


def test_all_that_a_rule_matches_by_holds():
    match = (
        "{kinds: [Serving], environments: [d*], production: false, names: [risk], "
        "destinations: [east], platforms: [kuscia]}"
    )
    assert len(own(found_with(changed({"{kinds: [Serving]}": match})))) == 1


def test_a_result_that_is_no_truth_says_so():
    for text in ("spec.?labels", "type(spec)", "'[1]'"):
        rule = changed({"has(spec.labels) && 'owner' in spec.labels": text})
        (found,) = own(found_with(rule))
        assert "neither true nor false" in found.message, text


def test_prerequisites_are_looked_at_as_well():
    found = own(found_with(changed({"Serving": "AppImage"})))
    assert {item.file.rpartition("/")[2] for item in found} == {"pair.yaml", "scorer.yaml"}


def test_a_rule_on_units_stands_where_people_describe_them():
    message = "messageExpression: unit.name + ' has ' + string(unit.pods.least)"
    rule = changed({**UNIT, "fix:": f"{message}\nfix:"})
    found = own(found_with(rule))
    assert [item.message for item in found] == ["alice has 2", "bob has 2"]
    assert {item.file for item in found} == {SERVING_FILE}


def test_a_rule_on_objects_stands_at_the_line_that_set_the_value():
    (item,) = own(found_with(changed(OBJECT)))
    assert item.place == (SERVING_FILE, 3, 12)


def test_each_item_is_looked_at_by_itself():
    rule = changed(
        {
            "has(spec.labels) && 'owner' in spec.labels": "self.domain_id != 'bob'",
            "why:": "each: parties\nat: domain_id\nwhy:",
            "{spec: {labels: {owner: me}}}": "{spec: {parties: [{domain_id: alice}]}}",
            "{spec: {}}": "{spec: {parties: [{domain_id: alice}, {domain_id: bob}]}}",
        }
    )
    (item,) = own(found_with(rule))
    assert item.place == (SERVING_FILE, 6, 17)


def test_a_missing_field_is_named_at_its_place():
    rule = changed(
        {
            "has(spec.labels) && 'owner' in spec.labels": "spec.labels.owner != 'x'",
            "{spec: {}}": "{spec: {labels: {owner: x}}}",
        }
    )
    (item,) = own(found_with(rule, {SERVING_FILE: f"{SERVING}labels: {{tier: a}}\n"}))
    assert "there is no field 'owner'" in item.message
    assert item.line == SERVING.count("\n") + 1


def test_a_missing_field_with_a_choice_is_no_error():
    choice = "spec.?labels.?owner.orValue('none') == 'me'"
    rule = changed({"has(spec.labels) && 'owner' in spec.labels": choice})
    (item,) = own(found_with(rule))
    assert item.message == "this does not hold: specs have an owner"


def test_findings_are_ignored_with_a_reason():
    text = f"# servingctl: ignore[ACME012] nobody is called for this one\n{SERVING}"
    found = found_with(changes={SERVING_FILE: text})
    assert [item.code for item in found] == []


def test_an_ignore_that_is_not_needed_is_found():
    text = f"# servingctl: ignore[ACME012] nobody is called for this one\n{OWNED}"
    assert [item.code for item in found_with(changes={SERVING_FILE: text})] == ["SPC090"]


@each("word", ["warning", "info"], name=str)
def test_settings_say_how_bad_it_is(word):
    (item,) = own(found_with(changes={"servingctl.yaml": f"rules: {{ACME012: {word}}}\n"}))
    assert str(item.severity) == word


def test_an_environment_may_ignore_a_rule():
    text = f"{ENVIRONMENT}rules: {{ACME012: ignore}}\n"
    assert found_with(changes={"environments/dev/environment.yaml": text}) == []


def test_a_code_of_no_rule_is_found_in_settings():
    found = found_with(changes={"servingctl.yaml": "rules: {ACME099: warning}\n"})
    assert "there is no rule ACME099" in [item.message for item in found]


def test_a_code_that_begins_as_a_family_of_ours_can_be_ignored():
    rule = changed({"ACME012": "SECURE01"})
    text = f"{ENVIRONMENT}production: true\nrules: {{SECURE01: ignore}}\n"
    found = found_with(rule, {"environments/dev/environment.yaml": text})
    assert "SECURE01" not in {item.code for item in found}


def test_an_edit_of_a_rule_changes_what_is_found():
    """What is remembered of an evaluation is known by the files of rules."""
    before = load_files(Memory({**SMALL, FILE: RULE})).shared
    after = load_files(Memory({**SMALL, FILE: changed({"an owner": "owners"})})).shared
    assert before.digest != after.digest


def test_rules_are_listed_as_ours_are():
    (rule,) = project({**SMALL, FILE: RULE}).shared.policies.rules
    shown = rule.documented
    assert (shown.code, shown.summary, shown.source) == ("ACME012", "specs have an owner.", FILE)
    assert "owner: me" in shown.doc


def test_environments_have_labels():
    rule = changed(
        {
            "has(spec.labels) && 'owner' in spec.labels": "environment.labels.region != 'eu'",
            "{spec: {labels: {owner: me}}}": "{spec: {}, environment: {labels: {region: us}}}",
            "{spec: {}}": "{spec: {}, environment: {labels: {region: eu}}}",
        }
    )
    file = "environments/dev/environment.yaml"
    texts = {region: f"{ENVIRONMENT}labels: {{region: {region}}}\n" for region in ("eu", "us")}
    assert own(found_with(rule, {file: texts["us"]})) == []
    assert len(own(found_with(rule, {file: texts["eu"]}))) == 1
    (item,) = own(found_with(rule))
    assert "there is no field 'region'" in item.message


def test_places_are_in_order():
    found = places(found_with(changed(UNIT)))
    assert found == sorted(found)


def test_the_schema_says_what_a_unit_has(monkeypatch):
    """Of all fields that a unit can have here; more may come, and none may go."""
    schema = bundled_schema("spec/rule.json")["definitions"]["unit"]
    seen = []
    real = own_rules.unit_tree

    def note(*given):
        tree = real(*given)
        seen.append(tree.plain())
        return tree

    monkeypatch.setattr(own_rules, "unit_tree", note)
    found_with(changed(UNIT))
    fields = schema["properties"]
    for unit in seen:
        assert {*unit} == {*fields}
        assert {*unit["pods"]} <= {*fields["pods"]["properties"]}
        for container in unit["containers"]:
            assert {*container} <= {*fields["containers"]["items"]["properties"]}
        assert Draft7Validator({**schema, "definitions": {}}).is_valid(unit)
    assert len(seen) == 2


def test_an_unknown_field_of_a_unit_in_an_example_is_found():
    rule = changed({"least: 3}}}]": "leest: 3}}}]"}, changed(UNIT))
    (item,) = (item for item in found_with(rule) if item.file == FILE)
    assert (item.code, item.line, item.column) == ("SPC010", 11, 27)
    assert "least" in item.fix
