"""Secrets do not belong in Git, nor in what is rendered from it."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from renderer.text.expressions import expression
from renderer.text.secrets.scan import GivenValue, every_given, given_in
from renderer.text.secrets.shapes import ShapedSecret, shapes_in
from renderer.text.secrets.values import is_harmless, is_secret
from renderer.text.texts import Text, filled_words, may_hold_secret, texts, words
from renderer.text.wording import path_text
from renderer.values.diagnostics import FIRST_VERSION, Finding, Path, Rule, Severity, rule
from renderer.values.identity_cache import last_result_cached, recent_results_cached
from renderer.values.kinds import Kind
from renderer.values.model import Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

PART = "Part"
_NEW = "0.2.0"
_OPTION = expression(r"-{1,2}[A-Za-z0-9_.-]+=(?!\$)")
_FIX = "delete it here and let the platform's configuration or a Secret provide it; then change it"
#: What 0.1.0 took for the name of a secret: what it did not find must not fail after an upgrade.
_FIRST_NAME = expression(
    r"(?:[A-Za-z0-9_.-]*[_.-])?(?:password|passwd|pwd|passphrase|secret|secret[_-]?key"
    r"|access[_-]?key(?:[_-]?(?:id|secret))?|api[_-]?key|auth[_-]?token|access[_-]?token"
    r"|private[_-]?key|credentials?|token)",
    re.IGNORECASE,
)
_CAMEL = expression(r"(?<=[a-z0-9])(?=[A-Z])")
_FIRST_WORD = expression(r"[a-z]+")
_NO_LETTERS = expression(r"[^A-Za-z0-9]+")
_MOST_IN_A_TEXT = 20


@rule("SEC001", Severity.ERROR, PART)
def no_secret_by_name(part: SpecPart) -> Iterator[Finding]:
    """A key whose name means a secret has no value in a file.

    Everyone who reads the repository sees it, and whoever gets what is rendered sees it as well.
    Names count in any spelling (`clientSecret`, `PGPASSWORD`, `AWS_S3SECRET`, `ACCESS_TOKEN_V2`),
    of keys, variables, headers and options. References (`$(TOKEN)`, `{{.TOKEN}}`), paths of files,
    placeholders (`<token>`, `xxx`) and names of entries of Secrets are no secrets. The value is not
    shown here.

    Fails: annotations: {example.com/password: example}
    Passes: annotations: {example.com/contact: example}
    """
    return _findings_of_code(part, "SEC001")


@rule("SEC002", Severity.ERROR, PART)
def no_secret_by_shape(part: SpecPart) -> Iterator[Finding]:
    """No text of a spec has the shape of a key or token.

    Private keys, passwords and signatures in addresses, addresses of webhooks and the tokens of
    well-known services are recognised wherever they stand. The text is not shown here.

    Fails: annotations: {example.com/note: "-----BEGIN PRIVATE KEY-----"}
    Passes: annotations: {example.com/note: "the key is in the vault"}
    """
    return _findings_of_code(part, "SEC002")


@rule("SEC004", Severity.ERROR, PART, since=_NEW)
def no_secret_in_a_text(part: SpecPart) -> Iterator[Finding]:
    """No text contains the value of a secret.

    Commands, scripts and settings show it to whoever reads the repository, the pod or the list of
    its processes: `API_KEY=… python serve.py`, `--password …`, `curl -u user:…`,
    `Authorization: Bearer …`, `AccountKey=…;`. Let a variable of the container that comes from a
    Secret have it, and name the variable: `--password $(DB_PASSWORD)`. The value is not shown here.

    Fails: annotations: {example.com/start: "DB_PASSWORD=example python serve.py"}
    Passes: annotations: {example.com/start: "DB_PASSWORD=$(DB_PASSWORD) python serve.py"}
    """
    return _findings_of_code(part, "SEC004")


class RuleFinding(NamedTuple):
    """A finding, and the rule that it belongs to."""

    rule: Rule
    finding: Finding


def secrets_from_variables(spec: Spec) -> Iterator[RuleFinding]:
    """Secrets that a spec gets from variables, which no file shows by itself."""
    if not _may_hold_filled_secret(spec.tree):
        return
    rules = {rule.code: rule for rule in RULES}
    for code, finding in found_in(spec.tree, spec.kind):
        if _is_filled_in(spec.tree, finding.path):
            yield RuleFinding(rules[code], finding)


@recent_results_cached
def _may_hold_filled_secret(tree: Node) -> bool:
    return may_hold_secret(filled_words(tree))


def _is_filled_in(tree: Node, path: Path) -> bool:
    node = tree
    for segment in path:
        node = node.step(segment) or node
    return bool(node.origin.note)


def _findings_of_code(part: SpecPart, code: str) -> Iterator[Finding]:
    for found, finding in _found_in_part(part):
        if found == code:
            yield finding


@last_result_cached
def _found_in_part(part: SpecPart) -> tuple[tuple[str, Finding], ...]:
    return found_in(part.tree, part.kind) if may_hold_secret(words(part.tree)) else ()


def found_in(tree: Node, kind: Kind) -> tuple[tuple[str, Finding], ...]:
    """All secrets of a tree, each with the code of its rule."""
    return tuple(item for text in texts(tree) for item in _findings_in_text(text, tree, kind))


def _findings_in_text(text: Text, tree: Node, kind: Kind) -> Iterator[tuple[str, Finding]]:
    is_data = any(str(segment) in kind.data_keys for segment in text.path[:-1])
    if not is_data and is_secret(text.key, text.value) and not _is_elsewhere(text):
        message = f"{text.key!r} holds a secret in plain text"
        at_key = _is_beside_its_key(tree, text.path)
        yield "SEC001", Finding(text.path, message, _FIX, at_key, since=_first_version(text))
        return
    shapes = list(islice(_apart(shapes_in(text.value)), _MOST_IN_A_TEXT))
    if not is_data and _is_of_settings(text, kind):
        yield from _first_setting(text)
        shapes = [found for found in shapes if found.shape.since == FIRST_VERSION]
    elif not is_data and not is_harmless(text.value):
        yield from islice(_given_secrets(text, shapes), _MOST_IN_A_TEXT)
    yield from _shape_findings(text, shapes)


def _first_version(text: Text) -> str:
    """Nothing for what the first version found, the version that has it first for the rest."""
    name = _CAMEL.sub("_", text.key.rpartition("/")[2])
    is_parents = text.path[-1:] != (text.key,) and text.key in text.path
    return "" if _FIRST_NAME.fullmatch(name) and not is_parents and not text.is_in_yaml else _NEW


def _is_elsewhere(text: Text) -> bool:
    """Whether a word of a command only says where the secret is, or is the next option."""
    return isinstance(text.path[-1], int) and text.value.startswith(("/", "$", "-"))


def _is_beside_its_key(tree: Node, path: Path) -> bool:
    """Whether the line of the key is that of the value too, as far as files are concerned."""
    node = tree.get(*path)
    return (
        not node
        or not node.key
        or node.origin.file != node.key.file
        or (node.origin.line == node.key.line)
    )


def _is_of_settings(text: Text, kind: Kind) -> bool:
    """Whether a text is a file of settings, or an option with its value."""
    is_file = any(place.covers(text.path) for place in kind.text_files)
    return is_file or (isinstance(text.path[-1], int) and bool(_OPTION.match(text.value)))


def _first_setting(text: Text) -> Iterator[tuple[str, Finding]]:
    if found := next(every_given(text.value), None):
        message = f"{path_text(text.path)} gives a secret in plain text"
        since = _first_version(Text((), found.name, "", text.is_in_yaml))
        yield "SEC001", Finding(text.path, message, _FIX, inside=found.start, since=since)


def _given_secrets(text: Text, shapes: Iterable[ShapedSecret]) -> Iterator[tuple[str, Finding]]:
    """What a text gives that is not known by its shape already."""
    for found in given_in(text.value):
        if not any(found.start < item.end and item.start < found.end for item in shapes):
            message = f"{path_text(text.path)} gives {found.name!r} a secret in plain text"
            if found.command:
                message = (
                    f"{path_text(text.path)}: the password after {found.name} is in plain text"
                )
            yield "SEC004", Finding(text.path, message, _fix(text, found), inside=found.start)


def _fix(text: Text, found: GivenValue) -> str:
    """Commands take it from a variable, which need not be there yet."""
    if not found.command and not isinstance(text.path[-1], int):
        return _FIX
    name = f"{_FIRST_WORD.findall(found.command)[0]}_password" if found.command else found.name
    variable = _NO_LETTERS.sub("_", _CAMEL.sub("_", name)).upper()
    return (
        f"take it from an environment variable that a Secret provides (${variable}, with "
        "valueFrom: {secretKeyRef: …}), then change it"
    )


def _apart(found: Iterable[ShapedSecret]) -> Iterator[ShapedSecret]:
    """Those that are not within another one, the first shapes first."""
    taken: list[ShapedSecret] = []
    for item in found:
        if not any(item.start < other.end and other.start < item.end for other in taken):
            taken.append(item)
            yield item


def _shape_findings(text: Text, shapes: Iterable[ShapedSecret]) -> Iterator[tuple[str, Finding]]:
    """The first version reported one secret of a text."""
    since = ""
    for item in shapes:
        message = f"{path_text(text.path)} contains {item.shape.name}"
        since = since or ("" if item.shape.since == FIRST_VERSION else _NEW)
        yield "SEC002", Finding(text.path, message, _FIX, inside=item.start, since=since)
        since = _NEW


RULES = (no_secret_by_name, no_secret_by_shape, no_secret_in_a_text)
