"""Outcomes as lines of text and back; of a manifest, a digest stands for the text.

A line has a digest of what the outcome says to others, the outcome without the trees of its specs,
and these trees, the last two as JSON: most lines are only kept, and most trees never looked at.
"""

import json
from typing import Any

from renderer.backends.kinds import KINDS
from renderer.evaluate.concluding import said
from renderer.evaluate.ignores import Ignore
from renderer.evaluate.outcomes import Outcome, Seen
from renderer.text.digests import sha256
from renderer.values.diagnostics import Diagnostic, Origin, Severity
from renderer.values.model import Manifest, Spec
from renderer.values.tree import Node

MARK = "\t"  # JSON has none
_NO_TREE = Node({}, Origin(""))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def encoded(outcome: Outcome) -> str:
    specs = [_seen(item) for item in outcome.specs]
    rest = (outcome.found, outcome.ignores, outcome.used, outcome.broken)
    trees = [_node(item.spec.tree) for item in outcome.specs]
    return MARK.join((said(outcome), _text([specs, *rest]), _text(trees)))


def decoded(line: str, *, trees: bool) -> Outcome:
    """An outcome whose manifests have digests in place of texts, with or without trees."""
    heard, head, tail = line.split(MARK)
    specs, found, ignores, used, broken = json.loads(head)
    nodes = map(_tree, json.loads(tail)) if trees else (_NO_TREE for _ in specs)
    return Outcome(
        tuple(_spec(tree, *item) for item, tree in zip(specs, nodes, strict=True)),
        tuple(_diagnostic(item) for item in found),
        tuple((_ignore(*item), tuple(codes)) for item, codes in ignores),
        {environment: tuple(names) for environment, names in used.items()},
        tuple(broken),
        heard,
    )


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _seen(item: Seen) -> Any:
    made = [
        [m.path, m.destination, m.schema, m.identity, m.digest or digest(m.text)]
        for m in item.manifests
    ]
    return [*item.spec.key, item.spec.files, item.sound, made]


def _spec(
    tree: Node, environment: str, kind: str, stem: str, files: list[str], sound: bool, made: Any
) -> Seen:
    spec = Spec(KINDS[kind], stem, environment, tuple(files), tree)
    manifests = [
        Manifest(path, environment, destination, spec, schema, tree, "", identity, text)
        for path, destination, schema, identity, text in made
    ]
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
        via=(item.via[0], item.via[1]) if item.via else None,
    )


def _ignore(origin: Any, codes: Any, first: int, last: int) -> Ignore:
    return Ignore(Origin(*origin), tuple(codes), first, last)
