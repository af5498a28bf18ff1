"""What a change does to a serving that runs: a case for each row of what Kuscia does."""

import ast
import copy

import pytest

from renderer.backends.kuscia.behaviour.table import KINDS as CHANGE_KINDS
from renderer.changes.capacity import capacity
from renderer.changes.comparison import settle_impact
from renderer.derive.behaviour import Stage
from renderer.values.changes import AffectedObject
from renderer.values.tree import uniform_tree
from tests.support.places import ROOT
from tests.support.rows import each
from tests.support.states import (
    CONTAINER,
    MODE,
    ORIGIN,
    carrying,
    compared,
    deployment,
    environment,
    image,
    impacts,
    manifest,
    party,
    state,
)

CPU = {"requests": {"cpu": "2"}, "limits": {"cpu": "4"}}
OVERRIDE = [{"name": "main", "workingDir": "", "resources": CPU}]
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def anti(**term):
    return {"podAntiAffinity": {PREFERRED: [{"weight": 1, "podAffinityTerm": term}]}}


ANTI = anti(labelSelector={"matchLabels": {"a": "b"}})
GATHER = {"podAffinity": ANTI["podAntiAffinity"]}
SHA = "sha256:" + "0" * 64


def pair(**alice):
    """The usual deployment: alice at home, bob at a control plane of ours elsewhere."""
    return deployment(party("alice", **alice), party("bob"))


def annotated(tree, mode):
    tree["metadata"]["annotations"][MODE] = mode
    return tree


def effects(found):
    """The effects by unit."""
    by_unit = {}
    for _, item in found:
        by_unit.setdefault(item.unit, set()).add(str(item.effect))
    return {unit: " ".join(sorted(names)) for unit, names in by_unit.items()}


def of_deployment(before, after, *, old=(), new=(), env=None):
    """The impacts of a deployment's change, AppImages being everywhere."""
    old, new = list(old) or [image()], list(new) or list(old) or [image()]
    first, last = manifest(before), manifest(after)
    sides = [
        state(item, *(manifest(i, place) for i in images for place in ("east", "west")), env=env)
        for item, images in ((first, old), (last, new))
    ]
    return list(impacts(compared(first, last), *sides))


