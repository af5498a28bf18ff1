"""Data that a spec has as a mapping or as a YAML text: the tree, and what is wrong with a text."""

from collections.abc import Iterator

from renderer.schema.bundle import Schema
from renderer.schema.validation import shape_errors
from renderer.text.wording import index_of
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Finding, Origin, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, drop_paths

_KINDS = {tuple: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number"}


class YamlConfig(NamedTuple):
    """What was read, at which path of the spec, and what is wrong with it.

    `source` is the spec's own value. The tree of a text has no values that do not fit the schema,
    and none at all if the text could not be read; `problems` say why, `misfits` what does not fit.
    Both are empty for a mapping, which is checked with the spec that it is a part of. What is
    converted from something else has its values' places, and no paths in the spec.
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

    def finding(self, path: Path, message: str, fix: str = "", *, at_key: bool = False) -> Finding:
        """A finding about a path in the config, at its place in the file."""
        if not self.is_converted:
            return Finding((*self.path, *path), message, fix, at_key)
        where = self.tree.locate(path, at_key=at_key)
        return Finding(self.path, message, fix, at_key, origin=where if where.file else None)

    def misfits_of(self, part: Node, schema: Schema) -> Iterator[Finding]:
        """What in a part of the tree does not fit a schema."""
        for error in shape_errors(part, schema):
            yield self.misfit(error.diagnostic)

    def misfit(self, found: Diagnostic) -> Finding:
        """An error of the schema, at its place in the file."""
        if self.is_text and not found.file:
            inside = index_of(str(self.source.value), *found.place[1:])
            return Finding(self.path, found.message, found.fix, inside=inside)
        where = Origin(*found.place) if found.file else None
        return Finding(self.path, found.message, found.fix, origin=where)


class Subject(NamedTuple):
    """What a config is called in messages, and what to write if it is no mapping."""

    title: str
    fix: str


def read_config(
    node: Node, path: Path, subject: Subject, schema: Schema | None = None
) -> YamlConfig:
    """The config at a path of a spec; what does not fit is looked for if there is a schema."""
    if not isinstance(node.value, str):
        return YamlConfig(node if node.items else node.with_value({}), path, node)
    reading = read(node.value.encode("utf-8", "replace"), "")
    tree = reading.document.tree
    problems = [_problem(item, node.value, path, subject) for item in reading.problems]
    if tree is not None and not isinstance(tree.value, dict):
        kind = _KINDS.get(type(tree.value), "empty")
        message = f"{subject.title} is {kind}, not a mapping"
        inside = index_of(node.value, tree.origin.line, tree.origin.column)
        problems.append(Finding(path, message, subject.fix, inside=inside))
    if tree is None or not isinstance(tree.value, dict):
        return YamlConfig(node.with_value({}), path, node, problems=tuple(problems))
    config = YamlConfig(tree, path, node, problems=tuple(problems))
    return config if schema is None else drop_misfits(config, schema)


def drop_misfits(config: YamlConfig, schema: Schema) -> YamlConfig:
    """A config without the values that do not fit its schema, which are its `misfits`."""
    errors = list(shape_errors(config.tree, schema))
    misfits = tuple(config.misfit(error.diagnostic) for error in errors)
    paths = {error.unreliable_path for error in errors if error.unreliable_path is not None}
    return config._replace(tree=drop_paths(config.tree, paths), misfits=misfits)


def _problem(found: Diagnostic, text: str, path: Path, subject: Subject) -> Finding:
    """A problem of the YAML reader, at its place in the text."""
    message = f"{subject.title} is no clear YAML: {found.message}".replace("the file", "the text")
    return Finding(path, message, found.fix, inside=index_of(text, *found.place[1:]))
