"""Paths into the input config that lead nowhere by a slip."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, config_files
from renderer.backends.kuscia.config_templates.go_text import Data, NotPreviewed, from_json
from renderer.backends.kuscia.config_templates.json_files import json_file
from renderer.backends.kuscia.config_templates.template import Query, Template
from renderer.text.wording import misspelt

_ENDINGS = (".conf", ".json")
_SENSIBLE = 20_000


class InputSlip(NamedTuple):
    """A path, where it stands, and the key that was probably meant."""

    path: str
    offset: int
    meant: str


def slips(image: AppImage, text: str) -> Iterator[tuple[ConfigFile, InputSlip]]:
    """The paths that miss a key of an input config by a slip; for text that is no JSON none.

    They are looked for in files of a sensible size only.
    """
    data = _loaded(text)
    for file in config_files(image) if isinstance(data, dict) else ():
        for query in _paths(file) if len(file.text) <= _SENSIBLE else ():
            if meant := _meant(query, data):
                path = query.path.replace("#", ".").strip(".")
                yield file, InputSlip(path, query.offset, meant)


def _paths(file: ConfigFile) -> Iterator[Query]:
    """Paths into the input config; of those that leave a hole in JSON, KUS611 tells."""
    template = file.parsed if file.key.endswith(_ENDINGS) else None
    whole = json_file(template) if isinstance(template, Template) else None
    told = {item.offset for item in whole.placeholders if not item.in_string} if whole else ()
    for mention in file.mentions:
        if mention.query and mention.name == "INPUT_CONFIG" and mention.offset not in told:
            yield mention.query


def _meant(query: Query, data: Data) -> str:
    """The key that a path misses by a slip, as far as keys lead; nothing if it misses none."""
    for segment in query.segments[1:]:
        key = segment.partition("[")[0]
        if not isinstance(data, dict):
            return ""
        if key not in data:
            return misspelt(key, data)
        if key != segment:
            return ""
        data = data[key]
    return ""


def _loaded(text: str) -> Data:
    try:
        return from_json(text) if "$(" not in text and "$$" not in text else None
    except (ValueError, NotPreviewed):
        return None
