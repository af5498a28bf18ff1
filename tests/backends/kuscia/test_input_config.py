"""The input config is taken as secretflow-serving's parser takes it, and located inside texts."""

import json

import pytest
import yaml
from hypothesis import strategies as st

from renderer import check, load
from renderer.backends.kuscia.dialect import parse_version
from renderer.backends.kuscia.input_config import messages
from renderer.backends.kuscia.input_config.protobuf_json import Fault
from renderer.backends.kuscia.input_config.protobuf_json import check as check_message
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.repositories import SERVING
from tests.support.samples import tried

SPEC = "environments/dev/servings/risk.yaml"
HEAD = SERVING + "app: secretflow-serving\n"
PARTY = {
    "modelConfig": {"sourceType": "ST_FILE", "sourcePath": "m.tar.gz"},
    "channelDesc": {"protocol": "http"},
}
GOOD = {"partyConfigs": {"alice": PARTY, "bob": PARTY}}
SECRET = "hunter2"


def with_alice(**changes):
    """The good config with some fields of alice's entry added or replaced."""
    alice = json.loads(json.dumps(PARTY))
    for name, value in changes.items():
        merged = isinstance(value, dict) and name in alice
        alice[name] = {**alice[name], **value} if merged else value
    return {"partyConfigs": {"alice": alice, "bob": PARTY}}


def serving(config, **more):
    spec = {"serving_input_config": config, **more}
    return {SPEC: HEAD + yaml.safe_dump(spec, sort_keys=False)}


def own(found):
    return [item for item in found if "KUS501" <= item.code <= "KUS529"]


@pytest.fixture
def findings(repository):
    def find(files):
        return own(check(load(repository(files))))

    return find


@pytest.fixture
def codes(findings):
    return lambda files: [item.code for item in findings(files)]


@pytest.mark.parametrize(
    ("config", "found"),
    [
        (with_alice(featureSourceConfig={"mockOpts": {}, "csvOpts": None}, serverConfig=None), []),
        (with_alice(model_config=None), []),
        (with_alice(modelConfig=None), ["KUS512"]),
        (with_alice(modelConfig={"sourceType": None}), ["KUS512"]),
        (with_alice(modelConfig={"sourcePath": None}), ["KUS513"]),
        ({"partyConfigs": {"alice": None, "bob": PARTY}}, ["KUS512", "KUS520"]),
        ({"partyConfigs": None}, ["KUS508", "KUS508"]),
    ],
)
def test_null_is_absent(config, found, codes):
    """In a text, as a spec takes null for the wish to inherit nothing."""
    assert codes(serving(json.dumps(config))) == found


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a": ' + "9" * 5000 + "}"], ids=["deep", "long number"]
)
def test_what_is_not_json_is_found_where_it_begins(text, findings):
    (found,) = findings({SPEC: HEAD + "serving_input_config: |-\n  " + text + "\n"})
    assert (found.code, found.line, found.column) == ("KUS501", SERVING.count("\n") + 3, 3)


BAD = '{"partyConfigs": {"alice": {"modelConfig": {"sourceMd5": "x"}}}}'


def test_a_finding_is_at_its_place_inside_a_json_spec(findings):
    spec = {**yaml.safe_load(HEAD), "serving_input_config": BAD}
    source = json.dumps(spec, indent=2)
    file = SPEC.replace(".yaml", ".json")
    found = findings({SPEC: None, file: source})
    (md5,) = [item for item in found if item.code == "KUS507"]
    line = source.splitlines()[md5.line - 1]
    assert line[md5.column - 1 :].startswith('\\"sourceMd5')


@pytest.mark.parametrize(
    ("tag", "numbers"),
    [
        ("0.9.0b0", (0, 9, 0)),
        ("v0.10.0.dev20250414", (0, 10, 0)),
        ("0.8.0b0-anolis8", (0, 8, 0)),
        ("latest", None),
        ("v1", None),
        ("20240105", None),
        ("", None),
    ],
)
def test_the_version_of_a_tag(tag, numbers):
    version = parse_version(tag)
    assert (version.numbers if version else None) == numbers


@pytest.mark.parametrize(("size", "expected"), [(131059, []), (131060, ["KUS523"])])
@pytest.mark.parametrize("form", ["mapping", "text"])
def test_the_longest_input_config(size, expected, form, codes):
    def sized(filler):
        return with_alice(modelConfig={"basePath": "é" + "a" * filler})

    def text(filler):
        return json.dumps(sized(filler), ensure_ascii=False, separators=(",", ":"))

    filler = size - len(text(0).encode())
    config = text(filler) if form == "text" else sized(filler)
    assert codes(serving(config)) == expected


@pytest.mark.parametrize(
    ("char", "expected"),
    [("\x7f", ["KUS526"]), ("\U000e0001", ["KUS526"]), ("\U0001f600", []), ("\u200b", [])],
    ids=["delete", "a tag", "a smile", "zero width"],
)
@pytest.mark.parametrize("place", ["value", "key"])
def test_characters_that_are_lost(char, expected, place, codes):
    mapping = {f"v{char}": "x1"} if place == "key" else {"v1": f"x{char}"}
    config = with_alice(serverConfig={"featureMapping": mapping})
    assert codes(serving(json.dumps(config))) == expected


def leaves(kind, value):
    """A tree with a value in every field of a message, the deeper ones too."""

    def held(field):
        if isinstance(field.type, messages.MessageType):
            return leaves(field.type, value)
        return value

    return {
        name: {"k": held(f)} if f.shape == messages.MAP else held(f)
        for name, f in kind.fields.items()
    }


@pytest.mark.parametrize(
    "value", [SECRET, [SECRET], {SECRET: SECRET}], ids=["text", "list", "mapping"]
)
def test_no_value_is_repeated_in_a_message(value, findings):
    config = leaves(messages.SERVING, value)
    config["party_configs"] = {"alice": config["party_configs"]["k"], "bob": {"x": value}}
    found = findings(serving(json.dumps(config)))
    quiet = [item for item in found if item.code != "KUS502"]  # which names unknown fields
    assert len(quiet) > 20
    for item in quiet:
        assert SECRET not in item.message + item.fix


NAMES = sorted({form for m in (messages.PARTY, messages.MODEL, messages.CHANNEL, messages.SERVER)
                for form in m.spellings} | {"alice", "x", ""})  # fmt: skip
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=12,
)


@tried(TREES, few=40, many=400)
def test_any_tree_is_checked(tree):
    node = uniform_tree({"partyConfigs": {"alice": tree}}, Origin("x"))
    for problem in check_message(node, messages.SERVING, parse_version("0.2.0b0")):
        assert problem.fault in Fault
        assert problem.finding.fix
        assert problem.finding.path[0] == "partyConfigs"
