"""What parties ask of their control planes: what runs, what will run, and the rollout between."""

from decimal import Decimal

import pytest

from renderer.changes.capacity import capacity
from renderer.values.changes import AffectedObject
from tests.support.states import (
    CONTAINER,
    carrying,
    compared,
    deployment,
    image,
    impacts,
    manifest,
    party,
    state,
)

GIB = 2**30
HALF = Decimal("0.5")
TAG = {"name": "example/scorer", "tag": "v2"}


def asked(before, after, old=None, new=None, env=(None, None)):
    """What changes by unit and resource: before, after, peak; AppImages are everywhere."""
    images = [old or image(), new or old or image()]
    trees = [
        tree and manifest(carrying(tree, own))
        for tree, own in zip((before, after), images, strict=True)
    ]
    copies = [[manifest(own, at) for at in ("east", "west")] for own in images]
    states = [
        state(*([tree] if tree else ()), *own, env=known)
        for tree, own, known in zip(trees, copies, env, strict=True)
    ]
    pairs = [trees, *zip(*copies, strict=True)]
    changes = [compared(*pair) for pair in pairs if pair[0] != pair[1]]
    objects = [AffectedObject(item, tuple(impacts(item, *states))) for item in changes]
    return {
        (row.destination, row.unit, row.resource): (row.before, row.after, row.peak)
        for row in capacity(objects, *states)
    }


def cpu(*arguments, **options):
    """The same of cores alone, by unit."""
    return {key[1]: row for key, row in asked(*arguments, **options).items() if key[2] == "cpu"}


def of(*parties, config="{}"):
    return deployment(*parties, config=config)


def rolled(*parties, **changes):
    """What a rollout of an image's edit asks of a deployment."""
    return cpu(of(*parties), of(*parties), image(**changes), image(**{**changes, "image": TAG}))


def rolling(surge):
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": 0}}


def override(**resources):
    return {"containers": [{"name": "main", "workingDir": "", "resources": resources}]}


def with_containers(*containers, **members):
    return {
        "deployTemplates": [{"name": "main", **members, "spec": {"containers": list(containers)}}]
    }


def sized(amount, **members):
    """An AppImage whose container requests some cores."""
    container = {**CONTAINER, "resources": {"requests": {"cpu": amount}}}
    return image(**with_containers(container, **members))


def test_a_new_serving_and_one_that_goes():
    tree = of(party("alice", replicas=5))
    assert asked(None, tree) == {
        ("east", "alice", "cpu"): (0, 5, 5),
        ("east", "alice", "memory"): (0, 5 * GIB, 5 * GIB),
    }
    assert cpu(tree, None) == {"alice": (5, 0, 5)}


@pytest.mark.parametrize(
    ("replicas", "strategy", "pods"),
    [
        (4, rolling("25%"), 1),
        (5, None, 2),
        (5, rolling("50%"), 3),
        (3, rolling(2), 2),
        (3, rolling("2"), 2),
        (2, rolling(5), 2),
        (3, None, 1),
    ],
)
def test_a_rollout_adds_its_surge(replicas, strategy, pods):
    given = party("alice", replicas=replicas, strategy=strategy)
    if strategy is None:
        del given["template"]["strategy"]
    assert rolled(given) == {"alice": (replicas, replicas, replicas + pods)}


@pytest.mark.parametrize(
    ("replicas", "strategy"), [(0, rolling(1)), (3, rolling(0)), (3, {"type": "Recreate"})]
)
def test_a_rollout_without_a_surge(replicas, strategy):
    assert not rolled(party("alice", replicas=replicas, strategy=strategy))


@pytest.mark.parametrize(
    ("replicas", "before", "after", "row"),
    [
        (1, "500m", "1", (HALF, 1, 1 + HALF)),  # one of each
        (2, "500m", "1", (1, 2, 2 + HALF)),  # two new ones and an old one
        (2, "1", "500m", (2, 1, 2 + HALF)),  # two old ones and a new one
    ],
)
def test_a_rollout_that_changes_the_size_of_pods(replicas, before, after, row):
    tree = of(party("alice", replicas=replicas, strategy=rolling(1)))
    assert cpu(tree, tree, sized(before), sized(after)) == {"alice": row}


@pytest.mark.parametrize(
    ("replicas", "row"), [((2, 4), (2, 4, 5)), ((4, 2), (4, 2, 4)), ((4, 3), (4, 3, 4))]
)
def test_a_rollout_together_with_another_number_of_pods(replicas, row):
    trees = [
        of(party("alice", replicas=number, strategy=rolling(1)), config=text)
        for number, text in zip(replicas, "ab", strict=True)
    ]
    assert cpu(*trees) == {"alice": row}


def test_scaling_adds_no_surge():
    trees = [of(party("alice", replicas=number)) for number in (4, 8)]
    assert cpu(*trees) == {"alice": (4, 8, 8)}


