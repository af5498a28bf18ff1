"""A preview for people: a tree for each unit, then the files that its containers read."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderer.outputs.findings.text import BOLD, COLORS, painter
from renderer.outputs.preview import Screen
from renderer.outputs.preview.layout import Layout
from renderer.text.wording import visible
from renderer.values.diagnostics import Severity
from renderer.values.previews import Address, File, Piece, Preview, UnitPreview

Row = tuple[str, str]
_ERROR = COLORS[Severity.ERROR]
_NOTHING = "Nothing becomes of it here: none of its units runs at a destination of ours."


class _Branch(NamedTuple):
    """A branch of the tree: a heading and rows below it; without a value, a row is a sentence."""

    heading: str
    rows: Sequence[Row]


def show(preview: Preview, screen: Screen) -> str:
    """Units by destination."""
    page = Layout(screen.width, painter(color=screen.color))
    lines = [page.paint(visible(f"{preview.spec} in {preview.environment}"), BOLD)]
    destination = None
    for unit in preview.units:
        if unit.destination != destination:
            destination = unit.destination
            lines += ["", page.rule(f"destination {destination}", "━")]
        lines += _unit(unit, page)
    lines += () if preview.units else ("", _NOTHING)
    return "".join(f"{line}\n" for line in lines)


def _unit(unit: UnitPreview, page: Layout) -> Iterator[str]:
    yield ""
    if unit.unit:
        yield page.paint(visible(unit.unit), BOLD)
    if unit.problem:
        yield f"{page.paint('nothing:', _ERROR)} {visible(unit.problem)}"
    branches = list(_branches(unit))
    for number, branch in enumerate(branches):
        last = number == len(branches) - 1
        yield page.below("└─ " if last else "├─ ").line(_heading(branch.heading, page))
        inner = page.below("     " if last else "│    ")
        for label, value in branch.rows:
            row = inner.row(label, unit.marked(value)) if value else inner.paragraph(label)
            yield from row
    for file in unit.files:
        yield from _file(file, unit, page)


def _heading(text: str, page: Layout) -> str:
    kind, _, name = visible(text).partition(" ")
    return f"{page.paint(kind, BOLD)} {name}".rstrip()


def _branches(unit: UnitPreview) -> Iterator[_Branch]:
    for piece in unit.pieces:
        yield _Branch(_named(piece), piece.summary)
    if unit.addresses:
        yield _Branch("addresses", [(item.name, _address(item)) for item in unit.addresses])
    if unit.files:
        yield _Branch("files", [(file.container, _place(file)) for file in unit.files])
    if unit.notes:
        yield _Branch("notes", [(note, "") for note in unit.notes])


def _named(piece: Piece) -> str:
    about = piece.content.get("metadata")
    name = about.get("name") if isinstance(about, dict) else ""
    return f"{piece.content.get('kind')} {name}"


def _address(item: Address) -> str:
    gateway = [f"through the gateway: {item.through}"] if item.through else []
    headers = [f"  {name}: {value}" for name, value in item.headers]
    return "\n".join((item.url, f"callers: {item.callers}", *gateway, *headers))


def _place(file: File) -> str:
    where = file.path or f"{file.source}, mounted nowhere"
    return f"{where} ({file.problem})" if file.problem else where


def _file(file: File, unit: UnitPreview, page: Layout) -> Iterator[str]:
    whose = f"{unit.unit}, {file.container}" if file.container else unit.unit
    yield ""
    yield page.rule(f"{file.path or file.source} ({whose})", "─")
    if file.problem:
        yield f"{page.paint('problem:', _ERROR)} {page.marked(visible(unit.marked(file.problem)))}"
    for action in file.not_previewed:
        label = page.paint("not previewed, stands as it is written:", COLORS[Severity.WARNING])
        yield f"{label} {visible(' '.join(action.split()))}"
    if file.text:
        yield from page.text(unit.marked(file.text))
    elif not file.problem:
        yield "(empty)"
