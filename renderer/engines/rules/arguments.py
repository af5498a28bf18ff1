"""Arguments as the parser of their version reads them: what it refuses, and what it has instead."""

from collections.abc import Iterator
from typing import cast

from renderer.engines.arguments import Parsed, Problem, parse
from renderer.engines.runs import EngineRun
from renderer.engines.shell import Word
from renderer.engines.tables import Table, is_known, table
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

#: Problems with words that the program of an image may take in another way.
_OF_PROGRAMS = ("word", "model-option", "model-missing", "required")
_TYPES = {
    "int": "a whole number",
    "human": "a whole number, such as 4096 or 4k",
    "float": "a number",
    "json": "JSON that it takes",
    "truth": "true or false",
    "adapter": "NAME=PATH or JSON",
}
_MOST_SHOWN = 8
#: What is wrong with words, and what to write, by the kind of the problem.
_WORDS = {
    "word": ("{shown} belongs to no argument", "delete it, or write its option before it"),
    "value": ("{flag} lacks its value", "add one"),
    "no-value": ("{flag} is a switch, and takes no value", "write {flag} alone"),
    "ambiguous": ("{flag} is the beginning of several: {names}", "write one in full"),
    "needs": ("{flag} needs {near}", "add {near}"),
    "model-option": ("{engine} does not take --model", "write the model behind vllm serve"),
    "model-missing": (
        "a served name is given, and no model",
        "write the model behind vllm serve",
    ),
    "required": ("{flag} is missing", "add {flag}"),
    "repeated": ("{shown} is given twice", "delete one of them"),
}


@rule("ENG101", Severity.ERROR, ENGINE, since="0.3.0")
def arguments_are_known(run: EngineRun) -> Iterator[Finding]:
    """An engine has the arguments that it is started with.

    It ends at start with one that it does not know, and starts again without end.

    Fails: containers: [{name: engine, args: [--max-modle-len=4096]}]
    Passes: containers: [{name: engine, args: [--max-model-len=4096]}]
    """
    for problem in _problems(run, "unknown"):
        if problem.history is None:
            yield _finding(run, problem)


@rule("ENG102", Severity.ERROR, ENGINE, since="0.3.0")
def arguments_are_of_their_version(run: EngineRun) -> Iterator[Finding]:
    """An engine has the arguments of its version: some came later, others are gone.

    It ends at start with one that its version does not have.

    Fails: containers: [{name: engine, args: [--enable-reasoning]}]
    Passes: containers: [{name: engine, args: [--reasoning-parser=deepseek_r1]}]
    """
    for problem in _problems(run, "unknown"):
        if problem.history is not None:
            yield _finding(run, problem)


@rule("ENG103", Severity.ERROR, ENGINE, since="0.3.0")
def values_have_their_types(run: EngineRun) -> Iterator[Finding]:
    """The value of an argument is of its type: a number, JSON.

    The engine ends at start otherwise.

    Fails: containers: [{name: engine, args: [--max-num-seqs=many]}]
    Passes: containers: [{name: engine, args: [--max-num-seqs=256]}]
    """
    yield from _findings(run, "type")


@rule("ENG104", Severity.ERROR, ENGINE, since="0.3.0")
def values_are_choices(run: EngineRun) -> Iterator[Finding]:
    """The value of an argument with choices is one of them, as its version has them.

    The engine ends at start otherwise.

    Fails: containers: [{name: engine, args: [--dtype=bfloat]}]
    Passes: containers: [{name: engine, args: [--dtype=bfloat16]}]
    """
    yield from _findings(run, "choice")


@rule("ENG105", Severity.ERROR, ENGINE, since="0.3.0")
def configurations_have_known_fields(run: EngineRun) -> Iterator[Finding]:
    """JSON of an argument has fields that its version knows, with values of their types.

    The engine ends at start otherwise.

    Fails: containers: [{name: engine, args: ['--kv-transfer-config={"kv_role": "both"}']}]
    Passes: containers: [{name: engine, args: ['--kv-transfer-config={"kv_role": "kv_both"}']}]
    """
    yield from _findings(run, "field")


