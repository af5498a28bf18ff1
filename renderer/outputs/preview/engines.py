"""The command lines of engines in a preview: for people, and as data."""

from collections.abc import Iterator
from typing import Any

from renderer.values.diagnostics import Origin
from renderer.values.engines import EngineArgument, EngineLine


def engine_title(line: EngineLine) -> str:
    """What runs where, and how it is started."""
    version = line.version or "of a version that nothing says"
    return f"{line.engine} {version} at {line.place}, by {line.program}"


def argument_rows(line: EngineLine) -> Iterator[tuple[str, str]]:
    """Each argument in the order in which the engine sees it, and the line that set it."""
    for item in line.arguments:
        yield item.text, _place(item)


def remarks(line: EngineLine) -> Iterator[str]:
    """What is not known, and what the model needs of the memory."""
    if line.unchecked:
        yield f"only a running container can tell {', '.join(line.unchecked)}"
    yield from line.memory


def _place(item: EngineArgument) -> str:
    where = f", {_line(item.origin)}" if item.origin.file else ""
    rest = "" if item.counts else "; does not count: a later one does"
    return f"{item.source}{where}{rest}"


def _line(origin: Origin) -> str:
    return f"{origin.file}:{origin.line}"


def engine_data(line: EngineLine) -> dict[str, Any]:
    """The same for programs."""
    return {
        "container": line.place,
        "engine": line.engine,
        "version": line.version or None,
        "program": line.program,
        "arguments": [
            {
                "text": item.text,
                "name": item.name or None,
                "source": item.source,
                "file": item.origin.file or None,
                "line": item.origin.line if item.origin.file else None,
                "counts": item.counts,
            }
            for item in line.arguments
        ],
        "unchecked": list(line.unchecked),
        "memory": list(line.memory),
    }
