"""The command line of an engine as people see it: its arguments, and the lines that set them."""

from renderer.values.diagnostics import Origin
from renderer.values.named_tuple import NamedTuple


class EngineArgument(NamedTuple):
    """An argument with its values, as one text, and the place that set it; `source` names that.

    One that does not count is followed by another of its name, which does.
    """

    name: str
    text: str
    origin: Origin
    source: str
    counts: bool = True


class EngineLine(NamedTuple):
    """How an engine is started: by which program, and with which arguments, in their order.

    `place` is where the spec describes its container, `container` the name of that one. Without a
    version, nothing says it.
    `unchecked` is what only a running container can tell, `memory` what its model needs.
    """

    place: str
    engine: str
    version: str
    program: str
    arguments: tuple[EngineArgument, ...]
    unchecked: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    container: str = ""