@rule("ENG106", Severity.ERROR, ENGINE, since="0.3.0")
def words_belong_to_arguments(run: EngineRun) -> Iterator[Finding]:
    """Each word is an argument or the value of one: as many values as it takes.

    A switch takes none, an abbreviation stands for one argument only. The engine ends at start
    otherwise.

    Fails: containers: [{name: engine, args: [--enforce-eager=true]}]
    Passes: containers: [{name: engine, args: [--enforce-eager]}]
    """
    yield from _findings(run, "word", "value", "no-value", "ambiguous", "repeated")


@rule("ENG107", Severity.ERROR, ENGINE, since="0.3.0")
def arguments_have_what_they_need(run: EngineRun) -> Iterator[Finding]:
    """An argument comes with the one that it needs.

    The server ends at start otherwise, before it loads anything.

    Fails: containers: [{name: engine, args: [--enable-auto-tool-choice]}]
    Passes:
        containers: [{name: engine, args: [--enable-auto-tool-choice, --tool-call-parser=hermes]}]
    """
    yield from _findings(run, "needs", "required", "model-option", "model-missing")


@rule("ENG108", Severity.WARNING, ENGINE, since="0.3.0")
def arguments_will_stay(run: EngineRun) -> Iterator[Finding]:
    """An engine takes arguments that are deprecated, but one of its next versions will not.

    Fails: containers: [{name: engine, args: [--disable-log-requests]}]
    Passes: containers: [{name: engine, args: [--no-enable-log-requests]}]
    """
    known = _table(run)
    parsed = _parsed(run)
    for value in parsed.deprecated if parsed and known else ():
        word = _word(value.flag.words[-1])
        history = known.history(value.argument.dest) if known else None
        gone = f", and gone since {history.removed}" if history and history.removed else ""
        fix = f"write {history.replaced}" if history and history.replaced else "delete it"
        yield run.at(word, f"{value.argument.flag} is deprecated{gone}", fix)


@rule("ENG110", Severity.WARNING, ENGINE, since="0.3.0")
def arguments_are_likely(run: EngineRun) -> Iterator[Finding]:
    """The newest version that is known takes the arguments of an engine whose version is not.

    Nothing says the version: a tag such as `latest`, an image of your own that `engines` of the
    environment does not name, or one that came later than servingctl.

    Fails:
        containers:
          - {name: engine, image: 'vllm/vllm-openai:latest', args: [--max-modle-len=4096]}
    Passes:
        containers:
          - {name: engine, image: 'vllm/vllm-openai:latest', args: [--max-model-len=4096]}
    """
    parsed = _parsed(run)
    if parsed is not None and not is_certain(run):
        for problem in parsed.problems:
            if not _is_of_program(run, problem):
                yield _finding(run, problem)


def is_certain(run: EngineRun) -> bool:
    """Whether the version is known, and its arguments are."""
    return bool(run.release.version) and is_known(run.line.engine, run.release.version)


def _findings(run: EngineRun, *kinds: str) -> Iterator[Finding]:
    for problem in _problems(run, *kinds):
        yield _finding(run, problem)


def _problems(run: EngineRun, *kinds: str) -> Iterator[Problem]:
    """Problems of some kinds, if the version is known."""
    parsed = _parsed(run)
    for problem in parsed.problems if parsed and is_certain(run) else ():
        if problem.kind in kinds and not _is_of_program(run, problem):
            yield problem


def _is_of_program(run: EngineRun, problem: Problem) -> bool:
    """Whether another program of the image would take it: which one it is, nothing says."""
    return run.line.is_of_image and problem.kind in _OF_PROGRAMS


