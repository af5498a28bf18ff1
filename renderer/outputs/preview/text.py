"""A preview for people: a tree for each unit, then the files that its containers read."""

import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from renderer.outputs.layout import BOLD, COLORS, DIM, PLAIN, WIDTH, YELLOW, Layout
from renderer.outputs.preview.engines import argument_rows, engine_title, remarks
from renderer.outputs.requests import address_command
from renderer.text.wording import LINE_END, visible
from renderer.values.derivations import DerivedObject, DerivedUnit
from renderer.values.diagnostics import Severity
from renderer.values.inspection import Preview
from renderer.values.named_tuple import NamedTuple
from renderer.values.unit_details import Address, File

if TYPE_CHECKING:
    from renderer.values.references import Need

_MARKER = re.compile(r"<[a-z]+(?::[^<>\s]+)?>")
_NARROWEST = 20
_LABELS = 11
_ERROR = COLORS[Severity.ERROR]
_NOTHING = "Nothing becomes of it here: none of its units runs at a destination of ours."


class _Lines(NamedTuple):
    """How wide lines are, how they are coloured, and what stands before each of them."""

    width: int
    paint: Callable[[str, str], str]
    lead: str = ""

    def indented(self, lead: str) -> "_Lines":
        return self._replace(lead=self.lead + lead)

    def line(self, text: str = "") -> str:
        lead = self.lead if text else self.lead.rstrip()
        return (self.paint(lead, DIM) if lead else "") + text

    def rule(self, text: str, stroke: str) -> str:
        """A title in a line across the screen."""
        shown = visible(text)
        rest = max(2, self.width - len(shown) - 4)
        return f"{self.paint(stroke * 2, DIM)} {self.paint(shown, BOLD)} " + self.paint(
            stroke * rest, DIM
        )

    def row(self, label: str, value: str) -> Iterator[str]:
        """A label and its value beside it; what has no room there stands below."""
        if LINE_END.search(value) or len(label) > _LABELS:
            yield self.line(self.paint(visible(label), DIM))
            for line in LINE_END.split(value):
                yield from self.indented("  ").paragraph(line)
            return
        room = max(_NARROWEST, self.width - len(self.lead) - _LABELS - 1)
        for number, line in enumerate(_wrapped(value, room)):
            name = f"{visible(label):{_LABELS}}" if number == 0 else " " * _LABELS
            yield self.line(f"{self.paint(name, DIM)} {self.marked(line)}")

    def paragraph(self, text: str) -> Iterator[str]:
        """A sentence over as many lines as it needs."""
        for line in _wrapped(text, max(_NARROWEST, self.width - len(self.lead))):
            yield self.line(self.marked(line))

    def text(self, text: str) -> Iterator[str]:
        """A text line by line; a dotted gutter where a long line goes on."""
        room = max(_NARROWEST, self.width - 2)
        for line in LINE_END.split(text.removesuffix("\n")):
            shown = visible(line)
            parts = [shown[at : at + room] for at in range(0, len(shown), room)] or [""]
            for number, part in enumerate(parts):
                gutter = self.paint("┊" if number else "│", DIM)
                yield f"{gutter} {self.marked(part)}".rstrip()

    def marked(self, text: str) -> str:
        """Markers stand out."""
        return _MARKER.sub(lambda match: self.paint(match[0], YELLOW), text)


