"""A validator's errors in words: what stands there, what was expected, what to write instead."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, repeat
from typing import Any

from renderer.kubernetes.patterns import takes_too_long
from renderer.schema import rules
from renderer.schema.bundle import Schema
from renderer.schema.failure import (
    Failure,
    enclosing_place,
    inner_place,
    place_text,
    shown,
    texts_of,
)
from renderer.text.wording import did_you_mean, listed, nearest, suggest, visible
from renderer.values.diagnostics import Diagnostic, Path
from renderer.values.tree import Node

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_BOUNDS = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
)  # fmt: skip
_ALTERNATIVES = ("anyOf", "oneOf")
_MOST_HINTS = 20
_MOST_KEYS = 50  # that are shown; one more finding stands for all others


def explain(error: Any, tree: Node, schema: Schema) -> Iterator[tuple[Path | None, Diagnostic]]:
    """What is behind one error, with the path of the value that would have to be another one.

    A key that should not be there has none, unless another one was meant by it.
    """
    failure = Failure(error, tree, schema)
    if causes := _nearest_causes(failure):
        for cause in causes:
            yield from explain(cause, tree, schema)
        return
    wording = _wrong_key if _is_about_a_key(failure) else _WORDINGS.get(error.validator, _other)
    unreliable = _unreliable_paths(failure)
    for found in wording(failure):
        shown = found._replace(message=visible(found.message), fix=visible(found.fix))
        yield next(unreliable, None), shown


def _unreliable_paths(failure: Failure) -> Iterator[Path | None]:
    """For each finding the path that cannot be relied on: of an unknown key, what was meant."""
    if failure.error.validator == "additionalProperties" and not _is_about_a_key(failure):
        instance = failure.error.instance
        for hint in _hints(instance, failure.schema).values():
            yield (*failure.path, hint) if hint and hint not in instance else None
    else:
        yield from repeat(_unreliable_path(failure))


def _unreliable_path(failure: Failure) -> Path | None:
    if _is_about_a_key(failure):
        return None
    if _is_undecided(failure):
        return (*failure.path, *failure.schema["x-by"])
    if failure.error.validator != "required":
        return failure.path
    return next(((*failure.path, key) for key in _missing_keys(failure)), failure.path)


def _is_about_a_key(failure: Failure) -> bool:
    """`propertyNames`: the instance is a key of what stands at the path."""
    node = failure.tree.get(*failure.path)
    return isinstance(failure.error.instance, str) and not isinstance(node and node.value, str)


def _unknown_keys(failure: Failure) -> Iterator[Diagnostic]:
    known = failure.schema.get("properties", {})
    elsewhere = failure.schema.get("x-elsewhere", {})
    place = f" in {failure.subject}" if failure.path else ""
    hints = _hints(failure.error.instance, failure.schema)
    if _is_named_items(failure.error.instance, known):
        first = next(iter(failure.error.instance))
        where = failure.tree.locate((*failure.path, first), at_key=True)
        message = f"{failure.subject} has a mapping by name where items of a list belong"
        fix = f"write a list: - {next(iter(known))}: {first}, and so on"
        yield rules.UNKNOWN_KEY.at(where, message, fix)
        return
    for number, (key, hint) in enumerate(islice(hints.items(), _MOST_KEYS + 1)):
        fix = elsewhere.get(key) or enclosing_place(key, failure) or did_you_mean(hint)
        fix = fix or inner_place(key, failure) or f"known here: {listed(known)}"
        where = failure.tree.locate((*failure.path, key), at_key=True)
        found = rules.UNKNOWN_KEY.at(where, f"unknown key {shown(key)}{place}", fix)
        yield found if number < _MOST_KEYS else found.summary_of_others(len(hints) - number)


def _is_named_items(instance: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Whether a mapping for every item of a list has names of items instead of their keys."""
    values = (value is None or isinstance(value, dict) for value in instance.values())
    return "$remove" in known and known.keys().isdisjoint(instance) and all(values)


def _hints(instance: Iterable[str], schema: Mapping[str, Any]) -> dict[str, str]:
    """Each unknown key with the known one that was probably meant, or nothing."""
    known = schema.get("properties", {})
    patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
    unknown = [
        key
        for key in instance
        if key not in known and not any(pattern.search(key) for pattern in patterns)
    ]
    return {
        key: nearest(key, known) if count < _MOST_HINTS else "" for count, key in enumerate(unknown)
    }


