"""Applying cases, and letting KServe do its work."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from conformance.kserve.cases import Case
from conformance.kserve.cluster import Outcome, look, settle
from conformance.kserve.installation import configure
from conformance.kserve.standins import StandIns
from conformance.kubernetes.client import Client, Reply
from conformance.operators.installation import add_namespace
from conformance.operators.quiet import key_of

#: More often than anything takes: what stand-ins say again and again would never end.
_ROUNDS = 8


def ask(
    client: Client, cases: list[Case]
) -> Iterator[tuple[Case, list[Reply], list[Outcome | None]]]:
    """All cases at once, step by step: each has a name of its own, and waiting is what takes long.

    For each its replies and what there was after each step.
    """
    _add_namespaces(client, cases)
    stand_ins = StandIns(client)
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


def _add_namespaces(client: Client, cases: Iterable[Case]) -> None:
    places = {key_of(thing)[0] for case in cases for thing in (*case.steps, *case.before)}
    for name in sorted(filter(None, places)):
        add_namespace(client, name)


def _config(case: Case) -> tuple[str, bool]:
    return case.default_mode, case.gateway_api


def _apply_step(client: Client, case: Case, step: int, replies: list[Reply]) -> None:
    if step >= len(case.steps) or (replies and replies[-1].is_refusal):
        return
    is_last = step == len(case.steps) - 1
    others = (*(case.before if step == 0 else ()), *(case.after if is_last else ()))
    for thing in others:
        reply = client.apply(thing)
        if reply.is_refusal and case.is_about_others:
            replies.append(reply)
            return
        assert not reply.is_refusal, (case.name, reply)
    replies.append(client.apply(case.steps[step], dry=case.is_dry))


def _settle(client: Client, stand_ins: StandIns, asked: Iterable[tuple[Case, list[Reply]]]) -> None:
    stored = [
        key_of(replies[-1].body)
        for case, replies in asked
        if not case.is_dry and not replies[-1].is_refusal
    ]
    settle(client, stored)
    for _ in range(_ROUNDS):
        is_new = stand_ins.work()
        settle(client, stored)
        if not is_new:
            return
