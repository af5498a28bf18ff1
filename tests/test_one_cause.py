"""One cause gives one finding: at the line that caused it, with a remedy that works."""

import pytest
import yaml

from renderer import check, load
from tests.conftest import ROOT

CORPUS = yaml.safe_load((ROOT / "tests/corpus/causes.yaml").read_text("utf-8"))
FILES, CASES = CORPUS["files"], CORPUS["cases"]


def changed(changes, more):
    """The files with some texts replaced, and others added; or, if empty, left out."""
    files = dict(FILES)
    for path, replacements in changes.items():
        for old, new in replacements.items():
            assert old in files[path], old
            files[path] = files[path].replace(old, new)
    return {path: text for path, text in (files | more).items() if text is not None}


@pytest.mark.parametrize("case", CASES, ids=[case["cause"] for case in CASES])
def test_one_cause(case, repository):
    files = changed(case.get("change", {}), case.get("add", {}))
    told = check(load(repository(**files)))
    words = "\n".join(f"{i.code} {i.line} {i.message} -> {i.fix} ({i.why})" for i in told)
    assert [item.code for item in told] == [text.split()[0] for text in case["found"]], words
    for item, text in zip(told, case["found"], strict=True):
        lines = files.get(item.file, "").splitlines()
        assert text.partition(" ")[2] in (lines[item.line - 1] if lines else item.file), words
    assert case.get("remedy", "") in words
    assert not case.get("never") or case["never"] not in words
