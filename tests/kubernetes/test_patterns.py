"""Patterns as the API server reads them: what they match, what is refused, that none takes long."""

import json
import random
import re
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.kubernetes.patterns import matches, problem, takes_too_long
from renderer.schema.validation import check, fits
from renderer.schema.validation import jsonschema_errors as errors
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each

#: Pattern, texts that Go 1.26 finds it in, and texts in which it does not.
ANSWERS = [
    ("", ["", "a"], []),
    ("b", ["abc"], ["ac", "B"]),
    ("^a$", ["a"], ["a\n", "\na", "ba"]),
    ("(?m)^a$", ["a", "a\n", "b\na\nb"], ["ba", "ab"]),
    (r"(?m)\Aa\z", ["a"], ["a\n", "\na"]),
    (r"^\d+$", ["09"], ["", "٣", "1a"]),
    (r"^\w\s\W$", ["a -", "_\f."], ["é -", "a\v-", "a b"]),
    (r"^[\D\d]$", ["a", "1", "\n"], ["", "ab"]),
    ("^.$", ["a", "é", "😀"], ["\n", ""]),
    ("(?s)^.$", ["\n"], [""]),
    ("(?s:^.)$", ["\n"], []),
    ("^(?i)straße|x$", ["STRASSE"[:4] + "ẞE", "X"], ["STRASSE", "y"]),
    ("^(?i:k)k$", ["Kk", "Kk"], ["kK", "kK"]),
    ("(?i)^[^k]$", ["l", "L"], ["k", "K", "K"]),
    ("(?i)^[K-K]ſ$", ["ks", "KS"], ["kt"]),
    ("^[]a]+$", ["]a"], ["b"]),
    ("^[^]a]+$", ["b"], ["]", "a"]),
    ("^[a-]+$", ["a-"], ["b"]),
    (r"^[a\-z]+$", ["a-z"], ["b"]),
    ("^[+--]$", ["+", ",", "-"], ["."]),
    ("^[[:alpha:][:^ascii:]_]+$", ["aZ_é"], ["1"]),
    ("^[[:alpha]$", [":", "[", "p"], ["b"]),
    ("^[[:space:]]$", ["\v", " "], ["a"]),
    (r"^\pL\PL\p{Nd}\p{^Nd}$", ["é-٣x"], ["é-xx"]),
    (r"(?i)^\p{Lu}$", ["a", "A"], ["1"]),
    (r"^\p{Any}$", ["\n"], [""]),
    (r"^\x41\x{1F600}\101\0$", ["A😀A\0"], ["A"]),
    (r"^\a\f\n\r\t\v$", ["\a\f\n\r\t\v"], []),
    (r"^\.\_\-$", ["._-"], ["a_-"]),
    (r"^\Qa.b*\E+$", ["a.b*", "a.b**"], ["axb", "a.ba.b*"]),
    (r"^a\Q\E*$", ["", "aa"], ["b"]),
    (r"\Q(a", ["(a"], ["a"]),
    ("^a{2}b{0,2}c{1,}$", ["aac", "aabbcc"], ["ac", "aabbbc", "aa"]),
    ("^a{,2}$", ["a{,2}"], ["aa"]),
    ("^a{02}$", ["a{02}"], ["aa"]),
    ("^a{0}$", [""], ["a"]),
    ("^{$", ["{"], [""]),
    ("^a(?i)*$", ["", "aa"], ["A"]),
    ("^(a*?)+?(|b)??$", ["", "aa", "aab"], ["b" * 2]),
    ("^(?P<n>a)(?<m>b)(?:c)$", ["abc"], ["ab"]),
    ("^(a|b|)c|d$", ["ac", "c", "xd"], ["xc", "dx"]),
    (r"\bab\b", ["x ab.", "ab"], ["xab", "ab_"]),
    (r"a\Bb", ["ab"], ["a b"]),
    (r"\b", ["a"], ["", "é"]),
    ("^*a", ["ba"], ["b"]),
    ("$^", [""], ["a"]),
]
REFUSED = [
    "(", ")", "a)", "(a", "[", "[a", "[]", "[^]", "[z-a]", r"[a-\d]", "[[:foo:]]", r"[\b]", "*",
    "a**", "a*+", "a{2}{3}", "a*?*", "(*)", "|*", "(?i)*", "a{1001}", "a{2,1}",
    "(a{40}){40}", "((a{0,10}){0,10}){0,11}", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)",
    "(?#a)", "(?P=n)", "(?P<>a)", "(?-)", "(?i-:a)", "(?x)", r"(a)\1", r"\8",
    r"\Z", r"\q", r"\é", r"\x", r"\x4", r"\x{}", r"\x{110000}", r"\p{", r"\p", "\\",
]  # fmt: skip
TOO_LARGE = [r"\pL{1000}", r"(\pL{25}){40}", r"(?i)[\pL\pN]{900}"]
#: Go answers all of them in time that grows as the text does.
SLOW = [
    "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^a*a*a*a*a*a*a*b$", "^(a?){30}a{30}$", "(a*)*(a*)*b",
    "^(((a{0,9}){0,9}){0,9})$", "(?i)(A+a+)+$", r"(\ba*\b)*c", "(.*.*.*)*x",
]  # fmt: skip


