"""What the formats of a diff are given: everything in words, with secrets hidden."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.values.changes import Capacity, How, Impact, Reach
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.tree import Plain


class ShownChange(NamedTuple):
    """One difference: data of both sides, and lines of both if they are long texts.

    A line of `lines` begins with a blank, `-`, `+` or `@@`, as in a unified diff. `hidden` says
    that only secrets differ, so that both sides look the same. `origin` is the place in the
    specs of the new state, or of the old one for what was removed.
    """

    path: str
    how: How
    before: Plain
    after: Plain
    has_before: bool
    has_after: bool
    lines: tuple[str, ...] = ()
    hidden: bool = False
    texts_only: bool = False
    origin: Origin = Origin("")
    impacts: tuple[Impact, ...] = ()


class ShownObject(NamedTuple):
    """An object that differs; `impacts` are those of the object as a whole.

    `identity` is `group/Kind/namespace/name`, `former` the one it had if it was renamed, `file` the
    rendered file below the output folder. `elsewhere` is the destination that it comes from or
    goes to if it moves between two.
    """

    environment: str
    destination: str
    identity: str
    former: str
    spec: str
    file: str
    how: How
    changes: tuple[ShownChange, ...]
    impacts: tuple[Impact, ...]
    elsewhere: str = ""


class ShownPicture(NamedTuple):
    """A drawing of an environment: what it shows, and an `<svg>` element ready for a page."""

    title: str
    svg: str


class DiffReport(NamedTuple):
    """A comparison to be shown; texts may still hold control characters.

    `before` and `after` say what was compared, `sources` are the texts of files that findings
    point into, `pictures` are for formats that can show them.
    """

    before: str
    after: str
    objects: tuple[ShownObject, ...]
    findings: tuple[Diagnostic, ...]
    incomparable: tuple[Diagnostic, ...]
    capacity: tuple[Capacity, ...]
    reach: tuple[Reach, ...]
    sources: Mapping[str, str]
    color: bool = False
    width: int = 100
    max_bytes: int = 0
    pictures: tuple[ShownPicture, ...] = ()
