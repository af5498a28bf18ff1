"""Where the parties' models come from."""

from collections.abc import Iterator

from renderer.backends.kuscia.input_config.document import (
    PartyConfig,
    Section,
    models,
    party_configs,
)
from renderer.backends.kuscia.input_config.messages import SOURCE_TYPE
from renderer.backends.kuscia.input_config.protobuf_json import enum_number
from renderer.backends.kuscia.serving import Serving
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule

_SHA256 = expression(r"[0-9a-f]{64}")
_WORDS = listed((word for word, number in SOURCE_TYPE.values.items() if number), "or")


@rule("KUS512", Severity.ERROR, "Serving")
def model_source_is_named(serving: Serving) -> Iterator[Finding]:
    """Every party's `modelConfig` says by `sourceType` what kind of place its model is in.

    Unset, zero, or a number that stands for nothing: the server does not start.

    Fails: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: null}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: ST_FILE}}}}
    """
    for item in party_configs(serving):
        if item.section.lacks("model_config"):
            yield _missing_model(item)
        elif model := item.model:
            yield from _missing_source(item, model)


def _missing_model(item: PartyConfig) -> Finding:
    name = item.section.spelled("model_config")
    message = f"the party {item.party.domain!r} has no {name}"
    fix = f"add {name} with the type and the path of the model's source"
    return Finding(item.section.path_of("model_config"), message, fix)


def _missing_source(item: PartyConfig, model: Section) -> Iterator[Finding]:
    given = model.get("source_type")
    number = enum_number(given, SOURCE_TYPE) if given else 0
    known = number is None or (number and SOURCE_TYPE.word(number))
    if not known and (given or model.lacks("source_type")):
        message = f"{model.spelled('source_type')} of {item.party.domain!r} is "
        message += f"{number}, which names no source" if number else "not set"
        yield Finding(model.path_of("source_type"), message, f"write {_WORDS}")


@rule("KUS513", Severity.ERROR, "Serving")
def model_has_a_path(serving: Serving) -> Iterator[Finding]:
    """Every party's `modelConfig` says by `sourcePath` where its model is.

    It is a path in the container for ST_FILE, a URL for ST_HTTP, the key of an object for ST_OSS
    and the ID of a DomainData for ST_DP; without it the server does not start.

    Fails: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourcePath: null}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourcePath: model.tar.gz}}}}
    """
    for item, model in models(serving):
        given = model.get("source_path")
        if given.value == "" if given else model.lacks("source_path"):
            name = model.spelled("source_path")
            message = f"{name} of {item.party.domain!r} is {'empty' if given else 'not set'}"
            yield Finding(model.path_of("source_path"), message, f"set {name} to the model package")


@rule("KUS514", Severity.ERROR, "Serving")
def checksum_is_well_formed(serving: Serving) -> Iterator[Finding]:
    """A checksum is 64 hexadecimal digits in lower case.

    The server compares it as text with what it computes, so that upper case never matches.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {modelConfig: {sourceSha256: C6308AF488BC}}}
    Passes:
        serving_input_config:
          partyConfigs:
            alice:
              modelConfig:
                sourceSha256: c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0
    """
    for _, model in models(serving):
        given = model.get("source_sha256")
        text = given.value if given else None
        if isinstance(text, str) and text and not _SHA256.fullmatch(text):
            only_case = _SHA256.fullmatch(text.lower())
            fix = "write it in lower case" if only_case else "take the output of sha256sum"
            message = f"{model.spelled('source_sha256')} is not 64 hex digits in lower case"
            yield Finding(model.path_of("source_sha256"), message, fix)


@rule("KUS515", Severity.ERROR, "Serving")
def oss_has_its_meta(serving: Serving) -> Iterator[Finding]:
    """A model from ST_OSS needs `oss_meta` in a config template of the party's AppImage.

    Endpoint, bucket and credentials are read from there and from nowhere else.

    Fails: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: ST_OSS}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: ST_FILE}}}}
    """
    for item, model in models(serving):
        given = model.get("source_type")
        image = item.party.image
        if (
            not given
            or not image
            or enum_number(given, SOURCE_TYPE) != SOURCE_TYPE.values["ST_OSS"]
        ):
            continue
        texts = (str(node.value) for node in image.config_templates.values())
        if not any('"oss_meta"' in text for text in texts):
            message = f"no config template of the AppImage {image.name!r} has oss_meta"
            fix = 'add "oss_meta": "{{.SERVING_OSS_META}}" to its serving config'
            yield Finding(model.path_of("source_type"), message, fix)


@rule("KUS516", Severity.WARNING, "Serving")
def model_id_is_common(serving: Serving) -> Iterator[Finding]:
    """The parties give their model one `modelId`.

    The server compares the names inside the packages, not this ID; different ones usually mean
    that one party was forgotten when the model changed.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {modelConfig: {modelId: m1}}, bob: {modelConfig: {modelId: m2}}}
    Passes with: serving_input_config: {partyConfigs: {bob: {modelConfig: {modelId: m1}}}}
    """
    first: tuple[str, str] | None = None
    for item, model in models(serving):
        given = model.get("model_id")
        if not given or not isinstance(given.value, str):
            continue
        first = first or (given.value, item.party.domain)
        if given.value != first[0]:
            name, domain = model.spelled("model_id"), item.party.domain
            message = f"{name} of {domain!r} is not that of {first[1]!r}"
            yield Finding(model.path_of("model_id"), message, "give both the same ID")


@rule("KUS525", Severity.WARNING, "Serving")
def packages_differ(serving: Serving) -> Iterator[Finding]:
    """Every party has a package of its own.

    Each party's package holds its share of the model. With the package of another party the server
    does not start, or does not find its features.

    Fails:
        serving_input_config:
          partyConfigs:
            alice: {modelConfig: {sourceType: ST_DP, sourcePath: glm-1}}
            bob: {modelConfig: {sourceType: ST_DP, sourcePath: glm-1}}
    Passes with: serving_input_config: {partyConfigs: {bob: {modelConfig: {sourcePath: glm-2}}}}
    """
    first: dict[tuple[str, str], str] = {}
    for item, model in models(serving):
        for name in _package_fields(model):
            given = model.get(name)
            value = str(given.value) if given and isinstance(given.value, str) else ""
            other = first.setdefault((name, value), item.party.domain)
            if value and other != item.party.domain:
                message = f"{model.spelled(name)} of {item.party.domain!r} is that of {other!r}"
                yield Finding(
                    model.path_of(name), message, f"name the package of {item.party.domain!r}"
                )
                break


def _package_fields(model: Section) -> tuple[str, ...]:
    """The fields by which packages differ; a path inside the container may be the same for all."""
    given = model.get("source_type")
    number = enum_number(given, SOURCE_TYPE) if given else None
    is_file = number == SOURCE_TYPE.values["ST_FILE"]
    return ("source_sha256",) if is_file else ("source_sha256", "source_path")


RULES = (
    model_source_is_named,
    model_has_a_path,
    checksum_is_well_formed,
    oss_has_its_meta,
    model_id_is_common,
    packages_differ,
)
