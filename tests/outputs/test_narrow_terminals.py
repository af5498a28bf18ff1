"""Eighty columns: prose is wrapped, paths stay whole; where programs read, nothing is."""

from renderer import check
from renderer.cli.rules import rulebook
from renderer.cli.streams import screen_width
from renderer.evaluate.rulebook import every_rule
from renderer.inspect.trace import trace_spec
from renderer.outputs import picture, trace
from renderer.outputs import rulebook as rules
from renderer.outputs.findings import FORMATS
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import Layout
from tests.support.memory import project
from tests.support.pictures import draw_environment, draw_spec
from tests.support.places import ROOT

EXAMPLE = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in [ROOT / "servingctl.yaml", *sorted((ROOT / "environments").rglob("*.yaml"))]
}
WIDTH = 80
NARROW = Layout(WIDTH)
RISK = "environments/base/servings/credit-risk.yaml"


def too_long(text):
    """Lines that could have been broken between words, and were not."""
    lines = [line for line in text.splitlines() if len(line) > WIDTH]
    return [line for line in lines if len(line.split(maxsplit=1)[-1].split()) > 1]


def environment():
    return next(item for item in project(EXAMPLE).environments if item.name == "prod")


def test_findings():
    broken = EXAMPLE[RISK].replace("initiator: alice", f"initiator: nobody # {'x ' * 100}")
    files = {**EXAMPLE, RISK: broken.replace("protocol: http", "protocol: " + "long" * 40)}
    found = check(project(files))
    assert len(found) > 2
    text = FORMATS["text"](Report(found, files), NARROW)
    assert too_long(text) == []
    assert all(f"{item.file}:{item.line}:{item.column}:" in text for item in found)
    assert {item.code for item in found} <= set(text.replace("[", " ").replace("]", " ").split())


def test_all_rules():
    assert too_long(rules.show_table(rulebook(), NARROW)) == []
    unwrapped = rules.show_table(rulebook())
    assert len(unwrapped.splitlines()) == len(every_rule())
    assert " ".join(rules.show_table(rulebook(), NARROW).split()) == " ".join(unwrapped.split())


def test_a_rule():
    for rule in every_rule():
        shown = rules.explain(rule, NARROW).splitlines()
        prose = [line for line in shown if not line.startswith("    ")]  # examples stay as they are
        assert too_long("\n".join(prose)) == [], rule.code


def test_a_trace():
    path = "serving_input_config.partyConfigs.alice.featureSourceConfig.httpOpts.endpoint"
    spec = next(item for item in project(EXAMPLE).environments if item.name == "prod")
    found = [trace_spec(next(s for s in spec.specs if s.stem == "credit-risk"), path)]
    report = trace.TraceReport("Serving/credit-risk", "prod", path, found)
    text = trace.show_text(report, NARROW)
    assert too_long(text) == []
    assert "environments/prod/environment.yaml:29:13)" in text
    assert len(trace.show_text(report).splitlines()) == 2


def test_pictures():
    found, prod = project(EXAMPLE), environment()
    for drawn in (draw_environment(found, prod), draw_spec(found, "Serving/credit-risk", prod)):
        assert too_long(picture.FORMATS["text"](drawn, NARROW)) == []


def test_where_programs_read_nothing_is_wrapped():
    assert screen_width() == 0
