"""Plain scalars: what three readers make of them, compared with those readers themselves."""

import json
import shutil
import subprocess
import warnings

import pytest
import ruamel.yaml
import yaml
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from renderer.text import scalars
from renderer.text.scalars import fits, meaning
from tests.support.rows import each

# The text, and what it is to YAML 1.2, to YAML 1.1 and to Kubernetes.
READINGS = (
    *(("", None, None, None), ("~", None, None, None), ("Null", None, None, None)),
    *(("true", True, True, True), ("FALSE", False, False, False), ("tRUE", *["tRUE"] * 3)),
    *(("on", "on", True, True), ("Off", "Off", False, False), ("YES", "YES", True, True)),
    *(("no", "no", False, False), ("y", "y", True, True), ("N", "N", False, False)),
    *(("1", 1, 1, 1), ("+5", 5, 5, 5), ("-0", 0, 0, 0), ("07", 7, 7, 7), ("0x1f", 31, 31, 31)),
    *(("0644", 644, 420, 420), ("-017", -17, -15, -15), ("08", 8, "08", 8), ("0_7", "0_7", 7, 7)),
    *(("0o17", 15, "0o17", 15), ("0O17", "0O17", "0O17", 15), ("0o8", "0o8", "0o8", "0o8")),
    *(("0b11", "0b11", 3, 3), ("-0b11", "-0b11", -3, -3), ("0b12", "0b12", "0b12", "0b12")),
    *(("-0x1f", "-0x1f", -31, -31), ("0X1F", "0X1F", "0X1F", 31), ("0xg", "0xg", "0xg", "0xg")),
    *(("1_000", "1_000", 1000, 1000), ("1_0.5", "1_0.5", 10.5, 10.5), ("_1", "_1", "_1", "_1")),
    *(("1.10", 1.1, 1.1, 1.1), ("1.", 1.0, 1.0, 1.0), (".5", 0.5, 0.5, 0.5), (".", *["."] * 3)),
    *(("-.5", -0.5, "-.5", -0.5), ("1.5e+3", 1500.0, 1500.0, 1500.0), ("1.2.3", *["1.2.3"] * 3)),
    *(("1e3", 1000.0, "1e3", 1000.0), ("1.5e3", 1500.0, "1.5e3", 1500.0)),
    *(("1:30", "1:30", "the base-60 number 1:30", "1:30"), ("1:60", "1:60", "1:60", "1:60")),
    *(("-1:30.5", "-1:30.5", "the base-60 number -1:30.5", "-1:30.5"), ("a:1", *["a:1"] * 3)),
    *(
        ("2024-01-01", "2024-01-01", "the date 2024-01-01", "2024-01-01"),
        ("24-1-1", *["24-1-1"] * 3),
    ),
    *(("=", "=", "the special key =", "="), ("500m", *["500m"] * 3), ("12e", *["12e"] * 3)),
)
TEXTS = tuple(row[0] for row in READINGS)


@each("text modern legacy platform", READINGS)
def test_three_readings(text, modern, legacy, platform):
    assert repr(scalars._yaml12(text)) == repr(modern)
    assert repr(scalars._yaml11(text)) == repr(legacy)
    if text:
        assert repr(scalars._kubernetes(text)) == repr(platform)


@each("text modern legacy platform", READINGS)
def test_a_dispute_is_a_difference_between_readings(text, modern, legacy, platform):
    found = meaning(text)
    assert bool(found.dispute) == (len({repr(modern), repr(legacy), repr(platform)}) > 1)
    assert repr(found.value) == repr(text if found.dispute else modern)


@pytest.mark.parametrize(
    ("text", "dispute"),
    {
        "on": 'true to YAML 1.1, the text "on" to YAML 1.2',
        "0644": "the number 420 to YAML 1.1, the number 644 to YAML 1.2",
        "1:30": 'the base-60 number 1:30 to YAML 1.1, the text "1:30" to YAML 1.2',
        "0O17": 'the number 15 to the Kubernetes reader, the text "0O17" to YAML 1.2',
    }.items(),
)
def test_a_dispute_names_both_readings(text, dispute):
    assert meaning(text).dispute == dispute


@pytest.mark.parametrize(
    ("text", "finite"),
    {
        **dict.fromkeys((".inf", "-.Inf", "+.INF", ".nan", ".NaN", "1.0e+999"), False),
        **dict.fromkeys(
            ("9223372036854775808", "-9223372036854775809", "0x8000000000000000"), False
        ),
        **dict.fromkeys(("9" * 101, "0x" + "f" * 101, "1" + "_1" * 60, "1" + ":1" * 60), False),
        **dict.fromkeys((".iNF", "inf", "nan", "+.nan", "9223372036854775807", "a" * 101), True),
        **dict.fromkeys(("-9223372036854775808", "1.7e+308", "12ab" * 32), True),
    }.items(),
    ids=lambda item: str(item)[:24],
)
def test_only_finite_numbers_of_64_bits_are_numbers(text, finite):
    found = meaning(text)
    assert found.finite is finite
    assert not found.dispute
    assert fits(found.value) or not finite


def legacy_reader(text: str) -> object:
    return yaml.safe_load(text)


def modern_reader(text: str) -> object:
    with warnings.catch_warnings(action="ignore"):
        return ruamel.yaml.YAML(typ="safe", pure=True).load(text)


@each("text", TEXTS)
def test_what_is_not_disputed_is_the_same_to_real_readers(text):
    found = meaning(text)
    if not found.dispute:
        assert repr(legacy_reader(text)) == repr(modern_reader(text)) == repr(found.value)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text("0012789_.:-+eExobGimTaf%=<\u0661", max_size=8) | st.sampled_from(TEXTS))
@example("2024-01-01 10:00:00 %")
@example("-.inf")
@example(".NaN")
def test_what_is_easy_to_see_is_what_the_readers_say(text):
    assert repr(meaning(text)) == repr(scalars._compared(text))


@given(st.text("0012789_.:-+eExob~yntf", min_size=1, max_size=8) | st.sampled_from(TEXTS))
@example("-.5")
@example("0_")
@example("2024-1-1 10:00:00")
def test_undisputed_texts_are_the_same_to_real_readers(text):
    found = meaning(text)
    assume(found.finite and not found.dispute)
    try:
        node = yaml.compose(text)
        modern = modern_reader(text)
    except (yaml.YAMLError, ruamel.yaml.error.YAMLError, ValueError):  # ruamel fails at "-_"
        assume(False)
    assume(isinstance(node, yaml.ScalarNode) and node.value == text)
    assert repr(legacy_reader(text)) == repr(modern) == repr(found.value)


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
def test_kubernetes_reads_as_we_say():
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
    command = ["kubectl", "annotate", "--local", "-o", "json", "x=y", "-f", "-"]
    text = head + "".join(f"- {text}\n" for text in TEXTS)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    said = dict(zip(TEXTS, json.loads(done.stdout)["data"], strict=True))
    expected = {row[0]: row[3] for row in READINGS}
    assert said == expected
    assert {key: type(value) is bool for key, value in said.items()} == {
        key: type(value) is bool for key, value in expected.items()
    }
