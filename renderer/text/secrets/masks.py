"""How secrets are hidden in lines, files and data, by their names and by their shapes."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.text.expressions import expression
from renderer.text.secrets.names import is_secret_name, may_name, option_name
from renderer.text.secrets.scan import (
    NAME_ENTRY,
    VALUE,
    GivenValue,
    every_given,
    given_in,
    is_shown,
    may_give,
    starts_in,
)
from renderer.text.secrets.shapes import ShapedSecret, may_have_shape, shapes_in
from renderer.text.secrets.values import (
    is_encrypted,
    is_harmless,
    is_secret,
    name_of_item,
    name_of_member,
)
from renderer.text.texts import Text, may_hold_secret, texts
from renderer.values.diagnostics import Origin, Path
from renderer.values.tree import Node, Plain

HIDDEN = "••••••"
_NOWHERE = Origin("")
_SHORTEST, _TELLING, _MOST = 4, 6, 100
_OPTION_LINE = expression(r"""^\s*-\s+["']?(-{1,2}[\w.-]++)["']?\s*(?:#.*)?$""")
_ITEM = expression(r"""\s*-\s+(?!["']?[-/$])""")
_STARTS_BELOW = expression(r"(?:[&!][^\s]*\s*)*(?:[|>][-+0-9]*)?\s*(?:#.*)?$")
_PEM_BEGIN = expression(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_PEM_END = expression(r"-----END [A-Z0-9 ]*PRIVATE KEY")


def mask_line(text: str) -> str:
    """A line with the secrets in it hidden, and what follows one on the line with it."""
    text = _mask_places(text, shapes_in(text))
    for start in sorted(starts_in(text), key=lambda start: start.at) if may_give(text) else ():
        if not is_shown(text, start):
            return f"{text[: start.at]}{HIDDEN}"
    return text


def masked_sentence(text: str) -> str:
    """A message with the secrets in it hidden, and nothing else of it."""
    text = _mask_places(text, shapes_in(text))
    return _mask_places(text, given_in(text))


def _mask_places(text: str, places: Iterable[ShapedSecret | GivenValue]) -> str:
    shown: list[str] = []
    end = 0
    for found in sorted(places, key=lambda found: found.start):
        if found.start >= end:
            shown += text[end : found.start], HIDDEN
        end = max(end, found.end)
    return "".join((*shown, text[end:])) if shown else text


def masked_text(text: str) -> str:
    """A file's text with secrets hidden, those included that go over several lines."""
    if not may_give(text) and not may_have_shape(text):
        return text
    shown: list[str] = []
    below: int | None = None
    in_key = named = after_option = False
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        indent = len(body) - len(body.lstrip())
        below = below if below is not None and (indent > below or not body.strip()) else None
        in_key = in_key or bool(_PEM_BEGIN.search(body))
        value = VALUE.search(body) if named else _ITEM.match(body) if after_option else None
        hide = below is not None or in_key
        done = HIDDEN if hide else mask_line(body)
        if value and not hide:
            done = f"{body[: value.end()]}{HIDDEN}"
        shown.append(done + line[len(body) :])
        may = may_name(body)
        if may and below is None and any(_STARTS_BELOW.match(body, s.at) for s in starts_in(body)):
            below = indent
        named = bool(may and (found := NAME_ENTRY.search(body)) and is_secret_name(found[1]))
        after_option = bool(may and (item := _OPTION_LINE.match(body)) and option_name(item[1]))
        in_key = in_key and not _PEM_END.search(body)
    return "".join(shown)


def secrets_of(text: Text) -> Iterator[str]:
    """All that is secret of a text, by its name, by its shape or by what it gives."""
    if is_secret(text.key, text.value):
        yield text.value
        return
    yield from (text.value[found.start : found.end] for found in shapes_in(text.value))
    yield from (text.value[found.start : found.end] for found in every_given(text.value))


def hidden(value: Plain, name: str = "") -> Plain:
    """A value with the secrets in it hidden, by their names and by their shapes.

    What is a secret in one place of the data is hidden in all of them.
    """
    found: set[str] = set()
    shown = _hidden(value, name, found)
    telling = sorted(filter(is_telling, found), key=len, reverse=True)[:_MOST]
    return _swept(shown, telling) if telling and isinstance(value, dict | list) else shown


def _hidden(value: Plain, name: str, found: set[str]) -> Plain:
    if isinstance(value, dict):
        beside = value.get("name")
        return {
            key: _hidden(child, name_of_member(key, child, beside, value, name), found)
            for key, child in value.items()
        }
    if isinstance(value, list):
        items = enumerate(value)
        return [_hidden(child, name_of_item(value, at, name), found) for at, child in items]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    if is_secret(name, str(value)):
        found.add(str(value))
        return HIDDEN
    if isinstance(value, str) and is_encrypted(value):
        return HIDDEN
    return _hidden_text(value) if isinstance(value, str) and may_hold_secret(value) else value


def _swept(value: Plain, secrets: Sequence[str]) -> Plain:
    if isinstance(value, dict):
        return {key: _swept(child, secrets) for key, child in value.items()}
    if isinstance(value, list):
        return [_swept(child, secrets) for child in value]
    return mask_secrets(value, secrets) if isinstance(value, str) else value


def is_telling(secret: str) -> bool:
    """Whether a text that holds a secret tells it; a word may be there for another reason."""
    return len(secret) >= _TELLING and not (secret.isalpha() and secret.islower())


def mask_secrets(text: str, secrets: Iterable[str]) -> str:
    """A text in which none of some secrets occurs; the longest first, which may hold others."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def hidden_at(value: Plain, path: Path) -> Plain:
    """The value of a path, hidden altogether if a name on the way there is a secret's."""
    names = [segment.strip("[]") for segment in path if isinstance(segment, str)]
    has_unknown_name = path[-1:] == ("value",) and any(
        isinstance(above, int) for above in path[-2:-1]
    )
    if has_unknown_name or any(map(is_secret_name, names)):
        return all_hidden(value)
    return hidden(value, names[-1] if names else "")


def all_hidden(value: Plain) -> Plain:
    """Data without any of its texts and numbers but harmless ones."""
    if isinstance(value, dict):
        return {key: all_hidden(child) for key, child in value.items()}
    if isinstance(value, list):
        return [all_hidden(child) for child in value]
    if isinstance(value, bool) or value is None:
        return value
    return value if is_harmless(str(value)) and not is_encrypted(str(value)) else HIDDEN


def _hidden_text(text: str) -> str:
    """A text with secrets hidden, or nothing of it if they are written in an odd way."""
    shown = masked_text(text) if "\n" in text else mask_line(text)
    found = {secret for inner in texts(Node(text, _NOWHERE)) for secret in secrets_of(inner)}
    shows = any(secret in shown for secret in found if len(secret) >= _SHORTEST)
    return HIDDEN if shows or any(secret not in text for secret in found) else shown
