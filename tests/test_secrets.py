"""The quick look for names of secrets misses none."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from renderer.text import secrets

PIECES = (
    "pass", "word", "wd", "pwd", "phrase", "secret", "Secret", "access", "api", "ap\u0131", "auth",
    "private", "key", "Key", "\u212aey", "id", "Id", "\u0130d", "token", "To\u212aen", "credential",
    "credent\u0131als", "s", "flow", "_", "-", ".", "/", "x", "name", "value", ":", "=", " ", ",",
    '"', "'", "\\", "#", "\n", "--", "hunter2",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def has_part(text):
    folded = text.casefold()
    return any(part in folded for part in secrets._PARTS_OF_NAMES)


@example(name="accessKeyId")
@example(name="access-key-\u0130d")
@example(name="key_credent\u0131al")
@given(name=TEXTS)
@settings(max_examples=400)
def test_a_name(name):
    words = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition("/")[2])
    expected = has_part(name) and bool(secrets._NAME.fullmatch(words))
    assert secrets.is_secret_name(name) is expected


@example(text="accessKeyId: x")
@example(text="--access-key-\u0130d, x")
@given(text=TEXTS)
@settings(max_examples=400)
def test_a_text_that_gives_a_value(text):
    starts = [start for line in text.splitlines() for start in secrets._value_starts(line)]
    assert not starts or not has_part(text) or secrets.may_name(text)


@pytest.mark.parametrize("text", ["secretflow-serving", "tokenizer", "max_tokens", "keys", "pass"])
def test_most_texts_are_told_at_once(text):
    assert not secrets.may_name(f'{{"image": "{text}"}}')


@pytest.mark.parametrize("shape", secrets._SHAPES, ids=lambda shape: shape.name)
@given(st.data())
def test_every_match_of_a_shape_contains_one_of_its_parts(shape, data):
    text = data.draw(st.from_regex(shape.pattern))
    assert any(part in text for part in shape.parts)
