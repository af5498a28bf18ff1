"""The templates that KServe fills in every text of an LLM service, as far as it uses them itself.

KServe writes the whole object as JSON and reads that as one template; here each text is read by
itself, in the same form: what a text says is escaped, what is put into it is not.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from renderer.text.expressions import expression
from renderer.values.diagnostics import brief
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

_WORD = expression(r"`([^`]*)`|(-?[0-9]+)|(\.[A-Za-z0-9_.]*)|([A-Za-z_][A-Za-z0-9_]*)")
_OPEN, _CLOSE = "{{", "}}"
_LONGEST_NAME = 63
_LONGEST_NUMBER = 19
_DIGEST = 32
#: Fields of an object's metadata that Go takes for fields of the object itself.
_OF_METADATA = frozenset(("Name", "Namespace", "Labels", "Annotations"))
#: Fields in which people choose the names: templates may ask for those that are there.
_MAPS = ("Labels", "Annotations")
_ROOTS = frozenset(("ObjectMeta", "Spec", "Status", "GlobalConfig"))


class Function(NamedTuple):
    """A function that templates may call, and how many arguments it takes."""

    arity: int
    call: Callable[..., Plain]


class TemplateError(Exception):
    """Why a text is no template that KServe fills in."""


class MissingValueError(TemplateError):
    """A template asks a service for what it does not have."""


class Piece(NamedTuple):
    """A part of a template: a text as it is, or what stands between braces."""

    text: str
    is_action: bool


class Branch(NamedTuple):
    """An open `if`: whether it is looked at, whether its condition holds, and if `else` came."""

    is_reached: bool
    holds: bool
    is_else: bool = False

    @property
    def is_shown(self) -> bool:
        return self.is_reached and self.holds != self.is_else


def fill(text: str, data: Mapping[str, Plain], functions: Mapping[str, Function]) -> str:
    """A text with all its templates filled in."""
    if _OPEN not in text:
        return text
    filled = _run(_pieces(json.dumps(text, ensure_ascii=False)[1:-1]), data, functions)
    try:
        return str(json.loads(f'"{filled}"'))
    except ValueError:
        raise TemplateError("what is put into it makes broken JSON of the object") from None


def _pieces(text: str) -> Iterator[Piece]:
    """The texts and actions, the spaces gone that an action takes away around it."""
    end, trims = 0, False
    while (start := text.find(_OPEN, end)) >= 0:
        close = _end_of_action(text, start + len(_OPEN))
        before = text[end:start].lstrip(" ") if trims else text[end:start]
        inside = text[start + len(_OPEN) : close]
        if inside.startswith("- "):
            before, inside = before.rstrip(" "), inside[1:]
        trims = inside.endswith(" -")
        yield Piece(before, is_action=False)
        yield Piece((inside[:-1] if trims else inside).strip(), is_action=True)
        end = close + len(_CLOSE)
    yield Piece(text[end:].lstrip(" ") if trims else text[end:], is_action=False)


def _end_of_action(text: str, start: int) -> int:
    """Where the braces are that close an action: none that stand between backquotes."""
    while (close := text.find(_CLOSE, start)) >= 0:
        quote = text.find("`", start, close)
        if quote < 0:
            return close
        start = text.find("`", quote + 1) + 1
        if not start:
            break
    raise TemplateError("{{ is not closed")


def _run(
    pieces: Iterable[Piece], data: Mapping[str, Plain], functions: Mapping[str, Function]
) -> str:
    """The texts that are shown, and what the actions between them stand for."""
    done: list[str] = []
    branches: list[Branch] = []
    for text, is_action in pieces:
        is_shown = not branches or branches[-1].is_shown
        word, _, rest = text.partition(" ") if is_action else ("", "", "")
        if not is_action:
            done += [text] if is_shown else []
        elif word == "if":
            holds = is_shown and _holds(_evaluate(rest, data, functions))
            branches.append(Branch(is_shown, holds))
        elif text in ("else", "end"):
            if not branches or (text == "else" and branches[-1].is_else):
                raise TemplateError(f"{{{{ {text} }}}} belongs to no {{{{ if }}}}")
            last = branches.pop()
            branches += [last._replace(is_else=True)] if text == "else" else []
        elif is_shown and not _is_comment(text):
            done.append(_shown(_evaluate(text, data, functions)))
    if branches:
        raise TemplateError("{{ if }} has no {{ end }}")
    return "".join(done)


def _is_comment(text: str) -> bool:
    return text.startswith("/*") and text.endswith("*/")


def _evaluate(text: str, data: Mapping[str, Plain], functions: Mapping[str, Function]) -> Plain:
    """A pipeline of one command: a value, or a function with its arguments."""
    name, *rest = _words(text)
    if name in ("and", "or"):
        values: list[Plain] = []
        for word in rest:
            values.append(_value(word, data))
            if _holds(values[-1]) == (name == "or"):
                break
        return values[-1] if values else None
    if function := functions.get(name):
        if len(rest) != function.arity:
            raise TemplateError(f"{name} takes {function.arity} values, not {len(rest)}")
        return function.call(*(_value(word, data) for word in rest))
    if rest:
        raise TemplateError(f"function {name!r} is not one of KServe's")
    return _value(name, data)


def _words(text: str) -> list[str]:
    found, end = [], 0
    for match in _WORD.finditer(text):
        if text[end : match.start()].strip():
            break
        found.append(match[0])
        end = match.end()
    if rest := text[end:].strip():
        raise TemplateError(f"{brief(rest)!r} is not understood")
    if not found:
        raise TemplateError("an action is empty")
    return found


def _value(word: str, data: Mapping[str, Plain]) -> Plain:
    if word.startswith("`"):
        return word[1:-1]
    if word.startswith("."):
        return _field(word, data)
    if word == "nil":
        return None
    if not word.lstrip("-").isdecimal():
        raise TemplateError(f"function {brief(word)!r} is not one of KServe's")
    if len(word) > _LONGEST_NUMBER:
        raise TemplateError(f"{brief(word)} is too large a number")
    return int(word)


def _field(word: str, data: Mapping[str, Plain]) -> Plain:
    """What a path leads to, from the object and what KServe adds to it."""
    steps = [step for step in word.split(".") if step]
    if steps and steps[0] in _OF_METADATA:
        steps = ["ObjectMeta", *steps]
    elif steps and steps[0] not in _ROOTS:
        raise TemplateError(f"{word}: there is no field {steps[0]!r}")
    found: Plain = dict(data)
    for above, step in zip(("", *steps), steps, strict=False):
        if found is None:
            raise MissingValueError(f"nil pointer evaluating {step!r} of {word}")
        if not isinstance(found, dict):
            raise TemplateError(f"{word}: there is no field {step!r}")
        if above in _MAPS and step not in found:
            raise MissingValueError(f"{word}: there is no {step!r} in it")
        found = found.get(step if above in _MAPS else _json_name(step))
    return found


def _json_name(field: str) -> str:
    """The key of a Go field: `KVCacheOffloading` is kvCacheOffloading, `Name` is name."""
    special = {"KVCacheOffloading": "kvCacheOffloading", "ObjectMeta": "metadata"}
    return special.get(field, field[:1].lower() + field[1:])


def _holds(value: Plain) -> bool:
    """Whether an `if` takes it for true: a block that is there counts, however empty it is."""
    return isinstance(value, dict) or bool(value)


def _shown(value: Plain) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def child_name(parent: str, suffix: str) -> str:
    """A name with a suffix, of at most 63 characters: a digest stands for what is cut."""
    room = _LONGEST_NAME - _DIGEST - len(suffix)
    if len(parent) <= _LONGEST_NAME - len(suffix):
        return parent + suffix
    if room > 0:
        return parent[:room] + _digest(parent) + suffix
    name = parent[: _LONGEST_NAME - _DIGEST] + _digest(parent + suffix)
    return (name + suffix[: _LONGEST_NAME - len(name)]).rstrip("-.")


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
