"""Patterns as Go reads them: what they match, what Go refuses, and that none takes long."""

import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from renderer.kubernetes.gopatterns.matching import Pattern, TooLong, matches
from renderer.kubernetes.gopatterns.syntax import Refused, Unsupported

from renderer.schema.validation import check, errors, fits
from renderer.values.diagnostics import Origin
from renderer.values.tree import derived

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
    "a**", "a*+", "a{2}{3}", "a*?*", "(*)", "|*", "(?i)*", "a{1001}", "a{2,1}", "a{99999999999}",
    "(a{40}){40}", "((a{0,10}){0,10}){0,11}", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)",
    "(?#a)", "(?P=n)", "(?P<>a)", "(?P<é>a)", "(?-)", "(?i-:a)", "(?x)", r"(a)\1", r"\8", r"\C",
    r"\Z", r"\q", r"\é", r"\x", r"\x4", r"\x{}", r"\x{110000}", r"\p{", r"\p", "\\",
]  # fmt: skip
UNSUPPORTED = [r"\p{Greek}", "a" * 10_001, "(" * 101 + ")" * 101, "(a?){1000}" * 9]
#: Go answers all of them in time that grows as the text does.
SLOW = [
    "^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^a*a*a*a*a*a*a*b$", "^(a?){30}a{30}$", "(a*)*(a*)*b",
    "^(((a{0,9}){0,9}){0,9})$", "(?i)(A+a+)+$", r"(\ba*\b)*c", "(.*.*.*)*x",
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "found", "missed"), ANSWERS, ids=lambda x: repr(x)[:30])
def test_go_gives_the_same_answers(pattern, found, missed):
    ready = Pattern(pattern)
    assert [text for text in found if not ready.matches(text)] == []
    assert [text for text in missed if ready.matches(text)] == []


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_go_refuses(pattern):
    with pytest.raises(Refused, match=r"."):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", UNSUPPORTED, ids=lambda text: text[:12])
def test_what_is_left_out(pattern):
    with pytest.raises(Unsupported, match=r"."):
        Pattern(pattern)


@pytest.mark.parametrize("pattern", SLOW)
def test_no_pattern_goes_back(pattern):
    ready, began = Pattern(pattern), time.process_time()
    assert not ready.matches("a" * 50_000 + "!")
    assert time.process_time() - began < 5


@pytest.mark.slow
def test_a_text_that_takes_too_long_is_not_compared():
    """An automaton with as many states as the text has characters, each of hundreds of steps."""
    text = "".join(random.Random(0).choices("ab", k=100_000))
    schema, tree = {"goPattern": "[ab]*a[ab]{900}c"}, derived(text, Origin("f"))
    with pytest.raises(TooLong):
        Pattern(schema["goPattern"]).matches(text)
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
    try:
        Pattern(pattern)
    except (Refused, Unsupported):
        return
    schema = {"goPattern": pattern}
    assert fits(derived(text, Origin("f")), schema) == (not list(errors(text, schema)))
