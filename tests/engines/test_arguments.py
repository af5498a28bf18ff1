"""Command lines of vLLM, read by its tables."""

from typing import NamedTuple

import pytest

from renderer.engines.arguments import parse
from renderer.engines.tables import (
    is_known,
    nearest_version,
    newest,
    server_table,
    table,
    versions,
)
from tests.support.rows import each


class Word(NamedTuple):
    text: str
    unknown: str = ""


def read(version, line, files=None, **options):
    given = [Word(text) for text in line.split()]
    found = {"files": (files or {}).get}
    return parse(table("vllm", version), given, **found, **options)


def values(parsed):
    return {item.argument.dest: item.value for item in parsed.values if item.counts}


def problems(parsed):
    return [(item.kind, item.flag, item.near) for item in parsed.problems]


TAKEN = {
    "names with underscores": ("0.11.0", "m --max_model_len 8k", {"max_model_len": 8000}),
    "a binary suffix": ("0.11.0", "m --max-model-len 8K", {"max_model_len": 8192}),
    "the last of two counts": (
        "0.11.0", "m -tp 2 --tensor-parallel-size=4", {"tensor_parallel_size": 4},
    ),
    "an abbreviation": ("0.11.0", "m --tensor-par 4", {"tensor_parallel_size": 4}),
    "taken back": ("0.11.0", "m --enable-lora --no-enable-lora", {"enable_lora": False}),
    "taken back by its opposite": (
        "0.33.0", "m --disable-log-requests", {"enable_log_requests": False},
    ),
    "parts of a configuration": (
        "0.11.0",
        "m --compilation-config.level 3 --compilation-config.backend=eager",
        {"compilation_config": {"level": 3, "backend": "eager"}},
    ),
    "a level": ("0.33.0", "m -O3", {"optimization_level": "3"}),
    "the model behind its option": (
        "0.11.2", "--port 80 --model m", {"model_tag": "m", "port": 80},
    ),
    "several values": (
        "0.11.0", "m --served-model-name a b --port 1", {"served_model_name": ["a", "b"]},
    ),
}  # fmt: skip


@each("version line expected", TAKEN)
def test_what_is_taken(version, line, expected):
    parsed = read(version, line)
    assert problems(parsed) == []
    assert {key: values(parsed)[key] for key in expected} == expected


REFUSED = {
    "an option that is misspelt": (
        "0.11.0", "m --tensor-paralel-size 2",
        ("unknown", "--tensor-paralel-size", "--tensor-parallel-size"),
    ),
    "an option of a later version": (
        "0.6.0", "m --enable-expert-parallel", ("unknown", "--enable-expert-parallel", ""),
    ),
    "a word instead of a number": ("0.11.0", "m --port x", ("type", "--port", "")),
    "a choice that there is not": ("0.11.0", "m --dtype int3", ("choice", "--dtype", "")),
    "a switch with a value": ("0.11.0", "m --enforce-eager=1", ("no-value", "--enforce-eager", "")),
    "an option without its value": ("0.11.0", "m --port", ("value", "--port", "")),
    "the beginning of several": ("0.11.0", "m --enable-p 1", ("ambiguous", "--enable-p", "")),
    "the model as an option": ("0.10.0", "--model m", ("model-option", "--model", "")),
    "no model": ("0.6.0", "--port 80", ("required", "model_tag", "")),
    "tools without their parser": (
        "0.11.0", "m --enable-auto-tool-choice",
        ("needs", "--enable-auto-tool-choice", "--tool-call-parser"),
    ),
    "a field that there is not": (
        "0.33.0", "m --compilation-config.backnd=eager",
        ("field", "--compilation-config", "backend"),
    ),
}  # fmt: skip


@each("version line expected", REFUSED)
def test_what_is_refused(version, line, expected):
    found = problems(read(version, line))
    assert [expected[0], expected[1]] in [[*item[:2]] for item in found]
    assert not expected[2] or expected in found


