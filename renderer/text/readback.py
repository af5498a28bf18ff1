"""A written text read again, event by event, against the tree that it was written from."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

import yaml

from renderer.text.scalars import meaning
from renderer.text.yaml_reader import Parser
from renderer.values.tree import Node, Scalar, Value

_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_OTHER = "other data is read back"

#: A text, the type and value of another scalar (True is not 1), or the type of any other event.
_Said: TypeAlias = str | tuple[type, Scalar] | type


def dispute(text: str, tree: Node) -> str:
    """Why a text does not say the tree to every reader; nothing if it does."""
    wanted: list[_Said] = []
    _expect(tree.value, wanted)
    try:
        return _difference(Parser(text).get_event, iter(wanted))
    except yaml.YAMLError as error:
        return str(getattr(error, "problem", None) or "the text cannot be read")


def _difference(next_event: Callable[[], Any], wanted: Iterator[_Said]) -> str:
    """How the first event that is not what is wanted differs from it."""
    while (kind := type(event := next_event())) is not yaml.StreamEndEvent:
        if kind is yaml.ScalarEvent:
            said = event.value if event.style or not event.implicit[0] else _plain(event.value)
            if said is None:
                return f"{event.value} is {meaning(event.value).dispute or 'no finite number'}"
            if said != next(wanted, None) or event.tag:
                return _OTHER
        elif kind in _STARTS:
            if kind is not next(wanted, None) or event.tag:
                return _OTHER
        elif kind in _ENDS:
            if kind is not next(wanted, None):
                return _OTHER
        elif kind is yaml.AliasEvent:
            raise yaml.YAMLError
    return "" if next(wanted, None) is None else "less data is read back"


@lru_cache(maxsize=4096)
def _plain(text: str) -> _Said | None:
    """What a scalar without quotes says to all readers; nothing if they disagree."""
    found = meaning(text)
    if found.dispute or not found.finite:
        return None
    return found.value if isinstance(found.value, str) else (type(found.value), found.value)


def _expect(value: Value, wanted: list[_Said]) -> None:
    """Add what the events of a value say."""
    if isinstance(value, str):
        wanted.append(value)
    elif isinstance(value, dict):
        wanted.append(yaml.MappingStartEvent)
        for key, child in value.items():
            wanted.append(key)
            _expect(child.value, wanted)
        wanted.append(yaml.MappingEndEvent)
    elif isinstance(value, tuple):
        wanted.append(yaml.SequenceStartEvent)
        for child in value:
            _expect(child.value, wanted)
        wanted.append(yaml.SequenceEndEvent)
    else:
        wanted.append((type(value), value))
