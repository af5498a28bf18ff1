"""The input config is taken as secretflow-serving's parser takes it, and located inside texts."""

import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer import check, load
from renderer.backends.kuscia.inputconfig import messages
from renderer.backends.kuscia.inputconfig.checking import Fault
from renderer.backends.kuscia.inputconfig.checking import check as check_message
from renderer.backends.kuscia.versions import parse
from renderer.values.diagnostics import Origin
from renderer.values.tree import derived
from tests.conftest import HEADER, SCORER, SERVING

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


ACCEPTED = {
    "camel-case": GOOD,
    "snake-case": {"party_configs": {"alice": PARTY, "bob": PARTY}},
    "mixed": with_alice(modelConfig={"model_id": "m"}, server_config={"worker_num": 1}),
    "enum-by-number": with_alice(modelConfig={"sourceType": 4}),
    "enum-by-number-as-text": with_alice(modelConfig={"sourceType": "4"}),
    "int-as-text": with_alice(channelDesc={"rpcTimeoutMs": "-1"}),
    "int-as-whole-float": with_alice(channelDesc={"rpcTimeoutMs": 2000.0}),
    "int-lowest": with_alice(channelDesc={"rpcTimeoutMs": -(2**31)}),
    "int-highest": with_alice(channelDesc={"rpcTimeoutMs": 2**31 - 1}),
    "empty-message": with_alice(modelConfig={"fileSourceMeta": {}}),
    "map-of-text": with_alice(serverConfig={"featureMapping": {"any key": "x", "b": "y"}}),
    "bool": with_alice(featureSourceConfig={"httpOpts": {"endpoint": "e", "enableLb": True}}),
    "source-types-may-differ": with_alice(modelConfig={"sourceType": "ST_DP"}),
    "predictors": {**GOOD, "predictorParties": ["alice", "bob"]},
    "empty-checksum-is-none": with_alice(modelConfig={"sourceSha256": ""}),
    "default-backoff-is-fixed": with_alice(
        channelDesc={"retryPolicyConfig": {"fixedBackoffConfig": {"intervalMs": 5}}}
    ),
}


@pytest.mark.parametrize("config", ACCEPTED.values(), ids=ACCEPTED)
@pytest.mark.parametrize("form", [lambda c: c, json.dumps], ids=["mapping", "text"])
def test_accepted(config, form, codes):
    assert codes(serving(form(config))) == []


def test_null_is_absent(codes):
    config = with_alice(featureSourceConfig={"mockOpts": {}, "csvOpts": None}, serverConfig=None)
    assert codes(serving(json.dumps(config))) == []


