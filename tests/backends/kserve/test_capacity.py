"""What components ask of their clusters: what runs, what will run, and the time in between."""

from decimal import Decimal

from renderer.changes.capacity import capacity
from renderer.values.changes import AffectedObject
from tests.support.kserve_states import (
    CONTAINER,
    compared,
    impacts,
    manifest,
    model,
    runtime,
    service,
    state,
)
from tests.support.rows import each

S, K = "Standard", "Knative"
GIB = 2**30
NEXT = "gs://models/iris/2"
CANARY = [{"predictor": {"name": "green", "model": {"storageUri": NEXT}}, "trafficPercent": 50}]
NONE, EXTERNAL = ({"serving.kserve.io/autoscalerClass": name} for name in ("none", "external"))


def asked(before, after, old=None, new=None):
    """What changes by unit and resource: before, after, peak."""
    pairs = [
        [manifest(item) if item else None for item in pair]
        for pair in ((before, after), (old, new or old))
        if any(pair)
    ]
    sides = [state(*(pair[index] for pair in pairs if pair[index])) for index in (0, 1)]
    changes = [compared(*pair) for pair in pairs if pair[0] != pair[1]]
    objects = [AffectedObject(item, tuple(impacts(item, *sides))) for item in changes]
    return {
        (row.unit, row.resource): (row.before, row.after, row.peak)
        for row in capacity(objects, *sides)
    }


def cpu(*arguments):
    """The same of cores alone, by unit."""
    return {key[0]: row for key, row in asked(*arguments).items() if key[1] == "cpu"}


def sized(cores, mode=S, uri="gs://models/iris/1", **fields):
    """A service that asks for some cores."""
    amounts = {"cpu": cores, "memory": "2Gi"}
    resources = {"requests": amounts, "limits": amounts}
    return service(mode, model=model(resources=resources, storageUri=uri), **fields)


