"""Outcomes as JSON and back; of a manifest, a digest stands for the text."""

from hashlib import sha256
from typing import Any

from renderer.diagnostics import Diagnostic, Origin, Severity
from renderer.ignores import Ignore
from renderer.incremental.concluding import said
from renderer.incremental.outcomes import Outcome, Seen
from renderer.kinds import KINDS
from renderer.model import Manifest, Spec
from renderer.tree import Node


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


_NO_TREE = Node({}, Origin(""))


def encoded(outcome: Outcome) -> Any:
    return [
        said(outcome),
        [_seen(item) for item in outcome.specs],
        outcome.found,
        outcome.ignores,
        outcome.used,
        outcome.broken,
    ]


def decoded(data: Any, *, trees: bool) -> Outcome:
    """An outcome whose manifests have digests in place of texts."""
    said_of_it, specs, found, ignores, used, broken = data
    return Outcome(
        tuple(_spec(*item, trees=trees) for item in specs),
        tuple(_diagnostic(item) for item in found),
        tuple((_ignore(*item), tuple(codes)) for item, codes in ignores),
        {environment: tuple(names) for environment, names in used.items()},
        tuple(broken),
        str(said_of_it),
    )


def _seen(item: Seen) -> Any:
    spec = item.spec
    made = [
        [m.path, m.destination, m.schema, m.identity, m.digest or digest(m.text)]
        for m in item.manifests
    ]
    return [*spec.key, spec.files, _node(spec.tree), item.sound, made]


def _spec(
    environment: str,
    kind: str,
    stem: str,
    files: list[str],
    tree: Any,
    sound: bool,
    made: Any,
    *,
    trees: bool,
) -> Seen:
    spec = Spec(KINDS[kind], stem, environment, tuple(files), _tree(tree) if trees else _NO_TREE)
    manifests = (
        Manifest(path, environment, destination, spec, schema, spec.tree, "", identity, text)
        for path, destination, schema, identity, text in made
    )
    return Seen(spec, sound, tuple(manifests))


def _node(node: Node) -> Any:
    value: Any = node.value
    if isinstance(value, dict):
        value = {key: _node(child) for key, child in value.items()}
    elif isinstance(value, tuple):
        value = [_node(child) for child in value]
    return [value, node.origin, node.key] if node.key else [value, node.origin]


def _tree(data: Any) -> Node:
    value, origin, *key = data
    if isinstance(value, dict):
        value = {name: _tree(child) for name, child in value.items()}
    elif isinstance(value, list):
        value = tuple(_tree(child) for child in value)
    return Node(value, Origin(*origin), Origin(*key[0]) if key else None)


def _diagnostic(data: Any) -> Diagnostic:
    item = Diagnostic(*data)
    return item._replace(
        severity=Severity(item.severity),
        environments=tuple(item.environments),
        related=tuple(item.related),
    )


def _ignore(origin: Any, codes: Any, first: int, last: int) -> Ignore:
    return Ignore(Origin(*origin), tuple(codes), first, last)
