"""The cases of tests/cases: what is wrong is found at its place, in its words, and nothing else."""

from collections import Counter

from renderer.evaluate.rulebook import every_rule
from tests.support.cases import WORDS, cases
from tests.support.rows import each

CASES = cases()
#: Codes that no case can show, and why.
UNPINNED = {
    "ENV019": "takes a hundred environments: tests/compose/test_merge.py",
    "IMP002": "rules refuse such a state first: tests/backends/kuscia/test_impact.py",
    "IMP006": "no bundled kind has such an edit: tests/changes/test_impact.py",
    "KUS523": "takes 128 KiB of input config: tests/backends/kuscia/test_input_config.py",
    "KUS772": "takes 1 MiB of config templates: tests/manifests/test_sizes.py",
    "MAN011": "said where RE2 is not installed: tests/kubernetes/test_patterns.py",
    "MAN007": "only a fault of our own writer leads to it: tests/text/test_readback.py",
    "MAN013": "takes 256 KiB of annotations: tests/manifests/test_sizes.py",
    "MAN019": "starts a process: tests/policies/test_crd_rules.py",
    "MAN020": "starts a process, or none: tests/policies/test_crd_rules.py",
    "MAN203": "takes 256 KiB of annotations: tests/test_conformance_pods.py",
    "MAN014": "takes an object of 1.5 MiB: tests/manifests/test_sizes.py",
    "MAN015": "takes an object of 256 KiB: tests/manifests/test_sizes.py",
    "SPC021": "starts a process: tests/policies/test_faults.py",
    "SPC022": "starts a process: tests/policies/test_faults.py",
    "SPC023": "starts a process: tests/policies/test_faults.py",
    "POL015": "starts a process: tests/policies/test_faults.py",
    "POL014": "starts a process: tests/policies/test_admission.py",
    "YML009": "takes a file of 2 MiB: tests/io/test_repository.py",
}


def place(item):
    return (item.code, item.file, item.line, item.column)


def expected(case, said):
    return (said["code"], said.get("file", case.file), said["line"], said["column"])


def listed(value):
    return value if isinstance(value, list) else [value]


def is_said(item, said):
    """Its words, severity and environments, as far as the case speaks of them."""
    parts = ((word, part) for word in WORDS for part in listed(said.get(word, [])))
    severity, environments = str(item.severity), list(item.environments)
    return (
        all(part in getattr(item, word) for word, part in parts)
        and said.get("severity", severity) == severity
        and said.get("environments", environments) == environments
    )


def check_found(case, told):
    """All of it, in this order; of a value as text without places, which are others then."""
    wanted = case.says["found"]
    if case.as_text:
        assert [item.code for item in told] == [said["code"] for said in wanted]
    else:
        assert [place(item) for item in told] == [expected(case, said) for said in wanted]
    for item, said in zip(told, wanted, strict=True):
        assert is_said(item, said), (item, said)


def check_among(case, told):
    for said in case.says["among"]:
        alike = [item for item in told if place(item) == expected(case, said)]
        assert any(is_said(item, said) for item in alike), (said, [place(item) for item in told])


def check_places(case, told):
    """What is said to stand at a place stands there."""
    files = case.changed(case.files, case.says)
    files = case.changed(files, case.says.get("then", {}))
    for said in (*case.says.get("found", ()), *case.says.get("among", ())):
        if "at" in said:
            line = files[said.get("file", case.file)].splitlines()[said["line"] - 1]
            assert line[said["column"] - 1 :].startswith(said["at"])


@each("case", CASES, name=lambda case: case.id)
def test_case(case, tmp_path_factory):
    told = case.told(tmp_path_factory)
    words = "\n".join(f"{i.code} {i.line} {i.message} -> {i.fix} ({i.why})" for i in told)
    if "found" in case.says:
        check_found(case, told)
    if "among" in case.says:
        check_among(case, told)
    if not case.as_text:
        check_places(case, told)
    assert "then" in case.says or all(item.message and item.fix for item in told), words
    assert not {item.code for item in told} & set(case.says.get("absent", ()))
    assert case.says.get("remedy", "") in words
    assert "never" not in case.says or case.says["never"] not in words


def test_there_are_enough_of_the_example():
    assert sum(case.id.startswith("example-") for case in CASES) >= 150


def test_ids_are_unique():
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []


def test_every_rule_is_pinned():
    """At its line and column, by one case at least."""
    said = [item for case in CASES for key in ("found", "among") for item in case.says.get(key, ())]
    pinned = {item["code"] for item in said}
    codes = {rule.code for rule in every_rule()}
    assert pinned <= codes
    assert sorted(codes - pinned) == sorted(UNPINNED)
