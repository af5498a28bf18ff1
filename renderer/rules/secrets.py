"""Secrets do not belong in Git, and still less in what partners are sent."""

import json
from collections.abc import Iterator

from renderer.diagnostics import Finding, Path, Severity, rule
from renderer.model import Spec
from renderer.secrets import is_harmless, is_secret_name, shape_of
from renderer.tree import Node, Plain, derived, walk
from renderer.wording import path_text

_FIX = "delete it here and let the platform's configuration or a Secret provide it; then change it"


@rule("SEC001", Severity.ERROR, "*")
def no_secret_by_name(spec: Spec) -> Iterator[Finding]:
    """A key that is called a secret has no value in a spec.

    Everyone who reads the repository sees it, and what a federated serving is configured with is
    copied to every partner. The value is not shown here.

    Fails:

        serving_input_config: {ossSourceMeta: {accessKey: example, secretKey: example}}

    Passes:

        serving_input_config: {sourceType: ST_OSS}
    """
    for path, key, value in _texts(spec.tree):
        if key and is_secret_name(key) and not is_harmless(value):
            yield Finding(path, f"{key!r} holds a secret in plain text", _FIX, at_key=True)


@rule("SEC002", Severity.ERROR, "*")
def no_secret_by_shape(spec: Spec) -> Iterator[Finding]:
    """No text of a spec has the shape of a key or token.

    Private keys and the tokens of well-known services are recognised wherever they stand. The text
    is not shown here.

    Fails:

        annotations: {example.com/note: "-----BEGIN PRIVATE KEY-----"}

    Passes:

        annotations: {example.com/note: "the key is in the vault"}
    """
    for path, key, value in _texts(spec.tree):
        shape = shape_of(value)
        if shape and not (key and is_secret_name(key)):
            yield Finding(path, f"{path_text(path)} contains {shape}", _FIX)


def _texts(tree: Node) -> Iterator[tuple[Path, str, str]]:
    """Every text with its path and key, those inside JSON texts at the place of the whole."""
    for path, node in walk(tree):
        if not isinstance(node.value, str):
            continue
        key = path[-1] if path and isinstance(path[-1], str) else ""
        inner = _parsed(node.value)
        if inner is None:
            yield path, key, node.value
            continue
        for inside, child in walk(derived(inner, node.origin)):
            if isinstance(child.value, str):
                last = inside[-1] if inside and isinstance(inside[-1], str) else key
                yield path, last, child.value


def _parsed(text: str) -> Plain:
    if not text.lstrip().startswith("{"):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


RULES = (no_secret_by_name, no_secret_by_shape)
