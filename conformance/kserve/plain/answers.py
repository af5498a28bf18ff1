"""What KServe answered to graphs, trained models and caches, as rows to be written down."""

from conformance.kserve.answers import verdict
from conformance.kserve.plain.asking import Answer
from conformance.kserve.plain.cluster import Outcome, renamed
from conformance.kubernetes.client import Object
from conformance.operators.generated_rows import object_changes
from conformance.operators.plain import described, differences
from conformance.operators.records import Row

_TEMPLATES = ("Deployment", "KnativeService")


def row_of_case(answer: Answer) -> Row:
    case = answer.case
    row: Row = {"name": case.name, "given": case.steps[-1], **_around(answer), **_verdict(answer)}
    if answer.replies[-1].is_refusal:
        return row
    seen = renamed(answer.outcomes[-1]._asdict(), case.place)
    if not seen["stored"]:
        return row | {"gone": True}
    row["stored"] = _stored(case.asked, seen["stored"])
    if case.fetched:
        return row | _fetched(answer)
    return row | {"status": _status(seen["status"])} | {k: seen[k] for k in ("events", "objects")}


def row_of_edit(answer: Answer) -> Row:
    case = answer.case
    *earlier, before, after = case.steps
    row: Row = {"name": case.name} | ({"earlier": earlier} if earlier else {})
    row |= {"before": before, "after": after, **_around(answer), **_verdict(answer)}
    if answer.replies[-1].is_refusal:
        return row
    if case.fetched:
        return row | {"templates": {}} | _fetched(answer)
    old, new = answer.outcomes[-2:]
    names = sorted({*old.objects, *new.objects})
    found: Row = {
        "templates": {name: _fate(old, new, name) for name in names if _has_template(name)},
        "changes": object_changes(old.objects, new.objects),
        "status": _status(new.status),
        "events": [text for text in new.events if text not in old.events],
    }
    found |= {} if new.stored else {"gone": True}
    found |= {"going": True} if new.is_going else {}
    return {**row, **renamed(found, case.place)}


def _stored(given: Object, found: Object) -> list[Row]:
    """What differs from what was given; how often it is served under its kind says nothing."""
    return list(differences(described(given), {**found, "kind": given["kind"]}))


def _fetched(answer: Answer) -> Row:
    case = answer.case
    found: Row = {"fetched": case.fetched, "pods": renamed(answer.fetched, case.place)}
    return found


def _around(answer: Answer) -> Row:
    case = answer.case
    found = {
        "others_before": list(case.before),
        "others_after": list(case.after),
        "others_gone": list(case.gone),
        "settings": case.settings,
    }
    return {key: value for key, value in found.items() if value}


def _verdict(answer: Answer) -> Row:
    result: Row = renamed(verdict(answer.replies[-1]), answer.case.place)
    return result


def _has_template(name: str) -> bool:
    return name.partition("/")[0] in _TEMPLATES


def _fate(old: Outcome, new: Outcome, name: str) -> str:
    if name not in old.objects or name not in new.objects:
        return "added" if name in new.objects else "removed"
    if old.uids[name] != new.uids[name]:
        return "recreated"
    return "same" if old.templates[name] == new.templates[name] else "changed"


def _status(status: Object) -> Row:
    """Conditions as a table of their own; the rest as KServe has it."""
    if "conditions" not in status:
        return status
    conditions = {
        item["type"]: " ".join(
            filter(None, (item["status"], item.get("reason"), item.get("message")))
        )
        for item in status["conditions"]
    }
    return {**status, "conditions": conditions}
