"""What KServe answered, as rows that can be written down and compared."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from conformance.kserve.cases import Case
from conformance.kserve.cluster import Outcome, key_of, look, wait_until_quiet
from conformance.kserve.installation import add_namespace, configure
from conformance.kserve.places import OBSERVED
from conformance.kserve.plain import described, differences
from conformance.kserve.pods import mutated_pod
from conformance.kserve.standins import StandIns
from conformance.kubernetes.client import Client, Object, Reply

Row = dict[str, Any]
Rows = dict[str, list[Row]]
_TEMPLATES = ("Deployment", "KnativeService")


def ask(
    client: Client, cases: list[Case]
) -> Iterator[tuple[Case, list[Reply], list[Outcome | None]]]:
    """All cases at once, step by step: each has a name of its own, and waiting is what takes long.

    For each its replies and what there was after each step.
    """
    stand_ins = StandIns(client)
    for name in sorted(
        {key_of(thing)[0] for case in cases for thing in (*case.steps, *case.before)}
    ):
        if name:
            add_namespace(client, name)
    for (mode, gateway_api), group in groupby(sorted(cases, key=_config), key=_config):
        configure(client, mode, gateway_api=gateway_api)
        found = list(group)
        replies: list[list[Reply]] = [[] for _ in found]
        looks = []
        for step in range(max(len(case.steps) for case in found)):
            for case, given in zip(found, replies, strict=True):
                _apply_step(client, case, step, given)
            _settle(client, stand_ins, zip(found, replies, strict=True))
            looks.append(look(client))
        for case, given in zip(found, replies, strict=True):
            key = key_of(case.steps[-1])
            yield case, given, [seen.get(key) for seen in looks[: len(case.steps)]]


def _config(case: Case) -> tuple[str, bool]:
    return case.default_mode, case.gateway_api


def _apply_step(client: Client, case: Case, step: int, replies: list[Reply]) -> None:
    if step >= len(case.steps) or (replies and replies[-1].is_refusal):
        return
    is_last = step == len(case.steps) - 1
    others = (*(case.before if step == 0 else ()), *(case.after if is_last else ()))
    for thing in others:
        reply = client.apply(thing)
        assert not reply.is_refusal, (case.name, reply)
    replies.append(client.apply(case.steps[step], dry=case.is_dry))


def _settle(client: Client, stand_ins: StandIns, asked: Iterable[tuple[Case, list[Reply]]]) -> None:
    stored = [
        key_of(replies[-1].body)
        for case, replies in asked
        if not case.is_dry and not replies[-1].is_refusal
    ]
    for _ in range(2):
        wait_until_quiet(client, stored)
        stand_ins.work()
    wait_until_quiet(client, stored)


def row_of_case(client: Client, case: Case, reply: Reply, outcome: Outcome | None) -> Row:
    row = {"name": case.name, "given": case.steps[-1], **_circumstances(case), **_verdict(reply)}
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
    row |= {"before": before, "after": after, **_circumstances(case), **_verdict(replies[-1])}
    if replies[-1].is_refusal:
        return row
    old, new = outcomes[-2:]
    assert old
    assert new
    names = sorted({*old.objects, *new.objects})
    changes = {name: _changes(old.objects.get(name), new.objects.get(name)) for name in names}
    return row | {
        "templates": {name: _fate(old, new, name) for name in names if _has_template(name)},
        "changes": {name: found for name, found in changes.items() if found},
        "status": _status(new.status),
        "events": [text for text in new.events if text not in old.events],
    }


def _changes(old: Object | None, new: Object | None) -> Any:
    if old is None:
        return "added"
    return "removed" if new is None else list(differences(old, new))


def _has_template(name: str) -> bool:
    return name.partition("/")[0] in _TEMPLATES


def _fate(old: Outcome, new: Outcome, name: str) -> str:
    if name not in old.objects or name not in new.objects:
        return "added" if name in new.objects else "removed"
    if old.uids[name] != new.uids[name]:
        return "recreated"
    templates = [seen.objects[name]["spec"]["template"] for seen in (old, new)]
    return "same" if templates[0] == templates[1] else "changed"


def _circumstances(case: Case) -> Row:
    row: Row = {} if case.default_mode == "Knative" else {"default_mode": case.default_mode}
    row |= {"gateway_api": True} if case.gateway_api else {}
    row |= {"others_before": list(case.before)} if case.before else {}
    return row | ({"others_after": list(case.after)} if case.after else {})


def _verdict(reply: Reply) -> Row:
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


def read_rows(folder: str) -> Rows:
    """All recorded rows by file."""
    return {
        path.stem: json.loads(path.read_text("utf-8"))
        for path in sorted((OBSERVED / folder).glob("*.json"))
    }


def write_rows(folder: str, rows: Rows) -> None:
    """One file for each of the table, in the table's order."""
    place = OBSERVED / folder
    place.mkdir(parents=True, exist_ok=True)
    for path in place.glob("*.json"):
        path.unlink()
    for name, found in rows.items():
        (place / f"{name}.json").write_text(dumped(found), "utf-8")


def dumped(rows: list[Row]) -> str:
    return json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def count_cases(rows: Rows) -> str:
    """The figures that the documentation has."""
    found = [row for file in rows.values() for row in file]
    by = Counter(_judge(row) for row in found)
    parts = ", ".join(f"{name} {number}" for name, number in sorted(by.items()))
    return f"{len(found)} manifests: {parts}"


def _judge(row: Row) -> str:
    if not row["accepted"]:
        return "refused by the API server" if row["by"] == "API server" else "refused by a webhook"
    return "accepted"


def count_edits(rows: Rows) -> str:
    found = [row for file in rows.values() for row in file]
    by = Counter(fate for row in found for fate in row.get("templates", {"": "refused"}).values())
    parts = ", ".join(f"{name} {number}" for name, number in sorted(by.items()))
    return f"{len(found)} edits; pod templates: {parts}"