def _wrapped(line: str, room: int) -> list[str]:
    """A line in parts that fit, further ones set in below the first; words stay whole."""
    shown = visible(line)
    indent = " " * (len(shown) - len(shown.lstrip()) + 2)
    return wrap(
        shown, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [""]


class _Branch(NamedTuple):
    """A branch of the tree: a heading, and below it labels with values.

    A label without a value is a sentence.
    """

    heading: str
    lines: Sequence[tuple[str, str]]


def show(preview: Preview, layout: Layout = PLAIN) -> str:
    """Units by destination."""
    page = _Lines(layout.width or WIDTH, layout.paint)
    lines = [page.paint(visible(f"{preview.spec} in {preview.environment}"), BOLD)]
    destination = None
    for unit in preview.units:
        if unit.destination != destination:
            destination = unit.destination
            lines += ["", page.rule(f"destination {destination}", "━")]
        lines += _unit(unit, page)
    lines += () if preview.units else ("", _NOTHING)
    lines += _engines(preview, page)
    lines += _needs(preview, page)
    return "".join(f"{line}\n" for line in lines)


def _engines(preview: Preview, page: _Lines) -> Iterator[str]:
    """How engines are started: an argument a line, and below it what set it."""
    for line in preview.engines:
        yield from ("", page.rule(engine_title(line), "━"))
        rows = [*argument_rows(line)]
        width = min(max((len(visible(text)) for text, _ in rows), default=0), page.width // 2)
        for text, place in rows:
            shown = visible(text)
            gap = f"{shown:{width}}  " if len(shown) <= width else f"{shown}\n{'':{width}}  "
            yield f"{gap}{page.paint(visible(place), DIM)}"
        for remark in remarks(line):
            yield from page.indented("· ").paragraph(remark)


def _needs(preview: Preview, page: _Lines) -> Iterator[str]:
    """What has to be in the cluster, each once for a place, and who makes it."""
    if preview.needs:
        yield from ("", page.rule("what it needs, and who makes it", "━"))
    for need in dict.fromkeys(map(_need, preview.needs)):
        yield from page.row(*need)


def _need(need: "Need") -> tuple[str, str]:
    keys = f" [{', '.join(need.use.keys)}]" if need.use.keys else ""
    optional = ", optional" if need.use.is_optional else ""
    maker = str(need.maker) if need.maker else "nobody"
    name = f"{need.use.kind}/{need.use.name}{keys}{optional}"
    return name, f"in {need.place}: {maker}"


def _unit(unit: DerivedUnit, page: _Lines) -> Iterator[str]:
    yield ""
    if unit.unit:
        yield page.paint(visible(unit.unit), BOLD)
    if unit.problem:
        yield f"{page.paint('nothing:', _ERROR)} {visible(unit.problem)}"
    branches = list(_branches(unit))
    for number, branch in enumerate(branches):
        last = number == len(branches) - 1
        yield page.indented("└─ " if last else "├─ ").line(_heading(branch.heading, page))
        inner = page.indented("     " if last else "│    ")
        for label, value in branch.lines:
            yield from (inner.row(label, unit.marked(value)) if value else inner.paragraph(label))
    for file in unit.files:
        yield from _file(file, unit, page)


def _heading(text: str, page: _Lines) -> str:
    kind, _, name = visible(text).partition(" ")
    return f"{page.paint(kind, BOLD)} {name}".rstrip()


def _branches(unit: DerivedUnit) -> Iterator[_Branch]:
    for piece in unit.objects:
        yield _Branch(piece_title(piece), piece.summary)
    if unit.addresses:
        yield _Branch("addresses", [(item.name, _address(item)) for item in unit.addresses])
    if unit.files:
        yield _Branch("files", [(file.container, _location(file)) for file in unit.files])
    if unit.notes:
        yield _Branch("notes", [(note, "") for note in unit.notes])


def piece_title(piece: DerivedObject) -> str:
    """Its kind and name."""
    about = piece.content.get("metadata")
    name = about.get("name") if isinstance(about, dict) else ""
    return f"{piece.content.get('kind')} {name}"


def _address(item: Address) -> str:
    lines = [item.url, f"callers: {item.callers}"]
    if command := address_command(item):
        return "\n".join((*lines, command))
    gateway = [f"through the gateway: {item.through}"] if item.through else []
    headers = [f"  {name}: {value}" for name, value in item.headers]
    return "\n".join((*lines, *gateway, *headers))


def _location(file: File) -> str:
    where = file.path or f"{file.source}, mounted nowhere"
    return f"{where} ({file.problem})" if file.problem else where


def _file(file: File, unit: DerivedUnit, page: _Lines) -> Iterator[str]:
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
