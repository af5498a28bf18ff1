"""What placeholders insert: the path language of three braces, and whole files filled in."""

from collections.abc import Mapping
from functools import partial

from renderer.backends.kuscia.config_templates.actions import FieldPath
from renderer.backends.kuscia.config_templates.go_text import (
    Data,
    NotPreviewed,
    quote,
    read_json,
    replace_surrogates,
    write_json,
)
from renderer.backends.kuscia.config_templates.template import OtherAction, Part, Query, Template
from renderer.backends.kuscia.config_templates.tokens import TemplateFault, Text
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_SELECTED = expression(r"(.+)\[(.+)\]")
_INDEX = expression(r"([+-]?)0*([0-9]{1,18})")
_FIRST_WITH_EXPONENT = 1e6
_LIMIT = 16 << 20


class _Nothing(Exception):
    """The path leads nowhere."""


def find_value(path: str, root: Mapping[str, Data]) -> Data:
    """What a path (with `#` for dots inside brackets) leads to; None for nothing."""
    try:
        return _follow_path(path, root)
    except _Nothing:
        return None


def _follow_path(path: str, root: Mapping[str, Data]) -> Data:
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
        return _element_with(elements, key, wanted)
    if "#" in key:
        return _element(elements, _printed(_follow_path(key.replace("#", "."), root)))
    return _element(elements, key)


def _element_with(elements: list[Data], key: str, wanted: str) -> Data:
    for element in elements:
        if element is None:
            raise _Nothing  # Kuscia panics on a null element and recovers with nothing
        value = _field(element, key)
        if value is not None and inserted_text(value) == wanted:
            return element
    return None


def _element(elements: list[Data], index: str) -> Data:
    """By number, from the end if negative; the first element has no negative number."""
    match = _INDEX.fullmatch(index)
    number = int(match[1] + match[2]) if match else len(elements)
    return elements[number] if -len(elements) < number < len(elements) else None


def _printed(value: Data) -> str:
    """A number as Go's `%v` shows it: with an exponent from a million on, so no index."""
    if isinstance(value, float) and abs(value) >= _FIRST_WITH_EXPONENT:
        return ""
    return inserted_text(value)


def inserted_text(value: Data) -> str:
    """Strings as they are, others as JSON."""
    return value if isinstance(value, str) else write_json(value)


class FilledTemplate(NamedTuple):
    """The text of the file; the actions that are not previewed stand in it as written."""

    text: str
    not_previewed: tuple[OtherAction, ...]


def render(
    template: Template, environment: Mapping[str, str], config: Mapping[str, str]
) -> FilledTemplate:
    """Fill in a template from the container's environment and the configuration manager.

    Raises TemplateFault where the container would not start, and NotPreviewed where that would
    have to be guessed.
    """
    data = visible_variables(template, environment, config)
    insert = _Insertion(data)
    pieces: list[str] = []
    length = 0
    for part in template.parts:
        piece = insert(part)
        length += len(piece)
        if length > _LIMIT:
            raise NotPreviewed(f"the file is larger than {_LIMIT >> 20} MiB")
        pieces.append(piece)
    return FilledTemplate(replace_surrogates("".join(pieces)), template.other_actions)


def visible_variables(
    template: Template, environment: Mapping[str, str], config: Mapping[str, str]
) -> dict[str, str]:
    """The variables a template sees: names of the environment in capitals, then fetched keys."""
    data = {name.upper(): value for name, value in environment.items()}
    fetched = {key: config.get(key, "") for key in template.needed if key not in data}
    return data | fetched


class _Insertion:
    """What each part becomes; structures and paths are worked out once."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self.data = data
        self.structures: dict[str, Data] | None = None
        self.found: dict[str, str] = {}
        self.inserted: dict[str, str] = {}

    def __call__(self, part: Part) -> str:
        if isinstance(part, Text):
            return part.text
        if isinstance(part, OtherAction):
            return part.source
        return self.query(part) if isinstance(part, Query) else self.field(part)

    def field(self, field: FieldPath) -> str:
        name, *more = field.names
        if more:
            message = f"{name} is text and has no field {more[0]!r}"
            path = ".".join(field.names)
            raise TemplateFault(message, field.offset, f"write {{{{{{.{path}}}}}}}")
        if name not in self.inserted:
            self.inserted[name] = quote(self.data.get(name, ""))
        return self.inserted[name]

    def query(self, query: Query) -> str:
        if self.structures is None:
            structured = partial(_structured, offset=query.offset)
            self.structures = {key: structured(key, value) for key, value in self.data.items()}
        if query.path not in self.found:
            value = find_value(query.path, self.structures)
            self.found[query.path] = "" if value is None else inserted_text(value)
        return self.found[query.path]


def _structured(name: str, value: str, offset: int) -> Data:
    """An object or a list, if the value is one in JSON; any other value is text."""
    if value.strip(" \t\r\n") == "null":
        message = f"the value of {name} is null, on which every three-brace form fails"
        raise TemplateFault(message, offset, "leave the variable out")
    if value.lstrip(" \t\r\n")[:1] not in ("{", "["):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value
