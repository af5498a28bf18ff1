"""What an engine answers to: the port that it listens on, the names of its model and adapters."""

import json
from collections.abc import Iterator

from renderer.engines.marks import VLLM
from renderer.engines.options import Option
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.values.named_tuple import NamedTuple

_PORT = "8000"
_MODEL = "model"
_MODULES = "lora-modules"
#: With it, clients may load adapters of any name.
_LOADS_ADAPTERS = "VLLM_ALLOW_RUNTIME_LORA_UPDATING"


class Adapter(NamedTuple):
    """A LoRA adapter of a command line; without a name, the word says none."""

    name: str
    path: str
    word: Word


def listening_port(run: EngineRun) -> str:
    """The port for requests; empty if that is not known, or there is none."""
    has_none = run.options.get("uds") is not None or run.options.is_on("headless")
    if run.line.engine != VLLM or has_none:
        return ""
    option = run.options.get("port")
    if option:
        return option.value.lstrip("0") if option.is_known and option.value.isdecimal() else ""
    return "" if run.may_have_more else _PORT


def served_names(run: EngineRun) -> tuple[str, ...]:
    """The names that an engine or its platform gives a model, which clients call it by."""
    option = run.options.get("served-model-name", "model-name")
    if option:
        return option.values
    return (run.given.name,) if run.given.name else ()


def answered_names(run: EngineRun) -> tuple[str, ...]:
    """All names that requests may ask for; none if they are not known."""
    option = run.options.get("served-model-name", "model-name")
    given = (*(option.words if option else ()), *(item.word for item in adapters(run)))
    if _may_have_others(run) or any(word.unknown for word in given):
        return ()
    own = served_names(run) or _model_name(run)
    return (*own, *(item.name for item in adapters(run) if item.name)) if own else ()


def _may_have_others(run: EngineRun) -> bool:
    """Whether names may be given where they cannot be seen; presets of platforms give none."""
    unseen = [word for word in run.line.unchecked if word.may_be_many]
    is_own = any(
        word.node.origin.file or run.has_variable(word.unknown.strip("${}")) for word in unseen
    )
    return is_own or run.options.get("config") is not None or run.has_variable(_LOADS_ADAPTERS)


def _model_name(run: EngineRun) -> tuple[str, ...]:
    """What a model is called that nothing names: as the engine is told to find it."""
    option, words = run.options.get(_MODEL), run.line.words
    if not run.is_vllm:
        return ()
    if option:
        return option.values[:1] if option.is_known else ()
    is_first = run.line.takes_model and words and not words[0].text.startswith("-")
    return (words[0].text,) if is_first and not words[0].unknown else ()


def adapters(run: EngineRun) -> Iterator[Adapter]:
    """The LoRA adapters that an engine is started with, as far as they are known."""
    option = run.options.get(_MODULES)
    for word in _value_words(option) if option else ():
        if not word.unknown:
            yield Adapter(*_name_and_path(word.text), word)


def _value_words(option: Option) -> tuple[Word, ...]:
    return (option.place,) if "=" in option.words[0].text else option.words[1:]


def _name_and_path(text: str) -> tuple[str, str]:
    if not text.startswith("{"):
        name, sign, path = text.partition("=")
        return (name, path) if sign and path else ("", "")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return "", ""
    has_both = isinstance(data, dict) and data.get("path") and data.get("name")
    return (str(data["name"]), str(data["path"])) if has_both else ("", "")
