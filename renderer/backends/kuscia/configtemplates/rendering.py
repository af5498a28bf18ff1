"""A config file as the container will read it."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.faults import NotPreviewed, TemplateFault
from renderer.backends.kuscia.configtemplates.gotext import Data, from_json, quoted, well_formed
from renderer.backends.kuscia.configtemplates.lexing import Text
from renderer.backends.kuscia.configtemplates.parsing import Other, Part, Query, Template
from renderer.backends.kuscia.configtemplates.paths import as_text, find
from renderer.backends.kuscia.configtemplates.pipelines import Field

_LIMIT = 16 << 20


class Rendered(NamedTuple):
    """The text of the file; the actions that are not previewed stand in it as written."""

    text: str
    not_previewed: tuple[Other, ...]


def render(
    template: Template, environment: Mapping[str, str], config: Mapping[str, str]
) -> Rendered:
    """Fill in a template from the container's environment and the configuration manager.

    Raises TemplateFault where the container would not start, and NotPreviewed where that cannot
    be told without guessing.
    """
    data = visible(template, environment, config)
    insert = _Insertion(data)
    pieces: list[str] = []
    length = 0
    for part in template.parts:
        piece = insert(part)
        length += len(piece)
        if length > _LIMIT:
            raise NotPreviewed(f"the file is larger than {_LIMIT >> 20} MiB")
        pieces.append(piece)
    return Rendered(well_formed("".join(pieces)), template.others)


def visible(
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
        if isinstance(part, Other):
            return part.source
        return self.query(part) if isinstance(part, Query) else self.field(part)

    def field(self, field: Field) -> str:
        name, *more = field.names
        if more:
            message = f"{name} is text and has no field {more[0]!r}"
            path = ".".join(field.names)
            raise TemplateFault(message, field.offset, f"write {{{{{{.{path}}}}}}}")
        if name not in self.inserted:
            self.inserted[name] = quoted(self.data.get(name, ""))
        return self.inserted[name]

    def query(self, query: Query) -> str:
        if self.structures is None:
            structured = partial(_structured, offset=query.offset)
            self.structures = {key: structured(key, value) for key, value in self.data.items()}
        if query.path not in self.found:
            value = find(query.path, self.structures)
            self.found[query.path] = "" if value is None else as_text(value)
        return self.found[query.path]


def _structured(name: str, value: str, offset: int) -> Data:
    """An object or a list, if the value is one in JSON; any other value is text."""
    if value.strip(" \t\r\n") == "null":
        message = f"the value of {name} is null, on which every three-brace form fails"
        raise TemplateFault(message, offset, "leave the variable out")
    if value.lstrip(" \t\r\n")[:1] not in ("{", "["):
        return value
    try:
        return from_json(value)
    except ValueError:
        return value
