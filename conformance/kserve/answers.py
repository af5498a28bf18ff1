"""What KServe answered, as rows that can be written down and compared."""

from typing import Any

from conformance.kserve.cases import Case
from conformance.kserve.cluster import Outcome
from conformance.kserve.pods import mutated_pod
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.plain import described, differences
from conformance.operators.records import Row

_TEMPLATES = ("Deployment", "KnativeService")


def row_of_case(client: Client, case: Case, reply: Reply, outcome: Outcome | None) -> Row:
    row = {"name": case.name, "given": case.steps[-1], **_circumstances(case), **verdict(reply)}
    if reply.is_refusal or outcome is None:
        return row
    if case.is_brief:
        return row | {"status": _status(outcome.status)}
    given = described(case.steps[-1])
    namespace = given["metadata"]["namespace"]
    pods = {
        name: mutated_pod(client, namespace, thing)
        for name, thing in outcome.objects.items()
        if name.startswith("Deployment/")
    }
    return row | {
        "stored": list(differences(given, outcome.stored)),
        "status": _status(outcome.status),
        "events": outcome.events,
        "objects": outcome.objects,
        "pods": pods,
    }


def row_of_edit(case: Case, replies: list[Reply], outcomes: list[Outcome | None]) -> Row:
    *earlier, before, after = case.steps
    row: Row = {"name": case.name} | ({"earlier": earlier} if earlier else {})
    row |= {"before": before, "after": after, **_circumstances(case), **verdict(replies[-1])}
    if replies[-1].is_refusal:
        return row
    old, new = outcomes[-2:]
    assert old
    assert new
    names = sorted({*old.objects, *new.objects})
    changes = {name: _changes(old.objects.get(name), new.objects.get(name)) for name in names}
    return row | {
        "templates": {name: fate(old, new, name) for name in names if has_template(name)},
        "changes": {name: found for name, found in changes.items() if found},
        "status": _status(new.status),
        "events": [text for text in new.events if text not in old.events],
    }


def _changes(old: Object | None, new: Object | None) -> Any:
    if old is None:
        return "added"
    return "removed" if new is None else list(differences(old, new))


def has_template(name: str) -> bool:
    return name.partition("/")[0] in _TEMPLATES


def fate(old: Outcome, new: Outcome, name: str) -> str:
    if name not in old.objects or name not in new.objects:
        return "added" if name in new.objects else "removed"
    if old.uids[name] != new.uids[name]:
        return "recreated"
    return "same" if old.templates[name] == new.templates[name] else "changed"


def _circumstances(case: Case) -> Row:
    row: Row = {} if case.default_mode == "Knative" else {"default_mode": case.default_mode}
    row |= {"gateway_api": True} if case.gateway_api else {}
    row |= {"others_before": list(case.before)} if case.before else {}
    return row | ({"others_after": list(case.after)} if case.after else {})


def verdict(reply: Reply) -> Row:
    if not reply.is_refusal:
        return {"accepted": True}
    head, found, rest = reply.body["message"].partition(" denied the request: ")
    by = head.partition('"')[2].rstrip('"') if found else "API server"
    return {"accepted": False, "by": by, "message": rest if found else head}


def _status(status: Object) -> Row:
    """Conditions as a table of their own; the rest as KServe has it."""
    conditions = {
        item["type"]: " ".join(
            filter(None, (item["status"], item.get("reason"), item.get("message")))
        )
        for item in status.get("conditions", ())
    }
    return {**status, "conditions": conditions}
