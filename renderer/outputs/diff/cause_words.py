"""Causes in words: what was edited and where, whom it reaches, a few of many."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from renderer.outputs.diff.cause import Cause, ReachedEnvironment, Touched
from renderer.outputs.diff.report import ShownChange, ShownObject
from renderer.outputs.diff.summary import RANKING
from renderer.text.wording import listed
from renderer.values.changes import EditKind, How
from renderer.values.named_tuple import NamedTuple

_FEW = 2


def edit_text(cause: Cause) -> str:
    """What was edited: a path in a file, whole files, or nothing that anybody edited."""
    change = cause.edit.change
    if cause.edit.kind is EditKind.TOOL:
        return "this version of servingctl writes something else"
    if change.path:
        note = " (edited in the output)" if cause.edit.kind is EditKind.OUTPUT else ""
        return f"{change.path}{note}"
    files = [edit.change.origin.file for edit in cause.edits]
    folder = files[0].rpartition("/")[0]
    if len(files) == 1:
        return _file_text(change)
    names = few([file.rpartition("/")[2] for file in files], _FEW)
    return f"{amount(len(files), 'file')} in {folder} {change.how}: {names}"


def _file_text(change: ShownChange) -> str:
    if change.how is How.RENAMED:
        return f"{change.before} renamed to {change.after}"
    line = f":{change.origin.line}" if change.has_before or change.has_after else ""
    return f"{change.origin.file}{line} {change.how}"


def places_text(cause: Cause) -> str:
    """Where an edit was made; of many places the first."""
    places = [edit.change.origin for edit in cause.edits if edit.change.origin.file]
    if not places:
        return ""
    more = f" and {amount(len(places) - 1, 'more place')}" if len(places) > 1 else ""
    return f"{places[0].file}:{places[0].line}{more}"


def reached_text(cause: Cause) -> str:
    """How many specs and units of which environments, and what happens to how many."""
    changed = {e: n for e in cause.environments if (n := len({*e.specs} - {*e.broken}))}
    classes = [f"{effect}: {amount(units, 'unit')}" for effect, units in cause.classes.items()]
    said = [_specs_text(changed)] if changed else []
    wrong = {e: n for e in cause.environments if (n := len(e.broken))}
    broken = [f"errors: {_specs_text(wrong) if wrong else 'here'}"] if cause.is_wrong else []
    return " · ".join((*said, *classes, *broken))


def wrong_text(cause: Cause) -> str:
    """How many specs have errors with a cause, or only that there are some."""
    wrong = sum(len(item.broken) for item in cause.environments)
    return amount(wrong, "spec") if wrong else "here"


def _specs_text(counts: Mapping[ReachedEnvironment, int]) -> str:
    names = listed(f"{e.name} (production)" if e.is_production else e.name for e in counts)
    return f"{amount(sum(counts.values()), 'spec')} in {names}"


def total_text(causes: Iterable[Cause]) -> str:
    """How much all causes come to together."""
    found = list(causes)
    if not found:
        return "nothing changes"
    specs = {(at.name, spec) for cause in found for at in cause.environments for spec in at.specs}
    edits = sum(len(cause.edits) for cause in found)
    counted = amount(edits, "edit")
    said = [f"{amount(len(found), 'cause')} ({counted})" if len(found) < edits else counted]
    said.append(amount(len(specs), "spec"))
    for effect in RANKING:
        some = (item for cause in found for item in cause.consequences if item.effect is effect)
        if units := {unit for item in some for unit in item.units}:
            said.append(f"{effect}: {amount(len(units), 'unit')}")
    if any(cause.is_wrong for cause in found):
        wrong = {(e.name, spec) for cause in found for e in cause.environments for spec in e.broken}
        said.append(f"errors: {amount(len(wrong), 'spec') if wrong else 'here'}")
    return ", ".join(said)


def units_text(units: Iterable[Touched], most: int, production: Collection[str] = ()) -> str:
    """All of a few units by their specs, or some of them, and the places where these run."""
    places: dict[str, list[str]] = {}
    for item in _units_by_spec(units):
        mark = " (production)" if item.environment in production else ""
        places.setdefault(item.text, []).append(f"{item.place}{mark}")
    specs: dict[tuple[str, ...], list[str]] = {}
    for text, found in places.items():
        specs.setdefault(tuple(found), []).append(text)
    said = [f"{few(names, most)} in {listed(found)}" for found, names in specs.items()]
    return few(said, most, "; ")


def unit_texts(units: Iterable[Touched]) -> list[str]:
    """`Kind/a: alice, bob in prod`, for each spec and environment."""
    return [f"{item.text} in {item.place}" for item in _units_by_spec(units)]


class _SpecUnits(NamedTuple):
    """Units of a spec in an environment: who they are, and where they run."""

    text: str
    environment: str
    place: str


def _units_by_spec(units: Iterable[Touched]) -> Iterator[_SpecUnits]:
    """Each spec with its units; a destination is named once, where all of them are in one."""
    by_spec: dict[tuple[str, str], list[Touched]] = {}
    for item in units:
        by_spec.setdefault((item.environment, item.spec), []).append(item)
    for (environment, spec), some in by_spec.items():
        places = {item.destination for item in some}
        is_one = len(places) == 1 and places.isdisjoint(("", *(item.unit for item in some)))
        names = ", ".join(item.unit if is_one else _unit_at_place(item) for item in some)
        place = f"{environment}/{some[0].destination}" if is_one else environment
        yield _SpecUnits(f"{spec}: {names}", environment, place)


def _unit_at_place(item: Touched) -> str:
    if item.unit == item.destination:
        return item.unit
    return f"{item.unit} ({item.destination or 'not ours'})"


def objects_text(objects: Iterable[ShownObject], most: int) -> str:
    """`prod/alice a, prod/bob a and 3 more`, with the names they had and the places they leave."""
    return few([object_text(item) for item in objects], most)


def object_text(item: ShownObject) -> str:
    former = f" (was {item.former.rpartition('/')[2]})" if item.former else ""
    if item.elsewhere:
        way = "comes from" if item.how is How.ADDED else "goes to"
        former = f" ({way} {item.elsewhere})"
    return f"{item.environment}/{item.destination} {item.name}{former}"


def few(names: Sequence[str], most: int, between: str = ", ") -> str:
    """Some of many names, and how many more there are."""
    if len(names) <= most + 1:
        return between.join(names)
    return f"{between.join(names[:most])} and {len(names) - most:,} more"


def amount(number: int, word: str) -> str:
    """`1 unit`, `2,008 units`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