@each("pattern found missed", ANSWERS)
def test_go_gives_the_same_answers(pattern, found, missed):
    assert problem(pattern) is None
    assert [text for text in found if not matches(pattern, text)] == []
    assert [text for text in missed if matches(pattern, text)] == []


@each("pattern", REFUSED)
def test_what_go_refuses(pattern):
    found = problem(pattern)
    assert found.message.startswith("the API server refuses this pattern: ")
    assert "RE2" in found.fix


@pytest.mark.parametrize("pattern", TOO_LARGE, ids=lambda text: text[:12])
def test_what_is_left_out(pattern):
    assert problem(pattern).message.startswith("this pattern is not used: pattern too large")


def test_scripts_are_known():
    assert matches(r"^\p{Greek}+$", "λόγος")
    assert not matches(r"^\p{Greek}+$", "logos")


def test_half_of_a_surrogate_pair_is_no_failure():
    assert not matches("^a$", "\ud800")


@pytest.mark.parametrize("pattern", SLOW)
def test_no_pattern_goes_back(pattern):
    began = time.process_time()
    assert not takes_too_long(pattern, "a" * 50_000 + "!")
    assert not matches(pattern, "a" * 50_000 + "!")
    assert time.process_time() - began < 5


def test_a_text_that_takes_too_long_is_not_compared():
    """An automaton with as many states as the text has characters, each of hundreds of steps."""
    text = "".join(random.Random(0).choices("ab", k=1_000_000))
    schema, tree = {"goPattern": "[ab]*a[ab]{900}c"}, uniform_tree(text, Origin("f"))
    assert takes_too_long(schema["goPattern"], text)
    assert not fits(tree, schema)
    (found,) = check(tree, schema)
    assert found.code == "SPC015"
    assert "takes too long to compare" in found.message


PIECES = st.sampled_from(["a", "b", "-", ".", "[ab]", "[^a]", "[a-c-]", "^", "$", r"\b", r"\w"])
REPEATS = st.sampled_from(["", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"])
PATTERNS = st.recursive(
    st.builds("(?:{}){}".format, PIECES, REPEATS),
    lambda parts: (
        st.builds("(?:{}{}){}".format, parts, parts, REPEATS)
        | st.builds("({}|{})".format, parts, parts)
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("abc- \n", max_size=6))
def test_python_agrees_where_both_know_the_syntax(pattern, text):
    expected = re.search(pattern.replace("$", r"\Z"), text, re.ASCII) is not None
    assert matches(pattern, text) == expected


@given(st.text("ab+*?{}()[]|\\dpQEzx1:,-^$.i<P", max_size=12), st.text("ab1-", max_size=4))
def test_the_quick_check_and_the_one_that_explains_agree(pattern, text):
    if problem(pattern):
        return
    schema = {"goPattern": pattern}
    assert fits(uniform_tree(text, Origin("f")), schema) == (not list(errors(text, schema)))


#: Runs servingctl as if RE2 had not been installed.
WITHOUT_RE2 = """
import sys
sys.modules["re2"] = None
from renderer.cli import main
sys.argv[0] = "servingctl"
sys.exit(main())
"""


@pytest.fixture
def with_patterns(repository):
    """A repository with a CRD whose patterns no image name matches, and one that RE2 refuses."""
    name = {"type": "string", "pattern": "^[0-9]+$"}
    refused = {"type": "string", "pattern": "(?=a)"}
    image = {"type": "object", "properties": {"name": name, "tag": refused}}
    spec = {
        "type": "object",
        "properties": {"image": image},
        "x-kubernetes-preserve-unknown-fields": True,
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "kuscia.secretflow",
            "names": {"kind": "AppImage"},
            "versions": [{"name": "v1alpha1", "schema": schema}],
        },
    }
    return repository({"schemas/crds/appimages.yaml": json.dumps(crd, indent=1)})


def validated(root, program, *options):
    """The exit code, and the findings about patterns."""
    command = [sys.executable, *program, "validate", *options, "--format", "json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert "re2" not in done.stderr.lower(), done.stderr  # it does not log
    found = json.loads(done.stdout)["findings"]
    about = [(item["code"], item["severity"]) for item in found]
    return done.returncode, about, done.stdout


@pytest.mark.process
def test_values_are_compared_with_the_patterns_of_a_crd(with_patterns):
    code, about, shown = validated(with_patterns, ["-m", "renderer"])
    assert code == 1
    assert ("MAN010", "warning") in about
    assert ("MAN004", "error") in about
    assert "not of the form ^[0-9]+$" in shown


@pytest.mark.process
def test_without_re2_it_is_said_once_that_patterns_are_not_checked(with_patterns):
    code, about, shown = validated(with_patterns, ["-c", WITHOUT_RE2], "--strict")
    assert (code, about) == (0, [("MAN011", "info")])
    assert "servingctl[crds]" in shown
