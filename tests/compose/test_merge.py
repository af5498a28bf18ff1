"""Layers folded into one: as the documentation says, twice as once, in whatever order of files."""

from unittest.mock import patch

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer import check, load
from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kinds import KINDS
from renderer.compose.merge import merge
from renderer.compose.shapes import Shape
from renderer.compose.unchanged import UnchangedPlaces
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree, walk
from tests.support.repositories import HEADER, SMALL
from tests.support.samples import tried

RISK = "environments/{}/servings/risk.yaml"
SERVING = Shape(strict_schema("Serving"), strict_schema("Serving"))


def folded(*layers, shape=SERVING):
    nodes = [
        read(yaml.safe_dump(x).encode(), f"{n}.yaml").document.tree for n, x in enumerate(layers)
    ]
    return merge(nodes, shape).tree


def parties(*layers):
    return folded(*({"parties": layer} for layer in layers)).plain().get("parties")


A, B = {"domain_id": "alice"}, {"domain_id": "bob"}
FOLDS = {
    "maps by key": ([{"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}], {"a": {"x": 1, "y": 3}}),
    "null deletes": ([{"a": 1, "b": 2}, {"a": None}], {"b": 2}),
    "null then set": ([{"a": {"x": 1}}, {"a": None}, {"a": {"y": 2}}], {"a": {"y": 2}}),
    "plain lists are replaced": ([{"a": [1, 2]}, {"a": [3]}], {"a": [3]}),
    "another type replaces": ([{"a": {"x": 1}}, {"a": 1}, {"a": {"y": 2}}], {"a": {"y": 2}}),
    "keys without a schema": ([{"q": {"l": [{"name": 1}]}}, {"q": {"l": []}}], {"q": {"l": []}}),
}
LISTS = {
    "items by key": ([[A, B], [{**B, "replicas": 2}]], [A, {**B, "replicas": 2}]),
    "new items last": ([[A], [B, {**A, "replicas": 2}]], [{**A, "replicas": 2}, B]),
    "the key has two parts": ([[A], [{**A, "role": "host"}]], [A, {**A, "role": "host"}]),
    "an empty part counts as none": ([[A], [{**A, "role": "", "replicas": 1}]],
                                     [{**A, "role": "", "replicas": 1}]),
    "broadcast to all": ([[A, B], {"replicas": 2}], [{**A, "replicas": 2}, {**B, "replicas": 2}]),
    "broadcast to later items": ([{"replicas": 2}, [A]], [{"replicas": 2, **A}]),
    "item after broadcast": ([{"replicas": 2}, [{**A, "replicas": 3}]], [{**A, "replicas": 3}]),
    "later broadcast wins": ([[{**A, "replicas": 3}], {"replicas": 2}], [{**A, "replicas": 2}]),
    "remove": ([[A, B], [{**A, "$remove": True}]], [B]),
    "remove then add": ([[{**A, "replicas": 3}], [{**A, "$remove": True}], [A]], [A]),
    "a broadcast reaches what is added again": (
        [{"replicas": 2}, [A], [{**A, "$remove": True}], [A]], [{**A, "replicas": 2}]),
    "remove nothing": ([[A], [{**B, "$remove": True}]], [A]),
    "nested lists": ([[{**A, "resources": [{"max_cpu": "1"}]}], {"resources": {"max_cpu": "2"}}],
                     [{**A, "resources": [{"max_cpu": "2"}]}]),
    "two of one key stay two": ([[A, A]], [A, A]),
    "null takes all": ([[A], None, [B]], [B]),
    "only broadcasts": ([{"replicas": 2}], []),
}  # fmt: skip


@pytest.mark.parametrize(("layers", "expected"), FOLDS.values(), ids=FOLDS)
def test_fold(layers, expected):
    assert folded(*layers).plain() == expected


@pytest.mark.parametrize(("layers", "expected"), LISTS.values(), ids=LISTS)
def test_fold_keyed_lists(layers, expected):
    assert parties(*layers) == expected


ITEMS = st.lists(
    st.fixed_dictionaries(
        {"domain_id": st.sampled_from(["alice", "bob", "carol"])},
        optional={
            "role": st.sampled_from(["", "host"]),
            "replicas": st.one_of(st.none(), st.integers(0, 3)),
            "$remove": st.booleans(),
            "resources": st.one_of(
                st.fixed_dictionaries({"max_cpu": st.sampled_from(["1", "2"])}),
                st.lists(st.fixed_dictionaries({"container_name": st.sampled_from(["a", "b"])}),
                         max_size=2, unique_by=lambda x: x["container_name"]),
            ),
        },
    ),
    max_size=3,
    unique_by=lambda item: (item["domain_id"], item.get("role", "")),
)  # fmt: skip
LAYER = st.fixed_dictionaries(
    {},
    optional={
        "initiator": st.one_of(st.none(), st.sampled_from(["alice", "bob"])),
        "labels": st.one_of(
            st.none(), st.dictionaries(st.sampled_from("pqr"), st.one_of(st.none(), st.just("v")))
        ),
        "parties": st.one_of(
            st.none(), ITEMS, st.fixed_dictionaries({"replicas": st.integers(4, 6)})
        ),
    },
)


@tried(st.lists(LAYER, min_size=1, max_size=4), few=40, many=150)
def test_folding_again_changes_nothing(layers):
    once = folded(*layers).plain()
    assert folded(*layers, layers[-1]).plain() == once
    without_broadcasts = folded(once).plain()
    assert without_broadcasts == once


@given(st.lists(LAYER, min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_every_value_comes_from_a_layer(layers):
    tree = folded(*layers)
    sources = [read(yaml.safe_dump(x).encode(), "x").document.source for x in layers]
    for _, node in walk(tree):
        number = int(node.origin.file.split(".")[0])
        line = sources[number].splitlines()[node.origin.line - 1]
        if isinstance(node.value, str):
            assert node.value in line


ANYTHING = st.recursive(
    st.sampled_from([None, True, 1, "a"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["p", "q", "$remove"]), inner, max_size=3)
    ),
    max_leaves=6,
)
ODD_LAYER = st.builds(
    lambda layer, odd: {**layer, **odd},
    LAYER,
    st.dictionaries(
        st.sampled_from(["serving_input_config", "labels", "parties", "other"]), ANYTHING
    ),
)


@tried(st.lists(ODD_LAYER, min_size=1, max_size=3), few=40, many=150)
def test_what_stays_as_it_is_would_be_folded_to_the_same(layers):
    nodes = [read(yaml.safe_dump(x).encode(), "x").document.tree for x in layers]
    quick = merge(nodes, SERVING)
    with patch.object(UnchangedPlaces, "is_unchanged", return_value=False):
        assert merge(nodes, SERVING) == quick


def test_a_tree_of_one_layer_stays_itself():
    node = read(b"parties: [{domain_id: alice, resources: []}]", "x").document.tree
    assert merge([node], SERVING).tree is node


def test_what_was_taken_away_from_a_variable_is_not_told_of_a_spec():
    """A layer may hold the value of a variable, which was folded itself."""
    folded_once = folded({"a": {"x": 1}}, {"a": {"x": None}})
    assert folded_once.get("a").gone
    assert not merge([folded_once], SERVING).tree.get("a").gone


def test_a_null_far_below_is_looked_for_once():
    """Twice as deep, twice the work."""

    def looks(depth):
        text = "{a: 1, b: " * depth + "null" + "}" * depth
        node = read(text.encode(), "x").document.tree
        with patch.object(
            UnchangedPlaces, "_mapping", autospec=True, side_effect=UnchangedPlaces._mapping
        ) as spy:
            merge([node], SERVING)
        return spy.call_count

    assert looks(60) <= 2 * looks(30)


def environment(**keys):
    return HEADER.format("Environment") + (yaml.safe_dump(keys) if keys else "")


def serving(**keys):
    return HEADER.format("Serving") + yaml.safe_dump(keys)


EAST = [{"name": "east", "platform": "kuscia", "domains": ["alice", "bob"]}]


def inheriting(repository, **files):
    """The small repository with an environment `prod` that extends `dev`."""
    prod = environment(extends="dev", destinations={"cluster": "prod"})
    return repository({"environments/prod/environment.yaml": prod, **files})


def spec_of(project, environment, stem="risk"):
    (found,) = [e for e in project.environments if e.name == environment]
    (spec,) = [s for s in found.specs if s.stem == stem]
    return spec


def test_an_environment_inherits_everything(repository):
    project = load(inheriting(repository))
    assert check(project) == []
    dev, prod = project.environments
    assert [d.name for d in prod.destinations] == ["east"]
    assert spec_of(project, "prod").tree.plain() == spec_of(project, "dev").tree.plain()
    assert spec_of(project, "prod").files == (RISK.format("dev"),)
    assert prod.files == ("environments/prod/environment.yaml", dev.file)


def test_defaults_lie_below_every_file(repository):
    dev = (
        SMALL["environments/dev/environment.yaml"]
        + "defaults: {Serving: {parties: {replicas: 3}}}\n"
    )
    prod = environment(
        extends="dev",
        destinations={"cluster": "prod"},
        defaults={"Serving": {"parties": {"replicas": 5}}},
    )
    own = serving(parties=[{"domain_id": "bob", "replicas": 7}])
    project = load(repository({
        "environments/dev/environment.yaml": dev,
        "environments/prod/environment.yaml": prod,
        RISK.format("prod"): own,
    }))  # fmt: skip
    assert check(project) == []

    def replicas(name):
        return [p["replicas"] for p in spec_of(project, name).tree.plain()["parties"]]

    assert (replicas("dev"), replicas("prod")) == ([3, 3], [5, 7])


def test_a_disabled_spec_is_gone(repository):
    project = load(inheriting(repository, **{RISK.format("prod"): serving(disabled=True)}))
    assert not [s for s in project.environments[1].specs if s.stem == "risk"]


def test_findings_point_at_the_line_that_set_the_value(repository):
    wrong = serving(parties=[{"domain_id": "alice", "role": "arbiter", "app_image": "scorer"}])
    project = load(inheriting(repository, **{RISK.format("prod"): wrong}))
    item = next(item for item in check(project) if item.code == "KUS105")
    assert (item.file, item.environments) == (RISK.format("prod"), ("prod",))
    assert RISK.format("dev") in item.related


def test_remove_works_in_files(repository):
    own = serving(parties=[{"domain_id": "bob", "$remove": True}])
    project = load(inheriting(repository, **{RISK.format("prod"): own}))
    assert not [item for item in check(project) if str(item.severity) == "error"]
    assert [p["domain_id"] for p in spec_of(project, "prod").tree.plain()["parties"]] == ["alice"]


def chained(last, count):
    """Environments that extend one another, and what the last of them extends."""
    names = [f"e{n:03}" for n in range(count)]
    parents = dict(zip(names, [*names[1:], last], strict=True))
    return {
        f"environments/{name}/environment.yaml": environment(
            **{"extends": parent} if parent else {}
        )
        for name, parent in parents.items()
    }


def test_an_environment_has_at_most_a_hundred_ancestors(repository):
    found = check(load(repository(chained(None, 103))))
    told = [(item.code, item.file.split("/")[1], item.environments) for item in found]
    assert told == [("ENV019", "e001", ("e000", "e001"))]


def test_a_long_loop_is_shown_by_its_first_steps(repository):
    found = check(load(repository(chained("e000", 200))))
    assert [(item.code, len(item.environments)) for item in found] == [("ENV006", 200)]
    way = " → ".join(f"e{n:03}" for n in range(10))
    assert found[0].message == f"the environment extends itself: {way} → … → e000"


def test_folding_is_linear_in_the_length_of_lists():
    """As many lookups as items, whatever their order: four times the items, four times the work."""
    import sys

    def work(count):
        layer = {"parties": [{"domain_id": f"d{n}"} for n in range(count)]}
        calls = 0

        def count_calls(_frame, event, _argument):
            nonlocal calls
            calls += event == "call"

        node = read(yaml.safe_dump(layer).encode(), "x").document.tree
        sys.setprofile(count_calls)
        try:
            merge([node, node], SERVING)
        finally:
            sys.setprofile(None)
        return calls

    assert work(400) < 5 * work(100)


def keyed_lists(schema, root, path=(), seen=()):
    """The paths of lists that merge by a key, into each definition once; a list is its keys."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from keyed_lists(root["definitions"][name], root, path, (*seen, name))
        return
    for part in (*schema.get("allOf", ()), *schema.get("anyOf", ())):
        yield from keyed_lists(part, root, path, seen)
    for key, part in schema.get("properties", {}).items():
        yield from keyed_lists(part, root, (*path, key), seen)
    if keys := tuple(schema.get("x-list-key", ())):
        yield (*path, keys)
        yield from keyed_lists(schema.get("items", {}), root, (*path, keys), seen)


def nested(path, names):
    """A tree with one item in the list at a path; `names` are those of its last key."""
    if not path:
        return {}
    first, *rest = path
    if not isinstance(first, tuple):
        return {first: nested(rest, names)}
    keys = names if not rest else ["outer"] * len(first)
    return [{**dict(zip(first, keys, strict=True)), **nested(rest, names)}]


WITHOUT_KEYED_LISTS = {"ComputeTemplate", "LocalModelCache", "LocalModelNodeGroup", "TrainedModel"}


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"Environment"}))
def test_a_misspelt_item_of_any_keyed_list_is_noticed(kind):
    schema = strict_schema(kind)
    shape = Shape(schema, schema)
    places = set(keyed_lists(schema, schema))
    assert places or kind in WITHOUT_KEYED_LISTS
    for path in places:
        for number in range(len(path[-1])):
            right = ["example-name"] * len(path[-1])
            wrong = [*right[:number], "exmaple-name", *right[number + 1 :]]
            trees = [nested(path, names) for names in (right, wrong)]
            (found,) = merge([uniform_tree(tree, Origin("")) for tree in trees], shape).additions
            assert (found.key.value, found.alike.value) == ("exmaple-name", "example-name"), path
