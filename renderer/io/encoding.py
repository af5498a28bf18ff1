"""Results and conclusions as lines of text and back; of a manifest, a digest stands for the text.

A line has fields between tabs: what decides whether it is used at all comes first and is plain, the
rest is JSON that is decoded when it is asked for.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from renderer.backends.kinds import KINDS
from renderer.evaluate.ignores import Ignore, UsedIgnore
from renderer.evaluate.result import Conclusion, Result, SpecFindings, SpecResult, conclusion_digest
from renderer.text.digests import sha256
from renderer.values.diagnostics import Diagnostic, Origin, Severity
from renderer.values.model import Reference, Spec, SpecKey, Summary
from renderer.values.objects import Manifest
from renderer.values.tree import Node

MARK = "\t"  # JSON has none
_ENCODER = json.JSONEncoder(separators=(",", ":"))


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
    rest = (
        result.stem,
        [_spec_result(item) for item in result.results],
        result.comments,
        result.used,
        *(sorted(item) for item in (result.broken, result.illegible, result.unread)),
        result.counts,
        result.variables,
    )
    return MARK.join(
        Line(
            _ENCODER.encode(result.reads),
            reads_digest,
            conclusion_digest(result),
            _ENCODER.encode([*result.spec_findings]) if result.has_findings else "",
            _ENCODER.encode([_manifest(item) for item in result.manifests]),
            _ENCODER.encode(rest),
        )
    )


def line_of(text: str) -> Line:
    return Line(*text.split(MARK))


def decode_manifests(line: Line) -> tuple[Manifest, ...]:
    return tuple(_manifest_of(*item) for item in json.loads(line.manifests))


def decode_said(line: Line) -> tuple[SpecFindings, ...]:
    """What was found, if anything was."""
    pairs = json.loads(line.spec_findings) if line.spec_findings else ()
    return tuple((SpecKey(*key) if key else None, _diagnostics(found)) for key, found in pairs)


def decode_result(line: Line, manifests: Iterable[Manifest]) -> Result:
    """A result, whose manifests were decoded before."""
    stem, results, comments, used, broken, illegible, unread, counts, names = json.loads(line.rest)
    spec_findings = dict(decode_said(line))
    made: dict[SpecKey, list[Manifest]] = {}
    for item in manifests:
        made.setdefault(item.spec.key, []).append(item)
    return Result(
        stem,
        tuple(_spec_result_of(made, spec_findings, *item) for item in results),
        spec_findings.get(None, ()),
        {file: tuple(_ignore(*item) for item in some) for file, some in comments.items()},
        tuple(UsedIgnore(_ignore(*item), code, futile) for item, code, futile in used),
        frozenset(broken),
        frozenset(illegible),
        frozenset(unread),
        counts,
        {environment: tuple(some) for environment, some in names.items()},
        line.read_names,
    )


def encode_conclusion(conclusion: Conclusion) -> str:
    made = [_manifest(item) for item in conclusion.manifests]
    keys = (sorted(conclusion.unsound), sorted(conclusion.misnamed))
    return _ENCODER.encode((conclusion.diagnostics, made, *keys, conclusion.counts))


def decode_conclusion(text: str) -> Conclusion:
    found, made, unsound, misnamed, counts = json.loads(text)
    return Conclusion(
        _diagnostics(found),
        tuple(_manifest_of(*item) for item in made),
        frozenset(SpecKey(*key) for key in unsound),
        frozenset(SpecKey(*key) for key in misnamed),
        counts,
    )


def text_digest(manifest: Manifest) -> str:
    return manifest.digest or sha256(manifest.text.encode()).hexdigest()


def _manifest(item: Manifest) -> list[Any]:
    place = [item.path, item.destination, item.schema, item.identity, text_digest(item)]
    return [*place, *item.spec.key, item.spec.files]


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
) -> Manifest:
    tree = Node({}, Origin(files[0]))
    spec = Spec(KINDS[kind], stem, environment, tuple(files), tree)
    return Manifest(path, environment, destination, spec, schema, tree, "", identity, digest)


def _spec_result(item: SpecResult) -> list[Any]:
    summary = item.summary
    trees = {"name": _node(summary.name), "fields": _node(summary.fields)}
    seen = list({**summary._asdict(), **trees}.values())
    return [seen, item.is_sound, item.is_whole, item.missing]


def _spec_result_of(
    made: dict[SpecKey, list[Manifest]],
    spec_findings: dict[SpecKey | None, tuple[Diagnostic, ...]],
    seen: Any,
    is_sound: bool,
    is_whole: bool,
    missing: list[str],
) -> SpecResult:
    kind, stem, environment, files, name, fields, references, own, needs, variables = seen
    summary = Summary(
        kind,
        stem,
        environment,
        tuple(files),
        _tree(name),
        _tree(fields),
        tuple(Reference(k, n, tuple(path), unit) for k, n, path, unit in references),
        tuple(own),
        tuple(needs),
        tuple(variables),
    )
    manifests, found = tuple(made.get(summary.key, ())), spec_findings.get(summary.key, ())
    return SpecResult(summary, is_sound, is_whole, manifests, found, tuple(missing))


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


def _diagnostics(data: Iterable[Any]) -> tuple[Diagnostic, ...]:
    return tuple(map(_diagnostic, data))


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
