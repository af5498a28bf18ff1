"""A serve config as a tree, whether the spec has a mapping, a YAML text or a deployment graph."""

from typing import TypeAlias

from renderer.backends.kuberay.serve_config.shape import ordered, serve_schema
from renderer.backends.kuberay.yaml_config import Subject, YamlConfig, read_config
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

#: A mapping is checked with the spec that it is a part of.
ServeConfig: TypeAlias = YamlConfig
_SUBJECT = Subject("the serve config", "write a mapping: applications, and a list of them")


def read_serve_config(node: Node, path: Path) -> ServeConfig:
    """The config at a path of a spec."""
    return read_config(node, path, _SUBJECT, serve_schema())


def emitted(config: ServeConfig) -> Node:
    """The text of the object: the spec's own byte for byte, or what a mapping is written as."""
    if config.is_text:
        return config.source
    return config.source.with_value(write(ordered(config.tree)))
