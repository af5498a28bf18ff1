"""The rules that `init --policies` writes: sound, and each finds what it should."""

import pytest
import yaml

from renderer import check, compare
from renderer.backends import BACKENDS
from renderer.scaffold.starter import Choice, starter_files
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.rows import each

pytestmark = pytest.mark.process
BEGUN = starter_files(Choice(tuple(item for item in BACKENDS if item.starter), policies=True))
RULES = {path: text for path, text in BEGUN.items() if path.startswith("policies/")}
TABLE = yaml.safe_load((ROOT / "tests/policies/catalogue.yaml").read_text("utf-8"))
CASES = TABLE["cases"]
HEAD = "apiVersion: serving.gitops/v1\nkind: Environment\n"
PLACES = "destinations: [{name: gpu, platform: kubernetes, namespace: models}]\n"


def test_there_are_more_than_a_dozen():
    assert len(RULES) == 13
    assert all(text.startswith("# ") for text in RULES.values())


def test_each_has_a_golden_case():
    assert {f"policies/{name}.yaml" for name in CASES} == RULES.keys()


@each("name", [*CASES], name=str)
def test_a_rule_passes_and_finds_at_its_place(name):
    case = CASES[name]
    environment = case.get("environment", "dev")
    file = f"environments/{environment}/scorer.yaml"
    text = case.get("spec", TABLE["spec"])
    rule = RULES[f"policies/{name}.yaml"]
    code = yaml.safe_load(rule)["code"]

    def repository(spec):
        production = "production: true\n" if environment == "prod" else ""
        description = f"{HEAD}{production}{PLACES}"
        return project(
            {
                "servingctl.yaml": case.get("settings", ""),
                f"environments/{environment}/environment.yaml": description,
                f"policies/{name}.yaml": rule,
                file: spec,
            }
        )

    assert text.count(case["line"]) == 1
    right, wrong = repository(text), repository(text.replace(case["line"], case["wrong"]))
    assert [item for item in check(right) if item.code == code] == []
    found = [*check(wrong), *compare(right, wrong).findings]
    said = {(i.file, i.line, i.column, i.message) for i in found if i.code == code}
    assert said == {(file, *case["found"])}


def test_a_new_repository_passes_them_strictly():
    found = check(project(BEGUN))
    assert [i for i in found if i.severity > Severity.INFO or i.file in RULES] == []


def test_without_the_option_there_are_none():
    plain = starter_files(Choice(tuple(item for item in BACKENDS if item.starter)))
    assert not [path for path in plain if path.startswith("policies/")]
