"""Where the parties' features come from, and what the model calls them."""

from collections.abc import Iterator

from renderer.backends.kuscia.inputconfig.fields import configured
from renderer.backends.kuscia.serving import Serving
from renderer.values.diagnostics import Finding, Severity, rule


@rule("KUS517", Severity.ERROR, "Serving")
def feature_source_is_chosen(serving: Serving) -> Iterator[Finding]:
    """A `featureSourceConfig` names a source.

    Left out, the server takes features from requests; empty, it does not start.

    Fails:

        app: secretflow-serving
        serving_input_config: {partyConfigs: {alice: {featureSourceConfig: {}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              featureSourceConfig: {httpOpts: {endpoint: "features:8000"}}
              channelDesc: {protocol: http}
            bob: *party
    """
    for item in configured(serving):
        source = item.place.message("feature_source_config")
        if source and all(child.value is None for child in source.node.items.values()):
            names = [source.spelled(name) for name in ("http_opts", "csv_opts", "mock_opts")]
            fix = f"add {names[0]}, {names[1]} or {names[2]}, or delete it"
            yield Finding(source.path, f"{source.path[-1]} is empty", fix, at_key=True)


@rule("KUS518", Severity.ERROR, "Serving")
def features_are_not_streamed(serving: Serving) -> Iterator[Finding]:
    """`streamingOpts` belong to the offline inference tool.

    The server refuses them and does not start.

    Fails:

        app: secretflow-serving
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {streamingOpts: {filePath: a.csv}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              featureSourceConfig: {csvOpts: {filePath: a.csv, idName: id}}
              channelDesc: {protocol: http}
            bob: *party
    """
    for item in configured(serving):
        source = item.place.message("feature_source_config")
        if source and source.get("streaming_opts"):
            name, instead = source.spelled("streaming_opts"), source.spelled("csv_opts")
            message = f"{name} is for the offline inference tool only"
            yield Finding(source.at("streaming_opts"), message, f"use {instead}", at_key=True)


@rule("KUS519", Severity.ERROR, "Serving")
def features_are_mapped_apart(serving: Serving) -> Iterator[Finding]:
    """No two features are mapped to one feature of the model.

    The server does not start if two values of `featureMapping` are equal.

    Fails:

        app: secretflow-serving
        serving_input_config:
          partyConfigs: {alice: {serverConfig: {featureMapping: {age: x1, income: x1}}}}

    Passes:

        app: secretflow-serving
        serving_input_config:
          partyConfigs:
            alice: &party
              serverConfig: {featureMapping: {age: x1, income: x2}}
              modelConfig: {sourceType: ST_FILE, sourcePath: model.tar.gz}
              channelDesc: {protocol: http}
            bob: *party
    """
    for item in configured(serving):
        server = item.place.message("server_config")
        mapping = server.get("feature_mapping") if server else None
        seen: set[str] = set()
        for key, node in (mapping.items if mapping else {}).items():
            if not server or not isinstance(node.value, str):
                continue
            if node.value in seen:
                path = (*server.at("feature_mapping"), key)
                message = f"an earlier entry of {path[-2]} has the same value"
                yield Finding(path, message, "map each feature to one of its own")
            seen.add(node.value)


RULES = (feature_source_is_chosen, features_are_not_streamed, features_are_mapped_apart)
