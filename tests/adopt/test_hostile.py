"""Whatever is imported, an import ends with a word, and never in the middle."""

import json

import yaml
from hypothesis import strategies as st

from tests.support.adoption import imported, in_memory, manifests_of
from tests.support.repositories import ENVIRONMENT, SMALL
from tests.support.samples import tried

FILES = {"environments/dev/environment.yaml": ENVIRONMENT}
OBJECTS = [yaml.safe_load(text) for text in manifests_of(in_memory(SMALL), "dev").values()]
REQUEST = {
    "serving_id": "risk",
    "initiator": "alice",
    "serving_input_config": "{}",
    "parties": [
        {
            "domain_id": "alice",
            "app_image": "scorer",
            "update_strategy": {"type": "RollingUpdate", "max_surge": "1"},
            "resources": [{"container_name": "", "min_cpu": "1"}],
        }
    ],
}
IMAGE = {
    "name": "web",
    "image": {"name": "a/b", "tag": "v"},
    "deploy_templates": [{"name": "t", "containers": [{"name": "c", "ports": [{"name": "p"}]}]}],
}
ANSWER = {
    "status": {"code": 0},
    "data": {
        **{key: value for key, value in REQUEST.items() if key != "serving_id"},
        "status": {
            "party_statuses": [
                {"role": "", "endpoints": [{"port_name": "p", "endpoint": "risk-p.alice.svc"}]}
            ]
        },
    },
}
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=5,
)


def places(value, path=()):
    """Every place of a tree."""
    yield path
    pairs = value.items() if isinstance(value, dict) else ()
    for key, child in enumerate(value) if isinstance(value, list) else pairs:
        yield from places(child, (*path, key))


def changed(value, path, new):
    """A tree with something else at a place."""
    if not path:
        return new
    done = dict(value) if isinstance(value, dict) else list(value)
    done[path[0]] = changed(value[path[0]], path[1:], new)
    return done


@st.composite
def mutants(draw):
    """Objects and messages, in one of which something is not what it should be."""
    given = [*OBJECTS, REQUEST, IMAGE, ANSWER]
    number = draw(st.integers(0, len(given) - 1))
    place = draw(st.sampled_from(list(places(given[number]))))
    given[number] = changed(given[number], place, draw(values))
    return given


@tried(mutants(), few=10, many=150)
def test_nothing_is_unforeseen(given):
    texts = {f"{number}.json": json.dumps(item) for number, item in enumerate(given)}
    for some in (texts, dict([texts.popitem()])):
        imported(FILES, some, "dev")


@tried(
    st.binary(max_size=200),
    st.sampled_from(["", "curl -d ", "{", "kind: ", "- "]),
    few=10,
    many=100,
)
def test_no_text_is_too_odd(data, start):
    text = start + data.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()
    imported(FILES, {"a.yaml": text}, "dev")
