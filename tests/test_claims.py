"""Nothing is said to be observed without a recording: `tests/observed/claims.yaml` names them.

What `diff` says of an edit is looked up in recordings (`tests/derive/test_evidence.py`); this is
about texts that are fixed: documentation and messages of rules, comments, pages, schemas. They say
"observed", and no other word for it.
"""

import json
import re
from functools import cache

import pytest
import yaml

from conformance.kubernetes.pods.homes import HOMES
from conformance.ray.wheels import VERSIONS
from renderer import check
from renderer.evaluate.rulebook import every_rule
from renderer.kubernetes.versions import RECORDED as KUBERNETES
from tests.support import kserve_generated, kserve_rows, kuberay_rows, plain_rows, pod_rows
from tests.support.claims import OBSERVED, RECORDED, claims
from tests.support.evidence import TARGET
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.ray_answers import forms, repository
from tests.support.replay import replay

PLACE = ROOT / "tests/observed"
CLAIMS = yaml.load((PLACE / "claims.yaml").read_text("utf-8"), yaml.CSafeLoader)
#: A version before the word: that one was seen says nothing of those before or after it.
RANGE = re.compile(r"(?:since|up to|before) (?:[A-Z]\w+ )?\d+\.\d+ \(observed")
VERSION = re.compile(r"(KServe|KubeRay|Kuscia|Kubernetes|Ray) v?(\d+\.\d+(?:\.\d+)?)")
#: What is asked, and no answer to it.
QUESTION = ("name", "given", "before", "after", "others_before", "others_after", "base", "path")
#: What a sentence is about, and the words by which a recording shows that it is about it, too.
SUBJECTS = {
    "knative": "knative",
    "standard mode": "standard",
    "transformer": "transformer",
    "explainer": "explainer",
    "canary": "canary",
    "canaries": "canary",
    "keda": "keda",
    "hpa": "horizontalpodautoscaler",
    "httproute": "httproute",
    "podmetric": "podmetric",
    "rayjob": "rayjob",
    "rayservice": "rayservice",
    "submitter": "submitter",
    "partner": "partner",
}
#: Graphs, trained models and caches.
PLAIN = plain_rows.CASES
#: Puts the version that was observed into its message.
NAMES_IT_ITSELF = "renderer/backends/kuberay/derive/units.py"
#: With which versions of Ray its authors try KubeRay.
OF_OTHERS = {"RAY255", "renderer/backends/kuberay/rules/images.py"}
#: Where a sentence has the word and makes no claim.
ABOUT_THE_WORD = {
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/diff.md",
    "docs/glossary.md",
    "docs/wording.md",
    "renderer/assets.py",
    "renderer/changes/impact.py",
}


def entries():
    """Each claim with the code of its rule or with its file."""
    yield from CLAIMS["rules"].items()
    for file, some in CLAIMS["texts"].items():
        yield from ((file, claim) for claim in some)


def recordings(claim):
    yield from claim.get("rows", {}).items()
    yield from claim.get("also", {}).items()


def said():
    return {(each.rule or each.file, each.text) for each in claims()}


def listed():
    yield from ((owner, text) for owner, claim in entries() for text in claim["says"])
    yield from ((file, text) for file, some in CLAIMS["no_claims"].items() for text in some)


def names_rows(text):
    """Whether a comment names the rows that show it."""
    found = RECORDED.search(text)
    return found is not None and set(found[1].strip().split(", ")) <= names_of_rows("kuberay")


@cache
def names_of_rows(platform):
    files = (PLACE / platform).rglob("*.json")
    return {name for file in files for name in rows_of(file) or ()}


def test_every_text_has_a_claim():
    """Say `observed` and name what shows it in claims.yaml, or choose another word."""
    assert len(said()) > 250
    missing = said() - set(listed())
    assert {item for item in missing if not names_rows(item[1])} == set()


def test_every_claim_has_a_text():
    assert set(listed()) - said() == set()


def test_what_is_no_claim_does_not_say_so():
    """But for texts about the word itself, and the word where it is put behind a sentence."""
    some = CLAIMS["no_claims"].items()
    found = {owner for owner, texts in some for text in texts if OBSERVED.search(text)}
    assert found == ABOUT_THE_WORD


def test_every_claim_has_a_row():
    assert [owner for owner, claim in entries() if not all(claim["says"])] == []
    bare = [owner for owner, claim in entries() if not any(rows for _, rows in recordings(claim))]
    assert bare == []


def test_no_range_of_versions_is_observed():
    assert [item for item in claims() if RANGE.search(item.text)] == []


@cache
def recorded_versions():
    """The versions that somebody asked, by platform."""
    found = {
        platform: [*json.loads((TARGET / f"{platform.lower()}.json").read_text("utf-8"))]
        for platform in ("KServe", "KubeRay", "Kuscia")
    }
    kubernetes = [".".join(map(str, version)) for version in KUBERNETES]
    return {**found, "Kubernetes": kubernetes, "Ray": [*VERSIONS]}


