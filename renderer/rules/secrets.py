"""Secrets do not belong in Git, and still less in what partners are sent."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from renderer.diagnostics import Finding, Path, Rule, Severity, rule
from renderer.expressions import expression
from renderer.model import Kind, Part, Spec
from renderer.secrets import is_harmless, is_secret_name, option_name, shape_of, tells
from renderer.tree import Node, Plain, derived, walk
from renderer.wording import path_text

PART = "Part"
_OPTION = expression(r"-{1,2}[A-Za-z0-9_.-]+=(?![/$])")
_DEEPEST = 3
_FIX = "delete it here and let the platform's configuration or a Secret provide it; then change it"


@rule("SEC001", Severity.ERROR, PART)
def no_secret_by_name(part: Part) -> Iterator[Finding]:
    """A key that is called a secret has no value in a file.

    Everyone who reads the repository sees it, and what a federated serving is configured with is
    copied to every partner. The value is not shown here.

    Fails:

        serving_input_config: {ossSourceMeta: {accessKey: example, secretKey: example}}

    Passes:

        serving_input_config: {sourceType: ST_OSS}
    """
    return _by_name(part.tree, part.kind)


@rule("SEC002", Severity.ERROR, PART)
def no_secret_by_shape(part: Part) -> Iterator[Finding]:
    """No text of a spec has the shape of a key or token.

    Private keys and the tokens of well-known services are recognised wherever they stand. The text
    is not shown here.

    Fails:

        annotations: {example.com/note: "-----BEGIN PRIVATE KEY-----"}

    Passes:

        annotations: {example.com/note: "the key is in the vault"}
    """
    return _by_shape(part.tree)


class Told(NamedTuple):
    """A finding, and the rule that it belongs to."""

    rule: Rule
    finding: Finding


def by_variables(spec: Spec) -> Iterator[Told]:
    """Secrets that a spec gets from variables, which no file shows by itself."""
    if not any(node.origin.note for _, node in walk(spec.tree)):
        return
    by_name = (Told(no_secret_by_name, item) for item in _by_name(spec.tree, spec.kind))
    by_shape = (Told(no_secret_by_shape, item) for item in _by_shape(spec.tree))
    for told in (*by_name, *by_shape):
        if _is_filled_in(spec.tree, told.finding.path):
            yield told


def _is_filled_in(tree: Node, path: Path) -> bool:
    node = tree
    for segment in path:
        node = node.step(segment) or node
    return bool(node.origin.note)


def _by_name(tree: Node, kind: Kind) -> Iterator[Finding]:
    for path, key, value in _texts(tree):
        names = {str(segment) for segment in path[:-1]}
        if is_harmless(value) or names & kind.data_keys:
            continue
        if key and is_secret_name(key) and not _is_elsewhere(path, value):
            yield Finding(path, f"{key!r} holds a secret in plain text", _FIX, at_key=True)
        elif _is_told(path, value, kind):
            message = f"{path_text(path)} gives a secret in plain text"
            yield Finding(path, message, _FIX, at_key=isinstance(path[-1], str))


def _is_told(path: Path, value: str, kind: Kind) -> bool:
    """Whether a file, or a word of a command, gives a value to what is called a secret."""
    if any(place.covers(path) for place in kind.text_files):
        return tells(value)
    return isinstance(path[-1], int) and bool(_OPTION.match(value)) and tells(value)


def _is_elsewhere(path: Path, value: str) -> bool:
    """Whether a word of a command only says where the secret is, or is the next option."""
    return isinstance(path[-1], int) and value.startswith(("/", "$", "-"))


def _by_shape(tree: Node) -> Iterator[Finding]:
    for path, key, value in _texts(tree):
        shape = shape_of(value)
        if shape and not (key and is_secret_name(key)):
            yield Finding(path, f"{path_text(path)} contains {shape}", _FIX)


def _texts(tree: Node) -> Iterator[tuple[Path, str, str]]:
    """Every text and number with its path and key; those inside JSON lead on into the text."""
    for path, node in walk(tree):
        if isinstance(node.value, bool) or not isinstance(node.value, str | int | float):
            continue
        key = _key(tree, path)
        inner = _parsed(node.value) if isinstance(node.value, str) else None
        if inner is None:
            yield path, key, str(node.value)
            continue
        for inside, inner_key, text in _inner_texts(derived(inner, node.origin), _DEEPEST):
            yield (*path, *inside), inner_key or key, text


def _inner_texts(tree: Node, deeper: int) -> Iterator[tuple[Path, str, str]]:
    """The texts of JSON data; those of JSON in its texts have the place of their text."""
    for path, node in walk(tree):
        if not isinstance(node.value, str):
            continue
        yield path, _key(tree, path), node.value
        inner = _parsed(node.value) if deeper else None
        if inner is not None:
            for _, key, text in _inner_texts(derived(inner, node.origin), deeper - 1):
                yield path, key, text


def _key(tree: Node, path: Path) -> str:
    """What a value is called: its key, the name beside it, or the option before it."""
    if path and isinstance(path[-1], int) and path[-1]:
        before = tree.get(*path[:-1], path[-1] - 1)
        return option_name(str(before.value)) if before else ""
    key = path[-1] if path and isinstance(path[-1], str) else ""
    name = tree.get(*path[:-1], "name") if key == "value" else None
    return str(name.value) if name else key


def _parsed(text: str) -> Plain:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        data: Plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data


RULES = (no_secret_by_name, no_secret_by_shape)
