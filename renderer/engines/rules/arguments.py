"""Arguments as the parser of their version reads them: what it refuses, and what it has instead."""

from collections.abc import Container, Iterator
from typing import cast

from renderer.engines.arguments import parse
from renderer.engines.marks import VLLM
from renderer.engines.problem_words import explain, successor_fix
from renderer.engines.problems import Parsed, Problem
from renderer.engines.runs import EngineRun
from renderer.engines.server_tables import server_table
from renderer.engines.shell import Word
from renderer.engines.tables import Table, is_known, table
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

#: Problems with words that the program of an image may take in another way.
_OF_PROGRAMS = ("word", "model-option", "model-missing", "required")
#: What only a command line takes of a number.
_SHORT = ", such as 4096 or 4k"
#: The backend of a model server that starts no vLLM.
_OWN_BACKEND = "huggingface"


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
def arguments_go_together(run: EngineRun) -> Iterator[Finding]:
    """An argument comes with the one that it needs, and without one that it excludes.

    The server ends at start otherwise, before it loads anything.

    Fails: containers: [{name: engine, args: [--enable-auto-tool-choice]}]
    Passes:
        containers: [{name: engine, args: [--enable-auto-tool-choice, --tool-call-parser=hermes]}]
    """
    kinds = ("needs", "excludes", "required", "model-option", "model-missing")
    yield from _findings(run, *kinds)


@rule("ENG108", Severity.WARNING, ENGINE, since="0.3.0")
def arguments_will_stay(run: EngineRun) -> Iterator[Finding]:
    """An engine takes arguments that are deprecated, but one of its next versions will not.

    Fails: containers: [{name: engine, args: [--disable-log-requests]}]
    Passes: containers: [{name: engine, args: [--no-enable-log-requests]}]
    """
    known = _table(run)
    for value in _parsed(run).deprecated:
        word = _word(value.flag.words[-1])
        history = known.history(value.argument.dest)
        gone = f", and removed in vLLM {history.removed}" if history and history.removed else ""
        fix = "delete it"
        if history and history.removed:
            is_taken_back = value.flag.text.startswith("--no-")
            kept = history._replace(replaced={}) if is_taken_back else history
            fix = successor_fix(known, kept, value.words[0].text if value.words else "")
        yield run.at(word, f"{value.argument.flag} is deprecated{gone}", fix)


@rule("ENG109", Severity.WARNING, ENGINE, since="0.3.0")
def arguments_have_an_effect(run: EngineRun) -> Iterator[Finding]:
    """The Hugging Face server has the arguments that it is given: it drops all others silently.

    It starts without them, and serves as if they were not there.

    Fails:
        containers:
          - {name: engine, image: 'huggingfaceserver:v0.20.0', args: [--max-modle-len=4096]}
    Passes:
        containers:
          - {name: engine, image: 'huggingfaceserver:v0.20.0', args: [--max-model-len=4096]}
    """
    yield from _findings(run, "ignored")


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
    if not is_certain(run):
        for problem in _parsed(run).problems:
            if not _is_of_others(run, problem):
                yield _finding(run, problem)


@rule("ENG111", Severity.WARNING, ENGINE, since="0.3.0")
def settings_are_likely(run: EngineRun) -> Iterator[Finding]:
    """`engine_kwargs` of models on Ray have values that vLLM takes on a command line.

    Ray hands them on without a look. With another type of numbers, or an unknown field of a
    configuration, the engine ends when it starts. Nothing is said where an image of your own may
    have another vLLM than the one that Ray requires.
    """
    is_shipped = run.is_configured and run.release.told_by is not None
    for problem in _problems(run, "type", "choice", "field") if is_shipped else ():
        is_list = problem.token is not None and problem.token.text.startswith("[")
        if not is_list:  # on a command line, it is several words
            found = _finding(run, problem)
            message, fix = (text.replace(_SHORT, "") for text in (found.message, found.fix))
            yield found._replace(message=message, fix=fix)


def is_certain(run: EngineRun) -> bool:
    """Whether the version is known, and its arguments are."""
    return bool(run.release.version) and is_known(run.line.engine, run.release.version)


