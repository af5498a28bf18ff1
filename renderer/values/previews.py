"""What a platform will make of a spec, unit by unit, as values that any output can show."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from renderer.values.model import Environment, Spec
from renderer.values.tree import Node, Plain


class Applied(NamedTuple):
    """A spec as it is applied: its own object, and what that needs, cluster by cluster.

    Needed objects are known by their kind and the name they are rendered under.
    """

    spec: Spec
    environment: Environment
    tree: Node
    needed: Mapping[str, Mapping[tuple[str, str], Node]]


class RuntimePort(NamedTuple):
    """A number that is drawn at run time: what stands for it in data, and how it is shown."""

    stand_in: int
    marker: str


class PreviewedObject(NamedTuple):
    """An object that the platform makes, and what people want to know of it first."""

    content: dict[str, Plain]
    summary: tuple[tuple[str, str], ...] = ()


class File(NamedTuple):
    """A file as a container will read it; with a problem, the container does not get it.

    `not_previewed` are the parts that stand in the text as they were written.
    """

    container: str
    path: str
    source: str
    text: str = ""
    not_previewed: tuple[str, ...] = ()
    problem: str = ""


class Address(NamedTuple):
    """Where something is called and by whom; through a gateway, with which headers.

    With a `method` it can be tried right away; `body` is an example of what to send.
    """

    name: str
    url: str
    callers: str
    through: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    method: str = ""
    body: str = ""


class UnitPreview(NamedTuple):
    """What becomes of one unit at one destination; with a problem, nothing."""

    destination: str
    unit: str
    objects: tuple[PreviewedObject, ...] = ()
    files: tuple[File, ...] = ()
    addresses: tuple[Address, ...] = ()
    notes: tuple[str, ...] = ()
    runtime_ports: tuple[RuntimePort, ...] = ()
    problem: str = ""

    def marked(self, text: str) -> str:
        """A text with markers for what is drawn at run time."""
        markers = {str(item.stand_in): item.marker for item in self.runtime_ports}
        if not markers:
            return text
        return re.sub("|".join(markers), lambda match: markers[match[0]], text)

    def marked_data(self, data: Plain) -> Plain:
        """Data with markers, which are texts where the platform has numbers."""
        if isinstance(data, dict):
            return {key: self.marked_data(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.marked_data(value) for value in data]
        if isinstance(data, str):
            return self.marked(data)
        markers = {item.stand_in: item.marker for item in self.runtime_ports}
        return markers.get(data, data) if type(data) is int else data


class PartChange(NamedTuple):
    """An object or file of a unit that would be another one, as lines of a unified diff."""

    destination: str
    unit: str
    name: str
    lines: tuple[str, ...]


class Preview(NamedTuple):
    """Every unit of a spec, destination by destination."""

    spec: str
    environment: str
    units: tuple[UnitPreview, ...]