ROLLING = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
P = "predictor"
ROWS = {
    "created": (None, sized("2"), {P: (0, 2, 2)}),
    "created, up to its maximum": (None, sized("2", maxReplicas=3), {P: (0, 2, 6)}),
    "deleted": (sized("2", minReplicas=2), None, {P: (4, 0, 4)}),
    "a rollout": (sized("2"), sized("2", uri=NEXT), {P: (2, 2, 4)}),
    "a rollout of more": (
        sized("2", minReplicas=4),
        sized("2", minReplicas=4, uri=NEXT),
        {P: (8, 8, 10)},
    ),
    "a rollout at the maximum": (
        sized("2", minReplicas=2, maxReplicas=8),
        sized("2", minReplicas=2, maxReplicas=8, uri=NEXT),
        {P: (4, 4, 20)},
    ),
    "scaled elsewhere from now on": (
        sized("2", minReplicas=2, maxReplicas=8),
        sized("2", minReplicas=2, maxReplicas=8, annotations=EXTERNAL),
        {P: (4, 4, 20)},
    ),
    "a rollout without a surge": (
        sized("2", deploymentStrategy=ROLLING),
        sized("3", deploymentStrategy=ROLLING),
        {P: (2, 3, 3)},
    ),
    "a rollout by Recreate": (
        sized("3", deploymentStrategy={"type": "Recreate"}),
        sized("2", deploymentStrategy={"type": "Recreate"}),
        {P: (3, 2, 3)},
    ),
    "larger pods": (sized("2"), sized("4"), {P: (2, 4, 6)}),
    "a label": (sized("2"), sized("2", labels={"a": "b"}), {P: (2, 2, 4)}),
    "other bounds": (sized("2"), sized("2", minReplicas=2, maxReplicas=4), {P: (2, 4, 8)}),
    "another bound": (sized("2", maxReplicas=2), sized("2", maxReplicas=3), {P: (2, 2, 6)}),
    "no pods of a Deployment": (sized("2"), sized("2", minReplicas=0), {}),
    "as many as it says": (
        sized("2", annotations=NONE),
        sized("2", annotations=NONE, minReplicas=3),
        {P: (2, 6, 6)},
    ),
    "nothing that matters": (sized("2"), sized("2", canaryTrafficPercent=10), {}),
    "a canary": (sized("2"), sized("2", canary=CANARY), {"predictor/green": (0, 2, 2)}),
    "a canary in place of pods": (
        sized("2", minReplicas=4),
        sized("2", minReplicas=4, canary=CANARY),
        {P: (8, 4, 8), "predictor/green": (0, 4, 4)},
    ),
    "a canary goes": (sized("2", canary=CANARY), sized("2"), {"predictor/green": (2, 0, 2)}),
    "promotion": (
        sized("2", canary=CANARY),
        sized("2", name_="green", uri=NEXT),
        {"predictor/green": (2, 0, 2)},
    ),
    "another name": (
        sized("2", minReplicas=4),
        sized("2", minReplicas=4, name_="green", uri=NEXT),
        {P: (8, 8, 16)},
    ),
    "another name, and the old one stays": (
        sized("2", K),
        sized("3", K, name_="green", uri=NEXT),
        {P: (2, 5, 5)},
    ),
    "another service": (
        sized("2", minReplicas=4),
        sized("2", minReplicas=4, name="flower"),
        {P: (8, 8, 16)},
    ),
    "another service in another mode": (sized("2"), sized("2", K, name="f"), {P: (2, 2, 4)}),
    "a new revision": (sized("2", K), sized("2", K, uri=NEXT), {P: (2, 2, 4)}),
    "a new revision of more": (
        sized("2", K, minReplicas=2, maxReplicas=5),
        sized("2", K, minReplicas=2, maxReplicas=5, uri=NEXT),
        {P: (4, 4, 14)},
    ),
    "a new revision of fewer": (
        sized("2", K, minReplicas=1, maxReplicas=5),
        sized("2", K, minReplicas=1, maxReplicas=2, uri=NEXT),
        {P: (2, 2, 12)},
    ),
    "a new revision that may grow": (
        sized("2", K, minReplicas=1, maxReplicas=2),
        sized("2", K, minReplicas=1, maxReplicas=5, uri=NEXT),
        {P: (2, 2, 12)},
    ),
    "still refused": (
        sized("2", K, canary=CANARY),
        sized("2", K, canary=CANARY, minReplicas=3),
        {},
    ),
    "a new revision from nothing": (
        sized("2", K, minReplicas=0),
        sized("2", K, minReplicas=0, uri=NEXT),
        {P: (0, 0, 4)},
    ),
    "other bounds of revisions": (
        sized("2", K),
        sized("2", K, minReplicas=3),
        {P: (2, 6, 8)},
    ),
    "a canary of revisions": (
        sized("2", K),
        sized("3", K, canaryTrafficPercent=10),
        {P: (2, 5, 5)},
    ),
    "its promotion": (
        sized("3", K, canaryTrafficPercent=10),
        sized("3", K),
        {P: (6, 3, 6)},
    ),
    "its other part": (
        sized("3", K, canaryTrafficPercent=10),
        sized("3", K, canaryTrafficPercent=50),
        {},
    ),
    "refused": (sized("2", K), sized("4", K, canary=CANARY), {}),
    "broken": (sized("2"), service(S, model=model(resources={"requests": {"cpu": "9"}})), {}),
    "stopped": (
        sized("2"),
        sized("2", annotations={"serving.kserve.io/stop": "true"}),
        {P: (2, 0, 2)},
    ),
    "created, then left alone": (
        None,
        sized("2", annotations={"serving.kserve.io/disable-auto-update": "true"}),
        {P: (0, 2, 2)},
    ),
    "left alone": (
        sized("2"),
        sized("4", annotations={"serving.kserve.io/disable-auto-update": "true"}),
        {},
    ),
}


@each("before after wanted", ROWS)
def test_cores(before, after, wanted):
    found = cpu(before, after)
    assert found == {unit: tuple(map(Decimal, row)) for unit, row in wanted.items()}


def test_a_runtime_gives_what_the_service_does_not_say():
    found = asked(None, service(S, model=model(resources={"limits": {"nvidia.com/gpu": "1"}})))
    assert found == {
        (P, "cpu"): (0, 1, 1),
        (P, "memory"): (0, 2 * GIB, 2 * GIB),
        (P, "nvidia.com/gpu"): (0, 1, 1),
    }


def test_the_edit_of_a_runtime_asks_for_all_its_users():
    small, large = (
        runtime(containers=[{**CONTAINER, "resources": {"requests": {"cpu": cores}}}])
        for cores in ("1", "3")
    )
    user = service(S, model=model(runtime="ours"), minReplicas=2)
    assert cpu(user, user, small, large) == {P: (2, 6, 7)}


def test_what_is_left_behind_still_asks():
    part = {"containers": [{**CONTAINER, "resources": {"requests": {"cpu": "1"}}}]}
    assert cpu(service(S, transformer=part), service(S)) == {}
