"""The path language of the three-brace form, which finds a value or nothing, never an error."""

from collections.abc import Mapping

from renderer.backends.kuscia.configtemplates.gotext import Data, to_json
from renderer.text.expressions import expression

_SELECTED = expression(r"(.+)\[(.+)\]")
_INDEX = expression(r"([+-]?)0*([0-9]{1,18})")
_FIRST_WITH_EXPONENT = 1e6


class _Nothing(Exception):
    """The path leads nowhere."""


def find(path: str, root: Mapping[str, Data]) -> Data:
    """What a path (with `#` for dots inside brackets) leads to; None for nothing."""
    try:
        return _find(path, root)
    except _Nothing:
        return None


def _find(path: str, root: Mapping[str, Data]) -> Data:
    value: Data = dict(root)
    for segment in path.split("."):
        if value is None:
            return None
        if segment:
            value = _selected(value, segment, root) if "[" in segment else _field(value, segment)
    return value


def _field(value: Data, name: str) -> Data:
    return value.get(name) if isinstance(value, dict) else None


def _selected(value: Data, segment: str, root: Mapping[str, Data]) -> Data:
    """`name[expr]`: an element of a list by a field's text, by another value, or by number."""
    possible = segment.endswith("]") and "\n" not in segment  # keeps matching linear
    match = _SELECTED.fullmatch(segment) if possible else None
    elements = _field(value, match[1]) if match else None
    if not match or not isinstance(elements, list):
        return None
    key, equals, wanted = match[2].partition("=")
    if equals:
        return _matching(elements, key, wanted)
    if "#" in key:
        return _element(elements, _as_printed(_find(key.replace("#", "."), root)))
    return _element(elements, key)


def _matching(elements: list[Data], key: str, wanted: str) -> Data:
    for element in elements:
        if element is None:
            raise _Nothing  # Kuscia panics on a null element and recovers with nothing
        value = _field(element, key)
        if value is not None and as_text(value) == wanted:
            return element
    return None


def _element(elements: list[Data], index: str) -> Data:
    """By number, from the end if negative; the first element has no negative number."""
    match = _INDEX.fullmatch(index)
    number = int(match[1] + match[2]) if match else len(elements)
    return elements[number] if -len(elements) < number < len(elements) else None


def _as_printed(value: Data) -> str:
    """A number as Go's `%v` shows it: with an exponent from a million on, so no index."""
    if isinstance(value, float) and abs(value) >= _FIRST_WITH_EXPONENT:
        return ""
    return as_text(value)


def as_text(value: Data) -> str:
    """Strings as they are, others as JSON."""
    return value if isinstance(value, str) else to_json(value)
