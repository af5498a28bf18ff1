"""The command lines of engines for people: each argument with its source, and which one counts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.engines.fit import explanation, fit
from renderer.engines.options import Option, option_name, options
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.errors import UsageError
from renderer.rules.engines import engines_of
from renderer.text.embedded import locate
from renderer.text.secrets.masks import hidden, mask_line
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Origin
from renderer.values.engines import EngineArgument, EngineLine
from renderer.values.inspection import Event, Trace
from renderer.values.model import Document, Environment, Spec
from renderer.values.tree import Node

_SETTINGS = "engine_kwargs"
_ARGUMENT = re.compile(
    r"(?:(.+)\.)?(?:args\[(-[^\]]+)\]|engine_kwargs(?:\.|\[)([a-z][a-z0-9_]*)\]?)"
)
_NO_FILES: Mapping[str, Document] = {}


def engine_lines(
    spec: Spec, environment: Environment, documents: Mapping[str, Document] = _NO_FILES
) -> tuple[EngineLine, ...]:
    """How the engines of a sound spec are started; files tell the lines of words in a text."""
    runs = engines_of(spec, environment)
    return tuple(_line(run, spec, environment, documents) for run in runs)


def argument_path(path: str) -> tuple[str, str] | None:
    """The place of a container and the argument that a path means, if it is one of an engine."""
    found = _ARGUMENT.fullmatch(path)
    if found is None:
        return None
    return found[1] or "", found[2] or f"--{found[3].replace('_', '-')}"


def trace_argument(
    spec: Spec, environment: Environment, path: str, documents: Mapping[str, Document] = _NO_FILES
) -> list[Trace]:
    """The history of an argument: every word that gives it, of which the last one counts.

    Of several engines that are given it, a path must say which: by the container's place or name.
    """
    place, given = argument_path(path) or ("", "")
    tail = path.removeprefix(f"{place}.")
    every = engine_lines(spec, environment, documents)
    lines = _at(every, place)
    if not lines:
        known = f"write {listed(_paths(every, tail), 'or')}" if every else "delete the brackets"
        raise UsageError(f"no engine runs at {place or spec}; {known}")
    name = option_name(given)
    is_setting = tail.startswith(_SETTINGS)
    given = _setting(name) if is_setting else given
    found = [(line, trace) for line in lines if (trace := _trace(line, name))]
    if not found:
        form = _setting if is_setting else "--{}".format
        names = [form(item.name) for line in lines for item in line.arguments if item.name]
        hint = suggest(form(name), list(dict.fromkeys(names)))
        raise UsageError(f"no engine of {spec} is given {given}; {hint}")
    if len(found) > 1:
        paths = _paths([line for line, _ in found], tail)
        raise UsageError(
            f"several engines of {spec} are given {given}; write {listed(paths, 'or')}"
        )
    return [trace for _, trace in found]


def _setting(name: str) -> str:
    """An option by the name that it has as a setting."""
    return name.replace("-", "_")


def _at(lines: Sequence[EngineLine], place: str) -> Sequence[EngineLine]:
    """The engines that a path means, or else the end of one, or the name of a container."""
    if not place:
        return lines
    wanted = place.removesuffix(".args")
    known = [(line, (*_places(line), line.place, line.container)) for line in lines]
    exact = [line for line, names in known if wanted in names]
    ending = [line for line, names in known if any(x.endswith(f".{wanted}") for x in names)]
    return exact or ending


def _places(line: EngineLine) -> Iterator[str]:
    """The paths of a container by its name, as other paths have it."""
    above, dot, last = line.place.rpartition(".")
    if dot and last.isdigit() and line.container:
        yield f"{above}[{line.container}]"
    elif line.container:
        yield f"{line.place}.containers[{line.container}]"


def _paths(lines: Iterable[EngineLine], tail: str) -> list[str]:
    """What to write for an argument of some engines, whose path ends as the one that was given."""
    places = [next(_places(line), line.place) for line in lines]
    return [f"'{place}.{tail}'" for place in places]


def _trace(line: EngineLine, name: str) -> Trace | None:
    given = [item for item in line.arguments if item.name == name]
    if not given:
        return None
    events = tuple(Event(item.origin, item.text, deleted=False, wins=item.counts) for item in given)
    return Trace(given[-1].text, exists=True, events=events)


def _line(
    run: EngineRun, spec: Spec, environment: Environment, documents: Mapping[str, Document]
) -> EngineLine:
    said = _settings if run.is_configured else _arguments
    listed = tuple(
        EngineArgument(name, text, _place(word, documents), _source(word.node, spec, environment))
        for name, text, word in said(run)
    )
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
    name = run.container.text_at("name")
    return EngineLine(
        place, run.line.engine, version, run.line.program, arguments, unchecked, memory, name
    )


def _arguments(run: EngineRun) -> Iterator[tuple[str, str, Word]]:
    """The options in their order, and words before them, each as it is written."""
    words = run.line.words
    first = next((n for n, word in enumerate(words) if option_name(word.text)), len(words))
    for word in words[:first]:
        yield "", mask_line(word.text), word
    for option in options(words[first:]):
        yield option.name, _text(option), option.words[0]


def _settings(run: EngineRun) -> Iterator[tuple[str, str, Word]]:
    """Settings by their names, after what lower layers said of each."""
    for option in options(run.line.words):
        is_off = not option.values and option.name.startswith("no-")
        name = option.name.removeprefix("no-") if is_off else option.name
        key = _setting(name)
        for step in option.place.node.trail[:-1]:
            if step.node is not None and option.place.inside is None:
                former = str(hidden(step.node.plain(), key))
                node = step.node._replace(origin=step.origin)
                yield name, f"{key}: {former}", Word(former, node)
        value = option.value if option.values else str(not is_off).lower()
        yield name, mask_line(f"{key}: {hidden(value, key)}"), option.place


def _place(word: Word, documents: Mapping[str, Document]) -> Origin:
    """Where a word stands; of one in a text of several lines, the very line."""
    origin = word.node.origin
    if word.inside is None or origin.file not in documents:
        return origin
    text = str(word.node.value)
    return locate(documents[origin.file].source, origin, text, word.inside)


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
