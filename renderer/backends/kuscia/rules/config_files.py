"""Config files as they come out: JSON stays JSON, and secretflow-serving finds its keys."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, config_files
from renderer.backends.kuscia.config_templates.json_files import (
    JsonFile,
    Placeholder,
    broken,
    json_fault,
    json_file,
    looks_like_json,
)
from renderer.backends.kuscia.config_templates.template import Query, Template
from renderer.backends.kuscia.config_templates.tokens import TemplateFault
from renderer.backends.kuscia.deploy_template import ports
from renderer.backends.kuscia.fields import elements
from renderer.backends.kuscia.pod_variables import (
    cluster_definition,
    cluster_party,
    given_variables,
)
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, sourced

_REQUIRED = {
    "serving_id": "SERVING_ID",
    "input_config": "INPUT_CONFIG",
    "cluster_def": "CLUSTER_DEFINE",
    "allocated_ports": "ALLOCATED_PORTS",
}
_FLAG = expression(r"--serving_config_file[= ](\S+)")
_CONFIG = '{"party_configs":{"alice":{}}}'
_FIRST_NUMBER = 20000


@rule("KUS608", Severity.ERROR, "AppImage")
def config_file_stays_json(image: AppImage) -> Iterator[Finding]:
    """A `.json` file, or a `.conf` file that begins like one, is JSON with its variables filled in.

    `{{.NAME}}` inserts escaped text, which belongs between double quotes; `{{{.NAME}}}` inserts
    the value as it is, and a value with quotes breaks a JSON string.

    Fails:

        configTemplates:
          app.conf: '{"config": "{{{.INPUT_CONFIG}}}"}'

    Passes:

        configTemplates:
          app.conf: '{"config": "{{.INPUT_CONFIG}}"}'
    """
    served = {file.key for file in _serving_configs(image)}  # of which KUS609 says more
    for file in config_files(image):
        if not file.key.endswith((".conf", ".json")) or isinstance(file.parsed, TemplateFault):
            continue
        whole = _json(file)
        ports = {mention.offset for mention in file.mentions if mention.port}
        for placeholder, value in broken(whole.placeholders, _samples(file)) if whole else ():
            if value or placeholder.offset not in ports:
                yield file.at(placeholder.offset, *_unlike_json(placeholder, value))
        meant = file.key.endswith(".json") or looks_like_json(file.parsed)
        if file.key not in served and meant and (fault := json_fault(file.parsed)):
            offset, reason = fault
            fix = "mend it, or give the file another ending if it is not to be JSON"
            yield file.at(offset, f"this is not JSON: {reason}", fix)


@rule("KUS609", Severity.ERROR, "AppImage")
def serving_config_is_complete(image: AppImage) -> Iterator[Finding]:
    """The config file of secretflow-serving is JSON and has the keys that it reads, as strings.

    It reads `serving_id`, `input_config`, `cluster_def` and `allocated_ports`. Without one of them
    it ends at start, in an assertion or an error without text.

    Fails:

        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates:
          serving-config.conf: '{"serving_id": "{{.SERVING_ID}}"}'

    Passes:

        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    """
    for file in _serving_configs(image):
        template, whole = file.parsed, _json(file)
        if not isinstance(template, Template) or template.others:
            continue
        if whole is None or not isinstance(whole.data, dict):
            offset, reason = json_fault(template) or (0, "it is no object")
            message = f"secretflow-serving reads this file as JSON, and it is none: {reason}"
            yield file.at(offset, message, "write a JSON object whose values are strings")
            continue
        if missing := [key for key in _REQUIRED if key not in whole.data]:
            lines = listed(f'"{key}": "{{{{.{_REQUIRED[key]}}}}}"' for key in missing)
            message = f"secretflow-serving does not start without {listed(missing)}"
            yield file.at(0, message, f"add {lines}")
        for key in _REQUIRED.keys() & whole.data.keys():
            if not _is_text(whole.data[key]) and not _breaks_anyway(file, whole, key):
                message = f"secretflow-serving does not start unless {key} is a text"
                fix = f'write "{{{{.{_REQUIRED[key]}}}}}"'
                yield file.at(_offset_of(key, file), message, fix)


def _breaks_anyway(file: ConfigFile, whole: JsonFile, key: str) -> bool:
    """Whether the value is a placeholder that breaks the file anyway."""
    start = _offset_of(key, file)
    after = (item.offset for item in whole.placeholders if item.offset > start)
    faults = {item.offset for item, _ in broken(whole.placeholders, _samples(file))}
    return min(after, default=-1) in faults


def _offset_of(key: str, file: ConfigFile) -> int:
    return max(file.text.find(f'"{key}"'), 0)


@rule("KUS610", Severity.WARNING, "AppImage")
def serving_config_keeps_its_variables(image: AppImage) -> Iterator[Finding]:
    """What Kuscia provides to secretflow-serving is not replaced by hand.

    The name, the input config, the addresses of the parties and the ports differ from serving to
    serving, and Kuscia draws the ports anew.

    Fails:

        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "credit-risk",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }

    Passes:

        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    """
    for file in _serving_configs(image):
        whole = _json(file)
        data = whole.data if whole and isinstance(whole.data, dict) else {}
        for key, variable in _REQUIRED.items():
            value = data.get(key)
            if whole and isinstance(value, str) and value and not whole.within(value):
                message = f"{key} does not come from Kuscia, so it is the same for every serving"
                yield file.at(_offset_of(key, file), message, f"write {{{{.{variable}}}}}")


def _json(file: ConfigFile) -> JsonFile | None:
    return json_file(file.parsed) if isinstance(file.parsed, Template) else None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _samples(file: ConfigFile) -> dict[str, str]:
    """Values like those that the container will have, as far as they can be known."""
    known = {name: port for user in file.users for name, port in ports(user.node).items()}
    numbers = {name: _FIRST_NUMBER + index for index, name in enumerate(known)}
    alice = cluster_party("alice", "", {"service": "serving-service.alice.svc"})
    cluster = cluster_definition([alice], 0)
    own = given_variables("alice", cluster, _CONFIG, known.values(), numbers)
    own["SERVING_ID"] = "serving"
    literal = {name: value for name, value in file.env.items() if value is not None}
    return {**literal, **own}


def _unlike_json(placeholder: Placeholder, value: str) -> tuple[str, str]:
    """The message and the remedy for a placeholder that breaks its file."""
    raw = isinstance(placeholder.part, Query)
    name = (
        placeholder.part.variable
        if isinstance(placeholder.part, Query)
        else placeholder.part.names[0]
    )
    if not placeholder.in_string:
        braces = "the value as it is" if raw else "escaped text"
        message = f"{name} outside double quotes inserts {braces}, which is not JSON"
        fix = f'write "{{{{.{name}}}}}" for a string'
        return (message, fix) if value else (f"{name} inserts nothing here", "correct the path")
    if raw:
        message = f"three braces insert {name} as it is, and its quotes end the JSON string"
        return message, f"write {{{{.{name}}}}}"
    message = f"the value of {name}, escaped in Go's way, is not part of a JSON string"
    return message, "leave control characters and a quote at either end out of the value"


def _serving_configs(image: AppImage) -> Iterator[ConfigFile]:
    """The file that the command of a secretflow-serving image names, else the usual one."""
    name = image.tree.get("image", "name")
    if not name or "serving" not in str(name.value):
        return
    files = {file.key: file for file in config_files(image)}
    named = {key for file in files.values() for key in _named_by_commands(file)}
    for key in sorted(named or {"serving-config.conf"}):
        if key in files:
            yield files[key]


def _named_by_commands(file: ConfigFile) -> Iterator[str]:
    for container in file.containers:
        words = (*elements(container.node, "command"), *elements(container.node, "args"))
        paths = set(_FLAG.findall(" ".join(str(word.value) for word in words)))
        yield from (item.key for item in container.mounts if item.key and item.path in paths)


RULES = sourced(
    (
        config_file_stays_json,
        serving_config_is_complete,
        serving_config_keeps_its_variables,
    ),
    CONFIG,
)
