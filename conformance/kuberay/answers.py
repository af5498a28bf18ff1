"""What KubeRay answered, as rows that can be written down and compared."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from conformance.kuberay.cases import Case
from conformance.kuberay.cluster import Events, Outcome
from conformance.kuberay.names import Names
from conformance.kuberay.plain import content_of, status_of
from conformance.kubernetes.client import Object, Reply
from conformance.operators.plain import described, differences
from conformance.operators.records import Row

#: Where the embedded cluster is in what people write.
_EMBEDDED = {"RayJob": "rayClusterSpec", "RayService": "rayClusterConfig"}
_LATER = "API server, later"
#: How the API server speaks of what KubeRay made.
_SERVER = '" is invalid: '


class Group(NamedTuple):
    """The pods of a group of a Ray cluster, by their identity."""

    pods: dict[str, Object]

    @property
    def uids(self) -> frozenset[str]:
        return frozenset(self.pods)

    @property
    def first(self) -> Object:
        """The one with the lowest index, if they have any."""
        return min(self.pods.values(), key=lambda pod: sorted(pod["labels"].items()))


class Seen(NamedTuple):
    """An outcome in words that stay the same from run to run."""

    thing: Object
    objects: dict[str, Object]
    uids: dict[str, str]
    groups: dict[str, Group]
    events: Events
    written: dict[str, list[Object]]


def seen(outcome: Outcome, names: Names) -> Seen:
    names.learn(outcome.made)
    names.learn_status(outcome.thing.get("status", {}))
    texts = [text for _, text in outcome.events]
    thing, made, told, written = names.replaced(
        [outcome.thing, outcome.made, texts, outcome.written]
    )
    events: Events = Counter()
    for text, ((uid, _), count) in zip(told, outcome.events.items(), strict=True):
        events[uid, text] += count
    uids = [item["metadata"]["uid"] for item in outcome.made]
    objects = {
        f"{item['kind']}/{item['metadata']['name']}": (item, uid)
        for item, uid in zip(made, uids, strict=True)
        if item["kind"] != "Pod"
    }
    return Seen(
        thing,
        {name: content_of(item) for name, (item, _) in sorted(objects.items())},
        {name: uid for name, (_, uid) in objects.items()},
        _groups(zip(made, uids, strict=True)),
        events,
        written,
    )


def _groups(things: Iterable[tuple[Object, str]]) -> dict[str, Group]:
    found: dict[str, dict[str, Object]] = {}
    for pod, uid in things:
        if pod["kind"] == "Pod":
            labels = pod["metadata"]["labels"]
            name = f"{labels['ray.io/cluster']}/{labels['ray.io/group']}"
            found.setdefault(name, {})[uid] = content_of(pod)
    return {name: Group(pods) for name, pods in sorted(found.items())}


def row_of_case(case: Case, reply: Reply, outcome: Outcome | None) -> Row:
    given = case.steps[-1]
    row: Row = {"name": case.name, "given": given}
    row |= {"others_before": list(case.before)} if case.before else {}
    if reply.is_refusal:
        return row | _refusal(reply)
    if outcome is None:
        return row | {"accepted": True, "gone": True}
    found = seen(outcome, Names(given["metadata"]["name"]))
    row |= _verdict(found.events) | _told(found, Counter())
    if case.is_brief:
        return row
    return row | {
        "stored": list(differences(described(given), described(found.thing))),
        "finalizers": found.thing["metadata"].get("finalizers", []),
        "objects": {name: _shown(given, thing) for name, thing in found.objects.items()},
        "pods": {
            name: {"count": len(group.uids), "pod": group.first}
            for name, group in found.groups.items()
        },
        "written": {name: _different(content) for name, content in found.written.items()},
    }


def _shown(given: Object, thing: Object) -> Object:
    """A Ray cluster of a job or a service as far as it is not what was given."""
    place = _EMBEDDED.get(given["kind"])
    if place is None or place not in given["spec"] or "headGroupSpec" not in thing.get("spec", {}):
        return thing
    changes = list(differences(given["spec"][place], thing["spec"]))
    return {**{key: thing[key] for key in thing if key != "spec"}, "spec_changes": changes}


def row_of_edit(case: Case, replies: list[Reply], outcomes: list[Outcome | None]) -> Row:
    *earlier, before, after = case.steps
    row: Row = {"name": case.name} | ({"earlier": earlier} if earlier else {})
    row |= {"before": before, "after": after}
    row |= {"patched": list(case.patch)} if case.patch else {}
    row |= {"others_before": list(case.before)} if case.before else {}
    if replies[-1].is_refusal:
        return row | {"outcome": "refused"} | _refusal(replies[-1])
    names = Names(after["metadata"]["name"])
    old, new = [seen(item, names) for item in outcomes if item][-2:]
    verdict = _verdict(new.events - old.events)
    pods = _pods(old, new)
    changes = _changes(old, new)
    written = {
        name: _different(content[len(old.written.get(name, ())) :])
        for name, content in new.written.items()
        if len(content) > len(old.written.get(name, ()))
    }
    return (
        row
        | {"outcome": outcome_of(verdict, pods, changes, written)}
        | verdict
        | _told(new, old.events)
        | {"stored": list(differences(described(old.thing), described(new.thing)))}
        | {"pods": pods, "changes": changes, "written": written}
    )


def _different(things: list[Object]) -> list[Object]:
    """Without repetitions, of which there are as many as KubeRay had time for."""
    return [thing for thing, _ in groupby(things)]


def _pods(old: Seen, new: Seen) -> dict[str, dict[str, int]]:
    """For each group how many pods stayed, went and came."""
    found = {}
    for name in sorted({*old.groups, *new.groups}):
        was, now = (
            side.groups[name].uids if name in side.groups else frozenset() for side in (old, new)
        )
        counts = {"kept": len(was & now), "gone": len(was - now), "new": len(now - was)}
        found[name] = {key: number for key, number in counts.items() if number}
    return found


def _changes(old: Seen, new: Seen) -> dict[str, Any]:
    """For each object that differs, and for the pods that stayed."""
    names = sorted({*old.objects, *new.objects})
    found = {name: _change(old, new, name) for name in names}
    for name in sorted({*old.groups} & {*new.groups}):
        was, now = old.groups[name].pods, new.groups[name].pods
        kept = sorted(uid for uid in was if uid in now)
        found[f"pods of {name}"] = [
            item for uid in kept for item in differences(was[uid], now[uid])
        ]
    return {name: change for name, change in found.items() if change}


def _change(old: Seen, new: Seen, name: str) -> Any:
    if name not in old.objects or name not in new.objects:
        return "added" if name in new.objects else "removed"
    if old.uids[name] != new.uids[name]:
        return "recreated"
    return list(differences(old.objects[name], new.objects[name]))


def outcome_of(
    verdict: Row, pods: dict[str, dict[str, int]], changes: dict[str, Any], written: Any
) -> str:
    """In one word; `README.md` beside the records says what each means."""
    heads = [counts for name, counts in pods.items() if name.endswith("/headgroup")]
    if not verdict["accepted"]:
        return "invalid"
    if any(name.startswith("RayCluster/") and how == "added" for name, how in changes.items()):
        return "new-cluster"
    if pods and not any("kept" in counts or "new" in counts for counts in pods.values()):
        return "stopped"
    if any("new" in counts for counts in heads):
        return "recreated" if any("gone" in counts for counts in heads) else "started"
    if any("gone" in counts or "new" in counts for counts in pods.values()):
        return "scaled"
    return "in-place" if changes or written else "nothing"


def _told(found: Seen, before: Events) -> Row:
    return {
        "generation": found.thing["metadata"]["generation"],
        "status": status_of(found.thing),
        "events": sorted({text for _, text in found.events - before}),
    }


def _refusal(reply: Reply) -> Row:
    head, found, rest = reply.body["message"].partition(" denied the request: ")
    by = head.partition('"')[2].rstrip('"') if found else "API server"
    return {"accepted": False, "by": by, "message": rest if found else head}


def _verdict(events: Events) -> Row:
    """KubeRay says what it does not take as an event, and what it could not do likewise."""
    for reason in ("Invalid", "Failed"):
        for text in sorted(text for _, text in events):
            _, _, told = text.partition("Warning: ")
            if told.partition(" ")[2].startswith(reason):
                message = told.partition(": ")[2]
                later = reason == "Failed" and _SERVER in message
                return {
                    "accepted": False,
                    "by": _LATER if later else "operator",
                    "message": message,
                }
    return {"accepted": True}
