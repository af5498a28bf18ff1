"""The parties of a serving and those of its input config."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, members
from renderer.backends.kuscia.input_config.document import (
    PartyConfig,
    Section,
    has_misnamed_model,
    party_configs,
    root_section,
    runs_secretflow_serving,
)
from renderer.backends.kuscia.input_config.messages import BACKOFF_MODE
from renderer.backends.kuscia.input_config.protobuf_json import enum_number
from renderer.backends.kuscia.serving import Serving
from renderer.text.wording import listed, misspelt, nearest
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.tree import Node

_MODES = {
    "FIXED_BACKOFF": "fixed_backoff_config",
    "EXPONENTIAL_BACKOFF": "exponential_backoff_config",
    "RANDOM_BACKOFF": "random_backoff_config",
}


@rule("KUS508", Severity.ERROR, "Serving")
def party_is_configured(serving: Serving) -> Iterator[Finding]:
    """Every party has an entry in `partyConfigs`.

    A server that does not find its own domain there does not start; the others do not notice.

    Fails: serving_input_config: {partyConfigs: {bob: null}}
    Passes with:
        serving_input_config:
          partyConfigs:
            bob:
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc: {protocol: http}
    """
    top = root_section(serving)
    entries = top.get("party_configs") if top else None
    is_map = isinstance(entries.value, Mapping) if entries else top and top.lacks("party_configs")
    if not top or not is_map:
        return
    name = top.spelled("party_configs")
    strays = {_meant(key, serving, entries): key for key in _strays(serving, entries)}
    for domain in _unconfigured(serving, entries):
        message = f"{name} has no entry for the party {domain!r}"
        path = (*top.path_of("party_configs"), strays.get(domain, domain))
        if domain in strays:
            message = f"this entry of {name} is for no party, and {domain!r} lacks it"
            yield Finding(path, message, f"did you mean {domain!r}?", at_key=True)
        else:
            yield Finding(path, message, f"add {domain!r} with its model and channel")


def _unconfigured(serving: Serving, entries: Node | None) -> list[str]:
    """The parties without an entry; one of an unknown domain is found as such."""
    names = dict.fromkeys(party.domain for party in serving.parties)
    missing = (
        name
        for name in names
        if not entries or name not in entries.items or has_misnamed_model(name, entries, serving)
    )
    return [name for name in missing if serving.knows(name)]


def _strays(serving: Serving, entries: Node | None) -> list[str]:
    """The entries whose domain is not a party."""
    domains = {party.domain for party in serving.parties}
    return [name for name in members(entries) if name not in domains]


def _meant(stray: str, serving: Serving, entries: Node | None) -> str:
    """The party without an entry whose name was probably meant."""
    return nearest(stray, _unconfigured(serving, entries))


@rule("KUS509", Severity.WARNING, "Serving")
def configured_domain_takes_part(serving: Serving) -> Iterator[Finding]:
    """Every entry of `partyConfigs` is for a party.

    Nobody reads an entry for another domain; most often its name is misspelt.

    Fails: serving_input_config: {partyConfigs: {bobby: {}}}
    Passes with: serving_input_config: {partyConfigs: {bobby: null}}
    """
    top = root_section(serving)
    entries = top.get("party_configs") if top else None
    domains = list(dict.fromkeys(party.domain for party in serving.parties))
    if not top or len(domains) == 1:
        return  # one party is too few, which is found as such
    strangers = [name for name in domains if not serving.knows(name)]  # found as such, too
    for name in _strays(serving, entries):
        if not _meant(name, serving, entries) and not nearest(name, strangers):
            path = (*top.path_of("party_configs"), name)
            message = f"this entry of {path[-2]} is for a domain that is not a party"
            hint = misspelt(name, domains)
            fix = f"did you mean {hint!r}? Otherwise delete" if hint else "delete"
            fix = f"{fix} it; parties are {listed(domains)}"
            yield Finding(path, message, fix, at_key=True)


@rule("KUS510", Severity.ERROR, "Serving")
def predictor_takes_part(serving: Serving) -> Iterator[Finding]:
    """Every predictor is a party.

    The servers of all parties refuse to start otherwise.

    Fails: serving_input_config: {predictorParties: [carol]}
    Passes: serving_input_config: {predictorParties: [alice]}
    """
    top = root_section(serving)
    predictors = top.get("predictor_parties") if top else None
    domains = [party.domain for party in serving.parties]
    for index, node in enumerate(elements(predictors)):
        if top and isinstance(node.value, str) and node.value not in domains:
            path = (*top.path_of("predictor_parties"), index)
            hint = nearest(node.value, domains)
            fix = f"did you mean {hint!r}?" if hint else f"name one of {listed(domains, 'or')}"
            yield Finding(path, f"this item of {path[-2]} is not a party", fix)


@rule("KUS511", Severity.ERROR, "Serving")
def several_domains_take_part(serving: Serving) -> Iterator[Finding]:
    """At least two domains take part in a serving of secretflow-serving.

    The server refuses to start alone, and counts a domain once whatever its roles.

    Fails:
        app: secretflow-serving
        parties: [{domain_id: bob, $remove: true}]
    Passes with: parties: [{domain_id: bob, app_image: pair}]
    """
    domains = {party.domain for party in serving.parties}
    if serving.initiator not in domains:
        return  # one that is missing is found as such
    if runs_secretflow_serving(serving) and len(domains) < 2:  # noqa: PLR2004 - at least two
        message = "only one domain takes part"
        top = root_section(serving)
        others = _strays(serving, top.get("party_configs") if top else None)
        other = f"the party {others[0]!r}, which has an entry" if others else "the other party"
        fix = f"add {other}, or set app to other if this is another application"
        yield Finding(("parties",), message, fix, at_key=True)


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
            yield Finding(source.path_of("streaming_opts"), message, f"use {instead}", at_key=True)


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
                path = (*server.path_of("feature_mapping"), key)
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
        where = channel.path_of("protocol") if channel else item.section.path_of("channel_desc")
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
            yield Finding(channel.path_of("protocol"), message, "write http")


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
                    yield Finding(retry.path_of(name), message, fix, at_key=True)


def _retries(item: PartyConfig) -> Iterator[Section]:
    source = item.section.message("feature_source_config")
    users = (item.section.message("channel_desc"), source.message("http_opts") if source else None)
    for user in users:
        if user and (retry := user.message("retry_policy_config")):
            yield retry


RULES = (
    party_is_configured,
    configured_domain_takes_part,
    predictor_takes_part,
    several_domains_take_part,
    feature_source_is_chosen,
    features_are_not_streamed,
    features_are_mapped_apart,
    channel_has_a_protocol,
    channel_speaks_http,
    backoff_fits_its_mode,
)
