"""A validator's errors in words: what stands there, what was expected, what to write instead."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from renderer.diagnostics import Diagnostic, Origin, Path
from renderer.model import Node
from renderer.schemacheck import rules
from renderer.wording import listed, nearest, path_text

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_LONGEST_VALUE = 60


class Failure(NamedTuple):
    """One error of a validator, and the tree it was found in."""

    error: Any
    tree: Node

    @property
    def path(self) -> Path:
        return tuple(self.error.absolute_path)

    @property
    def schema(self) -> Mapping[str, Any]:
        return self.error.schema if isinstance(self.error.schema, Mapping) else {}

    @property
    def subject(self) -> str:
        return path_text(self.path) or "the document"

    @property
    def here(self) -> Origin:
        return self.tree.locate(self.path)

    @property
    def expects(self) -> str:
        return str(self.schema.get("x-expects", ""))

    @property
    def why(self) -> str:
        return str(self.schema.get("x-why", ""))

    @property
    def fix(self) -> str:
        expected = f"write {self.expects}" if self.expects else ""
        return str(self.schema.get("x-fix", expected))


def explain(error: Any, tree: Node) -> Iterator[Diagnostic]:
    """The findings behind one error; several where a keyword speaks of several keys."""
    about_key = "propertyNames" in error.schema_path
    wording = _wrong_key if about_key else _WORDINGS.get(error.validator, _other)
    yield from wording(Failure(error, tree))


def _unknown_keys(failure: Failure) -> Iterator[Diagnostic]:
    known = failure.schema.get("properties", {})
    patterns = [re.compile(pattern) for pattern in failure.schema.get("patternProperties", {})]
    place = f" in {path_text(failure.path)}" if failure.path else ""
    for key in failure.error.instance:
        if key in known or any(pattern.search(key) for pattern in patterns):
            continue
        hint = nearest(key, known)
        fix = f"did you mean {hint!r}?" if hint else f"known here: {listed(known)}"
        where = failure.tree.locate((*failure.path, key), at_key=True)
        yield rules.UNKNOWN_KEY.at(where, f"unknown key {_shown(key)}{place}", fix)


def _missing_key(failure: Failure) -> Iterator[Diagnostic]:
    properties = failure.schema.get("properties", {})
    place = f" in {path_text(failure.path)}" if failure.path else ""
    for key in failure.error.validator_value:
        if key in failure.error.instance or repr(key) not in failure.error.message:
            continue
        meant = str(properties.get(key, {}).get("description", "")).partition(". ")[0]
        where = failure.tree.locate((*failure.path, key))
        fix = f"add {key}: {meant[:1].lower()}{meant[1:]}" if meant else f"add {key}"
        why = str(properties.get(key, {}).get("x-why", ""))
        yield rules.MISSING_KEY.at(where, f"{key!r} is missing{place}", fix, why)


def _wrong_type(failure: Failure) -> Iterator[Diagnostic]:
    wanted = failure.error.validator_value
    wanted = [wanted] if isinstance(wanted, str) else wanted
    node = failure.tree.get(*failure.path)
    if "string" in wanted and node and node.text and isinstance(node.value, bool | int | float):
        read = "" if node.text == str(node.value) else f" {_shown(node.value)}"
        kind = "truth value" if isinstance(node.value, bool) else "number"
        message = f"{failure.subject} is written {node.text}, which is read as the {kind}{read}"
        fix = f'quote it: "{node.text}"'
        yield rules.TEXT.at(failure.here, message, fix, failure.why or rules.TEXT.why)
        return
    expected = failure.expects or " or ".join(_TYPES[name] for name in wanted)
    message = f"{failure.subject} is {_described(failure.error.instance)}, not {expected}"
    yield rules.TYPE.at(failure.here, message, failure.fix or f"write {expected}", failure.why)


def _not_allowed(failure: Failure) -> Iterator[Diagnostic]:
    value = failure.error.instance
    allowed = failure.error.validator_value
    allowed = allowed if failure.error.validator == "enum" else [allowed]
    texts = [str(item) for item in allowed if item != ""]
    hint = nearest(value, texts) if isinstance(value, str) else ""
    fix = f"did you mean {hint!r}?" if hint else f"write {listed(texts, 'or')}"
    expected = f"one of {listed(texts)}" if len(texts) > 1 else f"{listed(texts)}"
    message = f"{failure.subject} is {_shown(value)}, not {expected}"
    yield rules.CHOICE.at(failure.here, message, str(failure.schema.get("x-fix", fix)), failure.why)


def _wrong_form(failure: Failure) -> Iterator[Diagnostic]:
    expected = failure.expects or f"of the form {failure.error.validator_value}"
    message = f"{failure.subject} is {_shown(failure.error.instance)}, not {expected}"
    yield rules.FORM.at(failure.here, message, failure.fix, failure.why)


def _wrong_key(failure: Failure) -> Iterator[Diagnostic]:
    """`propertyNames`: the instance is the key itself."""
    key = failure.error.instance
    where = failure.tree.locate((*failure.path, key), at_key=True)
    expected = failure.expects or "one that is allowed"
    message = f"the key {_shown(key)} in {failure.subject} is not {expected}"
    yield rules.FORM.at(where, message, failure.fix, failure.why)


def _out_of_bounds(failure: Failure) -> Iterator[Diagnostic]:
    bound = failure.error.validator_value
    value = failure.error.instance
    what = {
        "minimum": f"{_shown(value)}, less than {bound}",
        "maximum": f"{_shown(value)}, more than {bound}",
        "minLength": "empty" if bound == 1 else f"shorter than {bound} characters",
        "maxLength": f"longer than {bound} characters",
        "minItems": "empty" if bound == 1 else f"a list of less than {bound}",
        "maxItems": f"a list of more than {bound}",
        "minProperties": f"a mapping of less than {bound}",
        "maxProperties": f"a mapping of more than {bound}",
        "uniqueItems": "a list that names something twice",
    }[failure.error.validator]
    yield rules.BOUND.at(failure.here, f"{failure.subject} is {what}", failure.fix, failure.why)


def _no_alternative(failure: Failure) -> Iterator[Diagnostic]:
    """Explain by the branch that comes nearest to what was written."""
    branches: dict[int, list[Any]] = {}
    for cause in failure.error.context:
        branches.setdefault(cause.schema_path[0], []).append(cause)
    alternatives = failure.error.validator_value
    own = [i for i in branches if not alternatives[i].get("x-alternative")] or list(branches)
    closest = min(own, key=lambda index: _distance(branches[index], len(failure.path)))
    if failure.expects and all(_is_type_error(branches[i], failure.path) for i in own):
        message = f"{failure.subject} is {_described(failure.error.instance)}"
        message += f", not {failure.expects}"
        yield rules.TYPE.at(failure.here, message, failure.fix, failure.why)
        return
    for cause in branches[closest]:
        for found in explain(cause, failure.tree):
            yield found._replace(why=found.why or failure.why)


def _is_type_error(causes: list[Any], path: Path) -> bool:
    return any(c.validator == "type" and tuple(c.absolute_path) == path for c in causes)


def _distance(causes: list[Any], depth: int) -> tuple[bool, bool, int]:
    """Another type is furthest, another constant next; then the fewest errors are nearest."""
    wrong_type = any(c.validator == "type" and len(c.absolute_path) == depth for c in causes)
    return wrong_type, any(c.validator == "const" for c in causes), len(causes)


def _other(failure: Failure) -> Iterator[Diagnostic]:
    expected = failure.expects or "what the schema allows here"
    message = f"{failure.subject} is {_shown(failure.error.instance)}, not {expected}"
    yield rules.CHOICE.at(failure.here, message, failure.fix, failure.why)


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return "empty" if value is None else _shown(value)


def _shown(value: Any) -> str:
    """A value as it may be printed: one line, escaped, cut."""
    text = json.dumps(value, ensure_ascii=False)
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


_WORDINGS: dict[str, Callable[[Failure], Iterator[Diagnostic]]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing_key,
    "type": _wrong_type,
    "enum": _not_allowed,
    "const": _not_allowed,
    "pattern": _wrong_form,
    "anyOf": _no_alternative,
    "oneOf": _no_alternative,
    **dict.fromkeys(
        ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"), _out_of_bounds
    ),
    **dict.fromkeys(("minProperties", "maxProperties", "uniqueItems"), _out_of_bounds),
}
