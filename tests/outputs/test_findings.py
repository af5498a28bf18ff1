"""Reports as their readers parse them, whatever the findings hold."""

import json
import os
import re
import xml.etree.ElementTree as ET
from urllib.parse import unquote_to_bytes

import pytest
from jsonschema import Draft7Validator

from renderer.evaluate.rulebook import every_rule
from renderer.outputs.findings import FORMATS
from renderer.outputs.findings.report import Report
from renderer.schema.bundle import bundled_schema
from renderer.values.diagnostics import Diagnostic, Severity
from tests.support.rows import each

MACHINE = [form for form in FORMATS if form != "text"]
FILE = "environments/dev/servings/risk.yaml"
NAME = next(rule.name for rule in every_rule() if rule.code == "KUS101")
PLAIN = Diagnostic(FILE, 3, 12, "KUS101", Severity.ERROR, "no 'carol'", "It fails.", "name bob")
HOSTILE = {
    "nul": "a\x00b",
    "escape": "\x1b[31mred\x9b0m",
    "lines": "one\r\ntwo\nthree\rfour\u2028five\x85six",
    "command": "\n::error file=x::injected",
    "old-command": "##[error]injected",
    "escaped-line": "%0A::error::injected %25 100%",
    "properties": "a:b,c=d::e,title=x",
    "cdata": "<![CDATA[x]]>]]></failure>&amp;",
    "fence": "```\n</details>\n# heading",
    "link": "[here](https://example.com)",
    "quotes": "\"double\" 'single' \\ back`tick",
    "astral": "😀 𝔘 数据",
    "not-utf-8": "caf\udce9",
    "half-a-pair": "\ud83d",
    "no-character": "\ufffe\uffff",
    "bidi": "\u202eevil\u2066",
    "placeholder": "{0} {{1}} ${vars.x} %s",
}  # fmt: skip
hostile = each("text", HOSTILE)

