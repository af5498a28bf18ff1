"""What the formats of a diff are given: a comparison in words, with secrets hidden."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from renderer.outputs.diff.arguments import changed_arguments
from renderer.outputs.findings.report import limited
from renderer.text.secrets.files import shown_files
from renderer.text.secrets.masks import HIDDEN, all_hidden, hidden_at, mask_line, masked_text
from renderer.text.wording import path_text
from renderer.text.yaml_writer import write
from renderer.values.changes import (
    AffectedObject,
    Breakage,
    Capacity,
    Change,
    Comparison,
    Edit,
    EditKind,
    Effect,
    How,
    Impact,
    ImpactFinding,
    Reach,
)
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_CONTEXT = 3
_LONGEST_LINE = 1_000


class ShownChange(NamedTuple):
    """One difference: data of both sides, and lines of both if they are long texts.

    A line of `lines` begins with a blank, `-`, `+` or `@@`, as in a unified diff. `hidden` says
    that only secrets differ, so that both sides look the same. `origin` is the place in the
    specs of the new state, or of the old one for what was removed. `causes` are the numbers of the
    edits behind it; it is `carried` if rendering made it to bring a change of others here. Where
    both sides are command lines, `arguments` says what differs by the names of arguments.
    """

    path: str
    how: How
    before: Plain
    after: Plain
    has_before: bool
    has_after: bool
    lines: tuple[str, ...] = ()
    hidden: bool = False
    texts_only: bool = False
    origin: Origin = Origin("")
    impacts: tuple[Impact, ...] = ()
    causes: tuple[int, ...] = ()
    carried: bool = False
    arguments: str = ""


class ShownEdit(NamedTuple):
    """What was changed in a file: the cause of changes, known by its number."""

    kind: EditKind
    change: ShownChange

    @property
    def is_renamed_file(self) -> bool:
        return not self.change.path and self.change.how is How.RENAMED


class ShownObject(NamedTuple):
    """An object that differs; `impacts` are those of the object as a whole.

    `identity` is `group/Kind/namespace/name`, `former` the one it had if it was renamed, `file` the
    rendered file below the output folder. `elsewhere` is the destination that it comes from or
    goes to if it moves between two. For joining parts: whether its causes are assumed, and whether
    every part has it.
    """

    environment: str
    destination: str
    identity: str
    former: str
    spec: str
    file: str
    how: How
    changes: tuple[ShownChange, ...]
    impacts: tuple[Impact, ...]
    elsewhere: str = ""
    causes: tuple[int, ...] = ()
    kind: str = ""
    name: str = ""
    is_assumed: bool = False
    is_shared: bool = False

    def place_of(self, impact: Impact) -> str:
        """The destination of a unit, the new one if what was there is made anew with this object.

        What is deleted, or left behind, is so where it was.
        """
        is_here = impact.destination == self.destination and self.how is How.REMOVED
        goes = self.elsewhere and is_here and impact.effect is Effect.RECREATE
        return self.elsewhere if goes else impact.destination


class ShownPicture(NamedTuple):
    """A drawing of an environment: what it shows, and an `<svg>` element ready for a page."""

    title: str
    svg: str


#: The only part of a comparison that is not shared out.
WHOLE = (1, 1)


class DiffReport(NamedTuple):
    """A comparison to be shown; texts may still hold control characters.

    `before` and `after` say what was compared, `sources` are the texts of files that findings
    point into, `specs` by file the names of those that findings may be about, `pictures` are for
    formats that can show them. Of a part of a diff, `shard` is its number and how many there are.
    """

    before: str
    after: str
    objects: tuple[ShownObject, ...]
    findings: tuple[Diagnostic, ...]
    incomparable: tuple[Diagnostic, ...]
    capacity: tuple[Capacity, ...]
    reach: tuple[Reach, ...]
    sources: Mapping[str, str]
    edits: tuple[ShownEdit, ...] = ()
    production: frozenset[str] = frozenset()
    pictures: tuple[ShownPicture, ...] = ()
    specs: Mapping[str, str] = {}
    impact_findings: tuple[ImpactFinding, ...] = ()
    broken: tuple[Breakage, ...] = ()
    shard: tuple[int, int] = WHOLE

    def limited(self) -> "DiffReport":
        """With as many findings as are shown; a part has all of them, for those who join parts."""
        if self.shard != WHOLE:
            return self
        findings, incomparable = map(limited, (self.findings, self.incomparable))
        return self._replace(findings=tuple(findings), incomparable=tuple(incomparable))


def build_report(
    comparison: Comparison, titles: tuple[str, str], sources: Mapping[str, str]
) -> DiffReport:
    """Everything that formats may say; `sources` are the texts of files by their path."""
    found = (*comparison.findings, *comparison.incomparable)
    files = {item.file for item in found}
    shown = shown_files({file: text for file, text in sources.items() if file in files})
    return DiffReport(
        *titles,
        tuple(_moved([_object(item) for item in comparison.objects])),
        shown.findings(comparison.findings),
        shown.findings(comparison.incomparable),
        comparison.capacity,
        comparison.reach,
        shown.texts,
        tuple(_edit(item, shown.variables) for item in comparison.edits),
        comparison.production,
        impact_findings=tuple(
            item._replace(finding=shown.findings((item.finding,))[0])
            for item in comparison.impact_findings
        ),
        broken=comparison.broken,
    )


def _edit(item: Edit, variables: frozenset[str]) -> ShownEdit:
    change = Change(item.path, item.how, item.before, item.after)
    return ShownEdit(item.kind, shown_change(change, item.origin, variables))


def shown_change(
    change: Change, origin: Origin, variables: frozenset[str] = frozenset()
) -> ShownChange:
    """A change that has no impacts, with secrets hidden; some `variables` hold one."""
    return _change(change, (), origin, variables)


def _object(item: AffectedObject) -> ShownObject:
    before, after = item.change.before, item.change.after
    how = How.CHANGED if before and after else How.ADDED if after else How.REMOVED
    former = before.identity if before and item.change.is_renamed else ""
    manifest = item.change.manifest
    return ShownObject(
        item.change.environment,
        item.change.destination,
        manifest.identity,
        former,
        str(manifest.spec),
        manifest.path,
        How.RENAMED if former else how,
        tuple(
            _change(change, item.impacts_of(change), origin)._replace(
                causes=causes, carried=carried
            )
            for change, origin, causes, carried in zip(
                item.change.changes, item.origins[:-1], item.causes[:-1], item.carried, strict=True
            )
        ),
        tuple(_impacts(item.impacts_of(None))),
        causes=item.causes[-1],
        kind=manifest.tree.text_at("kind"),
        name=manifest.tree.text_at("metadata", "name"),
        is_assumed=item.is_assumed,
        is_shared=item.is_shared,
    )


def _moved(objects: list[ShownObject]) -> Iterator[ShownObject]:
    """With a word on objects that leave one destination and come to another."""
    ends: dict[tuple[str, str, How], list[str]] = {}
    for item in objects:
        ends.setdefault((item.environment, item.identity, item.how), []).append(item.destination)
    opposite = {How.ADDED: How.REMOVED, How.REMOVED: How.ADDED}
    for item in objects:
        other = opposite.get(item.how)
        found = ends.get((item.environment, item.identity, other), []) if other else []
        yield item._replace(elsewhere=found[0] if len(found) == 1 else "")


def _impacts(impacts: Iterable[Impact]) -> Iterator[Impact]:
    """By spec, each in the order of what happens to it."""
    for item in sorted(impacts, key=lambda item: item.spec):
        yield item._replace(consequence=mask_line(item.consequence), advice=mask_line(item.advice))


def _change(
    change: Change,
    impacts: tuple[Impact, ...],
    origin: Origin,
    variables: frozenset[str] = frozenset(),
) -> ShownChange:
    old, new = (_plain(node, change.path, variables) for node in (change.before, change.after))
    raw = [node.plain() if node else None for node in (change.before, change.after)]
    arguments = changed_arguments(change.path, old, new)
    return ShownChange(
        mask_line(path_text(change.path)),
        change.how,
        old,
        new,
        change.before is not None,
        change.after is not None,
        () if arguments else tuple(_lines(change, variables)),
        hidden=old == new and raw[0] != raw[1],
        texts_only=change.texts_only,
        origin=origin,
        impacts=tuple(_impacts(impacts)),
        arguments=arguments,
    )


def _plain(node: Node | None, path: Path, variables: frozenset[str]) -> Plain:
    """The data of a value with secrets hidden, those of variables too."""
    if node is None:
        return None
    value = node.plain()
    if path[:1] == ("vars",) and not variables.isdisjoint(map(str, path[1:2])):
        return all_hidden(value)
    shown = hidden_at(value, path)
    found = shown if path == ("vars",) else {} if path else _member(shown, "vars")
    if isinstance(found, dict):
        found.update(dict.fromkeys(variables & found.keys(), HIDDEN))
    return shown


def _member(value: Plain, name: str) -> Plain:
    return value.get(name) if isinstance(value, dict) else None


def _lines(change: Change, variables: frozenset[str]) -> Iterator[str]:
    """A unified diff of what does not fit on a line; lines with secrets are named, not shown."""
    nodes = (change.before, change.after)
    if change.how is How.MOVED or not any(node and _is_long(node) for node in nodes):
        return
    shown = (_plain(node, change.path, variables) for node in nodes)
    sides = [
        _text(node, seen) if node else ([], []) for node, seen in zip(nodes, shown, strict=True)
    ]
    raw, shown_lines = zip(*sides, strict=True)
    matcher = SequenceMatcher(None, raw[0], raw[1], autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{first[1] + 1},{last[2] - first[1]} +{first[3] + 1},{last[4] - first[3]} @@"
        for tag, start, end, other_start, other_end in group:
            if tag == "equal":
                yield from (f" {cut_line(line)}" for line in shown_lines[0][start:end])
                continue
            old, new = shown_lines[0][start:end], shown_lines[1][other_start:other_end]
            yield from (f"-{cut_line(line, other)}" for line, other in _paired_lines(old, new))
            yield from (f"+{cut_line(line, other)}" for line, other in _paired_lines(new, old))


def _paired_lines(lines: list[str], others: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with the one that stands in its place on the other side."""
    for number, line in enumerate(lines):
        yield line, others[number] if number < len(others) else ""


def cut_line(line: str, other: str = "", longest: int = _LONGEST_LINE) -> str:
    """A very long line from a little before the place where it differs from another."""
    if len(line) <= longest:
        return line
    pairs = enumerate(zip(line, other, strict=False))
    differs = next((number for number, (a, b) in pairs if a != b), 0)
    start = max(0, min(differs - longest // 4, len(line) - longest))
    end = start + longest
    return f"{'…' * bool(start)}{line[start:end]}{'…' * (len(line) > end)}"


def _is_long(node: Node) -> bool:
    return bool(node.items or node.elements) or "\n" in str(node.value)


def _text(node: Node, seen: Plain) -> tuple[list[str], list[str]]:
    """The lines of a value, and what of each may be seen."""
    if not isinstance(node.value, str):
        lines = write(constant(seen, "for the eye")).splitlines()
        return lines, lines
    lines, safe = node.value.splitlines(), masked_text(node.value).splitlines()
    hide = seen == HIDDEN or len(lines) != len(safe)
    return lines, [HIDDEN] * len(lines) if hide else safe
