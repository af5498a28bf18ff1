"""The input config is JSON that protobuf's strict reader takes."""

from collections.abc import Iterator

from renderer.backends.kuscia.input_config.document import foreign_fault, read_input_config
from renderer.backends.kuscia.input_config.protobuf_json import Fault
from renderer.backends.kuscia.serving import FIELD, Serving
from renderer.values.diagnostics import Finding, Severity, rule


def _found(serving: Serving, fault: Fault) -> Iterator[Finding]:
    config = read_input_config(serving)
    for problem in config.problems if config else ():
        if problem.fault is fault:
            yield problem.finding


@rule("KUS501", Severity.ERROR, "Serving")
def input_config_is_json(serving: Serving) -> Iterator[Finding]:
    """The input config of secretflow-serving is a standard JSON object.

    The server does not start with anything else. Its parser tolerates some forms that are not
    standard; they are refused here, because nothing promises that they stay.

    Fails: serving_input_config: '{"partyConfigs": {"alice": {}, }'
    Passes: serving_input_config: {predictorParties: [alice]}
    """
    config = read_input_config(serving)
    if config and config.unreadable:
        yield config.unreadable


@rule("KUS502", Severity.ERROR, "Serving")
def input_config_fields_exist(serving: Serving) -> Iterator[Finding]:
    """The input config has only fields that secretflow-serving knows.

    Its parser takes a name in lowerCamelCase or in snake_case, and refuses every other name: the
    server does not start.

    Fails: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocoll: http}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {channelDesc: {protocol: http}}}}
    """
    return _found(serving, Fault.UNKNOWN)


@rule("KUS503", Severity.ERROR, "Serving")
def input_config_field_once(serving: Serving) -> Iterator[Finding]:
    """A field of the input config is given once, in one of its two spellings.

    The parser silently takes the later of two (inferred from protobuf's source), and refuses a key
    of a map that stands twice.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {channelDesc: {protocol: http}, channel_desc: {protocol: h2}}}
    Passes with: serving_input_config: {partyConfigs: {alice: {channel_desc: null}}}
    """
    yield from _found(serving, Fault.TWICE)
    config = read_input_config(serving)
    for path in config.twice if config else ():
        yield Finding(path, "this key stands twice", "delete one of the two", at_key=True)


@rule("KUS504", Severity.ERROR, "Serving")
def input_config_values_fit(serving: Serving) -> Iterator[Finding]:
    """The values of the input config are of the type of their field.

    Words of an enum are compared exactly (or given by number), whole numbers have 32 bits and may
    be quoted. The server does not start with a value of another type.

    Fails: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: st_file}}}}
    Passes: serving_input_config: {partyConfigs: {alice: {modelConfig: {sourceType: ST_FILE}}}}
    """
    return _found(serving, Fault.VALUE)


@rule("KUS505", Severity.ERROR, "Serving")
def input_config_chooses_one(serving: Serving) -> Iterator[Finding]:
    """Of fields that exclude each other, the input config has one.

    The parser refuses the second member of a oneof, and the server does not start.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {featureSourceConfig: {mockOpts: {}, csvOpts: {}}}}
    Passes with:
        serving_input_config: {partyConfigs: {alice: {featureSourceConfig: {csvOpts: null}}}}
    """
    return _found(serving, Fault.ONEOF)


@rule("KUS506", Severity.ERROR, "Serving")
def input_config_fits_the_version(serving: Serving) -> Iterator[Finding]:
    """The input config uses what the version of secretflow-serving knows.

    Every party reads the whole input config, so the oldest image decides. The version is
    `app_version`, or what the image's tag begins with; without either, the newest is assumed.

    Fails:
        app_version: 0.7.0b0
        serving_input_config: {predictorParties: [alice]}
    Passes with: app_version: 0.8.0b0
    """
    return _found(serving, Fault.NEWER)


@rule("KUS507", Severity.ERROR, "Serving")
def checksum_is_sha256(serving: Serving) -> Iterator[Finding]:
    """The checksum of a model is `sourceSha256`; `sourceMd5` is a thing of the past.

    `sourceMd5` went before the first tagged version of secretflow-serving, yet old documents show
    it. It is an unknown field today, and the server does not start.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {modelConfig: {sourceMd5: 4216c62acba4a630d5039f917612780b}}}
    Passes:
        serving_input_config:
          partyConfigs:
            alice:
              modelConfig:
                sourceSha256: c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0
    """
    return _found(serving, Fault.RENAMED)


@rule("KUS528", Severity.WARNING, "Serving")
def text_that_begins_as_json_is_json(serving: Serving) -> Iterator[Finding]:
    """An input config that begins as an object or list of JSON is one, whoever reads it.

    Kuscia hands the text on as it is. A reader of JSON refuses a comma too many, and the paths of
    config templates find nothing in the text.

    Fails:
        app: other
        serving_input_config: '{"rows": [1, 2], }'
    Passes with: serving_input_config: '{"rows": [1, 2]}'
    """
    if fault := foreign_fault(serving):
        reason, index = fault
        fix = "mend it, or write a mapping instead of the text"
        yield Finding((FIELD,), f"this is not JSON: {reason}", fix, inside=index)


RULES = (
    input_config_is_json,
    input_config_fields_exist,
    input_config_field_once,
    input_config_values_fit,
    input_config_chooses_one,
    input_config_fits_the_version,
    checksum_is_sha256,
    text_that_begins_as_json_is_json,
)