#: The part of SARIF 2.1.0 that we write, as the standard (and GitHub, where stricter) has it.
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
ARTIFACT = {
    "required": ["uri", "uriBaseId"],
    "properties": {
        "uri": {"pattern": r"^(?![A-Za-z][A-Za-z0-9+.-]*:|/)(?:[A-Za-z0-9/._~-]|%[0-9A-F]{2})*$"},
        "uriBaseId": {"const": "%SRCROOT%"},
    },
    "additionalProperties": False,
}
POSITION = {"type": "integer", "minimum": 1}
REGION = {
    "required": ["startLine", "startColumn", "endLine", "endColumn"],
    "additionalProperties": POSITION,
}
PLACE = {
    "required": ["artifactLocation"],
    "properties": {"artifactLocation": ARTIFACT, "region": REGION},
    "additionalProperties": False,
}
LOCATIONS = {
    "type": "array",
    "minItems": 1,
    "items": {"required": ["physicalLocation"], "properties": {"physicalLocation": PLACE}},
}
RULE = {
    "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
    "properties": {
        "id": {"pattern": "^[A-Z]{3}[0-9]{3}$"},
        "name": {"type": "string"},
        "shortDescription": {**TEXT, "properties": {"text": {"minLength": 1, "maxLength": 1024}}},
        "fullDescription": {**TEXT, "properties": {"text": {"minLength": 1, "maxLength": 1024}}},
        "help": {"required": ["text", "markdown"], **TEXT},
        "defaultConfiguration": {"properties": {"level": LEVEL}, "additionalProperties": False},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
RESULT = {
    "required": ["ruleId", "message", "locations", "level", "partialFingerprints"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": TEXT,
        "locations": LOCATIONS,
        "relatedLocations": LOCATIONS,
        "partialFingerprints": {"additionalProperties": {"type": "string"}},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
ISSUE = {
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "minLength": 1},
        "fingerprint": {"pattern": "^[0-9a-f]{64}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "required": ["path", "lines"],
            "properties": {
                "path": {"type": "string", "pattern": r"^(?!/|\./)"},
                "lines": {"required": ["begin"], "properties": {"begin": POSITION}},
            },
        },
    },
    "additionalProperties": False,
}


def report(*found, sources=None, **options):
    return Report(list(found), sources or {}, rules=every_rule(), **options)


def everywhere(text):
    """A finding that holds a text wherever it can hold one."""
    return PLAIN._replace(
        file=f"environments/dev/{text}.yaml",
        message=f"bad {text}",
        why=f"since {text}",
        fix=f"drop {text}",
        environments=(f"e{text}", "z"),
        related=(f"environments/{text}",),
    )


def numbered(text):
    """The text as readers get it: what cannot be carried stands as its number."""
    steering = "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]"
    return re.sub(steering, lambda match: f"\\u{ord(match[0]):04x}", text)


def commands(text):
    """What GitHub's runner makes of a log: commands, and lines that are none."""
    found, rest = [], []
    for line in re.split(r"\r\n|\r|\n", text.removesuffix("\n")):
        match = re.fullmatch(r"::(\w+) ?(.*?)::(.*)", line.lstrip())
        if not match:
            assert "##[" not in line
            rest.append(line)
            continue
        pairs = (pair.split("=", 1) for pair in match[2].split(","))
        found.append((match[1], {k: unescaped(v) for k, v in pairs}, unescaped(match[3])))
    return found, rest


def unescaped(text):
    for mark, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")):
        text = text.replace(mark, character)
    return text.replace("%25", "%")


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (s for pair in value.items() for part in pair for s in strings(part))
    elif isinstance(value, list):
        yield from (s for item in value for s in strings(item))


def loads(text):
    """Parsed as readers do that know no halves of characters."""
    assert text.isascii()
    document = json.loads(text)
    for part in strings(document):
        part.encode()
    return document


@pytest.mark.parametrize("form", FORMATS)
@hostile
def test_every_report_can_be_written_and_steers_no_terminal(form, text):
    shown = FORMATS[form](report(everywhere(text)))
    assert shown.encode()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", shown)


def test_json_has_its_schema_and_all_keys():
    Draft7Validator.check_schema(schema := bundled_schema("reports/validate.json"))
    note = PLAIN._replace(severity=Severity.INFO, code="KUS203")
    document = loads(FORMATS["json"](report(PLAIN.about("dev", related=["servingctl.yaml"]), note)))
    Draft7Validator(schema).validate(document)
    assert document["version"] == 1
    assert document["findings"][0].pop("cause") != document["findings"][1]["cause"]
    assert document["findings"][0] == {
        "code": "KUS101", "name": NAME, "severity": "error",
        "file": FILE, "line": 3, "column": 12,
        "message": "no 'carol'", "why": "It fails.", "fix": "name bob",
        "environments": ["dev"], "related": ["servingctl.yaml"],
    }  # fmt: skip
    assert document["summary"] == {"errors": 1, "warnings": 0, "notes": 1, "failed": True}


@hostile
def test_json_carries_any_text(text):
    document = loads(FORMATS["json"](report(everywhere(text))))
    Draft7Validator(bundled_schema("reports/validate.json")).validate(document)
    (found,) = document["findings"]
    kept = re.sub("[\ud800-\udfff]", lambda m: f"\\u{ord(m[0]):04x}", text)
    assert (found["message"], found["fix"]) == (f"bad {kept}", f"drop {kept}")
    assert found["environments"] == [f"e{kept}", "z"]


@hostile
def test_github_gets_one_command_whatever_a_finding_holds(text):
    (command,), rest = commands(FORMATS["github"](report(everywhere(text))))
    name, properties, data = command
    assert (name, rest) == ("error", [])
    assert properties == {
        "file": f"environments/dev/{numbered(text)}.yaml",
        "line": "3",
        "col": "12",
        "title": f"KUS101 {NAME}",
    }
    message, why, fix, where = data.split("\n")
    assert (message, why) == (f"bad {numbered(text)}", f"why: since {numbered(text)}")
    assert (fix, where) == (f"fix: drop {numbered(text)}", f"in: e{numbered(text)} and z")


def test_github_gets_ten_of_each_and_the_rest_as_lines():
    errors = [PLAIN._replace(line=n, message=f"##[error] ::error::{n}") for n in range(1, 13)]
    warnings = [PLAIN._replace(line=n, severity=Severity.WARNING) for n in range(1, 12)]
    note = PLAIN._replace(severity=Severity.INFO)
    found, rest = commands(FORMATS["github"](report(note, *warnings, *errors)))
    assert [name for name, *_ in found] == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert rest[0] == "3 more findings without annotation, since GitHub shows 10 of each severity:"
    assert rest[1] == f"error: {FILE}:11:12: ## [error] ::error::11 [KUS101]"
    assert len(rest) == 4


@hostile
def test_gitlab_gets_what_it_requires(text):
    (issue,) = loads(FORMATS["gitlab"](report(everywhere(text))))
    Draft7Validator(ISSUE).validate(issue)
    assert issue["severity"] == "major"
    assert issue["description"].startswith(f"bad {numbered(text)}\nwhy: ")


def marks(form, *found):
    document = loads(FORMATS[form](report(*found)))
    if form == "gitlab":
        return [issue["fingerprint"] for issue in document]
    return [r["partialFingerprints"]["servingctl/v1"] for r in document["runs"][0]["results"]]


@pytest.mark.parametrize("form", ["gitlab", "sarif"])
def test_fingerprints_survive_shifts_and_tell_findings_apart(form):
    twice = PLAIN._replace(message="stands on line 3 already, as in base/x.yaml:3:1")
    moved = twice._replace(
        line=40, column=1, message="stands on line 9 already, as in base/x.yaml:7:2"
    )
    assert marks(form, twice) == marks(form, moved)
    assert len({*marks(form, twice, moved)}) == 2
    assert marks(form, twice, moved)[0] == marks(form, moved)[0]
    others = [PLAIN, PLAIN._replace(code="KUS102"), PLAIN._replace(file="x"), twice]
    others += [PLAIN._replace(message=f"port {n}") for n in (1, 2)]
    assert len({mark for item in others for mark in marks(form, item)}) == len(others)


@pytest.mark.parametrize("form", ["json", "gitlab", "sarif", "junit"])
def test_nothing_found_is_a_report_too(form):
    text = FORMATS[form](report())
    if form == "junit":
        (suite,) = ET.fromstring(text)
        assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("1", "0", 1)
    else:
        document = loads(text)
        assert {"json": 3, "gitlab": 0, "sarif": 3}[form] == len(document)


def sarif_run(*found, **options):
    document = loads(FORMATS["sarif"](report(*found, **options)))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    for result in run["results"]:
        Draft7Validator(RESULT).validate(result)
    return run


@hostile
def test_sarif_results(text):
    run = sarif_run(item := everywhere(text))
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    name = item.file.replace("\ud83d", "\\ud83d")  # half a pair is no byte of any file's name
    assert unquote_to_bytes(place["artifactLocation"]["uri"]) == os.fsencode(name)
    assert not re.search(r"\]\(", result["message"]["text"])
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_columns_are_characters():
    source = "a: b\n\n初: 😀 x  \n"
    item = PLAIN._replace(line=3, column=4)
    run = sarif_run(item, item._replace(line=9), sources={FILE: source})
    assert run["columnKind"] == "unicodeCodePoints"
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in run["results"]]
    assert regions[0] == {"startLine": 3, "startColumn": 4, "endLine": 3, "endColumn": 7}
    assert regions[1] == {"startLine": 9, "startColumn": 4, "endLine": 9, "endColumn": 5}


def test_sarif_rules_and_levels():
    found = [PLAIN._replace(severity=severity) for severity in Severity]
    run = sarif_run(*found)
    assert [result["level"] for result in run["results"]] == ["note", "warning", "error"]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        Draft7Validator(RULE).validate(rule)
    assert [rule["id"] for rule in rules] == [rule.code for rule in every_rule()]


@pytest.mark.parametrize("form", MACHINE)
def test_a_code_without_a_rule_is_no_crash(form):
    assert "ZZZ999" in FORMATS[form](report(PLAIN._replace(code="ZZZ999")))


@hostile
def test_junit_is_xml_and_keeps_the_text(text):
    suites = ET.fromstring(FORMATS["junit"](report(everywhere(text))).encode())
    (failure,) = suites.iter("failure")
    assert failure.get("message") == f"bad {numbered(text)}"
    assert failure.text.endswith(f"fix: drop {numbered(text)}\nin: e{numbered(text)} and z")


def test_junit_cases_are_unique_and_counted():
    warning = PLAIN._replace(severity=Severity.WARNING)
    found = [PLAIN, PLAIN._replace(message="other"), PLAIN._replace(line=4), warning]
    for limit, failures in ((Severity.ERROR, 3), (Severity.WARNING, 4)):
        (suite,) = ET.fromstring(FORMATS["junit"](report(*found, limit=limit)))
        cases = [(case.get("classname"), case.get("name")) for case in suite]
        assert len({*cases}) == 4
        assert cases[1] == (FILE, f"KUS101 {NAME} 3:12 (2)")
        assert (suite.get("tests"), suite.get("failures")) == ("4", str(failures))
        assert len(list(suite.iter("failure"))) == failures
        assert len(list(suite.iter("system-out"))) == 4 - failures
