"""Findings as JUnit XML, which most CI systems show as tests."""

from collections import Counter
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import explained, harmless
from renderer.values.diagnostics import Diagnostic

_SUITE = "servingctl validate"


def show(report: Report, _layout: Layout = PLAIN) -> str:
    """A test case for each finding, which fails if the finding fails the run."""
    names = report.rule_names()
    failures = sum(map(report.fails, report.diagnostics))
    counts = {
        "tests": str(len(report.diagnostics) or 1),
        "failures": str(failures),
        "errors": "0",
        "skipped": "0",
        "time": "0",
    }
    suites = Element("testsuites", {"name": _SUITE, **counts})
    suite = SubElement(suites, "testsuite", {"name": _SUITE, **counts})
    seen: Counter[str] = Counter()
    for item in report.diagnostics:
        _case(suite, item, _title(item, names, seen), fails=report.fails(item))
    if not report.diagnostics:  # some readers take a report without tests for a broken one
        SubElement(suite, "testcase", classname="servingctl", name="no findings", time="0")
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, "unicode")}\n'


def _title(item: Diagnostic, names: dict[str, str], seen: Counter[str]) -> str:
    """Rule and place, numbered where equal: readers keep one of the cases with a name."""
    title = " ".join(filter(None, (item.code, names.get(item.code), f"{item.line}:{item.column}")))
    key = f"{item.file}\n{title}"
    seen[key] += 1
    return title if seen[key] == 1 else f"{title} ({seen[key]})"


def _case(suite: Element, item: Diagnostic, title: str, *, fails: bool) -> None:
    file = harmless(item.file)
    case = SubElement(suite, "testcase", classname=file, name=title, file=file, time="0")
    text = f"{item.severity}: {file}:{item.line}:{item.column}: {explained(item)}"
    if fails:
        about = {"message": harmless(item.message), "type": str(item.severity)}
        SubElement(case, "failure", about).text = text
    else:
        SubElement(case, "system-out").text = text
