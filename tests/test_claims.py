"""Nothing is said to be observed without a recording: `tests/observed/claims.yaml` names them.

What `diff` says of an edit is looked up in recordings (`tests/derive/test_evidence.py`); this is
about texts that are fixed: documentation and messages of rules, notes, pages, schemas.
"""

import ast
import json
import re
from functools import cache

import pytest
import yaml

from conformance.kubernetes.pods.homes import HOMES
from conformance.ray.wheels import VERSIONS
from renderer import check
from renderer.evaluate.rulebook import every_rule
from tests.support import kserve_generated, kserve_rows, kuberay_rows, pod_rows
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.ray_answers import forms, repository
from tests.support.replay import replay

OBSERVED = ROOT / "tests/observed"
CLAIMS = yaml.load((OBSERVED / "claims.yaml").read_text("utf-8"), yaml.CSafeLoader)
#: The word as a claim: no name of a folder, of a field or of a placeholder.
WORD = re.compile(r"(?<![\w/{])observed(?![\w/}.])", re.IGNORECASE)
#: A version before the word: that one was seen says nothing of those before or after it.
RANGE = re.compile(r"(?:since|up to|before) (?:[A-Z]\w+ )?\d+\.\d+ \(observed")
#: Where the word is put behind what recordings show.
NOTE = "renderer/changes/impact.py"


def strings(path):
    """The texts of a module that make the claim, each with the code of its rule, if it has one."""
    content = path.read_text("utf-8")
    if not WORD.search(content):
        return
    tree, known = ast.parse(content), {}
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            known[child] = node
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and text != "observed" and WORD.search(text):
            yield rule_of(node, known), " ".join(text.split())


def rule_of(node, parents):
    while node in parents:
        node = parents[node]
        for item in getattr(node, "decorator_list", ()):
            if isinstance(item, ast.Call) and getattr(item.func, "id", "") == "rule":
                return item.args[0].value
    return ""


@cache
def texts():
    """Each text that makes the claim: its file, the code of its rule, and what it says."""
    return [*module_texts(), *page_texts()]


def module_texts():
    for path in sorted((ROOT / "renderer").rglob("*.py")):
        for code, text in strings(path):
            yield path.relative_to(ROOT).as_posix(), code, text


def page_texts():
    pages = {path for path in (ROOT / "docs").glob("*.md") if path.name != "rules.md"}
    schemas = {
        path for path in (ROOT / "schemas").rglob("*.json") if path.parent.name != "observed"
    }
    for path in sorted(pages | schemas):
        for line in path.read_text("utf-8").splitlines():
            if WORD.search(line):
                yield path.relative_to(ROOT).as_posix(), "", line


def has_claim(file, code, text):
    if code:
        return code in CLAIMS["rules"]
    return file == NOTE or any(item["says"] in text for item in CLAIMS["texts"].get(file, ()))


def test_every_text_has_a_claim():
    found = texts()
    assert len(found) > 100
    assert [item for item in found if not has_claim(*item)] == []


def test_every_claim_has_a_text():
    found = texts()
    said = {code for _, code, _ in found}
    assert CLAIMS["rules"].keys() - said == set()
    for file, items in CLAIMS["texts"].items():
        here = [text for name, _, text in found if name == file]
        assert [i["says"] for i in items if not any(i["says"] in text for text in here)] == [], file


def test_no_range_of_versions_is_observed():
    assert [item for item in texts() if RANGE.search(item[2])] == []


@cache
def names_in(file):
    """The names of rows in a table; nothing if it is none."""
    if file.suffix not in (".json", ".yaml"):
        return None
    rows = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader) if file.suffix == ".yaml" else None
    rows = json.loads(file.read_text("utf-8")) if rows is None else rows
    is_table = isinstance(rows, list) and all("name" in row for row in rows)
    return {row["name"] for row in rows} if is_table else None


def test_every_row_exists():
    claims = [*CLAIMS["rules"].values(), *(i for some in CLAIMS["texts"].values() for i in some)]
    for claim in claims:
        for file, rows in {**claim.get("rows", {}), **claim.get("also", {})}.items():
            path = OBSERVED / file
            assert path.is_file(), file
            names, content = names_in(path), path.read_text("utf-8")
            missing = [row for row in rows if row not in (content if names is None else names)]
            assert missing == [], file


def claimed(start):
    """The codes by the names of rows below a folder, or in a file."""
    found = {}
    for code, claim in CLAIMS["rules"].items():
        for file, names in claim.get("rows", {}).items():
            if file.startswith(start):
                for name in names:
                    found.setdefault(name, set()).add(code)
    return found


def codes_of(rows):
    return {name: {item.code for item in made.found} for name, made in replay(rows).items()}


def kserve():
    wanted = claimed("kserve/")
    rows = {row["name"]: kserve_rows.replayed(row) for row in kserve_rows.ROWS}
    made = {row["name"]: row for row in kserve_generated.generated("cases")}
    rows |= {name: kserve_generated.replayed(made[name]) for name in wanted if name in made}
    return wanted, codes_of({name: rows[name] for name in wanted})


def kuberay():
    wanted = claimed("kuberay/")
    rows = {row["name"]: row for row in kuberay_rows.ROWS}
    return wanted, codes_of({name: kuberay_rows.replayed(rows[name]) for name in wanted})


def pods():
    wanted = claimed("kubernetes/pods/")
    found = {}
    for item in pod_rows.replay(lambda row: HOMES if row.mutation.name in wanted else ()):
        found.setdefault(item.name, set()).update(error.code for error in item.errors)
    return wanted, found


def ray():
    wanted, specs = {}, {}
    for subject in ("serve", "start"):
        rows = json.loads((OBSERVED / f"ray/{subject}.json").read_text("utf-8"))
        of_subject = claimed(f"ray/{subject}.json")
        wanted |= of_subject
        for row in rows:
            if row["name"] in of_subject:
                made = forms(subject, row["given"], VERSIONS[-1])
                specs[f"row-{len(specs)}"] = (row["name"], made.get("text") or made["cluster"])
    files = repository({stem: spec for stem, (_, spec) in specs.items()})
    found = {name: set() for name in wanted}
    for item in check(project(files)):
        stem = item.file.rpartition("/")[2].removesuffix(".yaml")
        if stem in specs:
            found[specs[stem][0]].add(item.code)
    return wanted, found


@pytest.mark.parametrize("platform", [kserve, kuberay, pods, ray], ids=lambda each: each.__name__)
def test_the_rule_finds_its_row(platform):
    wanted, found = platform()
    assert wanted
    missing = {name: codes - found.get(name, set()) for name, codes in wanted.items()}
    assert {name: codes for name, codes in missing.items() if codes} == {}


def test_rules_of_claims_exist():
    assert CLAIMS["rules"].keys() <= {rule.code for rule in every_rule()}
