"""Applying cases, and letting KubeRay do its work."""

from collections.abc import Iterable, Iterator

from conformance.kuberay.cases import Case
from conformance.kuberay.cluster import Asked, Outcome, asked_of, look, not_looked_at, versions
from conformance.kuberay.installation import KubeRay
from conformance.kuberay.standins import StandIns
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.quiet import wait_until_quiet

#: Longer than KubeRay waits before it looks again at a service (2 s) or a job (3 s).
_QUIET = 8.0


def ask(
    kuberay: KubeRay, cases: list[Case]
) -> Iterator[tuple[Case, list[Reply], list[Outcome | None]]]:
    """All cases at once, step by step: each has a name of its own, and waiting is what takes long.

    For each its replies and what there was after each step.
    """
    client, stand_ins = kuberay.client, StandIns(kuberay.client)
    others = [thing for case in cases for thing in case.before]
    for thing in others:
        reply = client.apply(thing)
        assert not reply.is_refusal, reply
    _settle(client, stand_ins, others)
    replies: list[list[Reply]] = [[] for _ in cases]
    looks = []
    patched: dict[Asked, Outcome] = {}
    for step in range(max(len(case.steps) for case in cases)):
        patched |= _patch(kuberay, stand_ins, [c for c in cases if len(c.steps) == step + 1])
        for case, given in zip(cases, replies, strict=True):
            if step < len(case.steps) and not (given and given[-1].is_refusal):
                given.append(client.apply(case.steps[step]))
        stored = [given[-1].body for given in replies if not given[-1].is_refusal]
        _settle(client, stand_ins, stored)
        looks.append(look(kuberay))
    for case, given in zip(cases, replies, strict=True):
        key = asked_of(case.steps[-1])
        outcomes = [seen.get(key) for seen in looks[: len(case.steps)]]
        if case.patch:
            outcomes[-2] = patched[key]
        yield case, given, outcomes
    _clear(client, cases)


def _patch(kuberay: KubeRay, stand_ins: StandIns, cases: list[Case]) -> dict[Asked, Outcome]:
    """What there is once somebody else has patched what is there, just before the last step."""
    wanted = {asked_of(case.steps[-1]): case for case in cases if case.patch}
    if not wanted:
        return {}
    for case in wanted.values():
        place = kuberay.client.path_of(case.steps[-1])
        reply = kuberay.client.request("PATCH", place, list(case.patch), "json-patch+json")
        assert not reply.is_refusal, (case.name, reply)
    _settle(kuberay.client, stand_ins, [])
    return {key: outcome for key, outcome in look(kuberay).items() if key in wanted}


def _settle(client: Client, stand_ins: StandIns, asked: Iterable[Object]) -> None:
    wanted = list(asked)

    def seen() -> set[str]:
        stand_ins.work()
        return versions(client)

    wait_until_quiet(_QUIET, seen, lambda: [item[1:] for item in not_looked_at(client, wanted)])


def _clear(client: Client, cases: list[Case]) -> None:
    """What is over need not be looked at while others are asked."""
    for case in cases:
        client.delete(case.steps[-1])
