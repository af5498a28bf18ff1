"""Results and conclusions as lines of text and back; of a manifest, a digest stands for the text.

A line has fields between tabs: what decides whether it is used at all comes first and is plain, the
rest is JSON that is decoded when it is asked for.
"""

import json
from collections.abc import Iterable
from typing import Any

from renderer.backends.kinds import kind_called
from renderer.evaluate.result import Conclusion, Result, SpecFindings, SpecResult, conclusion_digest
from renderer.text.digests import sha256
from renderer.values.codec import Decoder, encode
from renderer.values.diagnostics import Origin
from renderer.values.kinds import Kind, Stage
from renderer.values.model import Spec, SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Node

_UNKNOWN = Kind("", "")
MARK = "\t"  # JSON has none
_ENCODER = json.JSONEncoder(separators=(",", ":"), default=encode)


class Line(NamedTuple):
    """The fields of a kept result."""

    reads: str
    reads_digest: str
    digest: str
    spec_findings: str
    manifests: str
    rest: str

    @property
    def read_names(self) -> tuple[str, ...]:
        return tuple(json.loads(self.reads))


def encode_result(result: Result, reads_digest: str) -> str:
    bare = result._replace(
        results=tuple(map(_bare_result, result.results)), diagnostics=(), reads=(), specs=()
    )
    return MARK.join(
        Line(
            _ENCODER.encode(result.reads),
            reads_digest,
            conclusion_digest(result),
            _ENCODER.encode([*result.spec_findings]) if result.has_findings else "",
            _ENCODER.encode([_manifest(item) for item in result.manifests]),
            _ENCODER.encode(bare),
        )
    )


def line_of(text: str) -> Line:
    return Line(*text.split(MARK))


def decode_manifests(line: Line) -> tuple[Manifest, ...]:
    return tuple(_manifest_of(*item) for item in json.loads(line.manifests))


def decode_findings(line: Line) -> tuple[SpecFindings, ...]:
    """What was found, if anything was."""
    found = json.loads(line.spec_findings) if line.spec_findings else []
    return _DECODER.decode(tuple[SpecFindings, ...], found)


def decode_result(line: Line, manifests: Iterable[Manifest]) -> Result:
    """A result, whose manifests were decoded before."""
    bare = _DECODER.decode(Result, json.loads(line.rest))
    found = dict(decode_findings(line))
    made: dict[SpecKey, list[Manifest]] = {}
    for item in manifests:
        made.setdefault(item.spec.key, []).append(item)
    results = tuple(
        item._replace(
            manifests=tuple(made.get(item.summary.key, ())),
            diagnostics=found.get(item.summary.key, ()),
        )
        for item in bare.results
    )
    return bare._replace(results=results, diagnostics=found.get(None, ()), reads=line.read_names)


def encode_conclusion(conclusion: Conclusion) -> str:
    made = [_manifest(item) for item in conclusion.manifests]
    return _ENCODER.encode((made, conclusion._replace(manifests=())))


def decode_conclusion(text: str) -> Conclusion:
    made, conclusion = json.loads(text)
    manifests = tuple(_manifest_of(*item) for item in made)
    return _DECODER.decode(Conclusion, conclusion)._replace(manifests=manifests)


def text_digest(manifest: Manifest) -> str:
    return manifest.digest or sha256(manifest.text.encode()).hexdigest()


def _manifest(item: Manifest) -> list[Any]:
    place = [item.path, item.destination, item.schema, item.identity, text_digest(item)]
    return [*place, *item.spec.key, item.spec.files, item.stage, item.has_generations]


def _manifest_of(
    path: str,
    destination: str,
    schema: str,
    identity: str,
    digest: str,
    environment: str,
    kind: str,
    stem: str,
    files: list[str],
    stage: int,
    has_generations: bool,
) -> Manifest:
    tree = Node({}, Origin(files[0]))
    spec = Spec(kind_called(kind) or _UNKNOWN, stem, environment, tuple(files), tree)
    place = path, environment, destination
    rest = Stage(stage), has_generations
    return Manifest(*place, spec, schema, tree, "", identity, digest, *rest)


def _bare_result(item: SpecResult) -> SpecResult:
    """What is left when manifests and findings, which have lines of their own, are taken away."""
    summary = item.summary
    trees: Any = {"name": _tree_data(summary.name), "fields": _tree_data(summary.fields)}
    return item._replace(summary=summary._replace(**trees), manifests=(), diagnostics=())


def _tree_data(node: Node) -> Any:
    value: Any = node.value
    if isinstance(value, dict):
        value = {key: _tree_data(child) for key, child in value.items()}
    elif isinstance(value, tuple):
        value = [_tree_data(child) for child in value]
    return [value, node.origin, node.key] if node.key else [value, node.origin]


def _tree(data: Any) -> Node:
    value, origin, *key = data
    if isinstance(value, dict):
        value = {name: _tree(child) for name, child in value.items()}
    elif isinstance(value, list):
        value = tuple(_tree(child) for child in value)
    return Node(value, Origin(*origin), Origin(*key[0]) if key else None)


_DECODER = Decoder({Node: _tree})