def versions_in(texts):
    """Each version that a text names, but those that it says to have been observed otherwise."""
    for owner, text in texts:
        for platform, version in VERSION.findall(re.sub(r"\(\d\S+ was observed\)", "", text)):
            yield owner, text, platform, version


def test_only_recorded_versions_are_observed():
    """But for a range beside the one that was observed: since 1.6 (1.6.1 was observed).

    What is no claim names no other version, either.
    """
    unknown = [
        found
        for found in versions_in(listed())
        if found[0] not in OF_OTHERS
        and not any(each.startswith(found[3]) for each in recorded_versions()[found[2]])
    ]
    assert unknown == []


def test_a_message_names_the_version():
    """It is printed of an environment, whose platforms may be of any version."""
    named = {text for _, text, _, _ in versions_in(said())}
    messages = {each for each in claims() if each.is_message and OBSERVED.search(each.text)}
    vague = {each.file for each in messages if each.text not in named}
    assert vague == {"renderer/assets.py", "renderer/changes/impact.py", NAMES_IT_ITSELF}


def test_recordings_are_about_what_is_said():
    """Some row is of the mode, the component or the object that the sentence names."""
    for owner, claim in entries():
        shown = " ".join(what_is_shown(claim)).lower()
        for text in claim["says"]:
            clauses = [item for item in re.split(r"[;:]|, and |\. ", text) if OBSERVED.search(item)]
            about = " ".join(clauses).lower()
            subjects = [word for word in SUBJECTS if re.search(rf"\b{word}s?\b(?!-)", about)]
            assert [word for word in subjects if SUBJECTS[word] not in shown] == [], (owner, text)


def what_is_shown(claim):
    for file, names in recordings(claim):
        yield file
        rows = rows_of(PLACE / file)
        content = (PLACE / file).read_text("utf-8") if rows is None else ""
        yield from (content if rows is None else json.dumps(rows[name]) for name in names)


@cache
def rows_of(file):
    """The rows of a table by their names; nothing if it is none."""
    content = file.read_text("utf-8")
    if file.suffix not in (".json", ".yaml") or content[0] not in "[-":
        return None
    found = json.loads(content) if file.suffix == ".json" else yaml.load(content, yaml.CSafeLoader)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        return None
    return {row["name"]: row for row in found if "name" in row} or None


def test_every_row_exists():
    for owner, claim in entries():
        for file, names in recordings(claim):
            assert (PLACE / file).is_file(), file
            rows = rows_of(PLACE / file)
            assert rows is None or [name for name in names if name not in rows] == [], owner


def test_rows_show_what_is_said():
    """A row that no rule judges answers with the words that are named behind it."""
    for owner, claim in entries():
        for file, names in claim.get("also", {}).items():
            rows = rows_of(PLACE / file)
            if rows is None:
                content = (PLACE / file).read_text("utf-8")
                assert [words for words in names if words not in content] == [], owner
                continue
            assert isinstance(names, dict), (owner, file)
            missing = [name for name, words in names.items() if words not in answer(rows[name])]
            assert missing == [], owner


def answer(row):
    left = {key: value for key, value in row.items() if key not in QUESTION}
    return json.dumps(left, sort_keys=True, ensure_ascii=False)


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
    wanted = {name: codes for name, codes in claimed("kserve/").items() if name not in PLAIN}
    rows = {row["name"]: kserve_rows.replayed(row) for row in kserve_rows.ROWS}
    made = {row["name"]: row for row in kserve_generated.generated("cases")}
    rows |= {name: kserve_generated.replayed(made[name]) for name in wanted if name in made}
    return wanted, codes_of({name: rows[name] for name in wanted})


def plain():
    wanted = claimed("kserve/plain/")
    return wanted, codes_of({name: plain_rows.replayed(PLAIN[name]) for name in wanted})


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
        rows = json.loads((PLACE / f"ray/{subject}.json").read_text("utf-8"))
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


@pytest.mark.parametrize(
    "platform", [kserve, plain, kuberay, pods, ray], ids=lambda each: each.__name__
)
def test_the_rule_finds_its_row(platform):
    wanted, found = platform()
    assert wanted
    missing = {name: codes - found.get(name, set()) for name, codes in wanted.items()}
    assert {name: codes for name, codes in missing.items() if codes} == {}


def test_every_row_of_a_rule_is_judged():
    places = ("kserve/", "kuberay/", "kubernetes/pods/", "ray/serve.json", "ray/start.json")
    files = {file for claim in CLAIMS["rules"].values() for file in claim.get("rows", {})}
    assert [file for file in files if not file.startswith(places)] == []
    assert not any("rows" in claim for some in CLAIMS["texts"].values() for claim in some)


def test_rules_of_claims_exist():
    assert CLAIMS["rules"].keys() <= {rule.code for rule in every_rule()}
