"""What the formats of a promotion are given: values in words, with secrets hidden."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.outputs.diff.cause_words import amount
from renderer.outputs.diff.report import (
    DiffReport,
    ShownChange,
    shown_change,
)
from renderer.outputs.diff.report import (
    build_report as build_diff,
)
from renderer.text.secrets.files import shown_files
from renderer.values.changes import Change, Edit, How
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.environments import (
    CarriedVariable,
    LeftSpec,
    Promotion,
    Reason,
    SpecDifference,
    UncarriedDifference,
)
from renderer.values.named_tuple import NamedTuple

_WORK_TREE, _EDITED = "the work tree", "with the edits"
_OPPOSITE = {How.ADDED: How.REMOVED, How.REMOVED: How.ADDED}


class ShownDifference(NamedTuple):
    """A difference of a spec from the target to the source, and why it stays, if it does."""

    spec: str
    change: ShownChange
    reason: str = ""


class ShownEdit(NamedTuple):
    """An edit in a file of the target, and the spec that the file is about.

    `becomes` is what a value is inherited as once its override is gone. A new file has its lines.
    """

    spec: str
    change: ShownChange
    becomes: ShownChange | None = None
    lines: tuple[str, ...] = ()


class PromotionReport(NamedTuple):
    """A promotion to be shown; `written` says whether it was done."""

    source: str
    target: str
    specs: tuple[str, ...]
    carried: tuple[ShownDifference, ...]
    created: tuple[str, ...]
    kept: tuple[ShownDifference, ...]
    left: tuple[LeftSpec, ...]
    not_carried: tuple[ShownDifference, ...]
    variables: tuple[CarriedVariable, ...]
    edits: tuple[ShownEdit, ...]
    files: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    impact: DiffReport
    sources: Mapping[str, str]
    written: bool = False


def build_report(promotion: Promotion, sources: Mapping[str, str]) -> PromotionReport:
    """Everything that formats may say; `sources` are the texts of files by their path."""
    shown = shown_files(sources)
    return PromotionReport(
        promotion.source,
        promotion.target,
        promotion.specs,
        tuple(_difference(item) for item in promotion.carried),
        promotion.created,
        tuple(_difference(item) for item in promotion.kept),
        promotion.left,
        tuple(_not_carried(item) for item in promotion.not_carried),
        promotion.variables,
        tuple(_edits(promotion, shown.variables)),
        tuple(sorted(promotion.files)),
        shown.findings(promotion.findings),
        _impact(promotion, sources),
        shown.texts,
    )


def _impact(promotion: Promotion, sources: Mapping[str, str]) -> DiffReport:
    """What the edits do; what is wrong with the target is shown apart."""
    known = {item.same_finding for item in promotion.findings}
    found = promotion.comparison
    others = tuple(item for item in found.findings if item.same_finding not in known)
    return build_diff(found._replace(findings=others), (_WORK_TREE, _EDITED), sources)


def _difference(item: SpecDifference) -> ShownDifference:
    reason = str(item.reason) if isinstance(item.reason, Reason) else ""
    return ShownDifference(item.spec, _reversed(item.change), reason)


def _reversed(change: Change) -> ShownChange:
    """A difference as what becomes of the target."""
    how = _OPPOSITE.get(change.how, change.how)
    turned = change._replace(how=how, before=change.after, after=change.before)
    return shown_change(turned, Origin(""))


def _not_carried(item: UncarriedDifference) -> ShownDifference:
    change = item.change or Change((), How.CHANGED, None, None)
    return ShownDifference(item.spec, _reversed(change), item.reason)


def _edits(promotion: Promotion, variables: frozenset[str]) -> Iterator[ShownEdit]:
    carried = {(item.spec, item.change.path): item.change.before for item in promotion.carried}
    carried |= {("", ("vars", item.name)): item.value for item in promotion.variables}
    for item in promotion.edits:
        spec = promotion.owners.get(item.origin.file, "")
        value = carried.get((spec, item.path)) if item.how is How.REMOVED else None
        change = Change(item.path, How.ADDED, None, value) if value else None
        becomes = shown_change(change, item.origin, variables) if change else None
        yield ShownEdit(
            spec, _shown(item, variables), becomes, tuple(_new_lines(item, promotion.files))
        )


def _shown(item: Edit, variables: frozenset[str]) -> ShownChange:
    change = Change(item.path, item.how, item.before, item.after)
    return shown_change(change, item.origin, variables)


def _new_lines(item: Edit, files: Mapping[str, bytes]) -> Iterable[str]:
    """The lines of a file that is new."""
    if item.path or item.how is not How.ADDED:
        return ()
    file = item.origin.file
    text = files.get(file, b"").decode("utf-8", "replace")
    return shown_files({file: text}).texts[file].splitlines()


def total_text(report: PromotionReport) -> str:
    """How much it is, and whether it was done."""
    parts = [amount(len(report.carried), "difference")]
    if report.created:
        parts.append(amount(len(report.created), "new spec"))
    verb = "written" if report.written else "to be edited"
    parts.append(f"{amount(len(report.files), 'file')} {verb}")
    if report.not_carried:
        parts.append(f"{len(report.not_carried)} not carried")
    if report.findings:
        parts.append(amount(len(report.findings), "error"))
    return ", ".join(parts)
