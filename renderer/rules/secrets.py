"""Secrets do not belong in Git, and still less in what partners are sent."""

import json
from collections.abc import Iterator

from renderer.diagnostics import Finding, Path, Severity, rule
from renderer.model import Part
from renderer.secrets import is_harmless, is_secret_name, shape_of, tells
from renderer.tree import Node, Plain, derived, walk
from renderer.wording import path_text

PART = "Part"
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
    for path, key, value in _texts(part.tree):
        names = {str(segment) for segment in path[:-1]}
        if not key or is_harmless(value) or names & part.kind.data_keys:
            continue
        if is_secret_name(key):
            yield Finding(path, f"{key!r} holds a secret in plain text", _FIX, at_key=True)
        elif any(place.covers(path) for place in part.kind.text_files) and tells(value):
            yield Finding(
                path, f"{path_text(path)} gives a secret in plain text", _FIX, at_key=True
            )


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
    for path, key, value in _texts(part.tree):
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
        nested = derived(inner, node.origin)
        for inside, child in walk(nested):
            if isinstance(child.value, str):
                yield (*path, *inside), _key(nested, inside) or key, child.value


def _key(tree: Node, path: Path) -> str:
    """What a value is called: its key, or the name beside it in a pair of name and value."""
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
