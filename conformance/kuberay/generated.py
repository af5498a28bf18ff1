"""Every field of a RayCluster, a RayJob and a RayService, and what KubeRay does with each."""

from functools import partial
from typing import Any

from conformance.kuberay.answers import Seen, outcome_of, row_of_case, row_of_edit, seen
from conformance.kuberay.asking import ask
from conformance.kuberay.cases import Case
from conformance.kuberay.cluster import Outcome
from conformance.kuberay.installation import KubeRay
from conformance.kuberay.names import Names
from conformance.kuberay.places import HERE, PLAIN
from conformance.kubernetes.client import Reply
from conformance.operators.crd_fields import schemas_of
from conformance.operators.generated_rows import described, object_changes, renamed, shortened
from conformance.operators.generated_run import Question, Run
from conformance.operators.generation import Table, Variation, read_table
from conformance.operators.records import Row
from conformance.operators.tables import read_bases

#: So many at once: more take longer to list than they save in waiting.
_TOGETHER = 150
_EMPTY: tuple[Any, ...] = (None, {}, [])
_KEPT_OF_CASES = ("accepted", "by", "message", "gone", "events")
_KEPT_OF_EDITS = ("outcome", "accepted", "by", "message", "pods", "changes", "written", "events")


def read_generated(kuberay: KubeRay) -> Table:
    """The table of KubeRay, with the schemas of its release."""
    return read_table(HERE, read_bases(HERE), schemas_of(kuberay.crds))


def generated_run(kuberay: KubeRay, table: Table, tenths: int) -> Run:
    version = kuberay.release.version
    kept = HERE / "build/generated" / version
    return Run(f"KubeRay {version}", _TOGETHER, kept, partial(_ask, kuberay, table), tenths)


def _ask(kuberay: KubeRay, table: Table, questions: list[Question]) -> list[Row]:
    cases = [Case("", one.name, one.steps(table, PLAIN)) for one in questions]
    answers = {answer[0].name: answer for answer in ask(kuberay, cases)}
    bases = {
        one.variation.base: _seen(outcome, one.name)
        for one in questions
        if one.is_base and (outcome := answers[one.name][2][-1])
    }
    rows = []
    for variation, name in questions:
        row = _answer(variation, *answers[name], bases[variation.base])
        rows.append(described(table, variation) | _short(renamed(row, name)))
    return rows


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
            row = without_echo(row_of_edit(case, replies, outcomes), _complaint(outcomes, case))
            return {key: row[key] for key in _KEPT_OF_EDITS if row.get(key) not in _EMPTY}
        return {"accepted": True, "outcome": "gone"}
    row = row_of_case(case._replace(is_brief=True), replies[-1], outcomes[-1])
    kept = {key: row[key] for key in _KEPT_OF_CASES if key in row}
    if not replies[-1].is_refusal and outcomes[-1]:
        kept |= _difference(base, _seen(outcomes[-1], case.name), case.name)
    return kept


def _complaint(outcomes: list[Outcome | None], case: Case) -> str:
    """What KubeRay said of the state before an edit; empty if nothing was wrong with that."""
    row = row_of_case(case._replace(is_brief=True), Reply(200, {}), outcomes[0])
    return str(row.get("message", ""))


def without_echo(row: Row, complaint: str) -> Row:
    """Without what was said of the state before, as KubeRay tried once more before the edit came.

    That it said nothing new, and that pods or objects came, shows that it is over.
    """
    pods = row.get("pods", {})
    is_over = any("new" in counts for counts in pods.values())
    is_over = is_over or "added" in row.get("changes", {}).values()
    if row.get("accepted") or not complaint or row.get("message") != complaint or not is_over:
        return row
    rest = {key: value for key, value in row.items() if key not in ("by", "message", "events")}
    accepted = {"accepted": True}
    changes, written = row.get("changes", {}), row.get("written", {})
    return rest | accepted | {"outcome": outcome_of(accepted, pods, changes, written)}


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
