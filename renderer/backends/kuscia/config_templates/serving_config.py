"""The config file of secretflow-serving: which one it is, and what is read from it."""

from collections.abc import Iterator

from renderer.backends.fields import elements
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.config_templates.config_files import ConfigFile, config_files
from renderer.text.expressions import expression

#: The keys that it does not start without, and the variable that each is filled from.
REQUIRED = {
    "serving_id": "SERVING_ID",
    "input_config": "INPUT_CONFIG",
    "cluster_def": "CLUSTER_DEFINE",
    "allocated_ports": "ALLOCATED_PORTS",
}
_FLAG = expression(r"--serving_config_file[= ](\S+)")
_BEFORE_VALUE = expression(rf'"({"|".join(REQUIRED)})"\s*:\s*\{{+\s*$')
_NEAR = 100


def serving_configs(image: AppImage) -> Iterator[ConfigFile]:
    """The file that the command of a secretflow-serving image names, else the usual one."""
    if not image.runs_secretflow_serving:
        return
    files = {file.key: file for file in config_files(image)}
    named = {key for file in files.values() for key in _named_by_commands(file)}
    for key in sorted(named or {"serving-config.conf"}):
        if key in files:
            yield files[key]


def is_unquoted_value(file: ConfigFile, offset: int) -> bool:
    """Whether a placeholder stands without quotes as the value of a key that is required."""
    return bool(_BEFORE_VALUE.search(file.text[max(offset - _NEAR, 0) : offset]))


def _named_by_commands(file: ConfigFile) -> Iterator[str]:
    for container in file.containers:
        words = (*elements(container.node, "command"), *elements(container.node, "args"))
        paths = set(_FLAG.findall(" ".join(str(word.value) for word in words)))
        yield from (item.key for item in container.mounts if item.key and item.path in paths)
