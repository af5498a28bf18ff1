"""Two previews side by side: the objects and files that would be others."""

from collections.abc import Iterator
from difflib import unified_diff

from renderer.outputs import safe_text
from renderer.outputs.layout import BOLD, CYAN, DIM, GREEN, PLAIN, RED, Formats, Layout
from renderer.outputs.preview.text import piece_title
from renderer.outputs.safe_text import encodable
from renderer.text.wording import visible
from renderer.text.yaml_writer import write
from renderer.values.derivations import DerivedUnit
from renderer.values.inspection import PartChange, Preview
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import constant

VERSION = 1
_NOTE = (
    "This is what a spec that is created anew would get; "
    "'servingctl diff' says what happens to one that runs."
)
_COLORS = {"+": GREEN, "-": RED, "@": CYAN}


class PreviewChanges(NamedTuple):
    """What the platform would make otherwise of a spec."""

    spec: str
    environment: str
    changes: tuple[PartChange, ...]


def compare_previews(before: Preview | None, after: Preview) -> PreviewChanges:
    """What differs, unit by unit; without a preview of the past everything is new."""
    old = {(unit.destination, unit.unit): unit for unit in before.units} if before else {}
    new = {(unit.destination, unit.unit): unit for unit in after.units}
    keys = [*new, *(key for key in old if key not in new)]
    changes = (change for key in keys for change in _unit_changes(key, old.get(key), new.get(key)))
    return PreviewChanges(after.spec, after.environment, tuple(changes))


def _unit_changes(
    key: tuple[str, str], before: DerivedUnit | None, after: DerivedUnit | None
) -> Iterator[PartChange]:
    old = dict(_texts(before)) if before else {}
    new = dict(_texts(after)) if after else {}
    for name in [*new, *(name for name in old if name not in new)]:
        sides = (old.get(name, "").splitlines(), new.get(name, "").splitlines())
        lines = tuple(unified_diff(*sides, lineterm=""))[2:]  # without the names of files
        if lines:
            yield PartChange(*key, name, lines)


def _texts(unit: DerivedUnit) -> Iterator[tuple[str, str]]:
    """The objects and files of a unit by their names, as they are shown."""
    for piece in unit.objects:
        yield piece_title(piece), unit.marked(write(constant(piece.content, "what is derived")))
    for file in unit.files:
        where = f"{file.container}:{file.path}" if file.path else file.source
        yield where, unit.marked(file.text or file.problem)


def show_text(found: PreviewChanges, layout: Layout = PLAIN) -> str:
    """Each object and file with the lines that come and go."""
    paint = layout.paint
    if not found.changes:
        return "nothing that is derived would change\n"
    lines = [paint(_NOTE, DIM)]
    for item in found.changes:
        where = f"{item.unit} at {item.destination}: {item.name}"
        lines += ["", paint(visible(where), BOLD)]
        lines += (paint(visible(line), _COLORS.get(line[:1], "")) for line in item.lines)
    return "".join(f"{line}\n" for line in lines)


def show_json(found: PreviewChanges, _layout: Layout = PLAIN) -> str:
    """Versioned JSON, described by schemas/reports/preview-changes.json."""
    about = {"version": VERSION, "spec": found.spec, "environment": found.environment}
    changes = [
        {
            "destination": encodable(item.destination),
            "unit": encodable(item.unit),
            "name": encodable(item.name),
            "lines": [encodable(line) for line in item.lines],
        }
        for item in found.changes
    ]
    return safe_text.json_text({**about, "changes": changes})


FORMATS: Formats[PreviewChanges] = {"text": show_text, "json": show_json}
