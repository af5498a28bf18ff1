"""Stand-ins for controllers: they say of objects that they are healthy, or failed, or not yet."""

import time
from collections.abc import Callable, Iterable, Iterator

from conformance.flux.journal import KINDS, RENDERED
from conformance.flux.judge import CURRENT, FAILED, Expressions, judged
from conformance.flux.stage import Stage, told
from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of

_WITHOUT_STATUS = (
    "AppImage", "ServingRuntime", "ClusterServingRuntime", "LLMInferenceServiceConfig",
)  # fmt: skip
_PATIENCE = 120
#: The status of an object that is as wished.
Report = Callable[[Object, str], Object]


def _kuscia(thing: Object, wish: str) -> Object:
    """What Kuscia reports of all parties, or what went wrong before there was anything."""
    if wish == FAILED:
        return {"phase": "Failed", "reason": "BuildPartyKitInfoFailed", "message": "no such image"}
    parties = {
        party["domainID"]: {thing["metadata"]["name"]: _deployment(party, wish)}
        for party in thing["spec"]["parties"]
    }
    phase = "Available" if wish == CURRENT else "Progressing"
    return {
        "phase": phase,
        "reason": None,
        "message": None,
        "totalParties": len(parties),
        "availableParties": len(parties) if wish == CURRENT else 0,
        "partyDeploymentStatuses": parties,
    }


def _deployment(party: Object, wish: str) -> Object:
    replicas = party.get("template", {}).get("replicas", 1)
    done = replicas if wish == CURRENT else 0
    return {
        "replicas": replicas,
        "updatedReplicas": replicas,
        "availableReplicas": done,
        "unavailableReplicas": replicas - done,
    }


def _with_conditions(true: tuple[str, ...], failure: str, reason: str) -> Report:
    """For kinds that have conditions; that something failed is one of them, with a reason."""

    def report(thing: Object, wish: str) -> Object:
        states = dict.fromkeys(true, "True" if wish == CURRENT else "False")
        if wish == FAILED:
            states[failure] = "False" if failure in true else "True"
        conditions = [
            {
                "type": name,
                "status": state,
                "reason": reason if wish == FAILED else "Reported",
                "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
            for name, state in states.items()
        ]
        seen = thing["metadata"]["generation"]
        return {"conditions": conditions, "observedGeneration": seen}

    return report


def _llm(thing: Object, wish: str) -> Object:
    """What KServe reports of a language model, or that a configuration is missing."""
    found = _with_conditions(("Ready",), "Ready", "ConfigNotFound")(thing, wish)
    state = "False" if wish == FAILED else "True"
    combined = {**found["conditions"][0], "type": "PresetsCombined", "status": state}
    return {**found, "conditions": [*found["conditions"], combined]}


_REPORTS: dict[str, Report] = {
    "KusciaDeployment": _kuscia,
    "InferenceService": _with_conditions(("PredictorReady", "Ready"), "Ready", "ReconcileFailed"),
    "LLMInferenceService": _llm,
    "InferenceGraph": _with_conditions(("Ready",), "Ready", "Failed"),
    "TrainedModel": _with_conditions(
        ("InferenceServiceReady", "IsMMSPredictor", "MemoryResourceAvailable", "Ready"),
        "IsMMSPredictor",
        "IsNotMMSPredictor",
    ),
    "RayCluster": _with_conditions(
        ("HeadPodReady", "RayClusterProvisioned"), "ReplicaFailure", "FailedCreatePod"
    ),
    "RayService": _with_conditions(("Ready",), "Ready", "InitializingTimeout"),
}


def workloads(client: Client) -> Iterator[Object]:
    """Objects that a platform says something of."""
    for kind in RENDERED:
        if kind not in _WITHOUT_STATUS:
            version = KINDS[kind].removeprefix("/apis/").rpartition("/")[0]
            for item in items_of(client, KINDS[kind]):
                yield {"apiVersion": version, "kind": kind, **item}


def say(client: Client, thing: Object, wish: str) -> None:
    """What the platform of an object would write, if it were as wished."""
    report(client, thing, _REPORTS[thing["kind"]](thing, wish))


def say_all_is_well(client: Client, things: Iterable[Object]) -> None:
    """Of each that a platform says something of, once for each generation."""
    for thing in things:
        seen = thing.get("status", {}).get("observedGeneration")
        if seen != thing["metadata"]["generation"]:
            say(client, thing, CURRENT)


_DONE = {"status": "True", "lastTransitionTime": "2026-01-01T00:01:00Z"}
#: Of a claim that is bound, and of a job that is complete.
BOUND: Object = {
    "phase": "Bound",
    "accessModes": ["ReadWriteOnce"],
    "capacity": {"storage": "10Gi"},
}
COMPLETE: Object = {
    "startTime": "2026-01-01T00:00:00Z",
    "completionTime": "2026-01-01T00:01:00Z",
    "succeeded": 1,
    "conditions": [{"type": "SuccessCriteriaMet", **_DONE}, {"type": "Complete", **_DONE}],
}


def report(client: Client, thing: Object, status: Object) -> None:
    """What a controller of Kubernetes would write."""
    path = f"{client.path_of(thing)}/status"
    reply = client.request("PATCH", path, {"status": status}, "merge-patch+json")
    assert not reply.is_refusal, reply


def settle(stage: Stage, expressions: Expressions, is_done: Callable[[], bool]) -> None:
    """Say of everything that it is healthy, until Flux has done what it is asked for."""
    end = time.monotonic() + _PATIENCE
    while not is_done():
        if time.monotonic() > end:
            said = {name: told(item) for name, item in stage.kustomizations().items()}
            raise TimeoutError(f"not so after {_PATIENCE} s; Flux says {said}")
        for cluster in stage.clusters:
            _heal(stage, cluster.client, expressions)
        time.sleep(0.3)


def _heal(stage: Stage, client: Client, expressions: Expressions) -> None:
    found = list(workloads(client))
    for thing, verdict in zip(found, judged(stage.judge, expressions, found), strict=True):
        if verdict.status != CURRENT:
            say(client, thing, CURRENT)
