"""Secrets do not belong in Git, nor in what is rendered from it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from renderer.text.expressions import expression
from renderer.text.secrets import (
    assigned_secret,
    is_harmless,
    is_secret_name,
    may_have_shape,
    may_name,
    shape_of,
)
from renderer.text.texts import filled_words, texts, words
from renderer.text.wording import path_text
from renderer.values.diagnostics import Finding, Path, Rule, Severity, rule
from renderer.values.model import Kind, Part, Spec
from renderer.values.tree import Node

PART = "Part"
_OPTION = expression(r"-{1,2}[A-Za-z0-9_.-]+=(?!\$)")
_FIX = "delete it here and let the platform's configuration or a Secret provide it; then change it"


@rule("SEC001", Severity.ERROR, PART)
def no_secret_by_name(part: Part) -> Iterator[Finding]:
    """A key that is called a secret has no value in a file.

    Everyone who reads the repository sees it, and whoever gets what is rendered sees it as well.
    The value is not shown here.

    Fails:

        annotations: {example.com/password: example}

    Passes:

        annotations: {example.com/contact: example}
    """
    if _is_worth_it(words(part.tree), may_name):
        yield from by_name(part.tree, part.kind)


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
    if _is_worth_it(words(part.tree), may_have_shape):
        yield from by_shape(part.tree)


class RuleFinding(NamedTuple):
    """A finding, and the rule that it belongs to."""

    rule: Rule
    finding: Finding


def by_variables(spec: Spec) -> Iterator[RuleFinding]:
    """Secrets that a spec gets from variables, which no file shows by itself."""
    filled = filled_words(spec.tree)
    found: list[RuleFinding] = []
    if _is_worth_it(filled, may_name):
        found += (RuleFinding(no_secret_by_name, item) for item in by_name(spec.tree, spec.kind))
    if _is_worth_it(filled, may_have_shape):
        found += (RuleFinding(no_secret_by_shape, item) for item in by_shape(spec.tree))
    for item in found:
        if _is_filled_in(spec.tree, item.finding.path):
            yield item


def _is_worth_it(found: str, may: Callable[[str], bool]) -> bool:
    """Whether a closer look can find anything; JSON has another way to write any letter."""
    return may(found) or "\\u" in found


def _is_filled_in(tree: Node, path: Path) -> bool:
    node = tree
    for segment in path:
        node = node.step(segment) or node
    return bool(node.origin.note)


def by_name(tree: Node, kind: Kind) -> Iterator[Finding]:
    for path, key, value in texts(tree):
        names = {str(segment) for segment in path[:-1]}
        if is_harmless(value) or names & kind.data_keys:
            continue
        if key and is_secret_name(key) and not _is_elsewhere(path, value):
            message = f"{key!r} holds a secret in plain text"
            yield Finding(path, message, _FIX, at_key=_is_beside_its_key(tree, path))
        elif (index := _given_secret(path, value, kind)) is not None:
            message = f"{path_text(path)} gives a secret in plain text"
            yield Finding(path, message, _FIX, inside=index)


def _is_beside_its_key(tree: Node, path: Path) -> bool:
    """Whether the line of the key is that of the value too, as far as files are concerned."""
    node = tree.get(*path)
    return (
        not node
        or not node.key
        or node.origin.file != node.key.file
        or (node.origin.line == node.key.line)
    )


def _given_secret(path: Path, value: str, kind: Kind) -> int | None:
    """Where a file, or a word of a command, gives a value to what is called a secret."""
    is_file = any(place.covers(path) for place in kind.text_files)
    is_option = isinstance(path[-1], int) and bool(_OPTION.match(value))
    return assigned_secret(value) if is_file or is_option else None


def _is_elsewhere(path: Path, value: str) -> bool:
    """Whether a word of a command only says where the secret is, or is the next option."""
    return isinstance(path[-1], int) and value.startswith(("/", "$", "-"))


def by_shape(tree: Node) -> Iterator[Finding]:
    for path, key, value in texts(tree):
        shape = shape_of(value)
        if shape and not (key and is_secret_name(key)):
            yield Finding(path, f"{path_text(path)} contains {shape}", _FIX)


RULES = (no_secret_by_name, no_secret_by_shape)