@pytest.mark.parametrize(("own", "templates", "pods"), [(3, 2, 3), (None, 2, 2), (None, None, 1)])
def test_replicas_of_the_party_then_the_template_then_one(own, templates, pods):
    given = party("alice", replicas=own)
    members = {} if templates is None else {"replicas": templates}
    if own is None:
        del given["template"]["replicas"]
    found = cpu(None, of(given), image(**with_containers(CONTAINER, **members)))
    assert found == {"alice": (0, pods, pods)}


def test_an_override_replaces_a_whole_map():
    given = party("alice", replicas=1, spec=override(requests={"cpu": "250m"}))
    amount = Decimal("0.25")
    assert asked(None, of(given)) == {("east", "alice", "cpu"): (0, amount, amount)}


def test_limits_stand_in_for_requests():
    given = party("alice", spec=override(limits={"cpu": "4", "nvidia.com/gpu": 1}))
    found = asked(None, of(given))
    assert found["east", "alice", "nvidia.com/gpu"] == (0, 2, 2)
    assert found["east", "alice", "cpu"] == (0, 2, 2)


def test_all_containers_of_a_pod_count():
    second = {"name": "second", "workingDir": "", "resources": {"requests": {"cpu": "500m"}}}
    found = cpu(None, of(party("alice")), image(**with_containers(CONTAINER, second)))
    assert found == {"alice": (0, 3, 3)}


def test_parties_ask_where_they_run_and_partners_outside_are_left_out():
    found = asked(None, of(party("alice", "host"), party("bob"), party("dave")))
    assert {key[:2] for key in found} == {("east", "alice/host"), ("west", "bob")}


def without_replicas():
    given = party("alice")
    del given["template"]["replicas"]
    return given


def more_ports(**changes):
    port = {"name": "more", "protocol": "HTTP", "scope": "Domain"}
    return image(**with_containers({**CONTAINER, "ports": [*CONTAINER["ports"], port]}), **changes)


SIDECAR = {"name": "sidecar", "workingDir": "", "resources": {"requests": {"cpu": "500m"}}}
OPENED = [{**port, "scope": "Cluster"} for port in CONTAINER["ports"]]
STAYS = {
    "replicas removed": (of(party("alice", replicas=3)), of(without_replicas())),
    "replicas of the template": (
        of(without_replicas()),
        of(without_replicas()),
        sized("1", replicas=1),
        sized("1", replicas=5),
    ),
    "role": (of(party("alice", "host")), of(party("alice", "guest"))),
    "party added": (of(party("alice")), of(party("alice"), party("carol"))),
    "party removed": (of(party("alice"), party("bob")), of(party("alice"))),
    "prefix": (of(party("alice")), of({**party("alice"), "serviceNamePrefix": "x"})),
    "port removed": (
        of(party("alice")),
        of(party("alice")),
        image(),
        image(**with_containers({**CONTAINER, "ports": CONTAINER["ports"][1:]}, replicas=1)),
    ),
    "port opened": (
        of(party("bob")),
        of(party("bob")),
        image(),
        image(**with_containers({**CONTAINER, "ports": OPENED}, replicas=1)),
    ),
    "container added": (
        of(party("alice")),
        of(party("alice")),
        image(),
        image(**with_containers(CONTAINER, SIDECAR, replicas=1)),
    ),
    "container added and overridden": (
        of(party("alice")),
        of(party("alice", spec={"containers": [SIDECAR]})),
        image(),
        image(**with_containers(CONTAINER, SIDECAR, replicas=1)),
    ),
    "one that breaks, and others": (
        of(party("alice"), party("carol")),
        of(party("alice"), party("carol", replicas=5), config="x"),
        image(),
        more_ports(),
    ),
    "refused": (of(party("alice")), of(party("alice", replicas=2**31))),
}


@pytest.mark.parametrize("case", STAYS.values(), ids=STAYS)
def test_what_does_not_take_effect_asks_for_nothing(case):
    assert asked(*case) == {}


def test_a_refused_image_leaves_the_old_one_and_what_else_changes():
    refused = sized("4")
    refused["spec"]["image"].pop("tag")
    trees = [of(party("alice", replicas=number)) for number in (2, 3)]
    assert cpu(*trees, sized("1"), refused) == {"alice": (2, 3, 3)}


def test_what_is_deferred_counts():
    tree = of(party("bob", replicas=1))
    assert cpu(tree, tree, sized("1"), sized("2")) == {"bob": (1, 2, 3)}


def test_a_renamed_serving_runs_beside_the_old_one():
    trees = [deployment(party("alice"), name=name) for name in ("old", "new")]
    assert cpu(*trees) == {"alice": (2, 2, 4)}


def test_images_ask_for_nothing():
    unused = [manifest(image("other", image=tag)) for tag in (TAG, {**TAG, "tag": "v3"})]
    change = AffectedObject(compared(*unused))
    assert not capacity([change], state(unused[0]), state(unused[1]))


def test_another_name_takes_the_number_of_the_image():
    """Under the same name, Kuscia would keep the number that the party had."""
    after = deployment(party("alice"), name="fraud")
    del after["spec"]["parties"][0]["template"]["replicas"]
    assert cpu(deployment(party("alice", replicas=4)), after) == {"alice": (4, 1, 5)}
