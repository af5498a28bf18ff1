"""Config files that are JSON: they stay JSON with their variables filled in."""

from collections.abc import Iterable, Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import (
    ConfigFile,
    config_files,
    is_unquoted_value,
    serving_configs,
)
from renderer.backends.kuscia.config_templates.json_files import (
    JsonFile,
    Placeholder,
    breaking_placeholders,
    looks_like_json,
    template_fault,
)
from renderer.backends.kuscia.config_templates.known_values import (
    differs_by_serving,
    serving_values,
    values_anywhere,
    values_of,
)
from renderer.backends.kuscia.config_templates.template import Query, Template
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.backends.kuscia.serving import Party, Serving
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple

_ENDINGS = (".conf", ".json")
_OF_THE_SERVING = "INPUT_CONFIG"  # the one value that a single serving can have wrong


@rule("KUS608", Severity.ERROR, "AppImage")
def config_file_stays_json(image: AppImage) -> Iterator[Finding]:
    """A `.json` file, or a `.conf` file that begins like one, is JSON with its variables filled in.

    `{{.NAME}}` inserts escaped text, which belongs between double quotes; `{{{.NAME}}}` inserts
    the value as it is, and a value with quotes breaks a JSON string. What differs from serving to
    serving is judged with each serving (KUS611).

    Fails: configTemplates: {app.conf: '{"config": "{{{.CLUSTER_DEFINE}}}"}'}
    Passes: configTemplates: {app.conf: '{"config": "{{.CLUSTER_DEFINE}}"}'}
    """
    served = {file.key for file in serving_configs(image)}  # of which KUS609 says more
    for file in config_files(image):
        template = file.parsed
        if not file.key.endswith(_ENDINGS) or not isinstance(template, Template):
            continue
        if whole := file.json:
            same = tuple(item for item in whole.placeholders if not differs_by_serving(item))
            yield from _breaking(_JsonConfig(file, whole, same), values_anywhere(file))
        meant = file.key.endswith(".json") or looks_like_json(template)
        if file.key not in served and meant and (fault := template_fault(template)):
            reason, offset = fault
            fix = "mend it, or give the file another ending if it is not to be JSON"
            yield file.finding(offset, f"this is not JSON: {reason}", fix)


def breaking_values(serving: Serving) -> Iterator[Finding]:
    """The places of config files whose values, as this serving has them, break the file."""
    for party in _first_of_each_template(serving):
        for item in _changing_files(party.image) if party.image else ():
            if any(user is party.template for user in item.file.users):
                for found in _breaking(item, _values(item, party, serving), serving.name):
                    yield found._replace(tree=party.image.tree if party.image else None)


class _JsonConfig(NamedTuple):
    """A file that is JSON, and the placeholders that are judged."""

    file: ConfigFile
    whole: JsonFile
    placeholders: tuple[Placeholder, ...]


def _values(item: _JsonConfig, party: Party, serving: Serving) -> dict[str, str]:
    """The values of the serving; where nothing leads into one, the few that can be inserted."""
    if any(isinstance(placeholder.part, Query) for placeholder in item.placeholders):
        return values_of(item.file, party, serving)
    return serving_values(party, serving)


@cached_by_identity
def _changing_files(image: AppImage) -> tuple[_JsonConfig, ...]:
    """What differs from serving to serving."""
    return tuple(_changing(image))


def _changing(image: AppImage) -> Iterator[_JsonConfig]:
    served = {file.key for file in serving_configs(image)}
    for file in config_files(image):
        whole = file.json
        if whole and file.key.endswith(_ENDINGS):
            own = tuple(
                item
                for item in whole.placeholders
                if differs_by_serving(item)
                and not (file.key in served and _is_reported(file, item))
            )
            yield from (_JsonConfig(file, whole, own),) if own else ()


def _is_reported(file: ConfigFile, placeholder: Placeholder) -> bool:
    """Whether KUS609 reports that secretflow-serving wants it between quotes."""
    return not placeholder.in_string and is_unquoted_value(file, placeholder.offset)


def _first_of_each_template(serving: Serving) -> Iterable[Party]:
    """Parties with the same containers have the same files, all but their own names in them."""
    found: dict[int, Party] = {}
    for party in serving.parties:
        if party.image and party.template and _changing_files(party.image):
            found.setdefault(id(party.template.node), party)
    return found.values()


def _breaking(config: _JsonConfig, values: dict[str, str], serving: str = "") -> Iterator[Finding]:
    """The placeholders whose values break the file, but for ports that KUS606 has missed."""
    found = list(breaking_placeholders(config.whole, config.placeholders, values))
    ports = {mention.offset for mention in config.file.mentions if mention.port} if found else ()
    for placeholder, value in found:
        if value or placeholder.offset not in ports:
            message, fix = _placeholder_fault(placeholder, value)
            if placeholder.source[1].lstrip(".").startswith(_OF_THE_SERVING):
                message += f" (serving {serving!r})"
            yield config.file.finding(placeholder.offset, message, fix)


def _placeholder_fault(placeholder: Placeholder, value: str) -> tuple[str, str]:
    """The message and the remedy for a placeholder that breaks its file."""
    part = placeholder.part
    path = part.path.replace("#", ".").strip(".") if isinstance(part, Query) else part.names[0]
    if placeholder.in_string:
        return _string_fault(placeholder, path, value)
    if not value:
        return f"{path} inserts nothing here, which is not JSON", "correct the path, or the value"
    braces = "the value as it is" if isinstance(part, Query) else "escaped text"
    written = f"{{{{.{path}}}}}" if placeholder.whole_variable else f"{{{{{{.{path}}}}}}}"
    message = f"{path} outside double quotes inserts {braces}, which is not JSON"
    return message, f'write "{written}" for a string'


def _string_fault(placeholder: Placeholder, path: str, value: str) -> tuple[str, str]:
    """The same for one inside a JSON string; only a whole variable can be inserted escaped."""
    if not isinstance(placeholder.part, Query):
        message = f"the value of {path}, escaped in Go's way, is not part of a JSON string"
        return message, "leave control characters and a quote at either end out of the value"
    if placeholder.whole_variable:
        message = f"three braces insert {path} as it is, and its quotes end the JSON string"
        return message, f"write {{{{.{path}}}}}"
    message = f"three braces insert {path} as it is, which is not part of a JSON string"
    if value.startswith(("{", "[")):
        return message, "leave out the double quotes around it"
    return message, "leave quotes, backslashes and control characters out of the value"


RULES = rules_with_source((config_file_stays_json,), CONFIG)
