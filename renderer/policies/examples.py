"""The rules themselves: whether their expressions can be compiled, and their examples hold."""

from collections.abc import Iterator, Sequence

from renderer.policies.answers import ask
from renderer.policies.cel import Answer
from renderer.policies.evaluation import question_of
from renderer.policies.failures import reason_of
from renderer.policies.rule_files import CHANGE, Example, RepositoryRule
from renderer.policies.rules import EXAMPLE, NOT_COMPILED
from renderer.policies.subjects import VARIABLES, items_of
from renderer.policies.worker import Question
from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_EXPRESSIONS = ("expression", "messageExpression")
_ENVIRONMENT: dict[str, Plain] = {
    "name": "example", "production": False, "vars": {}, "labels": {},
}  # fmt: skip
_DESTINATION: dict[str, Plain] = {
    "name": "example", "platform": "kubernetes", "cluster": "example", "namespace": "example",
}  # fmt: skip


class _Trial(NamedTuple):
    """An example of a rule, and how many evaluations it takes."""

    rule: RepositoryRule
    example: Example
    questions: tuple[Question, ...]


def rule_faults(rules: Sequence[RepositoryRule]) -> Iterator[Diagnostic]:
    """Expressions that cannot be compiled, and examples of the other rules that do not hold."""
    written = [(rule, key) for rule in rules for key in _EXPRESSIONS if key in rule.tree.items]
    asked = [Question(rule.tree.text_at(key), VARIABLES[rule.on]) for rule, key in written]
    refused = [
        (rule, key, answer)
        for (rule, key), answer in zip(written, ask(asked), strict=True)
        if answer.error
    ]
    yield from (_not_compiled(*item) for item in refused)
    broken = {rule.code for rule, *_ in refused}
    sound = [rule for rule in rules if rule.code not in broken]
    trials = [_trial(rule, example) for rule in sound for example in rule.examples]
    answers = iter(ask([question for trial in trials for question in trial.questions]))
    for trial in trials:
        yield from _judged(trial, [next(answers) for _ in trial.questions])


def _not_compiled(rule: RepositoryRule, key: str, answer: Answer) -> Diagnostic:
    node = rule.tree.items[key]
    names = listed(VARIABLES[rule.on])
    fix = f"write CEL; the variables of a rule on {rule.on!r} are {names}"
    message = f"{key} of {rule.code} cannot be compiled: {answer.error}"
    return NOT_COMPILED.at(place_within(node, answer), message, fix)


def place_within(node: Node, answer: Answer) -> Origin:
    """The column of a plain text on one line; the beginning of any other."""
    is_plain = node.text in ("", str(node.value)) and "\n" not in str(node.value)
    if not is_plain or answer.line > 1:
        return node.origin
    return node.origin._replace(column=node.origin.column + answer.column - 1)


def _trial(rule: RepositoryRule, example: Example) -> _Trial:
    given = example.tree.plain()
    data: dict[str, Plain] = dict(given) if isinstance(given, dict) else {}
    data["environment"] = _filled(_ENVIRONMENT, data.get("environment"))
    data["destination"] = _filled(_DESTINATION, data.get("destination"))
    tree = _example_subject(rule, example)
    if rule.on == CHANGE:
        data = {"before": None, "after": None, **data}
    items = items_of(rule, tree, data) if tree else ()
    return _Trial(rule, example, tuple(question_of(rule, item) for item in items))


def _example_subject(rule: RepositoryRule, example: Example) -> Node | None:
    """What an example is about; of a change, what there is after it, or was."""
    keys = ("after", "before") if rule.on == CHANGE else (rule.on,)
    found = (example.tree.get(key) for key in keys)
    return next((node for node in found if node and node.value is not None), None)


def _filled(usual: dict[str, Plain], given: Plain) -> Plain:
    return {**usual, **given} if isinstance(given, dict) else dict(usual)


def _judged(trial: _Trial, answers: Sequence[Answer]) -> Iterator[Diagnostic]:
    rule, example = trial.rule, trial.example
    wanted = "passes" if example.passes else "fails"
    where = example.tree.origin
    if _example_subject(rule, example) is None:
        message = f"this example of {rule.code} has no {rule.subject!r}, which the rule is on"
        yield EXAMPLE.at(where, message, f"give it {rule.subject}: {{…}}")
    elif error := next((reason_of(item) for item in answers if item.error), ""):
        message = f"an example of {wanted!r} of {rule.code} cannot be evaluated, as {error}"
        yield EXAMPLE.at(where, message, "complete the example, or mend the expression")
    elif all(item.value is True for item in answers) != example.passes:
        found = "is found by it" if example.passes else "passes it"
        message = f"an example of {wanted!r} of {rule.code} {found}"
        yield EXAMPLE.at(where, message, "mend the expression, or move the example")
