"""What a repository has: a table for people, JSON for programs."""

from collections.abc import Iterator

from renderer.outputs import safe_text
from renderer.outputs.layout import PLAIN, Formats, Layout
from renderer.text.wording import visible
from renderer.values.inspection import Listing, Row

_HEADINGS = ("ENVIRONMENT", "KIND", "NAME", "DESTINATIONS", "UNITS", "FILES")
_BETWEEN = "  "
_WIDEST = 24
_NOTHING, _BROKEN, _UNKNOWN = "-", "! broken", "?"
_SPECS = "environments/"


def show_text(listing: Listing, layout: Layout = PLAIN) -> str:
    """A line for each spec; on a terminal, files that do not fit go below each other."""
    rows = [_HEADINGS[:-1], *map(_cells, listing.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    files = [(_HEADINGS[-1],), *(_files(row) for row in listing.rows)]
    pairs = zip(rows, files, strict=True)
    lines = (line for cells, some in pairs for line in _lines(cells, widths, some, layout.width))
    return "".join(f"{line}\n" for line in lines)


def show_json(listing: Listing, _layout: Layout = PLAIN) -> str:
    """Versioned JSON with the same content."""
    rows = [
        {
            "environment": row.environment,
            "kind": row.kind or None,
            "stem": row.stem,
            "name": row.name,
            "destinations": list(row.destinations),
            "units": list(row.units),
            "files": list(row.files),
            "broken": row.is_broken,
        }
        for row in listing.rows
    ]
    return safe_text.json_text({"version": 1, "specs": safe_text.encodable_data(rows)})


FORMATS: Formats[Listing] = {"text": show_text, "json": show_json}


def _cells(row: Row) -> tuple[str, ...]:
    """All columns but the last, each as narrow as it may get."""
    goes_to = _BROKEN if row.is_broken else _few(row.destinations)
    cells = (row.environment, row.kind or _UNKNOWN, row.stem, goes_to, _few(row.units))
    return tuple(map(visible, cells))


def _few(names: tuple[str, ...]) -> str:
    """As many names as fit, and how many more there are."""
    for number in range(len(names), 0, -1):
        more = f" +{len(names) - number}" if number < len(names) else ""
        text = f"{', '.join(names[:number])}{more}"
        if len(text) <= _WIDEST or number == 1:
            return text
    return _NOTHING


def _files(row: Row) -> tuple[str, ...]:
    """Those of environments, without the folder that all are in."""
    own = (path for path in row.files if path.startswith(_SPECS))
    return tuple(visible(path.removeprefix(_SPECS)) for path in own)


def _lines(
    cells: tuple[str, ...], widths: list[int], files: tuple[str, ...], width: int
) -> Iterator[str]:
    pairs = zip(cells, widths, strict=True)
    start = _BETWEEN.join(f"{cell:{wide}}" for cell, wide in pairs) + _BETWEEN
    line = f"{start}{', '.join(files)}".rstrip()
    if not width or len(line) <= width:
        yield line
        return
    for number, file in enumerate(files):
        yield f"{start if number == 0 else ' ' * len(start)}{file}".rstrip()
