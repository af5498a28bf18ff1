"""LoRA adapters: names, limits, and what they need."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from renderer.engines.fit import served_names
from renderer.engines.options import Option
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_MODULES, _SWITCH = "lora-modules", "enable-lora"


class _Adapter(NamedTuple):
    """An adapter of a command line; without a name, the word says none."""

    name: str
    word: Word


@rule("ENG170", Severity.ERROR, ENGINE, since="0.3.0")
def adapters_are_enabled(run: EngineRun) -> Iterator[Finding]:
    """An engine that gets LoRA adapters has `--enable-lora`.

    It ends at start otherwise: it cannot load what `--lora-modules` names.

    Fails: containers: [{name: engine, args: [--lora-modules, sql=/adapters/sql]}]
    Passes with:
        containers: [{name: engine, args: [--enable-lora, --lora-modules, sql=/adapters/sql]}]
    """
    option = run.options.get(_MODULES)
    if option and not run.options.is_on(_SWITCH) and not run.may_have_more:
        message = "--lora-modules is given without --enable-lora"
        yield run.at(option.words[0], message, "add --enable-lora")


@rule("ENG172", Severity.ERROR, ENGINE, since="0.3.0")
def adapters_have_own_names(run: EngineRun) -> Iterator[Finding]:
    """The names of LoRA adapters are their own: not those of the model, and no two are equal.

    Clients ask for an adapter by its name as they do for the model: one of the two is never asked.

    Fails:
        containers:
          - name: engine
            args: [--served-model-name=chat, --enable-lora, --lora-modules, chat=/adapters/sql]
    Passes:
        containers:
          - name: engine
            args: [--served-model-name=chat, --enable-lora, --lora-modules, sql=/adapters/sql]
    """
    seen = dict.fromkeys(served_names(run), "the model")
    for item in _adapters(run):
        if item.name and item.name in seen:
            message = f"{item.name!r} is already the name of {seen[item.name]}"
            yield run.at(item.word, message, "choose another name")
        seen.setdefault(item.name, "another adapter")


@rule("ENG173", Severity.ERROR, ENGINE, since="0.3.0")
def more_adapters_wait_than_run(run: EngineRun) -> Iterator[Finding]:
    """`--max-cpu-loras` is not smaller than `--max-loras`.

    Adapters of a batch are among those that are kept in memory: vLLM refuses others.

    Fails:
        containers:
          - {name: engine, args: [--enable-lora, --max-loras=4, --max-cpu-loras=2]}
    Passes:
        containers:
          - {name: engine, args: [--enable-lora, --max-loras=4, --max-cpu-loras=8]}
    """
    kept, most = run.options.get("max-cpu-loras"), run.options.number("max-loras", 1)
    if kept and kept.number is not None and most and kept.number < most:
        message = f"{kept.number} adapters kept in memory are fewer than the {most} of a batch"
        yield run.at(kept.place, message, f"write {most} or more")


@rule("ENG174", Severity.WARNING, ENGINE, since="0.3.0")
def adapters_are_given(run: EngineRun) -> Iterator[Finding]:
    """Limits of LoRA come with `--enable-lora`, or they have no effect.

    Fails: containers: [{name: engine, args: [--max-lora-rank=64]}]
    Passes with: containers: [{name: engine, args: [--enable-lora, --max-lora-rank=64]}]
    """
    if run.options.is_on(_SWITCH) or run.may_have_more:
        return
    for name in ("max-loras", "max-lora-rank", "max-cpu-loras"):
        if option := run.options.get(name):
            message = f"--{name} has no effect without --enable-lora"
            yield run.at(option.words[0], message, "add --enable-lora, or delete it")


def _adapters(run: EngineRun) -> Iterator[_Adapter]:
    option = run.options.get(_MODULES)
    for word in _value_words(option) if option else ():
        if not word.unknown:
            yield _Adapter(_name(word.text), word)


def _value_words(option: Option) -> tuple[Word, ...]:
    return (option.place,) if "=" in option.words[0].text else option.words[1:]


def _name(text: str) -> str:
    """The name of an adapter; empty if the word has none."""
    if not text.startswith("{"):
        name, sign, path = text.partition("=")
        return name if sign and path else ""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    has_both = isinstance(data, dict) and data.get("path") and data.get("name")
    return str(data["name"]) if has_both else ""


RULES = rules_with_source(
    (
        adapters_are_enabled,
        adapters_have_own_names,
        more_adapters_wait_than_run,
        adapters_are_given,
    ),
    VLLM_SOURCE,
)
