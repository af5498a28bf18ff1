"""The command lines of engines for people: each argument with its source, and which one counts."""

import re
from collections.abc import Iterator

from renderer.engines.fit import explanation, fit
from renderer.engines.options import Option, option_name, options
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.errors import UsageError
from renderer.rules.engines import engines_of
from renderer.text.secrets.masks import hidden, mask_line
from renderer.text.wording import suggest
from renderer.values.engines import EngineArgument, EngineLine
from renderer.values.inspection import Event, Trace
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node

_ARGUMENT = re.compile(r"(?:(.+)\.)?args\[(-[^\]]+)\]")


def engine_lines(spec: Spec, environment: Environment) -> tuple[EngineLine, ...]:
    """How the engines of a sound spec are started."""
    return tuple(_line(run, spec, environment) for run in engines_of(spec, environment))


def argument_path(path: str) -> tuple[str, str] | None:
    """The place of a container and the argument that a path means, if it is one of an engine."""
    found = _ARGUMENT.fullmatch(path)
    return (found[1] or "", found[2]) if found else None


def trace_argument(spec: Spec, environment: Environment, path: str) -> list[Trace]:
    """The history of an argument: every word that gives it, of which the last one counts."""
    place, given = argument_path(path) or ("", "")
    lines = [
        line
        for line in engine_lines(spec, environment)
        if not place or line.place in (place, f"{place}.args")
    ]
    if not lines:
        raise UsageError(f"no engine runs at {place or spec}; delete the brackets")
    name = option_name(given)
    traces = [found for line in lines if (found := _trace(line, name))]
    if not traces:
        known = [f"--{item.name}" for line in lines for item in line.arguments if item.name]
        hint = suggest(f"--{name}", list(dict.fromkeys(known)))
        raise UsageError(f"no engine of {spec} is given {given}; {hint}")
    return traces


def _trace(line: EngineLine, name: str) -> Trace | None:
    given = [item for item in line.arguments if item.name == name]
    if not given:
        return None
    events = tuple(Event(item.origin, item.text, deleted=False, wins=item.counts) for item in given)
    return Trace(given[-1].text, exists=True, events=events)


def _line(run: EngineRun, spec: Spec, environment: Environment) -> EngineLine:
    listed = tuple(_arguments(run, spec, environment))
    last = {item.name: number for number, item in enumerate(listed)}
    arguments = tuple(
        item._replace(counts=not item.name or last[item.name] == number)
        for number, item in enumerate(listed)
    )
    unchecked = tuple(dict.fromkeys(word.unknown for word in run.line.unchecked))
    found = fit(run)
    place = ".".join(map(str, run.given.place.path))
    memory = tuple(explanation(found)) if found else ()
    version = run.release.version
    return EngineLine(
        place, run.line.engine, version, run.line.program, arguments, unchecked, memory
    )


def _arguments(run: EngineRun, spec: Spec, environment: Environment) -> Iterator[EngineArgument]:
    """The options in their order, and words before them."""
    words = run.line.words
    first = next((n for n, word in enumerate(words) if option_name(word.text)), len(words))
    for word in words[:first]:
        text = mask_line(word.text)
        yield EngineArgument("", text, word.node.origin, _source(word.node, spec, environment))
    for option in options(words[first:]):
        node = option.words[0].node
        yield EngineArgument(
            option.name, _text(option), node.origin, _source(node, spec, environment)
        )


def _text(option: Option) -> str:
    """An option as it is written, its secret values hidden."""
    shown = [str(hidden(value, option.name)) for value in option.values]
    text = " ".join(map(_quoted, option.words))
    for value, masked in zip(option.values, shown, strict=True):
        text = text.replace(value, masked) if masked != value else text
    return mask_line(text)


def _quoted(word: Word) -> str:
    return f"'{word.text}'" if " " in word.text else word.text


def _source(node: Node, spec: Spec, environment: Environment) -> str:
    """Who says a word: the spec, the environment, another spec such as a runtime, or a platform."""
    file = node.origin.file
    if file in spec.files:
        return "spec"
    if file in environment.files:
        return "environment"
    owner = next((item for item in environment.specs if file in item.files), None)
    return str(owner) if owner else node.origin.note or "the platform"
