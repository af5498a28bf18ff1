"""The input config is JSON that protobuf's strict reader takes."""

from collections.abc import Iterator

from renderer.backends.kuscia.input_config.document import foreign_fault, read_input_config
from renderer.backends.kuscia.input_config.protobuf_json import Fault
from renderer.backends.kuscia.serving import FIELD, Serving, input_config_text
from renderer.text.expressions import expression
from renderer.text.texts import words
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.tree import walk

_LAST_CONTROL = "\x7f"
_MOST = 128 * 1024 - len("INPUT_CONFIG=")
_MAYBE_LOST = expression(rf"[{_LAST_CONTROL}\U00010000-\U0010FFFF]")
_EXPANDED = expression(r"\$[($]")


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
    for path in config.repeated if config else ():
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


@rule("KUS523", Severity.ERROR, "Serving")
def input_config_fits_a_variable(serving: Serving) -> Iterator[Finding]:
    """The input config is at most 128 KiB long, less the name of its variable.

    Linux takes no longer variable, and the container does not start.

    Fails:
        serving_input_config:
          some: &some ["a value of sixty bytes or so, many times over, by aliases"]
          more: &more [*some, *some, *some, *some, *some, *some, *some, *some, *some, *some]
          many: &many [*more, *more, *more, *more, *more, *more, *more, *more, *more, *more]
          most: [*many, *many, *many, *many, *many, *many, *many, *many, *many, *many]
          rest: [*many, *many, *many, *many, *many, *many, *many, *many, *many, *many]
    Passes: serving_input_config: {predictorParties: [alice]}
    """
    given = serving.tree.get(FIELD)
    if not given or not read_input_config(serving):
        return
    size = len(input_config_text(given).encode("utf-8", "replace"))
    if size > _MOST:
        message = f"the input config has {size:,} bytes, more than {_MOST:,}"
        yield Finding((FIELD,), message, "shorten it, above all featureMapping", at_key=True)


@rule("KUS524", Severity.WARNING, "Serving")
def input_config_is_not_expanded(serving: Serving) -> Iterator[Finding]:
    """The input config holds neither `$(` nor `$$`.

    Kubernetes expands variables in the value of INPUT_CONFIG: `$$` becomes `$`, and `$(NAME)` the
    value of the variable NAME if there is one.

    Fails:
        serving_input_config:
          partyConfigs: {alice: {modelConfig: {sourcePath: '$(HOME)/model.tar.gz'}}}
    Passes:
        serving_input_config:
          partyConfigs: {alice: {modelConfig: {sourcePath: $HOME/model.tar.gz}}}
    """
    given = serving.tree.get(FIELD)
    if not given or not read_input_config(serving):
        return
    if isinstance(given.value, str):
        for found in _EXPANDED.finditer(given.value):
            yield Finding((FIELD,), *_expanded(found[0]), inside=found.start())
        return
    for path, node in walk(given, (FIELD,)) if "$" in words(given) else ():
        in_value = _EXPANDED.findall(node.value) if isinstance(node.value, str) else []
        if marks := in_value or _EXPANDED.findall(str(path[-1])):
            yield Finding(path, *_expanded(*marks), at_key=not in_value)


def _expanded(*marks: str) -> tuple[str, str]:
    becomes = {"$$": "a single $", "$(": "the value of a variable"}
    words = listed(f"{mark} becomes {becomes[mark]}" for mark in dict.fromkeys(marks))
    return f"{words} in the container", "write the text without it"


@rule("KUS526", Severity.ERROR, "Serving")
def input_config_survives_quoting(serving: Serving) -> Iterator[Finding]:
    """The input config holds no character that Kuscia cannot put into a JSON file.

    Kuscia escapes it in Go's way when it fills in the config file. For some characters that way is
    not JSON's, and the server does not start.

    Fails: serving_input_config: "{\\"predictorParties\\": [\\"\\x7f\\"]}"
    Passes: serving_input_config: {predictorParties: [alice]}
    """
    config = read_input_config(serving)
    if not config or not _lost(words(config.tree)):
        return
    for path, node in walk(config.tree):
        texts = (*node.items, *([node.value] if isinstance(node.value, str) else ()))
        if chars := _lost("".join(texts)):
            message = f"the character U+{ord(chars[0]):04X} does not survive the way to the server"
            yield Finding((FIELD, *path), message, "leave it out")
            return


def _lost(text: str) -> list[str]:
    """What Go's escape is not JSON's for; JSON itself escapes what lies before the blank."""
    if text.replace("\n", "").isprintable():
        return []
    return [
        char
        for char in _MAYBE_LOST.findall(text)
        if char == _LAST_CONTROL or not char.isprintable()
    ]


@rule("KUS527", Severity.WARNING, "Serving")
def input_config_is_not_forgotten(serving: Serving) -> Iterator[Finding]:
    """A serving whose config file inserts the input config has one.

    Kuscia inserts nothing, without a message.

    Fails:
        parties: [{domain_id: alice, app_image: configured}]
        serving_input_config: null
    Passes with: serving_input_config: "{}"
    """
    given = serving.tree.get(FIELD)
    value = given.value if given else None
    is_empty = value is None or (isinstance(value, str) and not value.strip())
    if not is_empty or serving.app == "secretflow-serving":  # then it cannot be read either
        return
    from renderer.backends.kuscia.config_templates.config_files import files_with

    if key := next(files_with("INPUT_CONFIG", serving), ""):
        message = f"there is no input config, and the config file {key!r} inserts it"
        fix = f'add {FIELD}, or write "{{}}" there if the application needs none'
        yield Finding((FIELD,), message, fix)


RULES = (
    input_config_is_json,
    input_config_fields_exist,
    input_config_field_once,
    input_config_values_fit,
    input_config_chooses_one,
    input_config_fits_the_version,
    checksum_is_sha256,
    text_that_begins_as_json_is_json,
    input_config_fits_a_variable,
    input_config_is_not_expanded,
    input_config_survives_quoting,
    input_config_is_not_forgotten,
)
