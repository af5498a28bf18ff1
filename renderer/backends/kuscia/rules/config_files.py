"""The config file of secretflow-serving: it finds in it what it reads."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import (
    REQUIRED,
    ConfigFile,
    serving_configs,
)
from renderer.backends.kuscia.config_templates.go_text import Data
from renderer.backends.kuscia.config_templates.json_files import (
    JsonFile,
    breaking_placeholders,
    template_fault,
)
from renderer.backends.kuscia.config_templates.known_values import values_anywhere
from renderer.backends.kuscia.config_templates.template import Template
from renderer.backends.kuscia.pod_variables import is_built_in
from renderer.backends.kuscia.rules.sources import CONFIG
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


@rule("KUS609", Severity.ERROR, "AppImage")
def serving_config_is_complete(image: AppImage) -> Iterator[Finding]:
    """The config file of secretflow-serving is JSON and has the keys that it reads, as strings.

    It reads `serving_id`, `input_config`, `cluster_def` and `allocated_ports`. Without one of them
    it ends at start, in an assertion or an error without text.

    Fails:
        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates: {serving-config.conf: '{"serving_id": "{{.SERVING_ID}}"}'}
    Passes with:
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    """
    for file in serving_configs(image):
        template, whole = file.parsed, file.json
        if not isinstance(template, Template) or template.other_actions:
            continue
        if whole is None or not isinstance(whole.data, dict):
            reason, offset = template_fault(template) or ("it is no object", 0)
            message = f"this file of secretflow-serving is not JSON: {reason}"
            yield file.finding(offset, message, "write a JSON object whose values are strings")
            continue
        if missing := [key for key in REQUIRED if key not in whole.data]:
            lines = listed(f'"{key}": "{{{{.{REQUIRED[key]}}}}}"' for key in missing)
            message = f"secretflow-serving does not start without {listed(missing)}"
            yield file.finding(0, message, f"add {lines}")
        for key in REQUIRED.keys() & whole.data.keys():
            if not (isinstance(whole.data[key], str) and whole.data[key]) and not _breaks_anyway(
                file, whole, key
            ):
                message = f"secretflow-serving does not start unless {key} is a text"
                fix = f'write "{{{{.{REQUIRED[key]}}}}}"'
                yield file.finding(_offset_of(key, file), message, fix)


def _breaks_anyway(file: ConfigFile, whole: JsonFile, key: str) -> bool:
    """Whether the value is a placeholder that breaks the file anyway."""
    start = _offset_of(key, file)
    after = (item.offset for item in whole.placeholders if item.offset > start)
    faults = {
        item.offset
        for item, _ in breaking_placeholders(whole, whole.placeholders, values_anywhere(file))
    }
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
    Passes with:
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    """
    for file, whole, key, value in _required_values(image):
        if isinstance(value, str) and value and not whole.placeholders_in(value):
            message = f"{key} does not come from Kuscia, so it is the same for every serving"
            yield file.finding(_offset_of(key, file), message, f"write {{{{.{REQUIRED[key]}}}}}")


@rule("KUS613", Severity.ERROR, "AppImage")
def serving_config_keys_have_their_variables(image: AppImage) -> Iterator[Finding]:
    """What secretflow-serving reads from a key is what Kuscia provides for that key.

    `input_config`, `cluster_def` and `allocated_ports` are JSON of three forms in text; with the
    form of another one it ends at start.

    Fails:
        image: {name: secretflow/serving-anolis8, tag: 0.9.0b0}
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.INPUT_CONFIG}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    Passes with:
        configTemplates:
          serving-config.conf: |
            {
              "serving_id": "{{.SERVING_ID}}",
              "input_config": "{{.INPUT_CONFIG}}",
              "cluster_def": "{{.CLUSTER_DEFINE}}",
              "allocated_ports": "{{.ALLOCATED_PORTS}}"
            }
    """
    for file, whole, key, value in _required_values(image):
        found = whole.sole_placeholder(value) if key != "serving_id" else None
        name = found.whole_variable if found else ""
        if found and name != REQUIRED[key] and is_built_in(name):
            message = f"{key} is filled from {name}, which secretflow-serving cannot read there"
            yield file.finding(found.offset, message, f"write {{{{.{REQUIRED[key]}}}}}")


def _required_values(image: AppImage) -> Iterator[tuple[ConfigFile, JsonFile, str, Data]]:
    """What each config file of secretflow-serving has for the keys that it reads."""
    for file in serving_configs(image):
        whole = file.json
        if whole and isinstance(whole.data, dict):
            kept = whole.data
            yield from ((file, whole, key, kept[key]) for key in REQUIRED if key in kept)


RULES = rules_with_source(
    (
        serving_config_is_complete,
        serving_config_keeps_its_variables,
        serving_config_keys_have_their_variables,
    ),
    CONFIG,
)
