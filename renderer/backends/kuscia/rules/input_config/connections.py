"""What a party's server talks to: its source of features, and the other parties."""

from collections.abc import Iterator

from renderer.backends.fields import members
from renderer.backends.kuscia.input_config.document import PartyConfig, Section, party_configs
from renderer.backends.kuscia.input_config.messages import BACKOFF_MODE
from renderer.backends.kuscia.input_config.protobuf_json import enum_number
from renderer.backends.kuscia.serving import Serving
from renderer.values.diagnostics import Finding, Severity, rule

_MODES = {
    "FIXED_BACKOFF": "fixed_backoff_config",
    "EXPONENTIAL_BACKOFF": "exponential_backoff_config",
    "RANDOM_BACKOFF": "random_backoff_config",
}


@rule("KUS517", Severity.ERROR, "Serving")
def feature_source_is_chosen(serving: Serving) -> Iterator[Finding]:
    """A `featureSourceConfig` names a source.

    Left out, the server takes features from requests; empty, it does not start.

    Fails: serving_input_config: {partyConfigs: {alice: {featureSourceConfig: {}}}}
    Passes with:
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {httpOpts: {endpoint: 'features:8000'}}}}
    """
    for item in party_configs(serving):
        source = item.section.message("feature_source_config")
        if source and all(child.value is None for child in source.node.items.values()):
            names = [source.spelled(name) for name in ("http_opts", "csv_opts", "mock_opts")]
            fix = f"add {names[0]}, {names[1]} or {names[2]}, or delete it"
            yield Finding(source.path, f"{source.path[-1]} is empty", fix, at_key=True)


@rule("KUS518", Severity.ERROR, "Serving")
def features_are_not_streamed(serving: Serving) -> Iterator[Finding]:
    """`streamingOpts` belong to the offline inference tool.

    The server refuses them and does not start.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {streamingOpts: {filePath: a.csv}}}}
    Passes:
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {csvOpts: {filePath: a.csv, idName: id}}}}
    """
    for item in party_configs(serving):
        source = item.section.message("feature_source_config")
        if source and source.get("streaming_opts"):
            name, instead = source.spelled("streaming_opts"), source.spelled("csv_opts")
            message = f"{name} is for the offline inference tool only"
            yield Finding(source.at("streaming_opts"), message, f"use {instead}", at_key=True)


@rule("KUS519", Severity.ERROR, "Serving")
def features_are_mapped_apart(serving: Serving) -> Iterator[Finding]:
    """No two features are mapped to one feature of the model.

    The server does not start if two values of `featureMapping` are equal.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {serverConfig: {featureMapping: {age: x1, income: x1}}}}
    Passes:
        serving_input_config:
          partyConfigs: {alice: {serverConfig: {featureMapping: {age: x1, income: x2}}}}
    """
    for item in party_configs(serving):
        server = item.section.message("server_config")
        mapping = server.get("feature_mapping") if server else None
        seen: set[str] = set()
        for key, node in members(mapping).items():
            if not server or not isinstance(node.value, str):
                continue
            if node.value in seen:
                path = (*server.at("feature_mapping"), key)
                message = f"an earlier entry of {path[-2]} has the same value"
                yield Finding(path, message, "map each feature to one of its own")
            seen.add(node.value)


@rule("KUS520", Severity.ERROR, "Serving")
def channel_has_a_protocol(serving: Serving) -> Iterator[Finding]:
    """Every party's `channelDesc` names its protocol.

    Without one the server speaks baidu_std, which does not pass the HTTP gateway between the
    parties (inferred; the documents call the field required).

    Fails: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: null}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: http}}}}
    """
    for item in party_configs(serving):
        channel = item.section.message("channel_desc")
        given = channel.get("protocol") if channel else None
        where = channel.at("protocol") if channel else item.section.at("channel_desc")
        missing = channel.lacks("protocol") if channel else item.section.lacks("channel_desc")
        if missing or (given and given.value == ""):
            name = f"{item.section.spelled('channel_desc')}.protocol"
            message = f"{name} of {item.party.domain!r} is not set"
            yield Finding(where, message, "write protocol: http")


@rule("KUS521", Severity.WARNING, "Serving")
def channel_speaks_http(serving: Serving) -> Iterator[Finding]:
    """The parties talk HTTP.

    Traffic between them passes an HTTP gateway; other protocols do not get through (inferred, not
    observed).

    Fails: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: baidu_std}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: http}}}}
    """
    for item in party_configs(serving):
        channel = item.section.message("channel_desc")
        given = channel.get("protocol") if channel else None
        if channel and given and isinstance(given.value, str) and given.value not in ("", "http"):
            message = f"protocol of {item.party.domain!r} is not http"
            yield Finding(channel.at("protocol"), message, "write http")


@rule("KUS522", Severity.WARNING, "Serving")
def backoff_fits_its_mode(serving: Serving) -> Iterator[Finding]:
    """The backoff of a retry policy is configured for its mode.

    The server ignores the configuration of another mode without a message; without a mode the
    backoff is fixed.

    Fails:
        serving_input_config:
          partyConfigs:
            alice: {channelDesc: {retryPolicyConfig: {randomBackoffConfig: {minMs: 5}}}}
    Passes with:
        serving_input_config:
          partyConfigs:
            alice:
              channelDesc:
                retryPolicyConfig: {backoffMode: RANDOM_BACKOFF, randomBackoffConfig: {maxMs: 50}}
    """
    for item in party_configs(serving):
        for retry in _retries(item):
            given = retry.get("backoff_mode")
            number = enum_number(given, BACKOFF_MODE) if given else 0
            mode = BACKOFF_MODE.word(number or 1) if number is not None else ""
            for word, name in _MODES.items():
                if mode and word != mode and retry.get(name):
                    written = retry.spelled("backoff_mode")
                    message = f"{retry.spelled(name)} is ignored, as {written} is {mode}"
                    fix = f"write {written}: {word}, or {retry.spelled(_MODES[mode])}"
                    yield Finding(retry.at(name), message, fix, at_key=True)


def _retries(item: PartyConfig) -> Iterator[Section]:
    source = item.section.message("feature_source_config")
    users = (item.section.message("channel_desc"), source.message("http_opts") if source else None)
    for user in users:
        if user and (retry := user.message("retry_policy_config")):
            yield retry


RULES = (
    feature_source_is_chosen,
    features_are_not_streamed,
    features_are_mapped_apart,
    channel_has_a_protocol,
    channel_speaks_http,
    backoff_fits_its_mode,
)
