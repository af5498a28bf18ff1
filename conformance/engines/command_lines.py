"""Command lines for each version: every argument right and wrong, and the forms that words have."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from renderer.engines.tables import Argument, Table, table, versions

ENGINE = "vllm"
SERVER = "vllm.entrypoints.openai.api_server"
_SERVE = ("serve", "m")
_RIGHT = {
    "str": "x",
    "int": "3",
    "float": "0.5",
    "bool": "x",
    "human": "8k",
    "human-or-auto": "auto",
    "json": "{}",
    "dict-or-str": '{"a": "b"}',
    "pairs": "image=2",
    "lower": "x",
}
#: What is looked for among files, unless it looks like what a file would have.
_RIGHT_BY_NAME = {"chat_template": "{{ x }}"}
_WRONG = {
    "int": "3.5",
    "float": "much",
    "human": "8q",
    "human-or-auto": "8.5K",
    "json": "{a",
    "dict-or-str": "{a}",
    "pairs": "image",
}
_FIELD_VALUES: tuple[Any, ...] = ("x", 3, 0.5, True, None, [], {}, -1, "7", ["x"], [3])
_PAIRS = 40
_FOREIGN = 40


class Line(NamedTuple):
    """The words of a question, by a name, and the files that `--config` may name."""

    name: str
    words: tuple[str, ...]
    files: dict[str, Any]


def lines(version: str) -> Iterator[Line]:
    """All questions to a version, in an order that does not change."""
    for name, words, *files in _all(table(ENGINE, version)):
        yield Line(name, tuple(words), files[0] if files else {})


def _all(known: Table) -> Iterator[tuple[Any, ...]]:
    arguments = [item for item in known.arguments.values() if item.names and item.dest != "config"]
    yield from _alone(arguments)
    yield from _forms(arguments, known)
    yield from _configurations(arguments, known)
    yield from _names(arguments, known)
    yield from _foreign(known)
    yield from _pairs(arguments)
    yield from _odd(known)


def _serve(*words: str) -> list[str]:
    return [*_SERVE, *words]


def right(item: Argument) -> list[str]:
    """Words that an argument takes behind its name."""
    if item.is_switch:
        return []
    if item.action in ("LoRAParserAction", "PromptAdapterParserAction"):
        return ["a=b"]
    if item.action == "StoreBoolean":
        return ["true"]
    choices = [choice for choice in item.choices or () if choice is not None]
    value = str(choices[len(choices) // 2]) if choices else _right_value(item)
    return [value] * (item.nargs if isinstance(item.nargs, int) else 1)


def _right_value(item: Argument) -> str:
    if item.dest in _RIGHT_BY_NAME:
        return _RIGHT_BY_NAME[item.dest]
    if item.config:
        return "{}"
    return _RIGHT.get(item.type.removeprefix("optional "), "x")


def wrong(item: Argument) -> Iterator[tuple[str, list[str]]]:
    """Names of mistakes, with the words behind the name of an argument."""
    kind = item.type.removeprefix("optional ").partition(":")[0]
    if item.is_switch:
        yield "a value it does not take", []
        return
    yield "no value", []
    if item.choices is not None:
        yield "no choice", ["no-choice"]
    elif "config" in kind:
        yield "no JSON", ["{a"]
        yield "no mapping", ["[1]"]
    elif kind in _WRONG:
        yield "wrong type", [_WRONG[kind]]
    if item.type.startswith("optional "):
        yield "nothing", ["None"]


def _alone(arguments: list[Argument]) -> Iterator[tuple[str, list[str]]]:
    for item in arguments:
        yield f"right {item.dest}", _serve(item.flag, *right(item))
        for name, words in wrong(item):
            text = f"{item.flag}=1" if item.is_switch else item.flag
            yield f"{name}: {item.dest}", _serve(text, *words)


def _forms(arguments: list[Argument], known: Table) -> Iterator[tuple[str, list[str]]]:
    """Each argument in one other form, in turn."""
    for number, item in enumerate(arguments):
        words = right(item)
        form = ("underscores", "abbreviated", "equals", "server", "twice")[number % 5]
        if form == "underscores":
            made = _serve("--" + item.flag[2:].replace("-", "_"), *words)
        elif form == "abbreviated":
            made = _serve(item.flag[: max(4, len(item.flag) * 3 // 4)], *words)
        elif form == "equals" and words:
            made = _serve(f"{item.flag}={words[0]}", *words[1:])
        elif form == "server":
            made = [SERVER, item.flag, *words]
        else:
            made = _serve(item.flag, *words, item.names[-1], *words)
        yield f"{form} {item.dest}", made
        for name in item.names[1:]:
            if name.startswith(("--no-", "--disable-", "--enable-")) or number % 3 == 0:
                yield f"as {name}", _serve(name, *words)
    del known


def _configurations(arguments: list[Argument], known: Table) -> Iterator[tuple[str, list[str]]]:
    """Fields of configurations: with a dot, as JSON, with values of other types, misspelt."""
    for item in arguments:
        config = known.config(item.config) if item.config else None
        if config is None:
            continue
        for number, field in enumerate(islice(config.fields, 0, None, 3)):
            value = _FIELD_VALUES[(number * 7 + len(field)) % len(_FIELD_VALUES)]
            text = json.dumps({field: value})
            yield f"JSON of {item.dest}: {field} {value!r}", _serve(item.flag, text)
            if number % 4 == 0:
                plain = value if isinstance(value, str) else json.dumps(value)
                yield f"dotted {item.dest}.{field} {value!r}", _serve(f"{item.flag}.{field}", plain)
        yield f"misspelt field of {item.dest}", _serve(f"{item.flag}.no_field=1")


def _names(arguments: list[Argument], known: Table) -> Iterator[tuple[str, list[str]]]:
    del known
    for item in arguments[::9]:
        flag = item.flag
        yield f"misspelt {item.dest}", _serve(f"{flag[:-2]}x{flag[-1]}q", *right(item))
        yield f"one dash {item.dest}", _serve(flag[1:], *right(item))
    yield "an unknown option", _serve("--no-such-option", "1")
    yield "an unknown short option", _serve("-zz", "1")
    yield "a negative number", _serve("--seed", "-1")
    yield "a word too many", _serve("x")


def _foreign(known: Table) -> Iterator[tuple[str, list[str]]]:
    """Arguments of other versions, which are gone or have another name, or are not there yet."""
    names = [name for name in known.known_names() if name not in known.arguments]
    step = max(1, len(names) // _FOREIGN)
    for name in names[::step]:
        for version in versions(ENGINE):
            other = table(ENGINE, version).arguments.get(name)
            if other is not None and other.names and name != "config":
                yield f"of another version {name}", _serve(other.flag, *right(other))
                break


def _pairs(arguments: list[Argument]) -> Iterator[tuple[str, list[str]]]:
    random = Random(len(arguments))  # noqa: S311 what is chosen need only be the same again
    for number in range(_PAIRS):
        some = random.sample(arguments, 4)
        words = [word for item in some for word in (item.flag, *right(item))]
        if number % 4 == 0:
            words[-1] = "x y"
        yield f"some together {number}", _serve(*words)


def _odd(known: Table) -> Iterator[tuple[Any, ...]]:
    """Forms of their own: where the model stands, levels, files, the end of options."""
    yield "nothing", ["serve"]
    yield "no model", ["serve", "--port", "80"]
    yield "the model last", ["serve", "--port", "80", "m"]
    yield "the model between", ["serve", "--port", "80", "m", "--seed", "1"]
    yield "the model as an option", ["serve", "--model", "m"]
    yield "the model as an option with a sign", ["serve", "--port", "80", "--model=m"]
    yield "the model in two ways", ["serve", "m", "--model", "n"]
    yield "a served name without a model", ["serve", "--served-model-name", "n"]
    yield "the end of options", ["serve", "--", "m"]
    yield "the server with a model", [SERVER, "--model", "m", "--port", "80"]
    yield "the server with a word", [SERVER, "m"]
    for text in ("-O3", "-O=3", "-O 3", "-O", "-O.level=3", "-O.mode=3", "-O9", "-Ox"):
        yield f"a level as {text}", _serve(*text.split())
    for name, config in _FILES.items():
        yield f"a file with {name}", _serve("--config", "a.yaml"), {"a.yaml": config}
    yield "a file without a model", ["serve", "--config", "a.yaml"], {"a.yaml": {"port": 80}}
    yield "a file with the model", ["serve", "--config", "a.yaml"], {"a.yaml": {"model": "m"}}
    yield (
        "a file after options",
        _serve("--port", "1", "--config", "a.yaml"),
        {"a.yaml": {"port": 2}},
    )
    yield "two files", _serve("--config", "a.yaml", "--config", "a.yaml"), {"a.yaml": {"port": 80}}
    yield "tools without a parser", _serve("--enable-auto-tool-choice")
    del known


_FILES: dict[str, Any] = {
    "numbers": {"port": 80, "tensor-parallel-size": 2},
    "names with underscores": {"tensor_parallel_size": 2},
    "switches": {"enforce-eager": True, "trust-remote-code": False},
    "a list": {"served-model-name": ["a", "b"]},
    "a mapping": {"hf-overrides": {"a": 1}},
    "an unknown name": {"no-such-option": 1},
    "a wrong type": {"port": "x"},
}
