"""CEL by Google's engine (`servingctl[cel]`): the one home of that library.

Only the process of `worker` loads it: an expression of a repository can make it use all the time
and memory there is, or crash it (a Python function that is given an optional value does).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import Any

from renderer.policies import expressions
from renderer.policies.expressions import Definitions, Written, uses_binding, written
from renderer.policies.lists import LACKING
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

_PLACE = re.compile(r"<input>:(\d+):(\d+): ")
_NOISE = re.compile(r" \(in container ''\)| \[[A-Z_]+\]$")
_STATUS = re.compile(r"^[A-Z_]+: ")
_NO_KEY = re.compile(r'Key not found in map : "(.*)"', re.DOTALL)
_BUDGET = "Iteration budget exceeded"
#: Kubernetes parses 250 levels; here nobody can say how many.
_TOO_DEEP = re.compile("max recursion depth|recursion limit exceeded")
_MOST_LEVELS = 32
#: Those that Kubernetes has as well: a rule can then be moved to a policy of the cluster.
_EXTENSIONS = (
    ("ext_strings", "ExtStrings", (2,)),
    ("ext_optional", "ExtOptional", ()),
    # no rule may use it, but what is rewritten for the engine does
    ("ext_bindings", "ExtBindings", ()),
)


#: Functions that only we know, by the names that people wrote.
_OWN_NAMES = {
    expressions.VIOLATIONS: "validate",
    expressions.NAMED: "named",
    expressions.MILLISECONDS: "getMilliseconds",
}


class Answer(NamedTuple):
    """What an expression comes to, or why it comes to nothing.

    One that `is_invalid` cannot be compiled, for the reason at that line and column of it.
    `missing` is the field that was asked for and is not there. One that `is_costly` took too much
    time or memory, now or before; one `is_beyond` what there is here, which other engines may have.
    """

    value: Plain = None
    error: str = ""
    is_invalid: bool = False
    line: int = 1
    column: int = 1
    missing: str = ""
    is_costly: bool = False
    is_beyond: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether the API server may well give an answer where there is none here."""
        return self.is_costly or self.is_beyond


@cache
def is_available() -> bool:
    """Whether the engine is installed; it is not loaded to find out."""
    return find_spec("cel_expr_python") is not None


def evaluate(
    expression: str,
    variables: Iterable[str],
    activation: Any,
    types: Sequence[str] = (),
    definitions: Definitions = (),
) -> Answer:
    """What an expression comes to; without an activation, only whether it can be compiled.

    If its result has to be of some `types`, another one is as if it could not be compiled.
    """
    names = tuple(variables)
    if uses_binding(expression):
        return Answer(error="there is no cel.bind in Kubernetes", is_invalid=True)
    text = _written(expression, definitions)
    try:
        program = _compiled(text.text, names)
    except RuntimeError as error:
        return _refusal(str(error), expression, text)
    if types and (given := program.return_type().name().lower()) not in types:
        return Answer(
            error=f"must evaluate to {' or '.join(types)} but got {given}", is_invalid=True
        )
    if activation is None:
        return Answer()
    try:
        found = program.eval(activation=activation)
    except (RuntimeError, TypeError, ValueError) as error:
        return _failure(str(error))
    try:
        value = found.plain_value()
    except TypeError:  # an optional value, of which the library makes nothing in Python
        return Answer()
    return _failure(str(value)) if found.type().name() == "ERROR" else Answer(_plain(value))


def prepare(names: Iterable[str]) -> None:
    """Make the engine ready for expressions over these variables, which takes a while once."""
    _environment(tuple(names))


def compile_ahead(expression: str, names: Iterable[str], definitions: Definitions) -> None:
    """Compile an expression that is to be evaluated; why it cannot be, `evaluate` says."""
    with suppress(RuntimeError):
        _compiled(_written(expression, definitions).text, tuple(names))


def activation(names: Iterable[str], data: Mapping[str, Plain]) -> Any:
    """Data as expressions over these variables read it; made once for many expressions."""
    return _environment(tuple(names)).Activation(data=data)


def _plain(value: object) -> Plain:
    """Texts, numbers and switches; of anything else only that it is none of these."""
    return value if isinstance(value, str | int | float | bool) else None


@cache
def _written(expression: str, definitions: Definitions) -> Written:
    return written(expression, definitions)


@cache
def _compiled(expression: str, names: tuple[str, ...]) -> Any:
    return _environment(names).compile(expression)


@cache
def _environment(names: tuple[str, ...]) -> Any:
    from importlib import import_module

    from cel_expr_python import cel  # type: ignore[import-untyped]

    from renderer.policies.functions import declarations

    folder = "cel_expr_python.ext"
    extensions = [
        getattr(import_module(f"{folder}.{module}"), name)(*version)
        for module, name, version in _EXTENSIONS
    ]
    extensions.append(cel.CelExtension("kubernetes", declarations(cel)))
    variables = dict.fromkeys(names, cel.Type.DYN)
    return cel.NewEnv(variables=variables, extensions=extensions)


def _refusal(reason: str, expression: str, text: Written) -> Answer:
    """Why an expression cannot be compiled, in one line; the first reason of several."""
    if _TOO_DEEP.search(reason):
        error = f"it is nested too deeply: more than {_MOST_LEVELS} levels (each + and ? : is one)"
        return Answer(error=error, is_invalid=True, is_beyond=True)
    match = _PLACE.search(reason)
    if match is None:
        return Answer(error=_one_line(_STATUS.sub("", reason)), is_invalid=True)
    line, column = int(match[1]), int(match[2])
    if text.places:
        before = expression[: text.original(column - 1)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    reason = _one_line(reason[match.end() :].partition("\n")[0])
    for name, shown in _OWN_NAMES.items():
        reason = reason.replace(name, shown)
    return Answer(error=reason, is_invalid=True, line=line, column=column)


def _failure(text: str) -> Answer:
    if match := _NO_KEY.search(text):
        return Answer(error=f"there is no field {match[1]!r}", missing=match[1])
    if _BUDGET in text:
        return Answer(error="it goes through more than 10,000 items in all", is_beyond=True)
    return Answer(error=_one_line(_STATUS.sub("", text)), is_beyond=LACKING in text)


def _one_line(text: str) -> str:
    return " ".join(_NOISE.sub("", text).split())
