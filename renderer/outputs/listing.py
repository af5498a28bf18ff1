"""What a repository has: tables for people, JSON for programs."""

from collections.abc import Sequence

from renderer.outputs import safe_text
from renderer.outputs.layout import PLAIN, Formats, Layout
from renderer.outputs.safe_text import end_of
from renderer.text.wording import visible
from renderer.values.inspection import Listing, Row

_HEADINGS = ("ENVIRONMENT", "KIND", "NAME", "DESTINATIONS", "UNITS", "FILES")
_BETWEEN = "  "
_WIDEST = 24
#: Columns that are shown however narrow the terminal is, and the least room for a file.
_NEEDED, _FILE_ROOM = 4, 12
_NOTHING, _BROKEN, _UNKNOWN = "-", "! broken", "?"
_SPECS = "environments/"


def show_text(listing: Listing, layout: Layout = PLAIN) -> str:
    """A line for each spec; on a terminal as many columns as there is room for."""
    if not layout.width:
        return show_wide(listing)
    rows = [_HEADINGS[:-1], *map(_cells, listing.rows)]
    while len(rows[0]) > _NEEDED and _total_width(rows) > layout.width:
        rows = [row[:-1] for row in rows]
    room = layout.width - _total_width(rows) - len(_BETWEEN)
    if len(rows[0]) == len(_HEADINGS) - 1 and room >= _FILE_ROOM:
        files = (_HEADINGS[-1], *(_last_file(row, room) for row in listing.rows))
        rows = [(*row, file) for row, file in zip(rows, files, strict=True)]
    return _table(rows)


def show_wide(listing: Listing, _layout: Layout = PLAIN) -> str:
    """A line for each spec, however long it is, with all its files."""
    rows = [(*_cells(row), ", ".join(_files(row))) for row in listing.rows]
    return _table([_HEADINGS, *rows])


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


FORMATS: Formats[Listing] = {"text": show_text, "wide": show_wide, "json": show_json}


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


def _last_file(row: Row, room: int) -> str:
    """The file that has the last word, from its end as far as it fits, and how many more."""
    files = _files(row)
    more = f" +{len(files) - 1}" if len(files) > 1 else ""
    return f"{end_of(files[0], room - len(more))}{more}" if files else ""


def _total_width(rows: Sequence[tuple[str, ...]]) -> int:
    return sum(_widths(rows)) + len(_BETWEEN) * (len(rows[0]) - 1)


def _widths(rows: Sequence[tuple[str, ...]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = _widths(rows)
    lines = (
        _BETWEEN.join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)
