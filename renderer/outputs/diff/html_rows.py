"""The specs of a page, a fold for each, with what a script needs to filter and sort them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.outputs.diff.cause import Cause
from renderer.outputs.diff.cause_words import amount, edit_text, few
from renderer.outputs.diff.html_causes import short_values
from renderer.outputs.diff.html_elements import code, effect_pill, pill, text
from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.diff.summary import RANKING
from renderer.outputs.safe_text import shortened
from renderer.values.changes import Effect, How, Impact
from renderer.values.named_tuple import NamedTuple

_COLUMNS = ("Spec", "Environment", "What happens", "Units", "Destinations")
_SORTS = ("spec", "environment", "class", "units", "destination")
_MOST_EDITS = 200
_SOME = 3
_LONGEST = 60
_NOT_OURS = "not ours"


class _Row:
    """A spec in an environment, while what happens to it is gathered."""

    def __init__(self, environment: str, spec: str) -> None:
        self.environment, self.spec = environment, spec
        self.effects: dict[Effect, dict[str, None]] = {}
        self.destinations: dict[str, None] = {}
        self.edits: set[int] = set()
        self.objects: list[ShownObject] = []
        self.through: dict[str, None] = {}
        self.reached: dict[str, None] = {}

    @property
    def classes(self) -> list[Effect]:
        """What happens to it, the worst first."""
        return [effect for effect in RANKING if effect in self.effects]

    @property
    def units(self) -> int:
        return len({unit for units in self.effects.values() for unit in units})

    def happens(self, item: ShownObject, impact: Impact) -> None:
        unit = f"{impact.unit} ({impact.destination or _NOT_OURS})"
        self.effects.setdefault(impact.effect, {})[unit] = None
        self.destinations[impact.destination or _NOT_OURS] = None
        if item.spec != self.spec:
            self.through[item.spec] = None


class _Choices(NamedTuple):
    """What rows can be filtered by; a row names them by their numbers."""

    environment: tuple[str, ...]
    effect: tuple[Effect, ...]
    destination: tuple[str, ...]
    edit: tuple[str, ...]


def show_rows(report: DiffReport, causes: Sequence[Cause]) -> str:
    """A box to search, filters, heads to sort by, and the rows; they need no script to be read."""
    numbers = {one: n for n, cause in enumerate(causes) for one in cause.numbers}
    rows = _ranked(_rows(report, numbers), report.production)
    if not rows:
        return ""
    edits = (f"{n} {shortened(edit_text(cause), _LONGEST)}" for n, cause in enumerate(causes, 1))
    found = {effect for row in rows for effect in row.effects}
    choices = _Choices(
        tuple(dict.fromkeys(row.environment for row in rows)),
        tuple(effect for effect in RANKING if effect in found),
        tuple(sorted({name for row in rows for name in row.destinations})),
        tuple(edits) if len(causes) <= _MOST_EDITS else (),
    )
    shown = "".join(_row(number, row, choices) for number, row in enumerate(rows, 1))
    return f'{_form(choices, len(rows))}{_heads()}<div id="rows">\n{shown}</div>\n'


def _rows(report: DiffReport, numbers: Mapping[int, int]) -> list[_Row]:
    """What happens to each spec by changes of its own objects and of others."""
    rows: dict[tuple[str, str], _Row] = {}

    def row(environment: str, spec: str) -> _Row:
        return rows.setdefault((environment, spec), _Row(environment, spec))

    for item in report.objects:
        own = row(item.environment, item.spec)
        own.objects.append(item)
        own.destinations[item.destination] = None
        own.edits.update(numbers[n] for n in item.causes if n in numbers)
        for impact, causes in _impacts(item):
            hit = row(item.environment, impact.spec)
            hit.happens(item, impact)
            if hit is not own:
                own.reached[impact.spec] = None
            hit.edits.update(numbers[n] for n in causes if n in numbers)
    return list(rows.values())


def _impacts(item: ShownObject) -> Iterator[tuple[Impact, tuple[int, ...]]]:
    """What an object does to units, and the edits behind that."""
    yield from ((impact, item.causes) for impact in item.impacts)
    for change in item.changes:
        yield from ((impact, change.causes) for impact in change.impacts)


def _ranked(rows: Iterable[_Row], production: frozenset[str]) -> list[_Row]:
    """Production first, then the worst, then by name."""

    def rank(row: _Row) -> tuple[bool, int, str, str]:
        worst = RANKING.index(row.classes[0]) if row.effects else len(RANKING)
        return row.environment not in production, worst, row.environment, row.spec

    return sorted(rows, key=rank)


def _form(choices: _Choices, number: int) -> str:
    """Shown by the script alone, as it does nothing without."""
    selects = "".join(
        _select(name, title, options)
        for name, title, options in (
            ("environment", "Environment", choices.environment),
            ("class", "What happens", [str(effect) for effect in choices.effect]),
            ("destination", "Destination", choices.destination),
            ("edit", "Edit", choices.edit),
        )
        if len(options) > 1
    )
    return (
        '<form id="filters" role="search" hidden>\n<label>Search '
        '<input type="search" name="search" placeholder="name, unit, value … ( / )"></label>\n'
        f'{selects}<button type="reset">Clear</button>\n'
        f'<output aria-live="polite">{amount(number, "spec")}</output></form>\n'
    )


def _select(name: str, title: str, options: Sequence[str]) -> str:
    shown = "".join(f"<option>{text(option)}</option>" for option in options)
    return (
        f'<label>{title} <select name="{name}"><option value="">all</option>{shown}</select>'
        "</label>\n"
    )


def _heads() -> str:
    heads = "".join(
        f'<button type="button" data-sort="{sort}" disabled>{title}</button>'
        for sort, title in zip(_SORTS, _COLUMNS, strict=True)
    )
    return f'<div id="heads" class="cells">{heads}</div>\n'


def _row(number: int, row: _Row, choices: _Choices) -> str:
    destinations = sorted(row.destinations)
    data = {
        "environment": [choices.environment.index(row.environment)],
        "class": [choices.effect.index(effect) for effect in row.classes],
        "destination": [choices.destination.index(name) for name in destinations],
        "edit": sorted(row.edits),
        "units": [row.units],
    }
    attributes = "".join(f' data-{k}="{" ".join(map(str, v))}"' for k, v in data.items())
    quiet = f"reaches {amount(len(row.reached), 'spec')}" if row.reached else "reaches nothing"
    pills = " ".join(map(effect_pill, row.classes)) or f'<span class="quiet">{quiet}</span>'
    cells = (
        f"<b>{text(row.spec)}</b>",
        text(row.environment),
        pills,
        f"{row.units}<small> {amount(row.units, 'unit').partition(' ')[2]}</small>",
        text(few(destinations, _SOME)),
    )
    shown = "".join(f"<span>{cell}</span>" for cell in cells)
    return (
        f'<details class="row" id="spec-{number}"{attributes}><summary class="cells">{shown}'
        f"</summary>\n{_details(row)}</details>\n"
    )


def _details(row: _Row) -> str:
    happens = "".join(
        f"<li>{effect_pill(effect)} {text(', '.join(row.effects[effect]))}</li>"
        for effect in row.classes
    )
    by = f"<p>By way of {', '.join(map(code, row.through))}.</p>\n" if row.through else ""
    links = ", ".join(f'<a href="#edit-{n + 1}">edit {n + 1}</a>' for n in sorted(row.edits))
    why = f'<p class="quiet">Because of {links}.</p>\n' if links else ""
    objects = "".join(map(_object, row.objects))
    listing = f'<ul class="happenings">{happens}</ul>\n' if happens else ""
    return f"{listing}{by}{objects}{why}"


def _object(item: ShownObject) -> str:
    kind = {How.ADDED: "good", How.REMOVED: "bad"}.get(item.how, "plain")
    former = f' <span class="quiet">was {code(item.former)}</span>' if item.former else ""
    changes = "".join(_change(change) for change in item.changes if not change.carried)
    listing = f'<ul class="brief">{changes}</ul>' if changes else ""
    return f"<div>{pill(str(item.how), kind)} {code(item.file)}{former}{listing}</div>\n"


def _change(change: ShownChange) -> str:
    place = change.origin
    where = (
        f' <span class="quiet">{text(f"{place.file}:{place.line}")}</span>' if place.file else ""
    )
    return f"<li><strong>{code(change.path)}</strong> {short_values(change)}{where}</li>"
