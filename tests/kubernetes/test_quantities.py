"""Quantities: their value, and the form that the API server keeps as it is."""

import re
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from renderer.kubernetes.quantities import billionths, canonical, value
from tests.support.rows import each
from tests.support.samples import tried

# As k8s.io/apimachinery/pkg/api/resource writes them.
CANONICAL = """
    0.1=100m 1000m=1 1024Mi=1Gi 0.5Gi=512Mi 1.5=1500m 1.5Gi=1536Mi 1=1 500m=500m 2Gi=2Gi 1.250=1250m
    0=0 0Mi=0 0e5=0 -0=0 +5=5 007=7 1.=1 .5=500m -1.5=-1500m 1000=1k 1000000=1M 1500k=1500k 1000M=1G
    1024=1024 1024Ki=1Mi 1048576Ki=1Gi 1023Ki=1023Ki -2048Ki=-2Mi 2000000Ki=2000000Ki 7Ei=7Ei
    0.5Ki=512 1.5Ki=1536 0.1Ki=102400m 1.0001Ki=1024102400u 5.5Ei=5632Pi 9.2E=9200P 1P=1P
    1e3=1e3 1E3=1e3 12e2=1200 1e-3=1e-3 0.5e-1=50e-3 1e0=1 1n=1n 1000n=1u 1u=1u
    0.1n=1n -0.1n=-1n 1e-10=1e-9 1.0000000000000000000000000000000001=1000000001n
    9223372036854775807=9223372036854775807
"""
# Go writes 3648000 for these, and 3648k when it reads that again: only the second form stays.
STABLE = ["3562.5Ki=3648k", "-3562.5Ki=-3648k"]
BEYOND = ["9223372036854775808", "8Ei", "100E", "1000E", "-10Ei", "1e30", "1e999"]
NONE = [
    *("", " ", "a", "1 ", " 1", "1K", "1ki", "1mi", "1GB", "1Gib", "1e", "1e3m", "--1", "1.2.3"),
    *("Ki", ".", "+", "1" * 65, "1\n", "１", "0x1", "1,5", "1_000", "inf", "nan"),
]
FORMS = st.from_regex(
    r"[+-]?([0-9]{1,20}|[0-9]{1,8}\.[0-9]{0,20}|\.[0-9]{1,12})"
    r"([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?",
    fullmatch=True,
    alphabet=st.characters(codec="ascii"),
)


@each("pair", CANONICAL.split() + STABLE)
def test_the_canonical_form(pair):
    text, _, form = pair.partition("=")
    assert canonical(text) == form


@each("text", NONE, name=ascii)
def test_what_is_no_quantity_stays_as_it_is(text):
    assert value(text) is None
    assert canonical(text) == text


@pytest.mark.parametrize("text", BEYOND)
def test_what_kubernetes_cannot_hold_stays_as_it_is(text):
    assert abs(value(text)) > 2**63 - 1
    assert canonical(text) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        *(("1", 1), ("1.5", Fraction(3, 2)), ("100m", Fraction(1, 10)), ("1n", Fraction(1, 10**9))),
        *(("1k", 1000), ("1Ki", 1024), ("-1.5Gi", -1610612736), ("1E", 10**18), ("1Ei", 2**60)),
        *(("1e3", 1000), ("1E-3", Fraction(1, 1000)), (f"{10**40 + 1}Ki", (10**40 + 1) * 1024)),
    ],
    ids=str,
)
def test_the_value_is_exact(text, amount):
    assert Fraction(value(text)) == amount


@tried(FORMS | st.sampled_from(NONE), few=60, many=300)
def test_billionths_are_those_of_the_value(text):
    amount = value(text)
    if amount is None:
        assert billionths(text) is None
    else:
        assert Fraction(billionths(text)) == Fraction(amount) * 10**9


@tried(FORMS, few=60, many=300)
def test_the_form_keeps_the_value_up_to_a_billionth(text):
    before, after = Fraction(value(text)), Fraction(value(canonical(text)))
    assert 0 <= abs(after) - abs(before) < Fraction(1, 10**9)
    assert before * after >= 0


@tried(FORMS, few=60, many=300)
def test_the_canonical_form_is_its_own(text):
    assert canonical(canonical(text)) == canonical(text)


@tried(FORMS.filter(lambda text: abs(value(text)) < 2**63), few=60, many=300)
def test_the_form_has_no_fraction_and_the_largest_suffix(text):
    form = canonical(text)
    number, suffix = re.fullmatch(r"(0|-?[1-9][0-9]*)([KMGTPE]i?|[numk]|e-?[0-9]+|)", form).groups()
    if form != "0" and suffix not in ("E", "Ei", "e18"):
        assert int(number) % (1024 if suffix.endswith("i") else 1000)
    assert not suffix.endswith("i") or text.endswith("i")
