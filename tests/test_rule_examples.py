"""The examples in a rule's documentation do what the documentation says."""

from renderer import check
from renderer.evaluate.rulebook import every_rule
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Severity
from tests.support.examples import backends, example, repository
from tests.support.memory import project
from tests.support.rows import each

#: Rules about more than one file or state; tests/cases has them.
WITHOUT_EXAMPLES = {
    "YML009", "YML015", "SPC003", "SPC005", "SPC006", "SPC092", "ENV026",
    "SPC020", "SPC021", "SPC022", "SPC023", "SPC024", "SPC025", "POL013", "POL014", "POL015",
    "ENV001", "ENV002", "ENV003", "ENV004", "ENV007", "ENV014", "ENV015", "ENV016", "ENV017",
    "ENV018", "ENV019", "ENV020", "ENV021", "ENV022", "ENV024", "ENV025", "ENV037", "ENV038",
    "ENV039", "ENV040", "ENV047", "ENV051", "ENV052", "ENV056",
    "KSV565", "KSV566",
    "KSV600", "KSV612", "KSV621", "KSV622", "KSV623", "KSV642", "KSV643",
    "KUS113", "KUS617", "KUS618", "KUS772",
    "IMP001", "IMP002", "IMP003", "IMP004", "IMP005", "IMP006",
    "MAN001", "MAN002", "MAN003", "MAN004", "MAN005", "MAN006", "MAN007", "MAN008", "MAN009",
    "MAN010", "MAN011", "MAN012", "MAN013", "MAN014", "MAN015", "MAN016", "MAN018", "MAN020",
    "MAN203",
    "RAY107", "RAY180", "RAY181", "RAY280",
    "REF003", "REF004", "REF005", "REF009", "ENG111", "ENG123", "ENG163", "ENG180", "ENG182",
}  # fmt: skip
#: Evaluated by a process: tests/policies/test_crd_rules.py.
IN_A_PROCESS = {"MAN019"}
WHOLE_DOCUMENTS = {"SPC001", "SPC002"}
#: Whose fault is one for other rules as well.
NOT_ALONE = {"ENV010", "KSV301", "KUS523", "KUS526", "MAN196"} | WHOLE_DOCUMENTS
CASES = {
    f"{rule.code}-{rule.name}-{outcome}": (rule, outcome)
    for rule in every_rule()
    if rule.code not in WITHOUT_EXAMPLES | IN_A_PROCESS
    for outcome in ("fails", "passes")
}


def found(rule, outcome):
    if rule.code.startswith("YML"):
        text = example(rule, outcome)
        return read(text.encode("latin-1" if rule.code == "YML002" else "utf-8"), "x").problems
    if rule.code in WHOLE_DOCUMENTS:
        return check(project({"environments/dev/document.yaml": example(rule, outcome)}))
    return check(project(repository(rule, outcome)))


@each("rule outcome", CASES)
def test_example(rule, outcome):
    findings = found(rule, outcome)
    assert (rule.code in {item.code for item in findings}) == (outcome == "fails")
    errors = {item.code for item in findings if item.severity is Severity.ERROR}
    assert rule.code in NOT_ALONE or errors <= {rule.code}, errors


@each("backend", backends(), name=lambda backend: backend.name)
def test_skeletons_are_sound(backend):
    for skeleton in backend.known.values():
        findings = check(project(backend.repository(skeleton, skeleton.tree)))
        assert not [item for item in findings if item.severity is Severity.ERROR], skeleton.name


def test_every_rule_is_documented():
    for rule in every_rule():
        assert rule.summary.endswith("."), rule.code
        assert ("\nFails:\n" in rule.doc) == (rule.code not in WITHOUT_EXAMPLES), rule.code
