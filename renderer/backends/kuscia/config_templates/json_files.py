"""Config files that are JSON around their placeholders."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from renderer.backends.kuscia.config_templates.actions import FieldPath
from renderer.backends.kuscia.config_templates.go_text import Data, NotPreviewed, quote, read_json
from renderer.backends.kuscia.config_templates.insertion import find_value, inserted_text
from renderer.backends.kuscia.config_templates.template import OtherAction, Query, Template
from renderer.backends.kuscia.config_templates.tokens import Text
from renderer.text.json_reader import begins_as_object, json_fault
from renderer.values.named_tuple import NamedTuple

_LIMIT = 4 << 20
_MOST = 50
_QUOTE = re.compile(r'"|\\.', re.DOTALL)
#: Stands for the placeholder of that number inside a string; private use, so no text has it.
_MARK = "\ue000{}\ue001"
_MARKED = re.compile(_MARK.format("([0-9]+)"))


class Placeholder(NamedTuple):
    """A placeholder, and whether it stands inside a JSON string."""

    part: FieldPath | Query
    in_string: bool

    @property
    def offset(self) -> int:
        return self.part.offset

    @property
    def source(self) -> tuple[bool, str]:
        """What it inserts: a value as it is or quoted, and which."""
        if isinstance(self.part, Query):
            return True, self.part.path
        return False, ".".join(self.part.names)

    @property
    def whole_variable(self) -> str:
        """The variable that it inserts as a whole; none if it is a part of one."""
        names = self.part.segments if isinstance(self.part, Query) else self.part.names
        return names[0] if len(names) == 1 and "[" not in names[0] else ""


class JsonFile(NamedTuple):
    """A template that is an object or a list of JSON if all of its placeholders behave.

    `text` has stand-ins where they are, at the indices `spans`.
    """

    data: Data
    placeholders: tuple[Placeholder, ...]
    text: str
    spans: tuple[tuple[int, int], ...]

    def placeholders_in(self, text: str) -> list[Placeholder]:
        """The placeholders inside a string of the data."""
        return [self.placeholders[int(number)] for number in _MARKED.findall(text)]

    def is_json_with(self, placeholder: Placeholder, inserted: str) -> bool:
        """Whether the file is JSON with a value for one of them."""
        start, end = self.spans[self.placeholders.index(placeholder)]
        return _is_json(self.text[:start] + inserted + self.text[end:])

    def sole_placeholder(self, text: object) -> Placeholder | None:
        """The placeholder that a string of the data is and nothing else."""
        found = _MARKED.fullmatch(text) if isinstance(text, str) else None
        return self.placeholders[int(found[1])] if found else None


class _Outline(NamedTuple):
    """The text around placeholders, in pieces that know their place in the template."""

    pieces: list[tuple[str, int]]
    placeholders: list[Placeholder]
    spans: list[tuple[int, int]]

    @property
    def text(self) -> str:
        return "".join(piece for piece, _ in self.pieces)

    def offset(self, index: int) -> int:
        """Where in the template an index into the text is."""
        for piece, start in self.pieces:
            if index <= len(piece):
                return start + index
            index -= len(piece)
        return 0


def _outline(template: Template) -> _Outline | None:
    """Marks and numbers where the placeholders are; nothing if there are other actions."""
    outline = _Outline([], [], [])
    in_string, end, length = False, 0, 0
    for part in template.parts:
        if isinstance(part, OtherAction):
            return None
        if isinstance(part, Text):
            start = template.text.find(part.text, end)
            end = start + len(part.text)
            outline.pieces.append((part.text, start))
            quotes = sum(match[0] == '"' for match in _QUOTE.finditer(part.text))
            in_string ^= quotes % 2 == 1
        else:
            mark = _MARK.format(len(outline.placeholders)) if in_string else "0"
            outline.pieces.append((mark, part.offset))
            outline.placeholders.append(Placeholder(part, in_string))
            outline.spans.append((length, length + len(mark)))
        length += len(outline.pieces[-1][0])
    return outline


def json_file(template: Template) -> JsonFile | None:
    """The template as JSON; nothing if it is none, or has actions that are not previewed."""
    outline = _outline(template)
    data = _loaded(outline.text) if outline else None
    if outline is None or not isinstance(data, dict | list):
        return None
    return JsonFile(data, tuple(outline.placeholders), outline.text, tuple(outline.spans))


def template_fault(template: Template) -> tuple[str, int] | None:
    """Why and where a template that is meant to be JSON is none, whatever is inserted."""
    outline = _outline(template)
    fault = json_fault(outline.text) if outline else None
    if outline is None or fault is None:
        return None
    return fault[0], outline.offset(fault[1])


def looks_like_json(template: Template) -> bool:
    first = template.parts[0] if template.parts else None
    return isinstance(first, Text) and begins_as_object(first.text)


def breaking_placeholders(
    whole: JsonFile, placeholders: Iterable[Placeholder], known: Mapping[str, str]
) -> Iterator[tuple[Placeholder, str]]:
    """Those of the placeholders, but not very many, whose value keeps the file from being JSON."""
    for placeholder, text in islice(_unlike_json(placeholders, known), _MOST):
        if not whole.is_json_with(placeholder, text):
            yield placeholder, text


def _unlike_json(
    placeholders: Iterable[Placeholder], known: Mapping[str, str]
) -> Iterator[tuple[Placeholder, str]]:
    """The placeholders whose value, as inserted, is no JSON by itself.

    Beyond a size that no config file has nothing more is looked at.
    """
    suspects = [item for item in placeholders if not _is_harmless(item, known)]
    structures = {name: _structure(value) for name, value in known.items()} if suspects else {}
    results: dict[tuple[bool, str], str | None] = {}
    room = _LIMIT
    for placeholder in suspects:
        source = placeholder.source
        if source not in results:
            results[source] = _inserted(placeholder.part, known, structures)
            room -= len(results[source] or "")
            if room < 0:
                return
        text = results[source]
        alone = f'"{text}"' if placeholder.in_string and text is not None else text
        if text is not None and alone is not None and not _is_json(alone):
            yield placeholder, text


def _is_harmless(placeholder: Placeholder, known: Mapping[str, str]) -> bool:
    """Whether it inserts plain text into a string, as nearly all do; a quick look."""
    if isinstance(placeholder.part, Query) or not placeholder.in_string:
        return False
    value = known.get(placeholder.part.names[0], "")
    return value.isascii() and value.isprintable() and '"' not in (value[:1], value[-1:])


def _inserted(
    part: FieldPath | Query, known: Mapping[str, str], structures: Mapping[str, Data]
) -> str | None:
    """What is inserted, if it is known."""
    if isinstance(part, Query):
        if part.variable not in known:
            return None
        try:
            found = find_value(part.path, structures)
            return "" if found is None else inserted_text(found)
        except NotPreviewed:
            return None
    name, *more = part.names
    return None if more or name not in known else quote(known[name])


def _structure(value: str) -> Data:
    data = _loaded(value)
    return data if isinstance(data, dict | list) else value


def _is_json(text: str) -> bool:
    return text == "null" or _loaded(text) is not None


def _loaded(text: str) -> Data:
    """The data of a JSON text; None for what is no JSON, and for null."""
    try:
        return read_json(text)
    except (ValueError, NotPreviewed):
        return None
