"""Command lines for KServe's Hugging Face server: its own arguments, and those of its vLLM."""

from collections.abc import Iterator

from conformance.engines.command_lines import ENGINE, Line, right, wrong
from renderer.engines.server_tables import server_table
from renderer.engines.tables import Argument, Table, table

#: So many of the engine's arguments that are not asked stand between two that are.
_STEP = 4
_WORDS = {
    "nothing": "",
    "a model": "--model_name=llm --model_id=acme/tiny",
    "a word": "x",
    "the end of options": "-- x",
    "help": "--help",
    "an unknown option": "--no-such-option 1",
    "an unknown option and a wrong value": "--no-such-option 1 --http_port x",
    "an unknown short option": "-zz 1",
    "the model by the engine's name": "--model acme/tiny",
    "the model by the engine's name with a sign": "--model=acme/tiny",
    "two that exclude each other": "--return_probabilities --return_raw_logits",
    "two that exclude each other, turned round": "--return_raw_logits --return_probabilities",
    "a length as people write it": "--max_model_len 8k",
    "a length as people write it, with dashes": "--max-model-len 8k",
    "a length by its old name": "--max_length 4096",
    "dots": "--compilation-config.level 3",
    "a level": "-O3",
    "a file": "--config a.yaml",
    "a model's own tasks": "--task=fill_mask",
    "a task of the engine": "--task=generate",
    "an unknown backend": "--backend=vlm",
    "a negative number": "--seed -1",
    "the last of two": "--http_port 80 --http_port 81",
    "a wrong one of two": "--http_port x --http_port 81",
    "tools without a parser": "--enable-auto-tool-choice",
}
_TRUTHS = ("true", "no", "1", "ON", "perhaps", "2", "")


def server_lines(version: str) -> Iterator[Line]:
    """All questions to a version, in an order that does not change; each name is there once."""
    known, engine = server_table(version), table(ENGINE, server_table(version).version)
    own = [item for item in _own(known) if item.names]
    others = [item for item in known.given if item not in own and item.names][::_STEP]
    for name, words in _all(own, others):
        yield Line(name, tuple(words), {})
    for item in [*engine.arguments.values()][::_STEP]:
        if item.is_of_command and item.names:
            yield Line(f"of the command {item.dest}", (item.flag, *right(item)), {})


def _own(known: Table) -> list[Argument]:
    return known.own.earlier[-1] if known.own else []


def _all(own: list[Argument], others: list[Argument]) -> Iterator[tuple[str, list[str]]]:
    for name, text in _WORDS.items():
        yield name, text.split()
        yield f"{name}, without vLLM", ["--backend=huggingface", *text.split()]
    for item in own:
        yield from _alone(item, "own ")
        yield from _forms(item, "own ")
        if item.type == "yes-or-no":
            yield from ((f"own {item.dest} {text!r}", [f"{item.flag}={text}"]) for text in _TRUTHS)
    for number, item in enumerate(others):
        yield from _alone(item, "")
        if number % 2 == 0:
            yield from _forms(item, "")
        if number % 3 == 0:
            words = ["--backend=huggingface", item.flag, *right(item)]
            yield f"without vLLM {item.dest}", words
            yield f"with vLLM {item.dest}", ["--backend=vllm", *words[1:]]


def _alone(item: Argument, whose: str) -> Iterator[tuple[str, list[str]]]:
    yield f"right {whose}{item.dest}", [item.flag, *right(item)]
    for name, words in wrong(item):
        text = f"{item.flag}=1" if item.is_switch else item.flag
        yield f"{name}: {whose}{item.dest}", [text, *words]


def _forms(item: Argument, whose: str) -> Iterator[tuple[str, list[str]]]:
    """With the other sign between its words, and cut off."""
    name = item.flag[2:]
    other = name.replace("_", "-") if "_" in name else name.replace("-", "_")
    if other != name:
        yield f"other signs {whose}{item.dest}", [f"--{other}", *right(item)]
    yield f"cut off {whose}{item.dest}", [item.flag[: max(4, len(name) * 3 // 4)], *right(item)]
