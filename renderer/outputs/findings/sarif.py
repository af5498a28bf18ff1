"""Findings as SARIF 2.1.0, as GitHub's code scanning and editors read it."""

import re
from typing import Any
from urllib.parse import quote

from renderer import __version__
from renderer.outputs.findings.baseline import fingerprints
from renderer.outputs.findings.causes import cause_ids
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.rulebook import family_of, markdown_text
from renderer.outputs.safe_text import encodable, explained, json_text
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Diagnostic, Rule, Severity

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ROOT = "%SRCROOT%"
_LONGEST = 1024  # of a description, for GitHub
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_NOT_A_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")

Json = dict[str, Any]


def show(report: Report, _layout: Layout = PLAIN) -> str:
    """One run with all rules, so that a rule without results is known to have been asked."""
    rules = report.rules
    run = {
        "tool": {
            "driver": {
                "name": "servingctl",
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": _results(report, {rule.code: index for index, rule in enumerate(rules)}),
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> Json:
    summary = rule.summary[:_LONGEST]
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": rule.why[:_LONGEST] or summary},
        "help": {"text": rule.doc, "markdown": markdown_text(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [family_of(rule)]},
    }


def _results(report: Report, indices: dict[str, int]) -> list[Json]:
    found = report.diagnostics
    lines = {
        file: LINE_END.split(report.sources.get(file, "")) for file in {item.file for item in found}
    }
    marks = zip(found, cause_ids(found), fingerprints(found), strict=True)
    return [
        _result(item, cause, lines[item.file], indices)
        | {"partialFingerprints": {"servingctl/v1": mark}}
        for item, cause, mark in marks
    ]


def _result(item: Diagnostic, cause: str, lines: list[str], indices: dict[str, int]) -> Json:
    known = {"ruleIndex": indices[item.code]} if item.code in indices else {}
    location = {"artifactLocation": _artifact(item.file), "region": _region(item, lines)}
    related = [{"physicalLocation": {"artifactLocation": _artifact(path)}} for path in item.related]
    return {
        "ruleId": item.code,
        **known,
        "level": _LEVELS[item.severity],
        "message": {"text": _unlinked(explained(item))},
        "locations": [{"physicalLocation": location}],
        **({"relatedLocations": related} if related else {}),
        "properties": {
            "environments": [encodable(name) for name in item.environments],
            "cause": cause,
        },
    }


def _region(item: Diagnostic, lines: list[str]) -> Json:
    """From the column to the end of the line; columns count from 1, the end is exclusive."""
    line = lines[item.line - 1].rstrip() if item.line <= len(lines) else ""
    return {
        "startLine": item.line,
        "startColumn": item.column,
        "endLine": item.line,
        "endColumn": max(item.column + 1, len(line) + 1),
    }


def _artifact(file: str) -> Json:
    """A relative URI of the very bytes of the name."""
    name = _NOT_A_BYTE.sub(lambda match: encodable(match[0]), file)
    return {"uri": quote(name, errors="surrogateescape"), "uriBaseId": _ROOT}


def _unlinked(text: str) -> str:
    """`[text](target)` in a message would become a link."""
    return text.replace("](", "] (")
