"""`explain` and `rules`: the documentation of rules on a terminal, as JSON and as a page."""

import json
import re
import subprocess
import sys

import pytest

from renderer.cli.rules import rulebook
from renderer.outputs.layout import Layout
from renderer.outputs.rulebook import explain, markdown_text, show_page
from renderer.values.diagnostics import Rule, Severity
from tests.support.places import ROOT
from tests.support.processes import run
from tests.support.rows import each

BOOK = rulebook()
RULES = BOOK.rules
SAMPLE = Rule(
    "ZZZ001",
    "sample-rule",
    Severity.WARNING,
    "Things are\x1b as they | should be.\n\n"
    + "A long reason. " * 12
    + "\n\nFails:\n    a:\n      - 1\n\n    b: "
    + "x" * 150
    + "\nPasses with: a: 2",
)


def test_explain_lays_out_the_documentation():
    lines = explain(SAMPLE).splitlines()
    assert lines[:3] == [
        "ZZZ001 sample-rule (warning, since 0.1.0)",
        "",
        "Things are\\u001b as they | should be.",
    ]
    at = lines.index("Fails:")
    assert max(map(len, lines[:at])) <= 100
    assert lines[at:-3] == [
        "Fails:", "", "    a:", "      - 1", "", f"    b: {'x' * 150}", "",
        "Passes with:", "", "    a: 2",
    ]  # fmt: skip
    assert lines[-3] == ""
    assert lines[-2].startswith("Examples say what matters")
    assert "Examples say" not in explain(SAMPLE._replace(docstring="Things are."))


def test_explain_in_colour_says_the_same():
    painted = explain(SAMPLE, Layout(color=True))
    assert "(\x1b[1;33mwarning\x1b[0m, since 0.1.0)" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == explain(SAMPLE)


@each("rule", RULES, name=lambda rule: rule.code)
def test_explain_leaves_nothing_out(rule):
    shown = explain(rule)
    assert shown.split()[:2] == [rule.code, rule.name]
    assert "".join(rule.doc.split()) in "".join(shown.split())
    assert all(
        f"\n{line}\n" in shown for line in rule.doc.rstrip().splitlines() if line.startswith("    ")
    )


@pytest.mark.process
@pytest.mark.parametrize("word", ["YML010", "yml010"])
def test_explain_finds_a_code(word):
    done = run("explain", word, cwd="/")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("YML010 ")


@pytest.mark.process
def test_explain_finds_a_name():
    rule = RULES[0]
    assert run("explain", rule.name.upper(), cwd="/").stdout.startswith(
        f"{rule.code} {rule.name} ("
    )


@pytest.mark.process
def test_colour_is_that_of_the_other_commands():
    assert "\x1b[" in run("--color", "always", "explain", "YML010", cwd="/").stdout
    assert "\x1b[" in run("rules", cwd="/", GITHUB_ACTIONS="1").stdout
    assert "\x1b[" not in run("rules", cwd="/", GITHUB_ACTIONS="1", NO_COLOR="1").stdout


@pytest.mark.process
@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("YML01O", "there is no rule 'YML01O'; did you mean 'YML01"),
        ("zebra", "there is no rule 'zebra'; 'servingctl rules' lists them"),
        ("", "there is no rule ''"),
        ("\x1b[31m", "there is no rule '\\x1b[31m'"),
    ],
    ids=["near", "far", "empty", "hostile"],
)
def test_explain_knows_no_such_rule(word, part):
    done = run("explain", word, cwd="/")
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr


@pytest.mark.process
def test_rules_as_a_table():
    lines = run("rules", cwd="/").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [[r.code, str(r.severity)] for r in RULES]
    assert len({line.index(rule.summary) for line, rule in zip(lines, RULES, strict=True)}) == 1


@pytest.mark.process
def test_rules_as_json():
    document = json.loads(run("rules", "--format", "json", cwd="/").stdout)
    assert document["version"] == 1
    assert [item["code"] for item in document["rules"]] == [rule.code for rule in RULES]
    assert set(document["rules"][0]) == {
        "code", "name", "severity", "summary", "why", "documentation", "source", "since",
    }  # fmt: skip


@pytest.mark.process
def test_a_retired_code_is_explained_by_the_one_of_today():
    old, new = (run("explain", code, cwd="/").stdout for code in ("pol011", "POL002"))
    assert old == f"POL011 is POL002 today.\n\n{new}"


@pytest.mark.process
def test_rules_as_the_page_of_the_documentation():
    assert run("rules", "--format", "markdown", cwd="/").stdout == show_page(BOOK)


def test_the_page_is_well_formed():
    page = show_page(BOOK._replace(rules=[*RULES, SAMPLE]))
    assert "| should be" not in page.partition("\n## ")[0].replace("\\|", "")
    assert page.count("\n\n```yaml\n") * 2 == page.count("```")
    assert "```yaml\n\n" not in page
    *families, retired = re.findall(r"^## (.*)", page, re.M)
    assert len(families) == len({*families}) == len({rule.code[:3] for rule in RULES}) + 1
    assert retired == "Retired codes"
    assert "\n| POL011 | [POL002](#pol002) |\n" in page
    assert not [name for name in families if name.isupper() and name != "ZZZ"]


def test_examples_are_fenced_without_their_indentation():
    assert "\n\nPasses with:\n\n```yaml\na: 2\n```" in markdown_text(SAMPLE)


@pytest.mark.process
@pytest.mark.parametrize("command", ["explain", "rules", "validate"])
def test_help_has_examples_that_work(command):
    shown = run(command, "--help", cwd=ROOT).stdout
    examples = re.findall(rf"^ +servingctl ({command}(?: [^\s|>']+)*)", shown, re.M)
    assert examples
    if command != "validate":
        assert {run(*example.split(), cwd="/").returncode for example in examples} == {0}


@pytest.mark.process
def test_explain_imports_little():
    code = (
        "import sys; from renderer.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.exit(bool({'jinja2', 'xml', 'renderer.outputs.findings.sarif'} & {*sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, "explain", "YML010"], cwd=ROOT)
    assert done.returncode == 0
