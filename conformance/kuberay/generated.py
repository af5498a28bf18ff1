"""Every field of a RayCluster, a RayJob and a RayService, and what KubeRay does with each."""

from collections.abc import Iterator
from typing import Any

from conformance.kuberay.answers import Seen, row_of_case, row_of_edit, seen
from conformance.kuberay.asking import ask
from conformance.kuberay.cases import Case
from conformance.kuberay.cluster import Outcome
from conformance.kuberay.installation import KubeRay, crds
from conformance.kuberay.names import Names
from conformance.kuberay.places import HERE, PLAIN
from conformance.kubernetes.client import Object, Reply
from conformance.operators.generated_rows import described, object_changes, renamed, shortened
from conformance.operators.generation import Table, Variation, manifest_of, read_table, variations
from conformance.operators.records import Row
from conformance.operators.tables import merged, read_bases

#: So many at once: more take longer to list than they save in waiting.
_TOGETHER = 150
_KEPT_OF_CASES = ("accepted", "by", "message", "gone", "events")
_KEPT_OF_EDITS = ("outcome", "accepted", "by", "message", "pods", "changes", "written", "events")


def read_generated(go: str) -> Table:
    """The table of KubeRay, with the schemas of its release."""
    schemas = {
        item["spec"]["names"]["kind"]: version["schema"]["openAPIV3Schema"]
        for item in crds(go)
        for version in item["spec"]["versions"]
        if version["storage"]
    }
    return read_table(HERE, read_bases(HERE), schemas)


def ask_all(kuberay: KubeRay, table: Table) -> Iterator[tuple[Variation, Row]]:
    """The answer to every variation, in the order of the table."""
    found = list(variations(table))
    bases: dict[str, Seen] = {}
    for start in range(0, len(found), _TOGETHER):
        asked = found[start : start + _TOGETHER]
        names = [f"g{start + number}" for number in range(len(asked))]
        cases = [_case(table, *item) for item in zip(asked, names, strict=True)]
        answers = {answer[0].name: answer for answer in ask(kuberay, cases)}
        for variation, name in zip(asked, names, strict=True):
            case, replies, outcomes = answers[name]
            if not variation.path and outcomes[-1]:
                bases[variation.base] = _seen(outcomes[-1], name)
            row = _answer(variation, case, replies, outcomes, bases[variation.base])
            yield variation, described(table, variation) | _short(renamed(row, name))


def _case(table: Table, variation: Variation, name: str) -> Case:
    values = [variation.before, variation.after] if variation.is_edit else [variation.after]
    steps = (_named(manifest_of(table, variation, value), name) for value in values)
    return Case("", name, tuple(steps))


def _named(manifest: Object, name: str) -> Object:
    named: Object = merged(manifest, {"metadata": {"name": name, "namespace": PLAIN}})
    return named


def _seen(outcome: Outcome, name: str) -> Seen:
    return seen(outcome, Names(name))


def _answer(
    variation: Variation,
    case: Case,
    replies: list[Reply],
    outcomes: list[Outcome | None],
    base: Seen,
) -> Row:
    if variation.is_edit:
        if replies[-1].is_refusal or all(outcomes):
            row = row_of_edit(case, replies, outcomes)
            return {key: row[key] for key in _KEPT_OF_EDITS if row.get(key)}
        return {"accepted": True, "outcome": "gone"}
    row = row_of_case(case._replace(is_brief=True), replies[-1], outcomes[-1])
    kept = {key: row[key] for key in _KEPT_OF_CASES if key in row}
    if not replies[-1].is_refusal and outcomes[-1]:
        kept |= _difference(base, _seen(outcomes[-1], case.name), case.name)
    return kept


def _difference(base: Seen, made: Seen, name: str) -> Row:
    """What KubeRay made otherwise than of the base, by kind and name."""
    own = base.thing["metadata"]["name"]
    changes = object_changes(
        renamed(_objects(base), own),
        renamed(_objects(made), name),
    )
    return {"changes": changes}


def _objects(found: Seen) -> dict[str, Any]:
    """Objects, and one pod of each group with their number."""
    pods = {
        f"pods of {name}": {"count": len(group.uids), "pod": group.first}
        for name, group in found.groups.items()
    }
    return {**found.objects, **pods}


def _short(row: Row) -> Row:
    if "message" in row:
        row["message"] = shortened(row["message"])
    warnings = [text for text in row.pop("events", ()) if text.startswith("Warning")]
    return row | ({"events": list(map(shortened, warnings))} if warnings else {})
