"""What Argo CD finds different between rendered objects and stored ones."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from importlib import import_module
from typing import Any, NamedTuple

from conformance.argocd.program import Answer, Judge
from conformance.kubernetes.client import Object

#: What an Application has as `ignoreDifferences`.
Ignored = list[dict[str, Any]]


class Pair(NamedTuple):
    """An object as it is rendered, and as it is stored."""

    name: str
    rendered: Object
    live: Object


class Comparison(NamedTuple):
    """How an Application compares: with the settings of Argo CD, and its own."""

    how: str
    settings: dict[str, str]
    ignored: Ignored

    def of(self, judge: Judge, pairs: Iterable[Pair]) -> dict[str, Answer]:
        """Argo CD's answers for the pairs that differ."""
        asked = list(pairs)
        shared = {"how": self.how, "settings": self.settings, "ignored": self.ignored}
        requests = ({**shared, "rendered": one.rendered, "live": one.live} for one in asked)
        answers = judge.ask("differences", requests)
        found = zip(asked, answers, strict=True)
        return {one.name: answer for one, answer in found if answer != {"modified": False}}


def observed() -> list[Pair]:
    """All that was observed of the platforms."""
    # Tests are not typed, and mypy would ask it of whatever is imported by name.
    found = import_module("tests.support.rendered_and_stored").pairs()
    return [Pair(*row) for row in found]


def autoscaled(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Ray clusters whose autoscaler has been at work: it patches the object itself."""
    for one in pairs:
        spec = one.live["spec"]
        if one.rendered["kind"] == "RayCluster" and spec.get("enableInTreeAutoscaling"):
            live = deepcopy(one.live)
            for group in live["spec"]["workerGroupSpecs"]:
                group["replicas"] = group.get("replicas", 0) + 1
                group.setdefault("scaleStrategy", {})["workersToDelete"] = ["somebody"]
            yield Pair(one.name, one.rendered, live)


def scaled_by_hand(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Ray clusters without an autoscaler, with more workers than Git says."""
    for one in pairs:
        spec = one.live["spec"]
        groups = spec.get("workerGroupSpecs")
        plain = one.rendered["kind"] == "RayCluster" and not spec.get("enableInTreeAutoscaling")
        if plain and groups and "replicas" in one.rendered["spec"]["workerGroupSpecs"][0]:
            live = deepcopy(one.live)
            live["spec"]["workerGroupSpecs"][0]["replicas"] += 1
            yield Pair(one.name, one.rendered, live)