def test_a_removed_argument_has_a_history():
    (problem,) = read("0.33.0", "m --enable-reasoning").problems
    assert problem.history.since == "0.7.1"
    assert problem.history.removed
    assert problem.history.replaced == "--reasoning-parser"


def test_unknown_words_are_not_judged():
    words = [Word("m"), Word("--port"), Word("${PORT}", "${PORT}"), Word("$@", "$@")]
    parsed = parse(table("vllm", "0.11.0"), words)
    assert parsed.is_open
    assert problems(parsed) == []


def test_a_problem_knows_the_word_that_it_comes_from():
    words = [Word("m"), Word("--compilation-config.mode=3"), Word("--compilation-config.mdoe=3")]
    (problem,) = parse(table("vllm", "0.33.0"), words).problems
    assert problem.word is words[2]


def test_a_file_of_arguments_stands_before_the_others():
    files = {"a.yaml": {"port": 1, "tensor-parallel-size": 2, "enforce-eager": True}}
    parsed = read("0.11.0", "m --config a.yaml --port 3", files)
    assert values(parsed) == {
        "model_tag": "m",
        "port": 3,
        "tensor_parallel_size": 2,
        "enforce_eager": True,
    }
    assert read("0.11.0", "m --config b.yaml").unread.text == "b.yaml"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("0.11.0", "0.11.0"), ("0.11.9", "0.11.2"), ("0.5.0", "0.6.0"), ("99.0", newest("vllm"))],
)
def test_a_version_that_is_not_known_has_one_that_stands_for_it(wanted, found):
    assert nearest_version("vllm", wanted) == found


def test_which_versions_are_known():
    assert versions("vllm")[0] == "0.6.0"
    assert is_known("vllm", "0.11.9")
    assert not is_known("vllm", "9.0.0")


SERVED = {
    "arguments of both": (
        "--model_name=a --max-model-len 4096 --tensor-parallel-size=2 --backend vllm",
        {"model_name": "a", "max_model_len": 4096, "tensor_parallel_size": 2}, [],
    ),
    "two names of one argument": ("--max_model_len=1 --max-model-len=2", {"max_model_len": 2}, []),
    "underscores of the engine's arguments are dropped": (
        "--gpu_memory_utilization=0.5", {},
        [("ignored", "--gpu_memory_utilization", "--gpu-memory-utilization")],
    ),
    "a wrong value is not": (
        "--tensor-parallel-size=x", {}, [("type", "--tensor-parallel-size", "")],
    ),
}  # fmt: skip


@each("line expected wrong", SERVED)
def test_the_hugging_face_server_drops_what_it_does_not_know(line, expected, wrong):
    words = [Word(text) for text in line.split()]
    parsed = parse(server_table("0.20.0"), words)
    assert problems(parsed) == wrong
    assert {key: parsed.get(key).value for key in expected} == expected


def test_which_engine_is_in_an_image():
    assert server_table("0.20.0").version == "0.24.0"
    assert server_table("0.15.2").version == "0.8.5"
    assert server_table("0.20.0", "0.11.0").version == "0.11.0"


HOSTILE = {
    "a number without end": ["--port", "9" * 100_000],
    "a number too large for a fraction": ["--max-model-len", "9" * 399 + "k"],
    "JSON without end": ["--compilation-config", "[" * 100_000],
    "a large number in JSON": ["--eplb-config", '{"window_size": 1' + "0" * 4000 + "}"],
    "a name with very many dots": ["--compilation-config" + ".a" * 10_000, "1"],
    "very many words": ["x"] * 5_000,
    "very many options": ["--no-such-option"] * 1_000,
    "a single dash": ["-"] * 100,
    "nothing": [""] * 100,
    "no name": ["--", "-", "--", "--=", "-=", "--.=", "-.", "--x", "--x="],
}


@each("words", HOSTILE)
def test_hostile_words_end(words):
    given = [*map(Word, words)]
    for version in ("0.6.0", "0.9.2", "0.33.0"):
        parse(table("vllm", version), [Word("m"), *given])
    parse(server_table(), given)
