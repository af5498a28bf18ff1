"""What an import takes over and what it does not, for people."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff

from renderer.outputs.safe_text import shortened
from renderer.text.secrets.files import shown_files
from renderer.text.secrets.masks import hidden_at, mask_line
from renderer.text.wording import counted, listed, path_text, visible
from renderer.text.yaml_writer import write
from renderer.values.changes import Change
from renderer.values.imports import Note, SkippedSource
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

#: What a source is that is no object, and what becomes of one that becomes no spec.
REQUEST, SKIPPED = "request", "skipped"
_LONGEST = 80
_MOST_PATHS = 6


class ImportedFile(NamedTuple):
    """A file of an import: what it says, what it said before if it was there, and notes."""

    path: str
    text: str | None
    before: str | None
    imported: str | None
    notes: tuple[Note, ...] = ()

    @property
    def is_same(self) -> bool:
        return self.before == self.text

    @property
    def is_overwritten(self) -> bool:
        """Whether the import itself says something else than the file, not only shares it."""
        return self.before is not None and self.imported not in (None, self.before)

    @property
    def state(self) -> str:
        if self.text is None:
            return (
                "all of it is shared, and it is deleted" if self.before else "all of it is shared"
            )
        if self.is_same:
            return "unchanged"
        if self.before is None:
            return "written"
        return "overwritten" if self.is_overwritten else "part of it is shared"


class ImportReport(NamedTuple):
    """What there is to say of an import; `differences` are by the names of specs.

    `outcomes` are of each source what it is, and the kind of the spec that it became.
    """

    files: tuple[ImportedFile, ...]
    skipped: tuple[SkippedSource, ...]
    differences: tuple[tuple[str, tuple[Change, ...]], ...]
    unrendered: tuple[str, ...]
    unshared: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, str], ...] = ()


def written_text(report: ImportReport) -> Iterator[str]:
    """The files that were written, each with what it does not say as its source does."""
    for file in report.files:
        yield visible(f"{file.path}: {file.state}")
        yield from _notes(file.notes)
    for name in report.present:
        yield visible(f"{name}: unchanged, the environment says all of it already")
    for name in report.unrendered:
        yield visible(f"{name} is not rendered: nothing of this environment uses it")
    yield from (visible(f"nothing here makes {name}") for name in report.missing)
    yield from (visible(f"not shared: {reason}") for reason in dict.fromkeys(report.unshared))
    yield from skipped_text(report.skipped)
    yield from _outcome_table(report.outcomes)
    written = sum(not file.is_same for file in report.files)
    same = len(report.files) - written + len(report.present)
    parts = [f"{counted(written, 'file')} written", f"{same} unchanged"]
    if report.skipped:
        parts.append(f"{len(report.skipped)} skipped")
    yield ", ".join(parts)


def _outcome_table(outcomes: Sequence[tuple[str, str]]) -> Iterator[str]:
    """How many objects of a kind became specs of which kind, if there is more than one."""
    if len(outcomes) < 2:  # noqa: PLR2004 - of one, the lines above say it
        return
    rows = [("read", "became")]
    rows += (
        (visible(f"{number} {what}"), SKIPPED if kind == SKIPPED else f"{number} {kind}")
        for (what, kind), number in sorted(Counter(outcomes).items())
    )
    width = max(len(read) for read, _ in rows)
    yield from (f"{read:<{width}}  {became}" for read, became in rows)


def _notes(notes: Iterable[Note]) -> Iterator[str]:
    """A line for each thing that became of fields, and why; fields with one reason together."""
    together: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        together.setdefault((note.what, note.why), []).append(note.path)
    for (what, why), paths in together.items():
        names = list(dict.fromkeys(paths))
        more = f" and {len(names) - _MOST_PATHS} more" if len(names) > _MOST_PATHS else ""
        yield visible(f"  {what}: {', '.join(names[:_MOST_PATHS])}{more} ({mask_line(why)})")


def skipped_text(skipped: Iterable[SkippedSource]) -> Iterator[str]:
    """A line for each source that became no spec."""
    for item in skipped:
        place = f"{item.origin.file}:{item.origin.line}"
        yield visible(f"{place}: skipped {item.what}: {mask_line(item.why)}")


def provided_text(
    path: str, entries: Sequence[Plain], others: int, missing: Iterable[str]
) -> Iterator[str]:
    """What an environment says now of objects that are in the cluster already."""
    added = counted(len(entries), "object") if entries else "nothing"
    yield visible(f"{path}: {added} added to references.provided")
    yield from (visible(f"  {_provided(entry)}") for entry in entries)
    yield from (visible(f"neither made here nor in the list: {name}") for name in missing)
    if others:
        yield f"{counted(others, 'object')} left out, as nothing that is missing here names them"
        yield "(to keep one of them in Git as a spec, import it by itself, not in a list)"


def _provided(entry: Plain) -> str:
    """`Secret/hub-token of namespace models, with the keys a and b`."""
    if not isinstance(entry, dict):
        return str(entry)
    given = entry.get("keys")
    names = [str(key) for key in given] if isinstance(given, list) else []
    parts = [f"{entry['kind']}/{entry['name']}"]
    places = (f"{key} {entry[key]}" for key in ("namespace", "destination") if key in entry)
    parts += [f"of {' of '.join(found)}"] if (found := list(places)) else []
    keys = "the key" if len(names) == 1 else "the keys"
    parts += [f"with {keys} {listed(names)}"] if names else []
    return " ".join(parts)


def refusal_text(report: ImportReport, *, force: bool, accepted: bool) -> Iterator[str]:
    """What keeps an import from being written, as far as it is not accepted."""
    for name, changes in () if accepted else report.differences:
        yield visible(f"{name} would not be rendered as it was imported:")
        yield from map(_change, changes)
    overwritten = [file for file in report.files if file.is_overwritten and not force]
    for file in overwritten:
        yield from _file_diff(file)
    if report.differences and not accepted:
        yield "--accept-changes writes the specs all the same"
    if overwritten:
        names = listed(file.path for file in overwritten)
        yield visible(f"{names} would be overwritten; --force does that")


def _change(change: Change) -> str:
    before, after = (_shown(node, change) for node in (change.before, change.after))
    return visible(f"  {path_text(change.path)}: {before} → {after}")


def _shown(node: Node | None, change: Change) -> str:
    if node is None:
        return "nothing"
    text = json.dumps(hidden_at(node.plain(), change.path), ensure_ascii=False)
    return shortened(mask_line(text), _LONGEST)


def _file_diff(file: ImportedFile) -> Iterator[str]:
    """The lines of a file that would change, secrets hidden."""
    texts = (shown_files({file.path: text or ""}).texts for text in (file.before, file.imported))
    before, after = (shown[file.path].splitlines() for shown in texts)
    names = (f"{file.path} as it is", f"{file.path} as imported")
    return map(visible, unified_diff(before, after, *names, lineterm=""))


def destinations_text(environment: str, lines: Iterable[Plain]) -> Iterator[str]:
    """What to add to the description of an environment."""
    yield f"add to environments/{environment}/environment.yaml, or what is right for you:"
    added = write(constant({"destinations": [*lines]}, "an example"))
    yield from (f"  {line}" for line in added.splitlines())
