"""What is wrong with a word of a command line, and what to write, as people say it."""

from renderer.engines.problems import Problem
from renderer.engines.tables import History, Table
from renderer.text.wording import listed, suggest

_TYPES = {
    "int": "a whole number",
    "human": "a whole number, such as 4096 or 4k",
    "float": "a number",
    "json": "JSON",
    "truth": "true or false",
    "yes-or-no": "yes or no",
    "adapter": "NAME=PATH or JSON",
}
_JSON = 'JSON, with names and texts in double quotes: {"name": "text"}'
#: What to write, where the name of the type says too little.
_WRITTEN = {
    "json": _JSON,
    "int": "a whole number, such as 8",
    "float": "a number, such as 0.5",
}
_MOST_SHOWN = 8
_LONGEST = 9
#: What is wrong with words, and what to write, by the kind of the problem.
_WORDS = {
    "word": ("{shown} is the value of no argument", "delete it, or write its argument before it"),
    "value": ("{flag} has no value", "write its value behind it"),
    "no-value": ("{flag} is a switch, and takes no value", "write {flag} alone"),
    "ambiguous": ("{flag} is short for several: {names}", "write one of them in full"),
    "needs": ("{flag} needs {near}", "add {near}"),
    "excludes": ("{flag} and {near} exclude each other", "delete one of them"),
    "model-option": ("{engine} does not take --model", "write the model behind vllm serve"),
    "model-missing": (
        "a served name is given, and no model",
        "write the model behind vllm serve",
    ),
    "required": ("{flag} is missing", "add {flag}"),
    "repeated": ("{shown} is given twice", "delete one of them"),
}


def explain(known: Table, problem: Problem) -> tuple[str, str]:
    """What is wrong, and what to write."""
    engine = engine_name(known)
    shown = repr((problem.token.text if problem.token else "")[:80])
    if problem.kind == "ignored":
        return _ignored(known, shown, problem)
    if problem.kind == "unknown":
        return _unknown(known, problem)
    if problem.kind == "field":
        return _field(problem)
    if problem.kind in ("type", "choice"):
        return _value(shown, problem)
    message, fix = _WORDS[problem.kind]
    if problem.kind == "ambiguous":
        fix = _short_fix(known, problem, fix)
    names = listed([str(item) for item in problem.expected[:_MOST_SHOWN]])
    given = {"engine": engine, "shown": shown, "flag": problem.flag or shown, "names": names}
    return message.format(**given, near=problem.near), fix.format(**given, near=problem.near)


def engine_name(known: Table) -> str:
    """An engine and its version; of a model server, with that of the engine in it."""
    if known.own is None:
        return f"vLLM {known.version}"
    return f"huggingfaceserver {known.own.server.version} (vLLM {known.version})"


def _ignored(known: Table, shown: str, problem: Problem) -> tuple[str, str]:
    """Words that a server drops: nothing fails, and nothing happens."""
    engine = engine_name(known)
    if not problem.flag:
        return f"{engine} ignores {shown}, which is the value of no argument", "delete it"
    if known.own and known.own.is_without_engine:
        return (
            f"{problem.flag} is ignored: --backend=huggingface starts no vLLM",
            "delete one of them",
        )
    message, fix = _unknown(known, problem)
    return f"{message}, and ignores it", fix


def _short_fix(known: Table, problem: Problem, fix: str) -> str:
    """What to write for the beginning of several; of a model server, where its model comes from."""
    if known.own and problem.flag == "--model":
        return "write --model_id for a model of a hub, or --model_dir for a folder"
    return fix


def _type_fix(problem: Problem, kind: str, expected: str) -> str:
    """What to write for a value of another type: for `90%`, what it means as a number."""
    text = problem.token.text if problem.token else ""
    if kind == "float" and text.endswith("%") and text[:-1].isdecimal() and len(text) < _LONGEST:
        return f"write {int(text[:-1]) / 100:g}"
    return f"write {_WRITTEN.get(kind, expected)}"


def _value(shown: str, problem: Problem) -> tuple[str, str]:
    if problem.kind == "type":
        kind = str(problem.expected[0])
        expected = _TYPES.get(kind, kind)
        return f"{problem.flag} wants {expected}, not {shown}", _type_fix(problem, kind, expected)
    choices = [str(item) for item in problem.expected if item is not None]
    text = problem.token.text if problem.token else ""
    begun = [item for item in choices if text and item.startswith(text)]
    fix = suggest(
        text,
        begun if len(begun) == 1 else choices,
        f"write one of {listed(choices[:_MOST_SHOWN], 'or')}",
    )
    return f"{problem.flag} does not take {shown}", fix


def _unknown(known: Table, problem: Problem) -> tuple[str, str]:
    name, history = problem.flag, problem.history
    message = f"{engine_name(known)} has no argument {name}"
    if history is None:
        return message, f"did you mean {problem.near}?" if problem.near else "delete it"
    if not history.removed:
        fix = f"use vLLM {history.since} or later, or delete it"
        return f"{message}: it came with vLLM {history.since}", fix
    message = f"{message}: it was removed in vLLM {history.removed}"
    return message, successor_fix(known, history, str(problem.expected[0]))


def successor_fix(known: Table, history: History, value: str) -> str:
    """What to write in the place of an argument that is gone, or will be."""
    text = history.successor(value, known.options)
    if text:
        return f"write {text}"
    return "delete it: nothing takes its place" if text is None else "delete it: it is not needed"


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
    if not place:
        return f"{problem.flag} wants JSON with fields, not {value}", f"write {_JSON}"
    named = f"{place!r} of {problem.flag}"
    return f"{named} is {value}, not {expected}", f"write {expected}"
