"""What all heirs of an environment say alike moves to the environment above, and only that."""

import json

import pytest
import yaml

from renderer.adopt.drafts import Draft
from renderer.adopt.sharing import Family, family_of, share
from renderer.backends.kinds import KINDS
from renderer.errors import UsageError
from renderer.text.yaml_reader import read
from tests.support.memory import project
from tests.support.repositories import ENVIRONMENT, HEADER

BASE, DEV, PROD = (f"environments/{name}/servings/risk.yaml" for name in ("base", "dev", "prod"))
HEIR = f"{ENVIRONMENT}extends: base\n"
FILES = {
    "servingctl.yaml": "",
    "environments/base/environment.yaml": HEADER.format("Environment"),
    "environments/dev/environment.yaml": HEIR,
    "environments/prod/environment.yaml": HEIR,
}
BOTH = Family("base", ("dev", "prod"))


def shared(own, files, family=BOTH, kind="Serving", **more):
    """What becomes of the files, and which drafts share nothing."""
    head = {"apiVersion": "serving.gitops/v1", "kind": kind}
    tree = read(yaml.safe_dump({**head, **own}, sort_keys=False).encode(), PROD).document.tree
    draft = Draft("prod", KINDS[kind], "risk", PROD, tree, ())
    texts = {path: json.dumps({**head, **said}) for path, said in files.items()}
    found = share(draft, tree, project({**FILES, **texts, **more}), family)
    trees = {path: node and node.plain() for path, node in found.trees.items()}
    written = [said for said in trees.values() if said is not None]
    heads = [{key: said.pop(key, None) for key in head} for said in written]
    assert heads == [head] * len(heads), "each file begins like a spec"
    return trees, found.kept


ALICE, BOB = {"domain_id": "alice", "replicas": 1}, {"domain_id": "bob"}
CASES = {  # prod, dev, what is common, what is left to prod, to dev
    "all": ({"initiator": "alice"}, {"initiator": "alice"}, {"initiator": "alice"}, None, None),
    "a field": (
        {"initiator": "alice", "labels": {"a": "b"}},
        {"initiator": "alice", "labels": {"a": "c"}},
        {"initiator": "alice"},
        {"labels": {"a": "b"}},
        {"labels": {"a": "c"}},
    ),
    "a member": (
        {"labels": {"a": "b", "c": "d"}},
        {"labels": {"c": "d"}},
        {"labels": {"c": "d"}},
        {"labels": {"a": "b"}},
        None,
    ),
    "an empty mapping": (
        {"initiator": "alice", "labels": {}},
        {"initiator": "bob", "labels": {}},
        {"labels": {}},
        {"initiator": "alice"},
        {"initiator": "bob"},
    ),
    "an item": (
        {"parties": [ALICE, BOB]},
        {"parties": [ALICE]},
        {"parties": [ALICE]},
        {"parties": [BOB]},
        None,
    ),
    "a part of an item": (
        {"parties": [{**ALICE, "role": "host"}]},
        {"parties": [{**ALICE, "role": "host", "replicas": 2}]},
        {"parties": [{"domain_id": "alice", "role": "host"}]},
        {"parties": [{**ALICE, "role": "host"}]},
        {"parties": [{**ALICE, "role": "host", "replicas": 2}]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_all_say_is_said_above(name):
    own, other, common, *rest = CASES[name]
    trees, kept = shared(own, {DEV: other})
    assert trees == {PROD: rest[0], DEV: rest[1], BASE: common}
    assert not kept


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ({"initiator": "alice"}, {"initiator": "bob"}),
        ({"initiator": None}, {"initiator": None}),
        ({"parties": [{**BOB, "$remove": True}]}, {"parties": [{**BOB, "$remove": True}]}),
        ({"parties": [ALICE]}, {"parties": {"replicas": 1}}),
        ({"labels": {"a": "b"}}, {"labels": None}),
        ({"labels": {"a": "b"}}, {"labels": {"a": "c"}}),
        ({"labels": {}}, {"labels": {"a": "b"}}),
        ({"serving_input_config": {"a": [1]}}, {"serving_input_config": {"a": [1, 2]}}),
    ],
)
def test_what_has_nothing_in_common_stays(own, other):
    trees, kept = shared(own, {DEV: other})
    assert trees == {PROD: own, DEV: other}
    assert kept == ("Serving/risk has nothing in common with dev",)


def test_all_heirs_must_say_it():
    third = "environments/test/servings/risk.yaml"
    one = {"initiator": "alice", "labels": {"a": "b"}, "affinity_mode": "x"}
    others = {DEV: one, third: {"initiator": "bob", "affinity_mode": "x"}}
    heirs = {"environments/test/environment.yaml": HEIR}
    trees, _ = shared(one, others, Family("base", ("dev", "prod", "test")), **heirs)
    rest = {"initiator": "alice", "labels": {"a": "b"}}
    alone = {"initiator": "bob"}
    assert trees == {PROD: rest, DEV: rest, third: alone, BASE: {"affinity_mode": "x"}}


def test_a_text_in_a_file_is_not_the_text_itself():
    own, other = ({"configTemplates": {"a": said}} for said in ("text", {"file": "a.conf"}))
    conf = {"environments/dev/servings/a.conf": "text"}
    assert shared(own, {DEV: other}, kind="AppImage", **conf)[0] == {PROD: own, DEV: other}


def test_what_is_above_already_is_added_to():
    above = "environments/base/other/risk.json"
    trees, _ = shared(
        {"initiator": "alice"}, {DEV: {"initiator": "alice"}, above: {"labels": {"a": "b"}}}
    )
    assert trees == {PROD: None, DEV: None, above: {"labels": {"a": "b"}, "initiator": "alice"}}


def test_what_another_heir_does_not_have_stays():
    own = {"initiator": "alice"}
    assert shared(own, {}) == ({PROD: own}, ("Serving/risk is not in dev",))


def test_an_only_heir_shares_nothing():
    own = {"initiator": "alice"}
    alone = Family("base", ("prod",))
    assert shared(own, {}, alone) == ({PROD: own}, ("no other environment extends base",))


def test_heirs_are_those_of_the_environment_next_above():
    files = {**FILES, "environments/eu/environment.yaml": f"{ENVIRONMENT}extends: prod\n"}
    assert family_of(project(files), "prod") == BOTH
    assert family_of(project(files), "eu") == Family("prod", ("eu",))
    with pytest.raises(UsageError, match="'base' extends no environment"):
        family_of(project(files), "base")
