"""What KServe answered to language models, as rows that can be written down and compared."""

import json
import re

from conformance.kserve.answers import verdict
from conformance.kserve.llm.asking import Answer
from conformance.kserve.llm.cases import NAMESPACE
from conformance.kserve.llm.cluster import Outcome, renamed
from conformance.kubernetes.client import Object
from conformance.operators.generated_rows import object_changes
from conformance.operators.plain import described, differences
from conformance.operators.records import Row
from tests.support.patches import patch

_TEMPLATES = ("Deployment", "LeaderWorkerSet")
_FACTS = ("status", "objects")
#: An object that KServe has just made is not in its cache yet.
_BEHIND = "failed to get current"
#: Names of objects are in the text that it counts.
_PLACE_IN_TEMPLATE = re.compile(r"config:1:\d+:")
#: What members of a group say of each other, and have in their routes, follows in some order.
_OF_MEMBERS = ("status", "events", "changes")


def row_of_case(answer: Answer) -> Row:
    case, reply, outcome = answer.case, answer.replies[-1], answer.outcomes[-1]
    row = {"name": case.name, "base": case.base, "given": case.steps[-1], **_around(answer)}
    row |= _verdict(answer)
    if reply.is_refusal or outcome is None:
        return row
    seen = renamed(outcome._asdict(), case.place, NAMESPACE)
    row["stored"] = list(differences(described(case.steps[-1]), seen["stored"]))
    if not case.is_service:
        return row
    return row | {"status": _status(seen["status"])} | {k: seen[k] for k in ("events", "objects")}


def shortened(rows: list[Row]) -> list[Row]:
    """What is made, as far as it differs from what is made of the base as it is."""
    wholes = {row["base"]: row for row in rows if row["name"] == row["base"]}
    return [_short(row, wholes[row["base"]]) for row in rows]


def _short(row: Row, whole: Row) -> Row:
    if row is whole or "objects" not in row:
        return row
    return {key: patch(whole[key], row[key]) if key in _FACTS else row[key] for key in row}


def row_of_edit(answer: Answer) -> Row:
    case = answer.case
    row: Row = {"name": case.name, "before": case.steps[-2], "after": case.steps[-1]}
    row |= {"earlier": list(case.steps[:-2])} if case.steps[:-2] else {}
    row |= {**_around(answer), **_verdict(answer)}
    if answer.replies[-1].is_refusal:
        return row
    old, new = answer.outcomes[-2:]
    assert old
    assert new
    names = sorted({*old.objects, *new.objects})
    found = {
        "templates": {name: _fate(old, new, name) for name in names if _has_template(name)},
        "changes": object_changes(old.objects, new.objects),
        "status": _status(new.status)["conditions"],
        "events": [text for text in new.events if text not in old.events],
    }
    return {**row, **renamed(found, case.place, NAMESPACE)}


def steady(row: Row) -> Row:
    """A row without what depends on which of two things KServe saw first."""
    found: Row = json.loads(_PLACE_IN_TEMPLATE.sub("config:1:", json.dumps(row)))
    if any(_is_grouped(row[side]) for side in ("given", "before", "after") if side in row):
        return {key: value for key, value in found.items() if key not in _OF_MEMBERS}
    if "events" in found:
        found["events"] = [event for event in found["events"] if _BEHIND not in event]
    return found


def _is_grouped(service: Object) -> bool:
    router = service.get("spec", {}).get("router") or {}
    return "group" in (router.get("route") or {})


def _has_template(name: str) -> bool:
    return name.partition("/")[0] in _TEMPLATES


def _fate(old: Outcome, new: Outcome, name: str) -> str:
    if name not in old.objects or name not in new.objects:
        return "added" if name in new.objects else "removed"
    if old.uids[name] != new.uids[name]:
        return "recreated"
    return "same" if old.templates[name] == new.templates[name] else "changed"


def _around(answer: Answer) -> Row:
    case = answer.case
    found = {
        "others_before": list(case.before),
        "others_after": list(case.after),
        "settings": case.settings,
        "settings_after": case.settings_after,
    }
    return {key: value for key, value in found.items() if value}


def _verdict(answer: Answer) -> Row:
    reply = answer.replies[-1]
    row = verdict(reply)
    texts = [text.partition('"')[2].rpartition('"')[0] for text in reply.warnings]
    row |= {"warnings": texts} if texts else {}
    result: Row = renamed(row, answer.case.place, NAMESPACE)
    return result


def _status(status: Object) -> Object:
    """Conditions as a table of their own; the rest as KServe has it."""
    conditions = {
        item["type"]: " ".join(
            filter(None, (item["status"], item.get("reason"), item.get("message")))
        )
        for item in status.get("conditions", ())
    }
    return {**status, "conditions": conditions}