@cached_by_identity
def _parsed(run: EngineRun) -> Parsed | None:
    """The words as the parser of the version reads them; nothing for an engine without a table."""
    known = _table(run)
    if known is None:
        return None
    is_serve = run.line.program == "vllm serve" or (
        run.line.is_of_image and not run.line.words[:1][0].text.startswith("-")
        if run.line.words
        else False
    )
    return parse(known, run.line.words, is_serve=is_serve)


def _table(run: EngineRun) -> Table | None:
    return table(run.line.engine, run.release.version) if run.is_vllm else None


def _word(given: object) -> Word:
    return cast("Word", given)


def _finding(run: EngineRun, problem: Problem) -> Finding:
    message, fix = _words(run, problem)
    known = _table(run)
    version = known.version if known else ""
    if not is_certain(run):
        message = f"{message} (as in {version}, the newest that is known, as nothing says which)"
    if problem.word is None:
        return run.beside(message, fix)
    word = _word(problem.word)
    head, sign, _ = word.text.partition("=")
    if problem.kind in ("type", "choice", "field") and sign and head.startswith("-"):
        word = word.after(len(head) + 1)
    return run.at(word, message, fix)


def _words(run: EngineRun, problem: Problem) -> tuple[str, str]:
    """What is wrong, and what to write."""
    known = _table(run)
    engine = f"vLLM {known.version}" if known else "vLLM"
    shown = repr((problem.token.text if problem.token else "")[:80])
    if problem.kind == "unknown":
        return _unknown(engine, problem)
    if problem.kind == "field":
        return _field(problem)
    if problem.kind in ("type", "choice"):
        return _value(shown, problem)
    message, fix = _WORDS[problem.kind]
    names = listed([str(item) for item in problem.expected[:_MOST_SHOWN]])
    given = {"engine": engine, "shown": shown, "flag": problem.flag or shown, "names": names}
    return message.format(**given, near=problem.near), fix.format(**given, near=problem.near)


def _value(shown: str, problem: Problem) -> tuple[str, str]:
    if problem.kind == "type":
        expected = _TYPES.get(str(problem.expected[0]), str(problem.expected[0]))
        return f"{shown} is not {expected}, as {problem.flag} wants", f"write {expected}"
    choices = [str(item) for item in problem.expected if item is not None]
    text = problem.token.text if problem.token else ""
    fix = suggest(text, choices, f"write one of {listed(choices[:_MOST_SHOWN], 'or')}")
    return f"{shown} is no choice of {problem.flag}", fix


def _unknown(engine: str, problem: Problem) -> tuple[str, str]:
    name, history = problem.flag, problem.history
    message = f"{engine} has no argument {name}"
    near = f"did you mean {problem.near}?" if problem.near else "delete it"
    if history is None:
        return message, near
    if history.removed:
        since = f": it is gone since {history.removed}"
    else:
        since = f": it came with {history.since}"
    fix = f"write {history.replaced}" if history.replaced else ""
    return f"{message}{since}", fix or (
        near if history.removed else f"use {history.since} or later"
    )


def _field(problem: Problem) -> tuple[str, str]:
    found = problem.mismatch
    if found is None:
        return f"{problem.flag} is not what it should be", "correct it"
    place = ".".join(map(str, found.path))
    expected = listed(sorted(map(str, found.expected))[:_MOST_SHOWN], "or")
    if found.kind == "unknown":
        fix = f"did you mean {found.near}?" if found.near else "delete it"
        return f"{problem.flag} has no field {place!r}", fix
    if found.kind == "missing":
        return f"{problem.flag} lacks the field {place!r}", "add it"
    value = repr(found.value)[:80]
    return f"{place or problem.flag} is {value}, not {expected}", f"write {expected}"


RULES = rules_with_source(
    (
        arguments_are_known,
        arguments_are_of_their_version,
        values_have_their_types,
        values_are_choices,
        configurations_have_known_fields,
        words_belong_to_arguments,
        arguments_have_what_they_need,
        arguments_will_stay,
        arguments_are_likely,
    ),
    VLLM_SOURCE,
)