def _findings(run: EngineRun, *kinds: str) -> Iterator[Finding]:
    for problem in _problems(run, *kinds):
        yield _finding(run, problem)


def _problems(run: EngineRun, *kinds: str) -> Iterator[Problem]:
    """Problems of some kinds, if the version is known."""
    for problem in _parsed(run).problems if is_certain(run) else ():
        if problem.kind in kinds and not _is_of_others(run, problem):
            yield problem


def _has_lost_quotes(run: EngineRun, problem: Problem) -> bool:
    """Whether a shell has read the quotes of a value, which is no JSON without them.

    Where there are spaces in it, it is several words then.
    """
    if problem.word is None or run.is_configured or problem.kind not in ("type", "word"):
        return False
    node = _word(problem.word).node
    made = (word for word in run.line.words if word.node is node)
    return '"' in str(node.value) and not any('"' in word.text for word in made)


def _is_of_others(run: EngineRun, problem: Problem) -> bool:
    """Whether another program of the image would take it, or the shell of a platform spoils it.

    Which program an image starts nothing says, and quotes are a matter of the platform's own rules.
    """
    command = run.container.get("command", 0)
    if command is not None and not command.origin.file and _has_lost_quotes(run, problem):
        return True
    return run.line.is_of_image and problem.kind in _OF_PROGRAMS


@cached_by_identity
def _parsed(run: EngineRun) -> Parsed:
    """The words as the parser of the version reads them."""
    known, words = _table(run), run.line.words
    is_of_program = run.line.is_of_image and words and not words[0].text.startswith("-")
    is_serve = run.line.program == "vllm serve" or bool(is_of_program)
    found = parse(known, words, is_serve=is_serve)
    if not found.problems or known.own is None or _backend(run) not in ("", "auto"):
        return found
    return _left_to_both(found, run, known.own.own_backend)


def _left_to_both(found: Parsed, run: EngineRun, own_backend: Container[str]) -> Parsed:
    """Without the problems that a model server does not have if vLLM does not know the model.

    Which of the two serves a model depends on its architecture, which is not known here.
    """
    other = parse(server_table(run.release.version, is_without_engine=True), run.line.words)
    flags = {problem.flag for problem in other.problems}
    left = [item for item in found.problems if item.flag in flags or item.flag not in own_backend]
    return found._replace(problems=left)


def _backend(run: EngineRun) -> str:
    option = run.options.get("backend")
    return option.value if option else ""


def _table(run: EngineRun) -> Table:
    version = run.release.version
    if run.is_vllm:
        return table(VLLM, version)
    return server_table(version, is_without_engine=_backend(run) == _OWN_BACKEND)


def _word(given: object) -> Word:
    return cast("Word", given)


def _finding(run: EngineRun, problem: Problem) -> Finding:
    known = _table(run)
    message, fix = explain(known, problem)
    if not is_certain(run):
        message = f"{message}; {_assumption(run, known)}"
    if problem.word is None:
        return run.beside(message, fix)
    word = _word(problem.word)
    if _has_lost_quotes(run, problem):
        fix = "put single quotes around the value: the shell that starts the engine drops others"
    head, sign, _ = word.text.partition("=")
    if problem.kind in ("type", "choice", "field") and sign and head.startswith("-"):
        word = word.after(len(head) + 1)
    return run.at(word, message, fix)


def _assumption(run: EngineRun, known: Table) -> str:
    """Which version is taken for one that is not known, and why."""
    taken = (known.own.server if known.own else known).version
    if run.release.version:
        return f"version {run.release.version} is not known, so {taken} is taken for it"
    return f"nothing says the version, so the newest one that is known is taken: {taken}"


RULES = rules_with_source(
    (
        arguments_are_known,
        arguments_are_of_their_version,
        values_have_their_types,
        values_are_choices,
        configurations_have_known_fields,
        words_belong_to_arguments,
        arguments_go_together,
        arguments_will_stay,
        arguments_have_an_effect,
        arguments_are_likely,
        settings_are_likely,
    ),
    VLLM_SOURCE,
)
