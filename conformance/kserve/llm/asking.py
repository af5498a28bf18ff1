"""Applying cases, and letting KServe do its work."""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from conformance.kserve.llm.cases import NAMESPACE, Case
from conformance.kserve.llm.cluster import Outcome, look, renamed, settle
from conformance.kserve.llm.standins import StandIns
from conformance.kserve.settings import configure
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.installation import add_namespace
from conformance.operators.quiet import Key, key_of

_ROUNDS = 8
#: So many at once that all lists can still be read twice a second.
_BATCH = 60


class Answer(NamedTuple):
    """The replies to a case's steps, and what there was after each."""

    case: Case
    replies: list[Reply]
    outcomes: list[Outcome | None]


def ask(client: Client, cases: Iterable[Case]) -> Iterator[Answer]:
    """Those with the same settings at once; each is in a namespace of its own."""
    stand_ins = StandIns(client)
    for _, group in groupby(sorted(cases, key=_settings), key=_settings):
        found = list(group)
        for start in range(0, len(found), _BATCH):
            batch = found[start : start + _BATCH]
            configure(client, batch[0].settings or {})
            yield from _ask_batch(client, stand_ins, batch)


def _settings(case: Case) -> str:
    return json.dumps([case.settings, case.settings_after], sort_keys=True)


def _ask_batch(client: Client, stand_ins: StandIns, cases: list[Case]) -> Iterator[Answer]:
    for case in cases:
        add_namespace(client, case.place)
        metadata = {"name": "default", "namespace": case.place}
        account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}
        assert not client.apply(account).is_refusal
    replies: list[list[Reply]] = [[] for _ in cases]
    looks = []
    for step in range(max(len(case.steps) for case in cases)):
        if step and cases[0].settings_after:
            configure(client, cases[0].settings_after)
        for case, given in zip(cases, replies, strict=True):
            _apply_step(client, case, step, given)
        _settle(client, stand_ins, _stored(cases, replies))
        looks.append(look(client, {case.place for case in cases}))
    for case, given in zip(cases, replies, strict=True):
        key = case.place, case.steps[-1]["metadata"]["name"]
        yield Answer(case, given, [seen.get(key) for seen in looks[: len(case.steps)]])
    for case in cases:
        if case.is_service:  # KServe looks at all services whenever the settings change
            client.delete(_placed(case.steps[-1], case))


def _apply_step(client: Client, case: Case, step: int, replies: list[Reply]) -> None:
    if step >= len(case.steps) or (replies and replies[-1].is_refusal):
        return
    is_last = step == len(case.steps) - 1
    for thing in (*(case.before if step == 0 else ()), *(case.after if is_last else ())):
        reply = client.apply(_placed(thing, case))
        if reply.is_refusal:
            replies.append(reply)
            return
    replies.append(client.apply(_placed(case.steps[step], case)))


def _placed(thing: Object, case: Case) -> Object:
    """Where it is in truth; texts may name the place too."""
    result: Object = renamed(thing, NAMESPACE, case.place)
    return result


def _stored(cases: list[Case], replies: list[list[Reply]]) -> list[Key]:
    return [
        key_of(given[-1].body)
        for case, given in zip(cases, replies, strict=True)
        if given and not given[-1].is_refusal
    ]


def _settle(client: Client, stand_ins: StandIns, stored: list[Key]) -> None:
    settle(client, stored)
    for _ in range(_ROUNDS):
        if not stand_ins.work():
            return
        settle(client, stored)