REFUSED = {
    "unknown-camel": (with_alice(modelConfig={"modelIdd": "m"}), "KUS502", "modelIdd", "modelId?"),
    "unknown-snake": (
        with_alice(server_config={"workers_num": 1}), "KUS502", "workers_num", "worker_num?"),
    "unknown-far": (with_alice(zzz=1), "KUS502", "zzz", "PartyConfig has serverConfig"),
    "both-spellings": (
        with_alice(channel_desc={"protocol": "http"}), "KUS503", "the same field", "delete one"),
    "enum-case": (with_alice(modelConfig={"sourceType": "st_oss"}), "KUS504", "word", "ST_OSS?"),
    "enum-of-bool": (with_alice(modelConfig={"sourceType": True}), "KUS504", "true", "ST_FILE"),
    "int-as-word": (with_alice(serverConfig={"workerNum": "x"}), "KUS504", "whole", "digits"),
    "int-with-blank": (with_alice(serverConfig={"workerNum": " 1"}), "KUS504", "whole", "digits"),
    "int-fraction": (with_alice(serverConfig={"workerNum": 1.5}), "KUS504", "a number", "digits"),
    "int-too-high": (with_alice(serverConfig={"workerNum": 2**31}), "KUS504", "32 bits", "2147"),
    "int-too-low": (with_alice(serverConfig={"workerNum": -(2**31) - 1}), "KUS504", "32 bits", ""),
    "int-of-bool": (with_alice(serverConfig={"workerNum": True}), "KUS504", "true", "digits"),
    "bool-as-text": (
        with_alice(featureSourceConfig={"httpOpts": {"enableLb": "true"}}),
        "KUS504", "text", "true"),
    "text-of-number": (with_alice(modelConfig={"modelId": 7}), "KUS504", "a number", "quotes"),
    "message-of-list": (with_alice(channelDesc=[]), "KUS504", "a list, not a mapping", "mapping"),
    "map-of-text": ({"partyConfigs": "x"}, "KUS504", "text, not a mapping", "mapping"),
    "map-value": (
        with_alice(serverConfig={"featureMapping": {"a": 1}}), "KUS504", "value of feat", "quotes"),
    "list-of-text": ({**GOOD, "predictorParties": "alice"}, "KUS504", "not a list", "a list"),
    "list-item": ({**GOOD, "predictorParties": [1]}, "KUS504", "an item of pred", "quotes"),
    "oneof": (
        with_alice(featureSourceConfig={"mockOpts": {}, "http_opts": {"endpoint": "e"}}),
        "KUS505", "http_opts and mockOpts exclude", "keep one"),
    "md5-camel": (
        with_alice(modelConfig={"sourceMd5": "x"}), "KUS507", "sourceMd5", "sourceSha256"),
    "md5-snake": (
        with_alice(modelConfig={"source_md5": "x"}), "KUS507", "source_md5", "source_sha256"),
    "party-without-entry": (
        {"partyConfigs": {"alice": PARTY}}, "KUS508", "'bob'", "add 'bob'"),
    "entry-without-party": (
        {"partyConfigs": {**GOOD["partyConfigs"], "bobb": {}}}, "KUS509", "not a party", "delete"),
    "predictor": ({**GOOD, "predictorParties": ["alcie"]}, "KUS510", "not a party", "'alice'?"),
    "source-type-zero": (with_alice(modelConfig={"sourceType": 0}), "KUS512", "not set", "ST_DP"),
    "source-type-beyond": (with_alice(modelConfig={"sourceType": 9}), "KUS512", "is 9", "ST_FILE"),
    "source-path-empty": (with_alice(modelConfig={"sourcePath": ""}), "KUS513", "empty", "set"),
    "checksum-upper": (
        with_alice(modelConfig={"sourceSha256": "A" * 64}), "KUS514", "hex", "lower case"),
    "checksum-short": (
        with_alice(modelConfig={"sourceSha256": "a" * 63}), "KUS514", "hex", "sha256sum"),
    "oss": (with_alice(modelConfig={"sourceType": 2}), "KUS515", "'scorer'", "SERVING_OSS_META"),
    "empty-feature-source": (with_alice(featureSourceConfig={}), "KUS517", "is empty", "httpOpts"),
    "streaming": (
        with_alice(featureSourceConfig={"streamingOpts": {}}), "KUS518", "offline", "csvOpts"),
    "feature-mapping": (
        with_alice(serverConfig={"featureMapping": {"a": "x", "b": "x"}}), "KUS519", "same", "map"),
    "protocol-empty": (with_alice(channelDesc={"protocol": ""}), "KUS520", "not set", "http"),
    "protocol-other": (with_alice(channelDesc={"protocol": "h2"}), "KUS521", "not http", "http"),
    "backoff": (
        with_alice(channelDesc={"retryPolicyConfig": {
            "backoffMode": 2, "randomBackoffConfig": {"minMs": 1}}}),
        "KUS522", "EXPONENTIAL_BACKOFF", "exponentialBackoffConfig"),
    "expansion": (with_alice(modelConfig={"basePath": "/a$$b"}), "KUS524", "single $", "without"),
    "expansion-in-a-key": (
        with_alice(serverConfig={"featureMapping": {"$(A)": "x"}}), "KUS524", "variable", ""),
}  # fmt: skip


