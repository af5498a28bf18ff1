"""How the parties talk to each other and to their feature services."""

from collections.abc import Iterator

from renderer.backends.kuscia.inputconfig.fields import Configured, Place, configured
from renderer.backends.kuscia.inputconfig.messages import BACKOFF_MODE
from renderer.backends.kuscia.inputconfig.values import enum_number
from renderer.backends.kuscia.serving import Serving
from renderer.values.diagnostics import Finding, Severity, rule

_MODES = {
    "FIXED_BACKOFF": "fixed_backoff_config",
    "EXPONENTIAL_BACKOFF": "exponential_backoff_config",
    "RANDOM_BACKOFF": "random_backoff_config",
}


@rule("KUS520", Severity.ERROR, "Serving")
def channel_has_a_protocol(serving: Serving) -> Iterator[Finding]:
    """Every party's `channelDesc` names its protocol.

    Without one the server speaks baidu_std, which does not pass the HTTP gateway between the
    parties (inferred; the documents call the field required).

    Fails:

        app: secretflow-serving
        serving_input_config: {partyConfigs: {alice: {channelDesc: {rpcTimeoutMs: 2000}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc: {protocol: http}
            bob: *party
    """
    for item in configured(serving):
        channel = item.place.message("channel_desc")
        given = channel.get("protocol") if channel else None
        where = channel.at("protocol") if channel else item.place.at("channel_desc")
        missing = channel.lacks("protocol") if channel else item.place.lacks("channel_desc")
        if missing or (given and given.value == ""):
            name = f"{item.place.spelled('channel_desc')}.protocol"
            message = f"{name} of {item.party.domain!r} is not set"
            yield Finding(where, message, "write protocol: http")


@rule("KUS521", Severity.WARNING, "Serving")
def channel_speaks_http(serving: Serving) -> Iterator[Finding]:
    """The parties talk HTTP.

    Traffic between them passes an HTTP gateway; other protocols do not get through (inferred, not
    observed).

    Fails:

        app: secretflow-serving
        serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: baidu_std}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc: {protocol: http}
            bob: *party
    """
    for item in configured(serving):
        channel = item.place.message("channel_desc")
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

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: {channelDesc: {retryPolicyConfig: {randomBackoffConfig: {minMs: 5}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc:
                protocol: http
                retryPolicyConfig:
                  backoffMode: RANDOM_BACKOFF
                  randomBackoffConfig: {minMs: 5, maxMs: 50}
            bob: *party
    """
    for item in configured(serving):
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


def _retries(item: Configured) -> Iterator[Place]:
    source = item.place.message("feature_source_config")
    users = (item.place.message("channel_desc"), source.message("http_opts") if source else None)
    for user in users:
        if user and (retry := user.message("retry_policy_config")):
            yield retry


RULES = (channel_has_a_protocol, channel_speaks_http, backoff_fits_its_mode)
