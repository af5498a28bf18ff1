"""Rules over subjects: which are asked, what they find, and where that stands."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from renderer.policies.answers import ask
from renderer.policies.cel import Answer
from renderer.policies.failures import reason_of
from renderer.policies.reads import paths_read
from renderer.policies.rule_files import RepositoryRule
from renderer.policies.subjects import (
    VARIABLES,
    Item,
    Subject,
    items_of,
    meant_rules,
    whole_item,
    written_origin,
)
from renderer.policies.worker import Question
from renderer.values.diagnostics import Diagnostic, Origin, Path, brief
from renderer.values.named_tuple import NamedTuple

if TYPE_CHECKING:
    from renderer.values.tree import Node


class _Case(NamedTuple):
    """A rule with one `self`."""

    rule: RepositoryRule
    subject: Subject
    item: Item


def policy_findings(
    rules: Sequence[RepositoryRule], subjects: Sequence[Subject]
) -> Iterator[Diagnostic]:
    """What the rules of a repository find; what cannot be compiled is reported at the rule."""
    cases = [case for subject in subjects for case in _cases(meant_rules(rules, subject), subject)]
    answers = ask([question_of(case.rule, case.item) for case in cases])
    failed = [
        (case, answer)
        for case, answer in zip(cases, answers, strict=True)
        if answer.value is not True and not answer.is_invalid
    ]
    messages = iter(ask(list(_message_questions(failed))))
    for case, answer in failed:
        wants_text = not answer.error and bool(case.rule.message_expression)
        yield _finding(case, answer, next(messages) if wants_text else None)


def _cases(rules: Iterable[RepositoryRule], subject: Subject) -> Iterator[_Case]:
    """Each rule with what `self` is, which rules with the same path share."""
    known: dict[Path, list[Item]] = {(): [whole_item(subject)]}
    for rule in rules:
        if rule.each not in known:
            known[rule.each] = [*items_of(rule, subject.tree, subject.data)]
        yield from (_Case(rule, subject, item) for item in known[rule.each])


def question_of(rule: RepositoryRule, item: Item) -> Question:
    return Question(rule.expression, VARIABLES[rule.on], item.data)


def _message_questions(failed: Iterable[tuple[_Case, Answer]]) -> Iterator[Question]:
    for case, answer in failed:
        if not answer.error and case.rule.message_expression:
            names = VARIABLES[case.rule.on]
            yield Question(case.rule.message_expression, names, case.item.data)


def _finding(case: _Case, answer: Answer, text: Answer | None) -> Diagnostic:
    rule = case.rule
    if answer.is_costly:  # the same wherever it was asked, so that it is said once
        message = f"{rule.title}: {rule.code} is too expensive and not evaluated: {answer.error}"
        fix, place = "make the expression cheaper", rule.tree.items["expression"].origin
    elif answer.error and (side := _absent_side(case)):
        what = "new" if side == "before" else "deleted"
        message = f"{rule.title}: this cannot be evaluated, as {side} is null: it is {what}"
        fix, place = f"begin with '{side} == null ||' in {rule.file}", _place(case, rule.at)
    elif answer.error:
        message = f"{rule.title}: this cannot be evaluated, as {reason_of(answer)}"
        fix = f"write {answer.missing}, or use has() in {rule.file}" if answer.missing else ""
        place = _missing_place(case, answer.missing)
    elif not isinstance(answer.value, bool):
        message = f"{rule.title}: the expression gives neither true nor false"
        fix, place = f"compare it with something, in {rule.file}", _place(case, ())
    else:
        message = _message(rule, text)
        fix, place = rule.fix, _place(case, rule.at)
    finding = Diagnostic(
        *place.place, rule.code, rule.severity, brief(message), rule.why, brief(fix)
    )
    files = (*case.subject.files, rule.file)
    return finding.about(case.subject.environment.name, related=files)


def _absent_side(case: _Case) -> str:
    """The side of a change on which there is nothing, if there is one."""
    sides = ("before", "after") if case.subject.of else ()
    return next((side for side in sides if case.item.data[side] is None), "")


def _message(rule: RepositoryRule, text: Answer | None) -> str:
    """What an expression gives, else what the rule says; its title alone is what should hold."""
    said = text.value if text and isinstance(text.value, str) else ""
    one_line = " ".join(said.split())
    return one_line or rule.message or f"this does not hold: {rule.title}"


def _missing_place(case: _Case, missing: str) -> Origin:
    """Where a field should be: in the deepest mapping that the expression reaches it by."""
    roots = {
        "self": case.item.tree,
        case.rule.subject: case.subject.tree,
        "spec": case.subject.spec.tree,
    }
    pattern = rf"\b((?:\w+\.)+){re.escape(missing)}\b"
    for match in re.finditer(pattern, case.rule.expression) if missing else ():
        root, *path = match[1].rstrip(".").split(".")
        node: Node | None = roots.get(root)
        if node is not None:
            found = node.locate(tuple(path), at_key=True)
            return found if _is_written(case, found) else _place(case, ())
    return _place(case, ())


def _place(case: _Case, path: Path) -> Origin:
    """Where `self` has a path, as far as people wrote that; else where the spec is named.

    Of a change, where it was edited.
    """
    if not case.rule.each and (edited := case.subject.find_edit(_looked_at(case.rule, path))):
        return edited
    origin = case.item.tree.locate(path)
    if _is_written(case, origin):
        return origin
    spec = case.subject.spec
    node = case.item.tree.get(*path) or case.item.tree
    files = case.subject.environment.files
    return written_origin(node, spec, files) or spec.name_node.origin


def _looked_at(rule: RepositoryRule, path: Path) -> Sequence[Path]:
    """The paths of `self` that a rule is about: the one that it gives, or those that it reads."""
    return [path] if path else paths_read(rule.expression, ("self", "before", "after"))


def _is_written(case: _Case, origin: Origin) -> bool:
    return origin.file in case.subject.files