@pytest.mark.parametrize(("config", "code", "message", "fix"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("form", [lambda c: c, json.dumps], ids=["mapping", "text"])
def test_refused_for_one_reason(config, code, message, fix, form, findings):
    found = findings(serving(form(config)))
    assert [item.code for item in found] == [code]
    assert message in found[0].message
    assert fix in found[0].fix


NOT_JSON = {
    "trailing-comma": ('{"a": 1,}', (1, 9)),
    "single-quotes": ("{'a': 1}", (1, 2)),
    "ends-early": ('{"a": 1', (1, 7)),
    "followed": ("{} x", (1, 4)),
    "list": ("[]", (1, 1)),
    "null": ("null", (1, 1)),
    "word": ("nonsense", (1, 1)),
    "not-a-number": ('{"a": NaN}', (1, 1)),
    "deep": ("[" * 100_000, (1, 1)),
    "long-number": ('{"a": ' + "9" * 5000 + "}", (1, 1)),
}


@pytest.mark.parametrize(("text", "expected"), NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_found_where_it_ends_to_be(text, expected, findings):
    literal = SERVING + "app: secretflow-serving\nserving_input_config: |-\n  " + text + "\n"
    (found,) = findings({SPEC: literal})
    assert found.code == "KUS501"
    line = SERVING.count("\n") + 3
    assert (found.line - line + 1, found.column - 2) == expected


@pytest.mark.parametrize("config", ["", None], ids=["empty", "missing"])
def test_a_serving_that_says_what_it_is_needs_a_config(config, codes):
    assert codes(serving(config)) == ["KUS501"]


@pytest.mark.parametrize(
    "names", [("channel_desc", "channelDesc"), ("channelDesc", "channel_desc")]
)
def test_a_field_in_both_spellings_is_told_once(names, codes):
    alice = {"modelConfig": PARTY["modelConfig"], names[0]: {}, names[1]: {"protocol": "h2"}}
    assert codes(serving({"partyConfigs": {"alice": alice, "bob": PARTY}})) == ["KUS503"]


def test_a_key_twice_in_a_text(findings):
    text = json.dumps(GOOD).replace('"protocol"', '"protocol": "http", "protocol"', 1)
    (found,) = findings(serving(text))
    assert (found.code, found.message) == ("KUS503", "this key stands twice")


BAD = '{"partyConfigs": {"alice": {"modelConfig": {"sourceMd5": "x"}}}}'
START = SERVING.count("\n") + 2
POSITIONS = {
    "single": (f"'{BAD}'", (START, 23 + 45)),
    "double": (json.dumps(BAD), (START, 23 + 45 + 6)),
    "literal": ("|\n  " + BAD.replace("{", "{\n  "), (START + 5, 3)),
    "folded": (">-\n    " + BAD.replace(": ", ":\n    "), (START + 4, 6)),
    "folded-quotes": ("'" + BAD.replace("{", "{\n    ") + "'", (START + 4, 5)),
    "anchored": (f"&config '{BAD}'", (START, 31 + 45)),
}


@pytest.mark.parametrize(("value", "expected"), POSITIONS.values(), ids=POSITIONS)
def test_a_finding_is_at_its_place_inside_the_text(value, expected, findings):
    found = findings({SPEC: HEAD + f"serving_input_config: {value}\n"})
    (md5,) = [item for item in found if item.code == "KUS507"]
    assert (md5.line, md5.column) == expected


def test_a_finding_is_at_its_place_inside_a_json_spec(findings):
    spec = {**yaml.safe_load(HEAD), "serving_input_config": BAD}
    source = json.dumps(spec, indent=2)
    file = SPEC.replace(".yaml", ".json")
    found = findings({SPEC: None, file: source})
    (md5,) = [item for item in found if item.code == "KUS507"]
    line = source.splitlines()[md5.line - 1]
    assert line[md5.column - 1 :].startswith('\\"sourceMd5')


def test_a_finding_behind_a_variable_is_still_at_its_place(findings, repository):
    environment = HEADER.format("Environment") + (
        "destinations: [{name: east, platform: kuscia, domains: [alice, bob]}]\n"
        "vars: {model: a-long-name}\n"
    )
    text = BAD.replace('"sourceMd5"', '"modelId": "${vars.model}", "sourceMd5"')
    files = {
        "environments/dev/environment.yaml": environment,
        SPEC: HEAD + f"serving_input_config: '{text}'\n",
    }
    (md5,) = [item for item in findings(files) if item.code == "KUS507"]
    assert md5.column == 24 + text.index('"sourceMd5"')


def test_a_mapping_is_located_by_its_own_lines(findings):
    text = """\
serving_input_config:
  partyConfigs:
    alice:
      modelConfig:
        sourceType: ST_FILE
        sourceMd5: x
"""
    found = {
        item.code: (item.line - START + 1, item.column) for item in findings({SPEC: HEAD + text})
    }
    assert found == {
        "KUS507": (6, 9),
        "KUS508": (2, 3),
        "KUS513": (4, 7),
        "KUS520": (3, 5),
    }


VERSIONS = {
    "ST_HTTP": ({"modelConfig": {"sourceType": "ST_HTTP"}}, "0.2.1b0", "0.3.0b0"),
    "ST_HTTP-by-number": ({"modelConfig": {"sourceType": 3}}, "0.2.1b0", "0.3.0b0"),
    "ST_DP": ({"modelConfig": {"sourceType": "ST_DP"}}, "0.5.0b0", "0.6.0b0"),
    "http_source_meta": ({"modelConfig": {"httpSourceMeta": {}}}, "0.2.0b0", "0.3.0b0"),
    "dp_source_meta": ({"modelConfig": {"dp_source_meta": {}}}, "0.5.0b0", "0.6.0b0"),
    "retry": ({"channelDesc": {"retryPolicyConfig": {}}}, "0.5.0b0", "0.6.0b0"),
    "csv-block-size": (
        {"featureSourceConfig": {"csvOpts": {"blockSize": 1}}}, "0.6.0b0", "0.7.0b0"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "older", "since"), VERSIONS.values(), ids=VERSIONS)
def test_fields_of_newer_versions(changes, older, since, findings, codes):
    config = with_alice(**changes)
    (found,) = findings(serving(config, app_version=older))
    assert found.code == "KUS506"
    assert older in found.message
    assert since in found.message
    assert codes(serving(config, app_version=since)) == []


def image(name, tag):
    return SCORER.replace("example/scorer", name).replace("tag: v1", f"tag: {tag}")


def test_the_oldest_image_decides(findings):
    files = {
        **serving({**GOOD, "predictorParties": ["alice"]}),
        "environments/dev/appimages/scorer.yaml": image("x/serving-anolis8", "0.9.0b0"),
        "environments/dev/appimages/pair.yaml": image("x/serving-anolis8", "0.7.1b0-2024"),
    }
    (found,) = findings(files)
    assert found.code == "KUS506"
    assert "the AppImage 'pair' with the tag 0.7.1b0-2024" in found.message


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
    version = parse(tag)
    assert (version.numbers if version else None) == numbers


APPS = {
    "by-image-name": ("secretflow/serving-anolis8", {"x": 1}, {}, True),
    "other-image": ("example/scorer", {"x": 1}, {}, False),
    "empty-mapping": ("secretflow/serving-anolis8", {}, {}, False),
    "empty-object": ("secretflow/serving-anolis8", " { } ", {}, False),
    "empty-text": ("secretflow/serving-anolis8", "", {}, False),
    "said-to-be-other": ("secretflow/serving-anolis8", {"x": 1}, {"app": "other"}, False),
    "said-to-be": ("example/scorer", {"x": 1}, {"app": "secretflow-serving"}, True),
}


@pytest.mark.parametrize(("name", "config", "more", "checked"), APPS.values(), ids=APPS)
def test_which_servings_are_checked(name, config, more, checked, codes):
    files = {
        SPEC: SERVING + yaml.safe_dump({"serving_input_config": config, **more}),
        "environments/dev/appimages/scorer.yaml": image(name, "0.9.0b0"),
    }
    assert bool(codes(files)) is checked


def test_oss_with_its_meta(codes):
    template = 'configTemplates: {serving.conf: \'{"oss_meta": "{{.SERVING_OSS_META}}"}\'}\n'
    files = {
        **serving(with_alice(modelConfig={"sourceType": "ST_OSS"})),
        "environments/dev/appimages/scorer.yaml": SCORER + template,
    }
    assert codes(files) == []


def test_one_domain_in_two_roles_is_alone(codes):
    parties = [{"domain_id": "alice", "app_image": "scorer", "role": r} for r in ("host", "guest")]
    config = {"partyConfigs": {"alice": PARTY}}
    assert codes(serving(config, parties=parties)) == ["KUS511"]


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
        if isinstance(field.type, messages.Message):
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


@given(tree=TREES)
@settings(max_examples=400, deadline=None)
def test_any_tree_is_checked(tree):
    node = derived({"partyConfigs": {"alice": tree}}, Origin("x"))
    for problem in check_message(node, messages.SERVING, parse("0.2.0b0")):
        assert problem.fault in Fault
        assert problem.finding.fix
        assert problem.finding.path[0] == "partyConfigs"
