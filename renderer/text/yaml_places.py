"""Where each value of a YAML text begins and ends, so that one can be changed and the rest not."""

from typing import Any, NamedTuple

import yaml

from renderer.text.yaml_reader import Parser


class YamlPlace(NamedTuple):
    """A value in a text, from `start` to `end`, without comments and blank lines behind it.

    `column` is where it begins on its line. A mapping has as many `keys` as `children`. Something
    is `shared` if the text names it with an anchor, or takes it from one.
    """

    start: int
    end: int
    column: int
    style: str = ""
    is_mapping: bool = False
    is_flow: bool = False
    is_shared: bool = False
    keys: tuple["YamlPlace", ...] = ()
    children: tuple["YamlPlace", ...] = ()

    @property
    def has_shared(self) -> bool:
        """Whether it, or anything in it, is named or taken from elsewhere."""
        return self.is_shared or any(child.has_shared for child in self.children)


class _Open:
    """A mapping or list that is being read."""

    def __init__(self, event: Any) -> None:
        self.event = event
        self.parts: list[YamlPlace] = []

    def closed(self, end: Any) -> YamlPlace:
        is_mapping = isinstance(self.event, yaml.MappingStartEvent)
        is_flow = bool(self.event.flow_style)
        start = self.event.start_mark
        return YamlPlace(
            start.index,
            end.end_mark.index if is_flow or not self.parts else self.parts[-1].end,
            start.column,
            is_mapping=is_mapping,
            is_flow=is_flow,
            is_shared=bool(self.event.anchor),
            keys=tuple(self.parts[::2]) if is_mapping else (),
            children=tuple(self.parts[1::2] if is_mapping else self.parts),
        )


def places(text: str) -> YamlPlace:
    """The one document of a text that was read without a problem."""
    outer: list[YamlPlace] = []
    stack: list[_Open] = []
    next_event = Parser(text).get_event
    while not isinstance(event := next_event(), yaml.StreamEndEvent):
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            stack.append(_Open(event))
            continue
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            place = stack.pop().closed(event)
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            place = _leaf(event, text)
        else:
            continue
        (stack[-1].parts if stack else outer).append(place)
    return outer[0]


def _leaf(event: Any, text: str) -> YamlPlace:
    start, end = event.start_mark, event.end_mark.index
    style = getattr(event, "style", None) or ""
    if style in ("|", ">"):  # what follows, up to the next value, counts as its own
        end = start.index + len(text[start.index : end].rstrip())
    return YamlPlace(start.index, end, start.column, style, is_shared=bool(event.anchor))