SERVINGS = {
    "inputConfig": (
        pair(),
        deployment(party("alice"), party("bob"), config='{"a":2}'),
        {"alice": "rolling", "bob": "rolling"},
        "`inputConfig` changed",
    ),
    "inputConfig, other text": (
        pair(),
        deployment(party("alice"), party("bob"), config='{"a": 1}'),
        {"alice": "rolling", "bob": "rolling"},
        "holds the same data",
    ),
    "replicas given": (pair(), pair(replicas=3), {"alice": "in-place"}, "scales to 3"),
    "replicas first given": (
        pair(replicas=None),
        pair(replicas=3),
        {"alice": "in-place"},
        "before: the AppImage's",
    ),
    "replicas none": (pair(), pair(replicas=0), {"alice": "in-place"}, "stays Progressing"),
    "replicas removed": (pair(), pair(replicas=None), {"alice": "ignored"}, "keeps the last"),
    "replicas negative": (pair(), pair(replicas=-1), {"alice": "breaks"}, "replicas is -1"),
    "strategy given": (pair(), pair(strategy={"type": "Recreate"}), {"alice": "in-place"}, "next"),
    "strategy removed": (pair(), pair(strategy=None), {"alice": "ignored"}, "keeps the last"),
    "strategy rejected: unknown": (
        pair(),
        pair(strategy={"type": "Blue"}),
        {"alice": "breaks"},
        "RetryProcessingFailed",
    ),
    "strategy rejected: nothing moves": (
        pair(),
        pair(strategy={"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "0%"}}),
        {"alice": "breaks"},
        "both 0",
    ),
    "strategy rejected: more than all": (
        pair(),
        pair(strategy={"rollingUpdate": {"maxUnavailable": "101%"}}),
        {"alice": "breaks"},
        "more than all",
    ),
    "strategy rejected: no amount": (
        pair(),
        pair(strategy={"rollingUpdate": {"maxSurge": "many"}}),
        {"alice": "breaks"},
        "neither a number",
    ),
    "strategy rejected: Recreate with amounts": (
        pair(),
        pair(strategy={"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}),
        {"alice": "breaks"},
        "takes no rollingUpdate",
    ),
    "resources added": (
        pair(),
        pair(spec={"containers": OVERRIDE}),
        {"alice": "rolling"},
        "pods are replaced",
    ),
    "resources removed": (
        pair(spec={"containers": OVERRIDE}),
        pair(),
        {"alice": "rolling"},
        "pods are replaced",
    ),
    "resources added, as the AppImage has them": (
        pair(),
        pair(spec={"containers": [{**OVERRIDE[0], "resources": {"limits": {"cpu": "2000m"}}}]}),
        {"alice": "in-place"},
        "the same as before",
    ),
    "resources above limits": (
        pair(),
        pair(spec={"containers": [{**OVERRIDE[0], "resources": {"requests": {"cpu": "3"}}}]}),
        {"alice": "breaks"},
        "requests more cpu than its limit",
    ),
    "resources of an unknown container": (
        pair(),
        pair(spec={"containers": [{**OVERRIDE[0], "name": "other"}]}),
        {"alice": "ignored"},
        "does not have",
    ),
    "replicas negative, beside another": (
        deployment(party("alice"), party("carol")),
        deployment(party("alice", replicas=-1), party("carol")),
        {"alice": "breaks", "carol": "breaks"},
        "replicas is -1",
    ),
    "affinity set": (pair(), pair(spec={"affinity": ANTI}), {"alice": "rolling"}, "replaced"),
    "affinity removed": (pair(spec={"affinity": ANTI}), pair(), {"alice": "ignored"}, "keeps"),
    "affinity selector": (
        pair(spec={"affinity": ANTI}),
        pair(spec={"affinity": anti()}),
        {"alice": "ignored"},
        "overwrites those",
    ),
    "affinity-mode to none": (
        annotated(pair(), ""),
        annotated(pair(), "none"),
        {"alice": "ignored", "bob": "ignored"},
        "only when a Deployment is made",
    ),
    "affinity-mode from none": (
        annotated(pair(), "none"),
        annotated(pair(), ""),
        {"alice": "rolling", "bob": "ignored"},
        "adds its anti-affinity",
    ),
    "affinity-mode from affinity to none": (
        annotated(pair(spec={"affinity": GATHER}), "affinity"),
        annotated(pair(), "none"),
        {"alice": "ignored", "bob": "ignored"},
        "the affinity that it has stays",
    ),
    "affinity-mode from none to affinity": (
        annotated(pair(), "none"),
        annotated(pair(spec={"affinity": GATHER}), "affinity"),
        {"alice": "in-place rolling", "bob": "ignored"},
        "adds nothing to the `affinity`",
    ),
    "affinity-mode to affinity": (
        annotated(pair(spec={"affinity": ANTI}), ""),
        annotated(pair(spec={"affinity": GATHER}), "affinity"),
        {"alice": "in-place rolling", "bob": "ignored"},
        "`affinity` changed",
    ),
    "affinity-mode from none, with an affinity": (
        annotated(pair(spec={"affinity": ANTI}), "none"),
        annotated(pair(spec={"affinity": ANTI}), ""),
        {"alice": "ignored", "bob": "ignored"},
        "stays",
    ),
    "other pod field": (
        pair(),
        pair(spec={"restartPolicy": "Never"}),
        {"alice": "ignored"},
        "`restartPolicy` of a party's template has no effect",
    ),
    "other container field": (
        pair(spec={"containers": OVERRIDE}),
        pair(spec={"containers": [{**OVERRIDE[0], "command": ["x"]}]}),
        {"alice": "ignored"},
        "command",
    ),
    "role": (
        deployment(party("alice", "host"), party("bob")),
        deployment(party("alice", "guest"), party("bob")),
        {"alice/guest": "breaks", "alice/host": "orphans"},
        "The role of `alice/host` changed to `alice/guest`",
    ),
    "role of a partner": (
        deployment(party("alice"), party("bob", "host")),
        deployment(party("alice"), party("bob", "guest")),
        {"bob/guest": "breaks", "bob/host": "orphans"},
        "AllocatePortsFailed",
    ),
    "domainID": (
        pair(),
        deployment(party("carol"), party("bob"), initiator="carol"),
        {"carol": "breaks", "alice": "orphans", "bob": "recreate"},
        "The party `alice` became `carol`",
    ),
    "party added, self": (
        pair(),
        deployment(party("alice"), party("bob"), party("carol")),
        {"alice": "breaks", "carol": "breaks"},
        "ports are allocated only once",
    ),
    "party added, partner": (
        pair(),
        deployment(party("alice"), party("bob"), party("dave")),
        {"alice": "recreate", "bob": "recreate", "dave": "recreate"},
        "never learn",
    ),
    "party removed": (pair(), deployment(party("alice")), {"bob": "orphans"}, "keeps running"),
    "parties reordered": (
        pair(),
        deployment(party("bob"), party("alice")),
        {"alice": "ignored", "bob": "ignored"},
        "CLUSTER_DEFINE",
    ),
    "serviceNamePrefix": (
        pair(),
        deployment({**party("alice"), "serviceNamePrefix": "x"}, party("bob")),
        {"alice": "orphans"},
        "the old ones stay",
    ),
    "initiator, one control plane": (
        deployment(party("alice"), party("carol")),
        deployment(party("alice"), party("carol"), initiator="carol"),
        {"alice": "ignored", "carol": "ignored"},
        "does not follow",
    ),
    "initiator, several control planes": (
        pair(),
        deployment(party("alice"), party("bob"), initiator="carol"),
        {"alice": "recreate", "bob": "recreate"},
        "drives the others",
    ),
    "other annotation": (
        pair(),
        annotated(pair(), "affinity"),
        {"alice": "ignored", "bob": "ignored"},
        "does not pass it on",
    ),
}


@each("before after expected part", SERVINGS)
def test_a_change_of_a_deployment(before, after, expected, part):
    found = of_deployment(_compact(before), _compact(after))
    assert effects(found) == expected
    assert any(part in item.consequence for _, item in found)
    changes = compared(manifest(_compact(before)), manifest(_compact(after))).changes
    assert {cause.path for cause, _ in found} == {change.path for change in changes}


def _compact(tree):
    """Without members that are nothing, as objects are rendered."""
    if isinstance(tree, dict):
        return {key: _compact(value) for key, value in tree.items() if value is not None}
    return [_compact(item) for item in tree] if isinstance(tree, list) else tree


def with_container(**changes):
    container = {**copy.deepcopy(CONTAINER), **changes}
    return image(
        deployTemplates=[{"name": "main", "replicas": 1, "spec": {"containers": [container]}}]
    )


def with_template(**changes):
    known = image()["spec"]["deployTemplates"][0]
    return image(deployTemplates=[{**known, **changes}])


def with_pod(**changes):
    return with_template(spec={"containers": [CONTAINER], **changes})


def port(name="service", **changes):
    known = {"name": name, "protocol": "HTTP", "scope": "Domain"}
    return {**known, **changes}


def of_image(before, after, place="east", *, kd=None, touched=True, env=None):
    """The impacts of an AppImage's change in one control plane; the digest follows at home."""
    trees = [carrying(kd or pair(), tree) for tree in (before, after)]
    trees[1] = trees[1] if touched else trees[0]
    sides = [
        state(manifest(tree), *(manifest(own, at) for at in ("east", "west")), env=env)
        for tree, own in zip(trees, (before, after), strict=True)
    ]
    return list(impacts(compared(manifest(before, place), manifest(after, place)), *sides))


INNER = port("inner", scope="Local")
PINNED = {"name": "example/scorer", "tag": "v1", "id": SHA}
#: before, after; the effect at home, where the digest updates the serving, and at a partner.
IMAGES = {
    "image.tag": (
        image(),
        image(image={"name": "example/scorer", "tag": "v2"}),
        ("rolling", "deferred"),
        "The image changed",
    ),
    "image.name": (
        image(),
        image(image={"name": "example/other", "tag": "v1"}),
        ("rolling", "deferred"),
        "The image changed",
    ),
    "image.tag with a pinned id": (
        image(image=PINNED),
        image(image={**PINNED, "tag": "v2"}),
        ("breaks rolling", "breaks deferred"),
        "the node terminates each new one",
    ),
    "image.id alone": (
        image(image=PINNED),
        image(image={**PINNED, "id": SHA[:-1] + "1"}),
        ("ignored", "ignored"),
        "`image.id`",
    ),
    "resources": (
        image(),
        with_container(resources={"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}),
        ("rolling", "deferred"),
        "`resources` of the container `main`",
    ),
    "resources above limits": (
        image(),
        with_container(resources={"requests": {"cpu": "3"}, "limits": {"cpu": "2"}}),
        ("breaks", "breaks"),
        "requests more cpu",
    ),
    "replicas": (image(), with_template(replicas=3), ("ignored", "ignored"), "only the serving"),
    "first configTemplates": (
        image(configTemplates={}),
        image(),
        ("in-place", "deferred"),
        "the ConfigMap `risk-configtemplate` is made",
    ),
    "no configTemplates any more": (
        image(),
        image(configTemplates={}),
        ("ignored", "ignored"),
        "the ConfigMap `risk-configtemplate` stays",
    ),
    "configTemplates": (
        image(),
        image(configTemplates={"a.conf": "y"}),
        ("ignored", "ignored"),
        "running pods keep the old file",
    ),
    **{
        field: (image(), with_container(**{field: value}), ("ignored", "ignored"), f"`{field}`")
        for field, value in {
            "command": ["x"],
            "args": ["x"],
            "env": [{"name": "A", "value": "1"}],
            "envFrom": [{"prefix": "x"}],
            "workingDir": "/other",
            "livenessProbe": {"httpGet": {"port": "service"}},
            "readinessProbe": {"httpGet": {"port": "service"}},
            "startupProbe": {"httpGet": {"port": "service"}},
            "imagePullPolicy": "Always",
            "securityContext": {"privileged": True},
            "configVolumeMounts": [{"mountPath": "/a", "subPath": "a.conf"}],
            "metricProbe": {"path": "/m", "port": "service"},
        }.items()
    },
    "affinity": (image(), with_pod(affinity=ANTI), ("ignored", "ignored"), "`affinity`"),
    "restartPolicy": (
        image(),
        with_pod(restartPolicy="Never"),
        ("ignored", "ignored"),
        "no effect",
    ),
    "port added": (
        image(),
        with_container(ports=[*CONTAINER["ports"], port("more", scope="Local")]),
        ("breaks", "breaks"),
        "The port `more` is new",
    ),
    "port renamed": (
        image(),
        with_container(ports=[port("renamed"), INNER]),
        ("breaks orphans", "breaks orphans"),
        "The port `renamed` is new",
    ),
    "port removed": (
        image(),
        with_container(ports=[INNER]),
        ("orphans", "orphans"),
        "its Service stays",
    ),
    "local port removed": (
        image(),
        with_container(ports=[port()]),
        ("ignored", "ignored"),
        "running pods keep it",
    ),
    "port opened": (
        image(),
        with_container(ports=[port(), port("inner", scope="Cluster")]),
        ("in-place", "deferred"),
        "gets a Service",
    ),
    "port closed": (
        image(),
        with_container(ports=[port(scope="Local"), INNER]),
        ("orphans", "orphans"),
        "is Local now: its Service stays",
    ),
    "port scope otherwise": (
        image(),
        with_container(ports=[port(scope="Cluster"), INNER]),
        ("ignored", "ignored"),
        "`scope` of the port",
    ),
    "port protocol": (
        image(),
        with_container(ports=[port(protocol="GRPC"), INNER]),
        ("ignored", "ignored"),
        "`protocol` of the port",
    ),
    "port protocol, local": (
        image(),
        with_container(ports=[port(), port("inner", scope="Local", protocol="GRPC")]),
        ("ignored", "ignored"),
        "which has no Service",
    ),
    "port opened with another protocol": (
        image(),
        with_container(ports=[port(), port("inner", scope="Cluster", protocol="GRPC")]),
        ("in-place", "deferred"),
        "gets a Service",
    ),
    "port number": (
        image(),
        with_container(ports=[port(port=8080), INNER]),
        ("ignored", "ignored"),
        "draws numbers itself",
    ),
    "networkPolicy": (
        image(),
        with_template(networkPolicy={"ingresses": []}),
        ("ignored", "ignored"),
        "who may call them",
    ),
    "networkPolicy with ports": (
        image(),
        with_template(
            networkPolicy={"ingresses": [{"from": {"roles": [""]}, "ports": [{"port": "service"}]}]}
        ),
        ("ignored", "ignored"),
        "who may call them",
    ),
    "container added": (
        image(),
        with_pod(containers=[CONTAINER, {"name": "more", "workingDir": ""}]),
        ("ignored", "ignored"),
        "was added",
    ),
    "container added with a port": (
        image(),
        with_pod(containers=[CONTAINER, {"name": "b", "workingDir": "", "ports": [port("b")]}]),
        ("breaks ignored", "breaks ignored"),
        "The port `b` is new",
    ),
    "container removed": (
        with_pod(containers=[CONTAINER, {"name": "more", "workingDir": ""}]),
        image(),
        ("ignored", "ignored"),
        "was removed",
    ),
    "container renamed": (
        image(),
        with_container(name="renamed"),
        ("ignored", "ignored"),
        "`renamed` was added",
    ),
    "two ports of one name": (
        image(),
        with_container(ports=[port(), port()]),
        ("breaks", "breaks"),
        "two ports have one name",
    ),
    "refused by the schema": (
        image(),
        with_container(ports=[port(protocol="TCP"), INNER]),
        ("refused", "refused"),
        "must be one of HTTP, GRPC",
    ),
}


@each("before after expected part", IMAGES)
def test_a_change_of_an_image(before, after, expected, part):
    at_home = of_image(before, after)
    at_partner = of_image(before, after, "west")
    assert effects(at_home) == {"alice": expected[0]}
    assert effects(at_partner) == {"bob": expected[1]}
    assert {item.destination for _, item in at_partner} == {"west"}
    assert any(part in item.consequence for _, item in at_home)


#: What concerns the object as a whole.
WHOLE = {"refused by the schema", "two ports of one name"}


@pytest.mark.parametrize("case", sorted({*IMAGES} - WHOLE))
def test_every_change_of_an_image_has_an_impact(case):
    before, after = IMAGES[case][:2]
    changes = compared(manifest(before), manifest(after)).changes
    causes = {cause.path for cause, _ in of_image(before, after)}
    assert causes == {change.path for change in changes}


def test_an_image_edit_that_no_digest_carries_is_deferred():
    after = image(image={"name": "example/scorer", "tag": "v2"})
    assert effects(of_image(image(), after, touched=False)) == {"alice": "deferred"}


def test_an_image_edit_reaches_a_partner_together_with_the_spec():
    new = image(image={"name": "example/scorer", "tag": "v2"})
    kds = [carrying(pair(), image()), carrying(pair(replicas=3), new)]
    sides = [
        state(manifest(kd), *(manifest(own, at) for at in ("east", "west")))
        for kd, own in zip(kds, (image(), new), strict=True)
    ]
    change = compared(manifest(image(), "west"), manifest(new, "west"))
    assert effects(impacts(change, *sides)) == {"bob": "rolling"}


def named(naming):
    tree = uniform_tree({"kuscia": {"appimage_naming": naming}}, ORIGIN)
    return environment()._replace(tree=tree)


@pytest.mark.parametrize(("naming", "advice"), [("plain", "hashed"), ("hashed", "Restart one")])
def test_advice_is_not_what_is_done_already(naming, advice):
    after = image(image={"name": "registry.example/scorer", "tag": "v1"})
    ((_, item),) = of_image(image(), after, "west", env=named(naming))
    assert item.effect == "deferred"
    assert advice in item.advice


@pytest.mark.parametrize("kept", [True, False])
def test_advice_for_a_pinned_image_whose_id_is_gone(kept):
    new = {"name": "example/scorer", "tag": "v2", **({"id": SHA} if kept else {})}
    found = of_image(image(image=PINNED), image(image=new))
    (advice,) = {item.advice for _, item in found if item.effect == "breaks"}
    assert ("image.id" in advice) is kept
    assert not any("hashed" in item.advice for _, item in found)


@pytest.mark.parametrize(
    ("strategy", "replicas", "left"),
    [
        ({}, 1, "Of 1 old pod 1 stays"),
        ({}, 8, "Of 8 old pods 6 stay"),
        ({"rollingUpdate": {"maxUnavailable": "50%"}}, 3, "Of 3 old pods 2 stay"),
        ({"rollingUpdate": {"maxUnavailable": 2}}, 3, "Of 3 old pods 1 stay"),
        ({"rollingUpdate": {"maxUnavailable": 3}}, 2, "No old pod is left"),
        ({"rollingUpdate": {"maxSurge": 0, "maxUnavailable": "25%"}}, 2, "Of 2 old pods 1 stay"),
        ({"type": "Recreate"}, 8, "No old pod is left"),
    ],
)
def test_what_becomes_of_old_pods_when_no_new_one_runs(strategy, replicas, left):
    kd = deployment(party("alice", strategy=strategy, replicas=replicas))
    images = [image(image=PINNED), image(image={**PINNED, "tag": "v2"})]
    kds = [carrying(kd, item) for item in images]
    sides = [state(manifest(kd), manifest(item)) for kd, item in zip(kds, images, strict=True)]
    found = impacts(compared(*(manifest(item) for item in images)), *sides)
    [text] = [item.consequence for _, item in found if item.effect == "breaks"]
    assert left in text


def test_new_pods_that_fail_hinder_nothing_else():
    both = [
        of_deployment(pair(), pair(replicas=5))[0][1],
        *(item for _, item in of_image(image(image=PINNED), image(image={**PINNED, "tag": "v2"}))),
    ]
    alice = [item for item in both if item.unit == "alice"]
    assert sorted(str(settle_impact(item, alice).effect) for item in alice) == [
        "breaks",
        "in-place",
        "rolling",
    ]


def test_an_edit_under_a_plain_name_may_be_missed():
    (_, item), *_ = of_image(image(), image(image={"name": "example/scorer", "tag": "v2"}))
    assert "of 12 such edits Kuscia 1.1 took over 12, while busy 8, and 6" in item.consequence
    assert "appimage_naming to hashed" in item.advice


@pytest.mark.parametrize("there", [True, False])
def test_a_new_name_is_missed_if_it_comes_after_the_serving(there):
    new = [image(), image("other", image={"name": "example/scorer", "tag": "v2"})]
    kds = [deployment(party("alice", ref=ref)) for ref in ("scorer", "other")]
    ((_, item),) = of_deployment(*kds, old=new if there else new[:1], new=new)
    assert ("took over 12, busy or not; 4 where" in item.consequence) is not there


def test_a_prefix_for_services_that_there_are_none_of():
    local = [{**port, "scope": "Local"} for port in CONTAINER["ports"]]
    before, after = pair(), pair()
    after["spec"]["parties"][0]["serviceNamePrefix"] = "new"
    found = of_deployment(before, after, old=[with_container(ports=local)])
    assert effects(found) == {"alice": "in-place"}
    assert "has no Services" in found[0][1].consequence


def test_a_pinned_image_rolls_where_the_host_pulls_it():
    after = image(image={**PINNED, "tag": "v2"})
    found = of_image(image(image=PINNED), after, env=environment("runk"))
    assert effects(found) == {"alice": "rolling"}


@pytest.mark.parametrize(
    ("strategy", "collides"),
    [({}, True), ({"type": "Recreate"}, False), ({"rollingUpdate": {"maxSurge": 0}}, False)],
)
def test_processes_that_share_a_node_cannot_roll(strategy, collides):
    before, after = (deployment(party("alice", strategy=strategy), config=c) for c in "ab")
    ((_, item),) = of_deployment(before, after, env=environment("runp"))
    assert ("runp" in item.consequence) is collides
    assert ("Recreate" in item.advice) is collides
    ((_, item),) = of_deployment(before, after)
    assert "runp" not in item.consequence


def test_resources_of_a_container_that_running_pods_do_not_have():
    more = {**OVERRIDE[0], "name": "more"}
    new = with_pod(containers=[CONTAINER, {"name": "more", "workingDir": ""}])
    after = pair(spec={"containers": [more]})
    ((_, item),) = of_deployment(pair(), after, old=[image()], new=[new])
    assert item.effect == "ignored"
    assert "running pods do not have" in item.consequence


def test_resources_that_the_serving_overrides():
    kd = deployment(party("alice", spec={"containers": OVERRIDE}))
    after = with_container(resources={"requests": {"cpu": "500m"}, "limits": {"cpu": "3"}})
    assert effects(of_image(image(), after, kd=kd)) == {"alice": "ignored"}


def test_a_role_that_no_template_is_for_any_more():
    kd = deployment(party("alice", "guest"), party("carol"), party("bob"))
    before, after = with_template(role="guest,"), with_template(role="host")
    found = of_image(before, after, kd=kd)
    breaking = {item.unit for _, item in found if item.effect == "breaks"}
    assert breaking == {"alice/guest", "carol"}
    assert "for the role `guest`" in found[0][1].consequence


def test_a_partner_needs_our_copy_of_its_image_whole():
    """Kuscia puts together the needs of every party in every control plane."""
    kd = deployment(party("alice"), party("bob", "guest", "other"))
    images = [
        image(),
        image("other", deployTemplates=with_template(role="guest")["spec"]["deployTemplates"]),
    ]
    broken = image("other", deployTemplates=with_template(role="host")["spec"]["deployTemplates"])
    sides = [
        state(
            manifest(kd),
            *(manifest(tree, at) for tree in (images[0], own) for at in ("east", "west")),
        )
        for own in (images[1], broken)
    ]
    change = compared(manifest(images[1], "east"), manifest(broken, "east"))
    assert effects(impacts(change, *sides)) == {"alice": "breaks"}


def test_an_image_that_is_deleted_while_it_is_used():
    kd = manifest(pair())
    sides = state(kd, manifest(image())), state(kd)
    assert effects(impacts(compared(manifest(image()), None), *sides)) == {"alice": "breaks"}
    unused = manifest(image("unused"))
    assert not list(impacts(compared(unused, None), state(kd, unused), state(kd)))


def test_an_image_that_goes_with_a_party_whose_pods_stay():
    before = state(manifest(pair()), manifest(image(), "west"))
    after = state(manifest(deployment(party("alice"))))
    ((_, item),) = impacts(compared(manifest(image(), "west"), None), before, after)
    assert (item.effect, item.unit, item.destination) == ("orphans", "bob", "west")


def test_a_domain_that_moves_to_another_control_plane():
    kd = manifest(pair())
    both = environment(east=["alice", "bob"], west=[])
    sides = (
        state(kd, manifest(image()), env=both),
        state(kd, manifest(image()), manifest(image(), "west")),
    )
    found = list(impacts(compared(None, manifest(image(), "west")), *sides))
    assert [(item.effect, item.unit, item.destination) for _, item in found] == [
        ("recreate", "bob", "west"),
        ("orphans", "bob", "east"),
    ]
    kinds = capacity(
        [AffectedObject(compared(None, manifest(image(), "west")), tuple(found))], *sides
    )
    cores = [row for row in kinds if row.resource == "cpu"]
    assert [(row.destination, *row[4:]) for row in cores] == [("west", 0, 2, 2)]


@pytest.mark.parametrize(("touched", "effect"), [(False, "ignored"), (True, "create")])
def test_an_image_that_comes_after_its_serving(touched, effect):
    before, after = pair(), annotated(pair(), "x") if touched else pair()
    sides = state(manifest(before)), state(manifest(after), manifest(image()))
    assert effects(impacts(compared(None, manifest(image())), *sides)) == {"alice": effect}


def test_an_edit_reaches_every_serving_of_the_control_plane():
    kds = [deployment(party("alice"), party("carol", "host"), name=name) for name in "ab"]
    kds.append(deployment(party("alice", ref="other"), name="c"))
    after = image(configTemplates={"a.conf": "y"})
    sides = [
        state(*(manifest(tree) for tree in (*kds, own, image("other")))) for own in (image(), after)
    ]
    found = list(impacts(compared(manifest(image()), manifest(after)), *sides))
    reached = sorted((item.spec, item.unit) for _, item in found)
    assert reached == [(f"Serving/{n}", u) for n in "ab" for u in ("alice", "carol/host")]
    advice = {item.advice for _, item in found if item.unit == "carol/host"}
    assert any("`a-host-configtemplate` in the namespace `carol`" in text for text in advice)


def test_a_serving_that_is_new_has_nothing_running():
    after = image(configTemplates={})
    sides = state(manifest(image())), state(manifest(after), manifest(pair()))
    assert not list(impacts(compared(manifest(image()), manifest(after)), *sides))


def hashed(*, old, new, kd=pair):
    """The impacts on the deployment and on the image at both places, named by content."""
    trees = [copy.deepcopy(kd()) for _ in range(2)]
    for tree, own in zip(trees, (old, new), strict=True):
        for item in tree["spec"]["parties"]:
            item["appImageRef"] = own["metadata"]["name"]
    sides = [
        state(manifest(tree), *(manifest(own, at, "scorer") for at in ("east", "west")))
        for tree, own in zip(trees, (old, new), strict=True)
    ]
    yield list(impacts(compared(*(manifest(tree) for tree in trees)), *sides))
    for at in ("east", "west"):
        pair_of = (manifest(own, at, "scorer") for own in (old, new))
        yield list(impacts(compared(*pair_of), *sides))


def test_hashed_names_roll_partners_too():
    new = image("scorer-2", image={"name": "example/scorer", "tag": "v2"})
    serving, east, west = hashed(old=image("scorer-1"), new=new)
    assert effects(serving) == {"alice": "rolling", "bob": "rolling"}
    assert (effects(east), effects(west)) == ({"alice": "rolling"}, {"bob": "rolling"})


def test_hashed_names_do_not_bring_other_fields():
    new = with_container(command=["x"], ports=[*CONTAINER["ports"], port("more")])
    new["metadata"]["name"] = "scorer-2"
    serving, east, west = hashed(old=image("scorer-1"), new=new)
    assert effects(serving) == {"alice": "in-place", "bob": "in-place"}
    assert effects(east) == {"alice": "breaks ignored"}
    assert effects(west) == {"bob": "breaks ignored"}


def of_reference(new_image, *, ref="other", extra=()):
    before = deployment(party("alice"), party("dave"))
    after = deployment(party("alice", ref=ref), party("dave"))
    return of_deployment(
        before, after, old=[image()], new=[image(), *([new_image] if new_image else []), *extra]
    )


REFERENCES = {
    "another image": (image("other", image={"name": "x", "tag": "v1"}), "rolling", "taken"),
    "the same image": (image("other"), "in-place", "no pod restarts"),
    "another config": (
        image("other", configTemplates={"a.conf": "z"}),
        "ignored in-place",
        "keep the old file",
    ),
    "missing": (None, "breaks", "is not there"),
    "no template": (image("other", deployTemplates=[]), "breaks", "No deploy template"),
}


@pytest.mark.parametrize(("new", "expected", "part"), REFERENCES.values(), ids=REFERENCES)
def test_another_image_is_referred_to(new, expected, part):
    found = of_reference(new)
    assert effects(found) == {"alice": expected}
    assert {cause.path[-1] for cause, _ in found} == {"appImageRef"}
    assert part == "taken" or any(part in item.consequence for _, item in found)


def test_a_new_port_behind_another_reference_breaks():
    tree = with_container(ports=[*CONTAINER["ports"], port("more")])
    tree["metadata"]["name"] = "other"
    assert "breaks" in effects(of_reference(tree))["alice"]
    kds = [deployment(party("alice", ref=ref), party("carol")) for ref in ("scorer", "other")]
    found = of_deployment(*kds, old=[image()], new=[image(), tree])
    assert effects(found)["carol"] == "breaks"


def test_a_new_port_is_said_once_for_each_party():
    """Both parties of a control plane have the port, and wait for each other."""
    kd = deployment(party("alice"), party("carol"))
    after = with_container(ports=[*CONTAINER["ports"], port("more")])
    found = [item.unit for _, item in of_image(image(), after, kd=kd) if item.effect == "breaks"]
    assert found == ["alice", "carol"]


def test_another_version_of_an_image_without_the_template():
    """Both images are there before and after: what breaks is the edit of the reference."""
    images = [image("scorer-1"), image("scorer-2", deployTemplates=[])]
    kds = [deployment(party("alice", ref=name)) for name in ("scorer-1", "scorer-2")]
    found = of_deployment(*kds, old=images, new=images)
    assert [(cause.path[-1], str(item.effect)) for cause, item in found] == [
        ("appImageRef", "breaks")
    ]


def test_an_edit_beside_an_image_that_goes_does_not_break():
    sides = state(manifest(pair()), manifest(image())), state(manifest(pair(replicas=3)))
    found = impacts(compared(*(side.manifests[-1] for side in sides)), *sides)
    assert effects(found) == {"alice": "in-place"}


def test_a_pinned_image_behind_another_reference():
    before = deployment(party("alice"))
    after = deployment(party("alice", ref="other"))
    new = [image(image=PINNED), image("other", image={**PINNED, "tag": "v2"})]
    found = of_deployment(before, after, old=new[:1], new=new)
    assert effects(found) == {"alice": "breaks rolling"}


def test_a_partner_outside_needs_the_image_that_is_referred_to():
    before = deployment(party("alice"), party("dave"))
    after = deployment(party("alice"), party("dave", ref="other"))
    ((_, item),) = of_deployment(before, after, old=[image()], new=[image(), image("other")])
    assert (item.effect, item.unit, item.destination) == ("rolling", "dave", "")
    assert item.advice.startswith("The AppImage `other` must be at `dave` before")


def test_the_digest_is_not_a_change_of_its_own():
    before, after = carrying(pair(), image()), carrying(pair(), image(configTemplates={}))
    assert before != after
    assert not of_deployment(before, after)


@pytest.mark.parametrize(
    ("key", "effect"),
    [
        ("kuscia.secretflow/app-type", "ignored"),
        ("example.com/team", "ignored"),
        ("argocd.argoproj.io/sync-options", "in-place"),
    ],
)
def test_labels(key, effect):
    after = pair()
    after["metadata"]["labels"][key] = "other"
    assert effects(of_deployment(pair(), after)) == {"alice": effect, "bob": effect}


def test_a_new_name_is_a_new_serving():
    found = of_deployment(pair(), {**pair(), "metadata": {**pair()["metadata"], "name": "new"}})
    assert effects(found) == {"alice": "recreate", "bob": "recreate"}
    assert [cause.path for cause, _ in found] == [("metadata", "name")] * 2


@pytest.mark.parametrize("came", [True, False])
def test_a_serving_comes_or_goes(came):
    tree = manifest(deployment(party("alice", "host"), party("dave")))
    sides = [state(manifest(image())), state(manifest(image()), tree)]
    change = compared(None, tree) if came else compared(tree, None)
    found = list(impacts(change, *(sides if came else reversed(sides))))
    word = "create" if came else "delete"
    assert effects(found) == {"alice/host": word, "dave": word}
    assert "`risk-host`" in found[0][1].consequence
    assert "with orphaning, they keep running" in found[0][1].consequence or came
    assert "(observed)" in found[0][1].consequence or came


def test_a_serving_that_moves_to_another_control_plane():
    here, there = (manifest(pair(), at) for at in ("east", "west"))
    images = [manifest(image(), at) for at in ("east", "west")]
    for change in (compared(here, None), compared(None, there)):
        found = list(impacts(change, state(here, *images), state(there, *images)))
        assert effects(found) == {"alice": "recreate", "bob": "recreate"}
        assert "from the destination `east` to `west`" in found[0][1].consequence


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda tree: tree["spec"].pop("initiator"), "`initiator`"),
        (lambda tree: tree["spec"].pop("parties"), "`parties` is missing"),
        (lambda tree: tree["spec"]["parties"][0].pop("appImageRef"), "`appImageRef`"),
        (lambda tree: tree["spec"]["parties"][0]["template"].update(replicas=2**31), "32-bit"),
        (
            lambda tree: tree["spec"]["parties"][0]["template"].update(
                spec={"containers": [{"name": "main"}]}
            ),
            "`workingDir`",
        ),
        (
            lambda tree: tree["spec"]["parties"][0]["template"].update(
                spec={"containers": [{**OVERRIDE[0], "resources": {"limits": {"cpu": "much"}}}]}
            ),
            "no quantity",
        ),
    ],
)
def test_what_the_api_server_refuses(edit, reason):
    after = pair()
    edit(after)
    found = of_deployment(pair(), after)
    assert effects(found) == {"alice": "refused", "bob": "refused"}
    assert reason in found[0][1].consequence


def test_without_an_environment_every_party_is_at_home():
    bare = [
        state(manifest(tree), manifest(image()))._replace(environments={})
        for tree in (pair(), pair(replicas=5))
    ]
    change = compared(manifest(pair()), manifest(pair(replicas=5)))
    ((_, item),) = impacts(change, *bare)
    assert item.destination == "east"


def test_the_sentences_of_the_table():
    for name, row in CHANGE_KINDS.items():
        said = row.consequence.removesuffix("{collides}").removesuffix("{race}")
        assert said.removesuffix(" {left}").endswith("."), name
        advice = row.advice.removesuffix("{collides_advice}").removesuffix("{order}").strip()
        assert advice.removesuffix("{instead}").removesuffix("{way}")[-1:] in ("", "."), name


def test_every_row_of_the_table_is_named():
    """A row that nothing names never speaks."""
    folder = ROOT / "renderer" / "backends" / "kuscia"
    tables = ("change_kinds.py", "app_image_change_kinds.py")
    modules = [path for path in folder.rglob("*.py") if path.name not in tables]
    trees = [ast.parse(path.read_text("utf-8")) for path in modules]
    named = {
        node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    }
    stages = {stage.value for stage in Stage}
    assert CHANGE_KINDS.keys() - named - stages == set()
