"""The rules of a CRD over one object: which of its values they are asked of, and what they find."""

from collections.abc import Iterator, Mapping
from typing import Any

from renderer.policies.answers import ask
from renderer.policies.cel import Answer
from renderer.policies.expressions import names_in
from renderer.policies.failures import NO_OVERLOAD, failure_words, said
from renderer.policies.schema_expressions import Typed, typed_expression
from renderer.policies.schema_values import escaped, typed_value, with_defaults
from renderer.policies.worker import Question
from renderer.schema.bundle import Schema
from renderer.schema.validations import RuledSchema, SchemaRule
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

_SELF, _OLD = "self", "oldSelf"
_VARIABLES = (_SELF, _OLD)
_NO_OVERLOAD = "call arguments did not match a supported operator, function or macro signature"


class Violation(NamedTuple):
    """A rule that a value does not fulfil, or fails at; or that is not evaluated, for a reason.

    `is_transition` says that the rule compares the value with the former one. A rule that fails
    has not the `reason` that it gives for values which do not fulfil it.
    """

    rule: SchemaRule
    path: Path
    detail: str
    is_transition: bool = False
    not_evaluated: str = ""
    reason: str = ""


class _Value(NamedTuple):
    """A value of an object as it is stored, and as expressions read it; and the former one."""

    stored: Any
    typed: Any
    former: Any = None
    former_typed: Any = None


class _Case(NamedTuple):
    """A rule that is asked of a value: its variables, and those of its message.

    Without data it is only tried whether the rule can be compiled: the former value is missing.
    """

    rule: SchemaRule
    schema: Schema
    path: Path
    data: Mapping[str, Any] | None
    message_data: Mapping[str, Any]
    is_transition: bool

    @property
    def typed(self) -> Typed:
        optional = self.rule.optional_old_self
        return typed_expression(self.rule.expression, self.schema, optional=optional)

    @property
    def lost(self) -> str:
        """Why what the rule comes to here says nothing; empty if it does."""
        name = self.typed.lost
        return f"the type that the schema gives {name!r} is not followed so far" if name else ""


def violations(schema: RuledSchema, value: Plain, former: Plain = None) -> Iterator[Violation]:
    """What the API server says of an object that is created, or that takes a former one's place."""
    now, before = (
        (stored, typed_value(stored, schema.schema))
        for stored in (with_defaults(item, schema.schema) for item in (value, former))
    )
    cases = [*_cases(schema, _Value(*now, *before), ())]
    answers = ask([_question(case) for case in cases])
    failed = [
        (case, answer)
        for case, answer in zip(cases, answers, strict=True)
        if answer.is_invalid or (case.data is not None and (answer.value is not True or case.lost))
    ]
    speaking = [
        case for case, answer in failed if not (answer.error or case.lost) and _has_words(case)
    ]
    texts = dict(zip(map(id, speaking), ask([*map(_message_question, speaking)]), strict=True))
    for case, answer in failed:
        yield _violation(case, answer, texts.get(id(case)))


def _has_words(case: _Case) -> bool:
    return bool(case.rule.message_expression)


def _question(case: _Case) -> Question:
    return Question(case.typed.text, _VARIABLES, case.data)


def _message_question(case: _Case) -> Question:
    text = typed_expression(case.rule.message_expression, case.schema, optional=False)
    return Question(text.text, _VARIABLES, case.message_data)


def _cases(schema: RuledSchema, value: _Value, path: Path) -> Iterator[_Case]:
    """The rules that are asked, those of a value before those of its parts."""
    if value.stored is None:
        return
    yield from _own_cases(schema, value, path)
    for part in schema.all_of:
        yield from _cases(part, value, path)
    if isinstance(value.stored, dict):
        for name in value.stored:
            part_of_name = schema.properties.get(name) or schema.values
            if part_of_name:
                yield from _cases(part_of_name, _member(schema, value, name), (*path, name))
    elif isinstance(value.stored, list) and schema.items:
        for index in range(len(value.stored)):
            yield from _cases(schema.items, _element(schema, value, index), (*path, index))


def _own_cases(schema: RuledSchema, value: _Value, path: Path) -> Iterator[_Case]:
    if not schema.rules:
        return
    plain = {_SELF: value.typed}
    optional: dict[str, Any] = {_SELF: value.typed, _OLD: []}
    if value.former is not None:
        plain[_OLD] = value.former_typed
        optional[_OLD] = [value.former_typed]
    for rule in schema.rules:
        is_transition = _OLD in rule.expression and _OLD in names_in(rule.expression)
        is_asked = not is_transition or rule.optional_old_self or value.former is not None
        data = optional if rule.optional_old_self else plain
        yield _Case(rule, schema.schema, path, data if is_asked else None, plain, is_transition)


def _member(schema: RuledSchema, value: _Value, name: str) -> _Value:
    key = escaped(name) if schema.schema.get("properties") else name

    def at(item: Any, key: str) -> Any:
        return item.get(key) if isinstance(item, dict) else None

    return _Value(
        value.stored[name],
        at(value.typed, key),
        at(value.former, name),
        at(value.former_typed, key),
    )


def _element(schema: RuledSchema, value: _Value, index: int) -> _Value:
    """An item of a list; the former one is known if the schema says by which keys to tell it."""
    now = value.stored[index], value.typed[index]
    keys = schema.schema.get("x-kubernetes-list-map-keys") or ()
    is_map = schema.schema.get("x-kubernetes-list-type") == "map"
    if not (is_map and isinstance(value.former, list) and isinstance(now[0], dict)):
        return _Value(*now)
    wanted = [now[0].get(key) for key in keys]
    for former, typed in zip(value.former, value.former_typed, strict=True):
        if isinstance(former, dict) and [former.get(key) for key in keys] == wanted:
            return _Value(*now, former, typed)
    return _Value(*now)


def _violation(case: _Case, answer: Answer, text: Answer | None) -> Violation:
    rule, path = case.rule, case.path
    if answer.is_invalid or answer.is_unknown:
        return Violation(rule, path, "", case.is_transition, answer.error)
    if case.lost:
        return Violation(rule, path, "", case.is_transition, case.lost)
    shown = rule.message or rule.expression.strip()
    if answer.error:
        return Violation(rule, path, _failure(answer, shown), case.is_transition)
    place = (*path, *rule.field_path)
    detail = said(text) or rule.message or f"failed rule: {shown}"
    return Violation(rule, place, detail, case.is_transition, reason=rule.reason)


def _failure(answer: Answer, shown: str) -> str:
    words = failure_words(answer)
    if words == NO_OVERLOAD:
        return f"'{words}': {_NO_OVERLOAD} for rule: {shown}"
    return f"{words} evaluating rule: {shown}"