def _misspelt_keys(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> set[str]:
    """The required keys that are missing because another spelling of them is there."""
    missing = set(schema.get("required", ())).difference(instance)
    return missing.intersection(_hints(instance, schema).values()) if missing else set()


def _missing_key(failure: Failure) -> Iterator[Diagnostic]:
    properties = failure.schema.get("properties", {})
    place = f" in {failure.subject}" if failure.path else ""
    misspelt = _misspelt_keys(failure.error.instance, failure.schema)
    for key in (key for key in _missing_keys(failure) if key not in misspelt):
        where = failure.tree.locate((*failure.path, key))
        about = properties.get(key, {})
        fix = f"add {key}{_key_hint(about)}"
        why = str(about.get("x-why", ""))
        yield rules.MISSING_KEY.at(where, f"{key!r} is missing{place}", fix, why)


def _missing_keys(failure: Failure) -> list[str]:
    error = failure.error
    absent = (key for key in error.validator_value if key not in error.instance)
    return [key for key in absent if repr(key) in error.message]


def _wrong_type(failure: Failure) -> Iterator[Diagnostic]:
    value = failure.error.instance
    wanted = failure.error.validator_value
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if value not in failure.schema.get("enum", [value]):
        return  # that it is not one of the values says more
    if "string" in wanted and isinstance(value, bool | int | float):
        kind = "a truth value" if isinstance(value, bool) else "a number"
        kind = kind if failure.value == shown(value) else f"the number {shown(value)}"
        message = f"{failure.subject} is written {failure.value}, which is read as {kind}"
        fix = f'quote it: "{failure.value}"'
        pattern = failure.schema.get("pattern")
        if pattern and failure.fix and not re.search(pattern, failure.value):
            fix = failure.fix
        yield rules.TEXT.at(failure.here, f"{message}, not as text", fix)
        return
    expected = failure.expects or " or ".join(_TYPES[name] for name in wanted)
    message = f"{failure.subject} is {failure.value}, not {expected}"
    yield rules.TYPE.at(failure.here, message, failure.fix or f"write {expected}", failure.why)


def _not_allowed(failure: Failure) -> Iterator[Diagnostic]:
    value = failure.error.instance
    allowed = failure.error.validator_value
    allowed = allowed if failure.error.validator == "enum" else [allowed]
    texts = texts_of([item for item in allowed if item != ""])  # which stands for nothing
    fix = f"write {listed(texts, 'or')}"
    fix = suggest(value, texts, fix) if isinstance(value, str) else fix
    expected = f"one of {listed(texts)}" if len(texts) > 1 else f"{listed(texts)}"
    message = f"{failure.subject} is {failure.value}, not {expected}"
    yield rules.CHOICE.at(failure.here, message, str(failure.schema.get("x-fix", fix)), failure.why)


def _wrong_form(failure: Failure) -> Iterator[Diagnostic]:
    pattern = failure.error.validator_value
    expected = failure.expects or f"of the form {pattern}"
    message = f"{failure.subject} is {failure.value}, not {expected}"
    if failure.error.validator == "goPattern" and takes_too_long(pattern, failure.error.instance):
        message = f"{failure.subject} takes too long to compare: is it {expected}"
    yield rules.FORM.at(failure.here, message, failure.fix, failure.why)


def _wrong_key(failure: Failure) -> Iterator[Diagnostic]:
    key = failure.error.instance
    where = failure.tree.locate((*failure.path, key), at_key=True)
    expected = failure.expects or "one that is allowed"
    message = f"the key {shown(key)} in {failure.subject} is not {expected}"
    yield rules.FORM.at(where, message, failure.fix, failure.why)


def _exceeded_bounds(failure: Failure) -> Iterator[Diagnostic]:
    bound = failure.error.validator_value
    what = {
        "minimum": f"{failure.value}, less than {bound}",
        "maximum": f"{failure.value}, more than {bound}",
        "exclusiveMinimum": f"{failure.value}, not more than {bound}",
        "exclusiveMaximum": f"{failure.value}, not less than {bound}",
        "multipleOf": f"{failure.value}, not a multiple of {bound}",
        "minLength": "empty" if bound == 1 else f"shorter than {bound} characters",
        "maxLength": f"longer than {bound} characters",
        "minItems": "empty" if bound == 1 else f"a list of fewer than {bound}",
        "maxItems": f"a list of more than {bound}",
        "minProperties": "empty" if bound == 1 else f"a mapping of fewer than {bound} keys",
        "maxProperties": f"a mapping of more than {bound} keys",
    }[failure.error.validator]
    fix = f"write {failure.expects}" if "x-fix" in failure.schema else failure.fix
    yield rules.BOUND.at(failure.here, f"{failure.subject} is {what}", fix, failure.why)


def _repeated_items(failure: Failure) -> Iterator[Diagnostic]:
    items = failure.error.instance
    texts = [json.dumps(item, sort_keys=True) for item in items]
    again = next((i for i, text in enumerate(texts) if text in texts[:i]), len(items))
    where = failure.tree.locate((*failure.path, again))
    what = "the same item" if again == len(items) else shown(items[again])
    message = f"{failure.subject} has {what} twice"
    yield rules.BOUND.at(where, message, "delete one of the two", failure.why)


def _nearest_causes(failure: Failure) -> list[Any]:
    """The errors of the branch that comes nearest to what was written, if one does."""
    if failure.error.validator not in _ALTERNATIVES or _is_undecided(failure):
        return []
    branches: dict[int, list[Any]] = {}
    for cause in failure.error.context:
        branches.setdefault(cause.schema_path[0], []).append(cause)
    alternatives = failure.error.validator_value
    own = [i for i in branches if not alternatives[i].get("x-alternative")] or list(branches)
    none_of_the_types = all(_is_type_error(branches[index], failure.path) for index in own)
    if not own or (failure.expects and none_of_the_types and len(own) > 1):
        return []
    if "x-by" in failure.schema:
        return branches[min(own, key=lambda index: _strangeness(branches[index]))]
    return branches[min(own, key=lambda index: _distance(branches[index], len(failure.path)))]


def _is_undecided(failure: Failure) -> bool:
    """Whether the key that distinguishes alternatives is needed, or says none of them."""
    for key, values in failure.schema.get("x-by", {}).items():
        instance = failure.error.instance
        if isinstance(instance, dict):
            return instance[key] not in values if key in instance else _needs(failure, key)
    return False


def _needs(failure: Failure, key: str) -> bool:
    return all(key in schema.get("required", ()) for schema in failure.error.validator_value)


def _strangeness(causes: list[Any]) -> tuple[bool, float]:
    """Whether another alternative was named, and how many keys are not its own; near ones less."""
    from difflib import SequenceMatcher

    unknown = [
        pair
        for cause in causes
        if cause.validator == "additionalProperties"
        for pair in _hints(cause.instance, cause.schema).items()
    ]
    other = any(cause.validator == "const" for cause in causes)
    return other, len(causes) + sum(2 - SequenceMatcher(None, *pair).ratio() for pair in unknown)


def _which(failure: Failure, key: str, values: list[str]) -> Iterator[Diagnostic]:
    """What the key that distinguishes alternatives should say."""
    known = f"write {listed(values, 'or')}"
    if key not in failure.error.instance:
        place = f" in {failure.subject}" if failure.path else ""
        where = failure.tree.locate((*failure.path, key))
        fix = f"add {key}: {listed(values, 'or')}"
        yield rules.MISSING_KEY.at(where, f"{key!r} is missing{place}", fix)
        return
    path = (*failure.path, key)
    given = failure.error.instance[key]
    fix = suggest(given, values, known) if isinstance(given, str) else known
    message = f"{place_text(path)} is {shown(given)}, not one of {listed(values)}"
    yield rules.CHOICE.at(failure.tree.locate(path), message, fix)


def _no_alternative(failure: Failure) -> Iterator[Diagnostic]:
    if _is_undecided(failure):
        for key, values in failure.schema["x-by"].items():
            yield from _which(failure, key, values)
    elif failure.error.context:
        message = f"{failure.subject} is {failure.value}, not {failure.expects}"
        yield rules.TYPE.at(failure.here, message, failure.fix, failure.why)
    else:  # `oneOf`, and more than one fits
        message = f"{failure.subject} fits several alternatives of which it may fit only one"
        yield rules.CHOICE.at(failure.here, message, failure.fix, failure.why)


def _is_type_error(causes: list[Any], path: Path) -> bool:
    return any(c.validator == "type" and tuple(c.absolute_path) == path for c in causes)


def _distance(causes: list[Any], depth: int) -> tuple[bool, bool, int]:
    """Another type is furthest, another constant next; then the fewest errors are nearest."""
    wrong_type = any(c.validator == "type" and len(c.absolute_path) == depth for c in causes)
    return wrong_type, any(c.validator == "const" for c in causes), len(causes)


def _other(failure: Failure) -> Iterator[Diagnostic]:
    expected = failure.expects or "what the schema allows here"
    message = f"{failure.subject} is {failure.value}, not {expected}"
    yield rules.CHOICE.at(failure.here, message, failure.fix, failure.why)


def _key_hint(schema: Mapping[str, Any]) -> str:
    """What to write for a key: its values, or the first words about it."""
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if texts := texts_of(allowed):
        return f": {listed(texts, 'or')}"
    words = re.split(r"[.:;](?:\s|$)", str(schema.get("description", "")), maxsplit=1)[0]
    lower = words if words[1:2].isupper() else f"{words[:1].lower()}{words[1:]}"
    return f": {lower}" if lower else ""


_WORDINGS: dict[str, Callable[[Failure], Iterator[Diagnostic]]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing_key,
    "type": _wrong_type,
    "enum": _not_allowed,
    "const": _not_allowed,
    **dict.fromkeys(("pattern", "goPattern"), _wrong_form),
    **dict.fromkeys(_ALTERNATIVES, _no_alternative),
    "uniqueItems": _repeated_items,
    **dict.fromkeys(_BOUNDS, _exceeded_bounds),
}
