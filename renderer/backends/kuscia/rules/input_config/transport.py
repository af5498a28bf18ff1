"""How the input config reaches the container: as an environment variable."""

from collections.abc import Iterator

from renderer.backends.kuscia.input_config.document import read_input_config
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
    input_config_fits_a_variable,
    input_config_is_not_expanded,
    input_config_survives_quoting,
    input_config_is_not_forgotten,
)
