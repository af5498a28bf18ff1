"""Command lines of vLLM, read by its tables."""

import json
from typing import NamedTuple

import pytest

from renderer.assets import read_engine_table
from renderer.engines.arguments import parse
from renderer.engines.problem_words import explain
from renderer.engines.server_tables import server_table
from renderer.engines.tables import (
    Facts,
    _data,
    _Parts,
    is_known,
    nearest_version,
    newest,
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
    assert problem.history.replaced == {"*": "--reasoning-parser alone"}


def test_an_argument_that_is_not_there_yet_was_not_removed():
    """It came with 0.7.1 and went with 0.10.0."""
    (problem,) = read("0.6.0", "m --enable-reasoning").problems
    assert (problem.history.since, problem.history.removed) == ("0.7.1", "")


SUCCEEDED = {
    "a task": ("0.13.0", "--task=embed", "write --runner=pooling --convert=embed"),
    "a task that is not known": ("0.13.0", "--task", "write --runner and --convert"),
    "a task that was the default": ("0.13.0", "--task auto", "delete it: it is not needed"),
    "a value that goes with it": (
        "0.12.0", "--guided-decoding-backend=xgrammar",
        "write --structured-outputs-config.backend=xgrammar",
    ),
    "a value that comes next": (
        "0.9.2", "--num-speculative-tokens 5",
        'write --speculative-config={"num_speculative_tokens": 5}',
    ),
    "another sense": (
        "0.33.0", "--disable-mm-preprocessor-cache", "write --mm-processor-cache-gb=0",
    ),
    "nothing": ("0.33.0", "--swap-space=4", "delete it: nothing takes its place"),
    "a successor that is gone as well": (
        "0.13.0", "--max-context-len-to-capture 8192", "delete it: nothing takes its place",
    ),
    "a later argument": (
        "0.8.5", "--runner=pooling", "use vLLM 0.10.1 or later, or delete it",
    ),
}  # fmt: skip


@each("version line expected", SUCCEEDED)
def test_what_to_write_for_an_argument_that_is_gone(version, line, expected):
    (problem,) = read(version, f"m {line}").problems
    assert explain(table("vllm", version), problem)[1] == expected


#: Values that an argument had, where its successor does not take every text.
OLD_VALUES = {
    "chat_template_text_format": "string",
    "guided_decoding_backend": "xgrammar",
    "override_pooler_config": "{}",
    "rope_scaling": "{}",
}


def removed_arguments():
    every = versions("vllm")
    for name in table("vllm").known_names():
        having = [number for number, v in enumerate(every) if name in table("vllm", v).arguments]
        if having[-1] + 1 < len(every):
            yield name, every[having[-1] + 1]


def test_a_successor_is_taken_by_the_version_that_took_the_argument_away():
    texts = {}
    for name, version in removed_arguments():
        known = table("vllm", version)
        history = known.history(name)
        for value in {*history.replaced, OLD_VALUES.get(name, "3")} - {"*"}:
            text = history.successor(value, known.options)
            if text and " alone" not in text and " and " not in text and "…" not in text:
                texts[name] = text
                given = [text] if "{" in text else text.split()
                option = known.options[text.partition("=")[0].partition(".")[0].split(" ")[0]]
                words = [*given, *([] if "=" in text or option.is_switch else ["3"])]
                parsed = parse(known, [Word("m"), *map(Word, words)])
                assert problems(parsed) == [], (name, version, text)
    assert len(texts) >= 24


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


@pytest.mark.parametrize("engine", ["vllm", "huggingfaceserver", "ray"])
def test_parts_of_a_table_are_those_of_its_file(engine):
    """They are told apart by the beginnings of lines, and read one by one."""
    text = read_engine_table(engine)
    parts = _Parts(text)
    assert {name: parts.part(name) for name in json.loads(text)} == json.loads(text)
    assert parts.part("nothing") == {}


def test_only_parts_that_are_asked_for_are_read():
    """The others are half of the file, and reading them a tenth of what engines cost."""
    _data.cache_clear()
    Facts("vllm", "0.11.0").part("arguments").__next__()
    assert sorted(_data("vllm")._read) == ["arguments", "versions"]


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
    "a name that an earlier parser takes for the beginning of several": (
        "--model acme/tiny", {}, [("ambiguous", "--model", "")],
    ),
    "two that exclude each other": (
        "--return_probabilities --return_raw_logits", {},
        [("excludes", "--return_raw_logits", "--return_probabilities")],
    ),
    "a truth in one of many words": ("--enable_grpc=off", {"enable_grpc": False}, []),
    "a truth in none of them": ("--enable_grpc=never", {}, [("type", "--enable_grpc", "")]),
    "a backend": ("--backend=vlm", {}, [("choice", "--backend", "")]),
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
