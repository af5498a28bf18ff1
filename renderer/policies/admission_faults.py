"""Whether the expressions of admission policies can be compiled, and evaluated before applying."""

from collections.abc import Iterator

from renderer.backends.fields import elements
from renderer.policies.admission import BOOLEAN, TEXT, is_known_later, variables_of
from renderer.policies.admission_files import Admission, AdmissionPolicy
from renderer.policies.answers import ask
from renderer.policies.examples import place_within
from renderer.policies.expressions import Definitions
from renderer.policies.rules import NOT_COMPILED, NOT_EVALUATED
from renderer.policies.worker import Question
from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_NEEDED = "delete it, or ask for the object alone"


class _Expression(NamedTuple):
    """An expression of a policy, the variables before it, and what it has to give."""

    policy: AdmissionPolicy
    node: Node
    variables: Definitions = ()
    types: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return str(self.node.value)


def admission_faults(admission: Admission) -> Iterator[Diagnostic]:
    """What cannot be compiled, and what nobody knows before it is applied, each once."""
    for stage in (_variables, _others):
        every = [item for policy in admission.policies for item in stage(policy)]
        known = [item for item in every if not is_known_later(item.text, item.variables)]
        answers = ask([_question(item) for item in known])
        wrong = [(one, found) for one, found in zip(known, answers, strict=True) if found.error]
        for item, answer in wrong:
            if answer.is_beyond:
                yield _beyond(item, answer.error)
                continue
            names = listed((*variables_of(item.policy), "variables"))
            message = f"an expression of {item.policy.name!r} cannot be compiled: {answer.error}"
            fix = f"write CEL; the variables are {names}"
            yield NOT_COMPILED.at(place_within(item.node, answer), message, fix)
        yield from (_later(item) for item in every if item not in known and stage is _others)
        broken = {item.policy.name for item, _ in wrong}
        sound = (item for item in admission.policies if item.name not in broken)
        admission = admission._replace(policies=tuple(sound))


def _question(item: _Expression) -> Question:
    names = variables_of(item.policy)
    return Question(item.text, names, None, item.types, item.variables)


def _later(item: _Expression) -> Diagnostic:
    what = "who applies an object, and how, is known only then"
    message = f"this part of the policy {item.policy.name!r} is not evaluated: {what}"
    return NOT_EVALUATED.at(item.node.origin, message, _NEEDED)


def _beyond(item: _Expression, reason: str) -> Diagnostic:
    message = f"this part of the policy {item.policy.name!r} is not evaluated: {reason}"
    fix = "write it in fewer levels, or see on a test cluster what it says"
    return NOT_EVALUATED.at(item.node.origin, message, fix)


def _variables(policy: AdmissionPolicy) -> Iterator[_Expression]:
    """Each sees those before it."""
    nodes = elements(policy.tree, "spec", "variables")
    for number, node in enumerate(nodes):
        yield _Expression(policy, node.items["expression"], policy.variables[:number])


def _others(policy: AdmissionPolicy) -> Iterator[_Expression]:
    for node in elements(policy.tree, "spec", "matchConditions"):
        yield _Expression(policy, node.items["expression"], (), BOOLEAN)
    for node in elements(policy.tree, "spec", "validations"):
        yield _Expression(policy, node.items["expression"], policy.variables, BOOLEAN)
        if text := node.get("messageExpression"):
            yield _Expression(policy, text, policy.variables, TEXT)
