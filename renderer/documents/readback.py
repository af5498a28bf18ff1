"""A written text read again, event by event, against the tree that it was written from."""

from collections.abc import Iterator
from typing import Any

import yaml

from renderer.documents.scalars import meaning
from renderer.documents.yamlreader import Parser
from renderer.tree import Node, Scalar

_OPEN_MAPPING, _OPEN_LIST, _CLOSE = "{", "[", "]"
_OPENED = {
    yaml.MappingStartEvent: _OPEN_MAPPING,
    yaml.SequenceStartEvent: _OPEN_LIST,
    yaml.MappingEndEvent: _CLOSE,
    yaml.SequenceEndEvent: _CLOSE,
}
_Said = tuple[str, Scalar]


def dispute(text: str, tree: Node) -> str:
    """Why a text does not say the tree to every reader; nothing if it does."""
    wanted = _expected(tree)
    try:
        for event in _events(text):
            said = _said(event)
            if said is None:
                return f"{event.value} is {meaning(event.value).dispute or 'no finite number'}"
            if said != next(wanted, None) or getattr(event, "tag", None):
                return "other data is read back"
    except yaml.YAMLError as error:
        return str(getattr(error, "problem", None) or "the text cannot be read")
    return "" if next(wanted, None) is None else "less data is read back"


def _events(text: str) -> Iterator[Any]:
    next_event = Parser(text).get_event
    while type(event := next_event()) is not yaml.StreamEndEvent:
        if type(event) in _OPENED or type(event) is yaml.ScalarEvent:
            yield event
        elif type(event) is yaml.AliasEvent:
            raise yaml.YAMLError


def _said(event: Any) -> _Said | None:
    """What an event says to all readers; nothing if they disagree."""
    if type(event) is not yaml.ScalarEvent:
        return _OPENED[type(event)], None
    if event.style or not event.implicit[0]:
        return "str", event.value
    found = meaning(event.value)
    if found.dispute or not found.finite:
        return None
    return type(found.value).__name__, found.value


def _expected(node: Node) -> Iterator[_Said]:
    """What the events of a tree are; text and number are told apart, True and 1 as well."""
    value = node.value
    if isinstance(value, dict):
        yield _OPEN_MAPPING, None
        for key, child in value.items():
            yield "str", key
            yield from _expected(child)
        yield _CLOSE, None
    elif isinstance(value, tuple):
        yield _OPEN_LIST, None
        for child in value:
            yield from _expected(child)
        yield _CLOSE, None
    else:
        yield type(value).__name__, value
