"""A serve config as a tree, whether the spec has a mapping, a YAML text or a deployment graph."""

from collections.abc import Iterable
from typing import NamedTuple

from renderer.backends.kuberay.serve_config.shape import ordered, serve_schema
from renderer.schema.validation import ShapeError, shape_errors
from renderer.text.wording import LINE_END
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Diagnostic, Finding, Origin, Path
from renderer.values.tree import Node, without

_YAML = "write a mapping: applications, and a list of them"
_KINDS = {tuple: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number"}


class ServeConfig(NamedTuple):
    """What was read, at which path of the spec, and what is wrong with it.

    `source` is the spec's own value. The tree of a text has no values that do not fit the schema,
    and none at all if the text could not be read; `problems` say why, `misfits` what does not fit.
    Both are empty for a mapping, which is checked with the spec that it is a part of. What is made
    of a deployment graph has its values' places, and no paths in the spec.
    """

    tree: Node
    path: Path
    source: Node
    is_converted: bool = False
    problems: tuple[Finding, ...] = ()
    misfits: tuple[Finding, ...] = ()

    @property
    def is_text(self) -> bool:
        return isinstance(self.source.value, str)

    def at(self, path: Path, message: str, fix: str = "", *, at_key: bool = False) -> Finding:
        """A finding about a path in the config, at its place in the file."""
        if not self.is_converted:
            return Finding((*self.path, *path), message, fix, at_key)
        where = self.tree.locate(path, at_key=at_key)
        return Finding(self.path, message, fix, at_key, origin=where if where.file else None)


def read_serve_config(node: Node, path: Path) -> ServeConfig:
    """The config at a path of a spec."""
    if not isinstance(node.value, str):
        return ServeConfig(node if node.items else node.with_value({}), path, node)
    reading = read(node.value.encode("utf-8", "replace"), "")
    tree = reading.document.tree
    problems = [_problem(item, node.value, path) for item in reading.problems]
    if tree is not None and not isinstance(tree.value, dict):
        kind = _KINDS.get(type(tree.value), "empty")
        message = f"the serve config is {kind}, not a mapping"
        problems.append(Finding(path, message, _YAML, inside=_index(tree.origin, node.value)))
    if tree is None or not isinstance(tree.value, dict):
        return ServeConfig(node.with_value({}), path, node, problems=tuple(problems))
    errors = list(shape_errors(tree, serve_schema()))
    misfits = (_misfit(error.diagnostic, node.value, path) for error in errors)
    tree = without(tree, unreliable_paths(errors))
    return ServeConfig(tree, path, node, False, tuple(problems), tuple(misfits))


def unreliable_paths(errors: Iterable[ShapeError]) -> set[Path]:
    return {error.unreliable_path for error in errors if error.unreliable_path is not None}


def _problem(found: Diagnostic, text: str, path: Path) -> Finding:
    """What a reader of files says of a text."""
    message = f"the serve config is no clear YAML: {found.message}".replace("the file", "the text")
    return Finding(path, message, found.fix, inside=_index(Origin("", *found.place[1:]), text))


def _misfit(found: Diagnostic, text: str, path: Path) -> Finding:
    where = _index(Origin("", *found.place[1:]), text)
    return Finding(path, found.message, found.fix, inside=where)


def _index(where: Origin, text: str) -> int:
    """The index of a line and column of a text."""
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]
    return starts[min(where.line, len(starts)) - 1] + where.column - 1


def emitted(config: ServeConfig) -> Node:
    """The text of the object: the spec's own byte for byte, or what a mapping is written as."""
    if config.is_text:
        return config.source
    return config.source.with_value(write(ordered(config.tree)))
