"""Applying cases, and letting KServe do its work."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from conformance.kserve.plain.cases import NAMESPACE, Case
from conformance.kserve.plain.cluster import Outcome, look, renamed, settle, which
from conformance.kserve.plain.fetching import fetched
from conformance.kserve.plain.installation import SETTINGS
from conformance.kserve.plain.standins import StandIns
from conformance.kserve.settings import configure
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.installation import add_namespace

_ROUNDS = 8
#: So many at once that all lists can still be read twice a second.
_BATCH = 60


class Answer(NamedTuple):
    """The replies to a case's steps, and what there was after each; what a pod fetches then."""

    case: Case
    replies: list[Reply]
    outcomes: list[Outcome]
    fetched: Sequence[Object] = ()


def ask(client: Client, cases: Iterable[Case], models: Path) -> Iterator[Answer]:
    """Those with the same settings at once; each has a word of its own."""
    stand_ins = StandIns(client, models)
    every = list(cases)
    for case in every:
        if case.fetched:
            yield _ask_alone(client, case)
    rest = sorted((case for case in every if not case.fetched), key=_settings)
    for _, group in groupby(rest, key=_settings):
        found = list(group)
        configure(client, {**SETTINGS, **found[0].settings})
        for start in range(0, len(found), _BATCH):
            yield from _ask_batch(client, stand_ins, found[start : start + _BATCH])


def _settings(case: Case) -> str:
    return json.dumps(case.settings, sort_keys=True)


def _ask_alone(client: Client, case: Case) -> Answer:
    """Of what every pod of the cluster meets: nobody else asks meanwhile, and it is taken away."""
    add_namespace(client, case.place)
    replies: list[Reply] = []
    outcomes: list[Outcome] = []
    seen: list[Object] = []
    for step in range(len(case.steps)):
        _take_step(client, case, step, replies)
        seen = [] if replies[-1].is_refusal else fetched(client, case.place, case.fetched)
        outcomes += look(client, [_there(case.asked, case)])
    client.delete(_there(case.asked, case))
    return Answer(case, replies, outcomes, seen)


def _ask_batch(client: Client, stand_ins: StandIns, cases: list[Case]) -> Iterator[Answer]:
    for case in cases:
        add_namespace(client, case.place)
    replies: list[list[Reply]] = [[] for _ in cases]
    _apply_others(client, cases, "before", replies)
    _settle(client, stand_ins, [])
    looks = []
    for step in range(max(len(case.steps) for case in cases)):
        if step == 1:
            _apply_others(client, cases, "after", replies)
            _settle(client, stand_ins, [])
        for case, given in zip(cases, replies, strict=True):
            _take_step(client, case, step, given)
        _settle(client, stand_ins, cases)
        looks.append(look(client, [_there(case.asked, case) for case in cases]))
    for number, (case, given) in enumerate(zip(cases, replies, strict=True)):
        yield Answer(case, given, [seen[number] for seen in looks[: len(case.steps)]])


def _apply_others(client: Client, cases: list[Case], when: str, replies: list[list[Reply]]) -> None:
    for case, given in zip(cases, replies, strict=True):
        for thing in getattr(case, when):
            reply = client.apply(_there(thing, case))
            if reply.is_refusal:
                given.append(reply)
                break


def _take_step(client: Client, case: Case, step: int, replies: list[Reply]) -> None:
    if step >= len(case.steps) or (replies and replies[-1].is_refusal):
        return
    if step and step == len(case.steps) - 1:
        for thing in case.gone:
            client.delete(_there(thing, case))
    manifest = case.steps[step]
    if manifest is None:
        replies.append(client.delete(_there(case.asked, case)))
    else:
        replies.append(client.apply(_there(manifest, case)))


def _there(thing: Object, case: Case) -> Object:
    """As it is in truth; texts may name the place too."""
    result: Object = renamed(thing, NAMESPACE, case.place)
    return result


def _settle(client: Client, stand_ins: StandIns, cases: Iterable[Case]) -> None:
    asked = [which(_there(case.asked, case)) for case in cases]
    settle(client, asked)
    for _ in range(_ROUNDS):
        if not stand_ins.work():
            return
        settle(client, asked)
