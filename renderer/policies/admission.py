"""Admission policies are asked: of which requests, with which parameters, and what they say."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.kubernetes.label_selectors import LabelSelector
from renderer.policies.admission_files import (
    Admission,
    AdmissionPolicy,
    Binding,
    Validation,
    kind_of,
)
from renderer.policies.answers import ask
from renderer.policies.cel import Answer
from renderer.policies.decisions import Decision, finding_of, not_evaluated
from renderer.policies.expressions import Definitions
from renderer.policies.failures import failure_words, said
from renderer.policies.reads import has_root, paths_read, texts_read
from renderer.policies.requests import (
    Namespace,
    Request,
    Surroundings,
    Unknown,
    is_about,
    labels_of,
    unknown_namespace,
)
from renderer.policies.server_fields import (
    is_set_by_cluster,
    unknown_field,
    unknown_field_of_namespace,
)
from renderer.policies.worker import Question
from renderer.values.diagnostics import Diagnostic
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_PLAIN_VARIABLES = ("object", "oldObject", "request", "namespaceObject")
#: What is known of a request before it is made.
_REQUEST = (
    "kind", "resource", "subResource", "requestKind", "requestResource", "requestSubResource",
    "name", "namespace", "operation", "dryRun",
)  # fmt: skip
#: What is known of a namespace that is only said to be there.
_OF_PROVIDED = (("metadata", "labels"), ("metadata", "name"))
_NO_PARAMS = (
    "failed to configure binding: no params found for policy binding with `Deny` "
    "parameterNotFoundAction"
)
BOOLEAN, TEXT = ("bool", "dyn"), ("string", "dyn")


class Invocation(NamedTuple):
    """A policy that is asked of a request, by one of its bindings and with one parameter."""

    policy: AdmissionPolicy
    binding: Binding
    request: Request
    names: tuple[str, ...]
    data: Mapping[str, Plain]
    namespace: Namespace | None = None

    def unknown_part(self, one: Validation, *, is_condition: bool = False) -> Unknown | None:
        """What a validation or condition asks for that is not known before it is applied."""
        node = one.node.items["expression"]
        variables = () if is_condition else self.policy.variables
        texts = texts_read(one.expression, variables)
        if field := unknown_field(texts, self.request):
            return _set_by_cluster(f"{field} of each {self.request.kind}", node)
        if is_condition or not self.request.namespace:
            return None
        if self.namespace and self.namespace.is_whole:
            field = unknown_field_of_namespace(texts)
            return _set_by_cluster(f"{field} of each Namespace", node) if field else None
        read = [path for text in texts for path in paths_read(text, ("namespaceObject",))]
        known = _OF_PROVIDED if self.namespace else ()
        is_open = any(path[:2] not in known for path in read)
        return unknown_namespace(self.request.namespace, node) if is_open else None

    def can_ask(self, condition: Validation) -> bool:
        """Whether all that a condition asks for is known."""
        is_later = is_known_later(condition.expression, ())
        return not is_later and self.unknown_part(condition, is_condition=True) is None


def _set_by_cluster(what: str, node: Node) -> Unknown:
    return Unknown(f"the cluster sets {what}", "ask for a field that people write", node)


def variables_of(policy: AdmissionPolicy) -> tuple[str, ...]:
    """The variables that expressions of a policy have."""
    return (*_PLAIN_VARIABLES, *(("params",) if policy.param_kind else ()))


def is_known_later(expression: str, variables: Definitions) -> bool:
    """Whether it asks for what is known only when something is applied: who does it, and how."""
    texts = texts_read(expression, variables)
    return any(has_root(text, "authorizer") for text in texts) or any(
        path[0] not in _REQUEST for text in texts for path in paths_read(text, ("request",))
    )


def admission_findings(
    admission: Admission, requests: Sequence[Request], around: Surroundings
) -> Iterator[Diagnostic]:
    """What the policies say against requests, and what of it cannot be known."""
    invocations: list[Invocation] = []
    for item in _invocations(admission, requests, around):
        if isinstance(item, Invocation):
            invocations.append(item)
        elif isinstance(item, Decision):
            yield finding_of(item)
        else:
            yield item
    for item in invocations:
        for one in item.policy.validations:
            if unknown := item.unknown_part(one):
                yield not_evaluated(item.policy, item.binding, item.request, unknown)
    for found in decisions(invocations):
        yield found if isinstance(found, Diagnostic) else finding_of(found)


def _invocations(
    admission: Admission, requests: Sequence[Request], around: Surroundings
) -> Iterator[Invocation | Decision | Diagnostic]:
    for request in requests:
        shared: dict[str, Plain] | None = None
        for policy, binding in admission.pairs:
            met = is_about(policy.constraints, request, around)
            if met is True:
                met = is_about(binding.resources, request, around)
            if isinstance(met, Unknown):
                yield not_evaluated(policy, binding, request, met)
            if met is not True:
                continue
            shared = shared or _data(request, around)
            for params in _params(policy, binding, request, around):
                if isinstance(params, Unknown):
                    yield not_evaluated(policy, binding, request, params)
                elif isinstance(params, str):
                    yield Decision(policy, binding, request, params, is_unasked=True)
                else:
                    data = (
                        {**shared, "params": params and params.plain()}
                        if policy.param_kind
                        else shared
                    )
                    names = variables_of(policy)
                    namespace = around.namespaces.get(request.namespace)
                    yield Invocation(policy, binding, request, names, data, namespace)


def _data(request: Request, around: Surroundings) -> dict[str, Plain]:
    old, new = request.before, request.object
    namespace = around.namespaces.get(request.namespace)
    return {
        "object": new.plain() if new else None,
        "oldObject": old.plain() if old else None,
        "request": request.data,
        "namespaceObject": namespace.data if namespace else None,
    }


def _params(
    policy: AdmissionPolicy, binding: Binding, request: Request, around: Surroundings
) -> Iterator[Node | Unknown | str | None]:
    """The parameters of a policy: none at all, each that there is, or why it cannot be asked."""
    if policy.param_kind is None or binding.params is None:
        yield None
        return
    name, selector = binding.params.text_at("name"), binding.params.get("selector")
    known = [item for item in around.params if kind_of(item) == policy.param_kind]
    named = [item for item in known if selector or item.text_at("metadata", "name") == name]
    if not named:
        what = f"the {policy.param_kind[1]} {name!r}" if name else f"a {policy.param_kind[1]}"
        fix = "add it to the folder, or as a companion"
        node = binding.params.get("name") or binding.params
        yield Unknown(f"{what} with its parameters is not here", fix, node)
        return
    namespace = binding.params.text_at("namespace") or request.namespace
    found = [
        item
        for item in named
        if item.text_at("metadata", "namespace") in ("", namespace)
        and (selector is None or LabelSelector.of(selector).selects(labels_of(item)))
    ]
    yield from found
    is_denied = binding.params.text_at("parameterNotFoundAction") == "Deny" and policy.is_firm
    if is_denied and not found:
        yield _NO_PARAMS


def decisions(invocations: Sequence[Invocation]) -> Iterator[Decision | Diagnostic]:
    """What policies say against their requests: conditions, then validations, then messages."""
    left: list[Invocation] = []
    for item, outcome in _conditions(invocations):
        if isinstance(outcome, Unknown):
            yield not_evaluated(item.policy, item.binding, item.request, outcome)
        elif outcome is None:
            left.append(item)
        elif outcome and item.policy.is_firm:
            yield _decision(item, outcome, None)
    asked = [
        (item, one)
        for item in left
        for one in item.policy.validations
        if not is_known_later(one.expression, item.policy.variables) and not item.unknown_part(one)
    ]
    answers = ask([_question(item, one.expression) for item, one in asked])
    refused = [
        (item, one, answer)
        for (item, one), answer in zip(asked, answers, strict=True)
        if not answer.is_invalid and answer.value is not True
    ]
    worded = [row for row in refused if not row[2].error and row[1].message_expression]
    texts = ask([_question(item, one.message_expression, TEXT) for item, one, _ in worded])
    texts_by_row = {id(row): text for row, text in zip(worded, texts, strict=True)}
    for row in refused:
        item, one, answer = row
        if unknown := _unknown_answer(one, answer):
            yield not_evaluated(item.policy, item.binding, item.request, unknown)
        elif not answer.error:
            yield _decision(item, _message(one, texts_by_row.get(id(row))), one)
        elif item.policy.is_firm:
            yield _decision(item, _failure(one, answer), one)


def _unknown_answer(one: Validation, answer: Answer) -> Unknown | None:
    """Why the API server may well say something else: it has no limits of ours, and other data."""
    node = one.node.items["expression"]
    if answer.is_unknown:
        fix = "make the expression simpler, or see on a test cluster what it says"
        return Unknown(answer.error, fix, node)
    if is_set_by_cluster(answer.missing):
        return _set_by_cluster(answer.missing, node)
    return None


def _question(item: Invocation, expression: str, types: tuple[str, ...] = BOOLEAN) -> Question:
    return Question(expression, item.names, item.data, types, item.policy.variables)


def _conditions(
    invocations: Sequence[Invocation],
) -> Iterator[tuple[Invocation, str | Unknown | None]]:
    """Each with nothing if its conditions are true, else why they fail; "" if it is not meant.

    They see neither variables nor the namespace. One that is false decides, whatever fails.
    """
    bare = [
        item._replace(data={**item.data, "namespaceObject": None})
        if item.policy.conditions
        else item
        for item in invocations
    ]
    asked = [[one for one in item.policy.conditions if item.can_ask(one)] for item in bare]
    questions = [
        Question(one.expression, item.names, item.data, BOOLEAN)
        for item, conditions in zip(bare, asked, strict=True)
        for one in conditions
    ]
    answers = iter(ask(questions))
    for item, conditions in zip(invocations, asked, strict=True):
        results = [(one, next(answers)) for one in conditions]
        yield item, _outcome(item, results)


def _outcome(
    item: Invocation, results: Sequence[tuple[Validation, Answer]]
) -> str | Unknown | None:
    conditions = item.policy.conditions
    is_later = any(is_known_later(one.expression, ()) for one in conditions)
    if is_later or any(answer.value is False for _, answer in results):
        return ""
    parts = (
        *(item.unknown_part(one, is_condition=True) for one in conditions),
        *(_unknown_answer(*row) for row in results),
    )
    failures = [_failure(one, answer) for one, answer in results if answer.error]
    return next(filter(None, parts), None) or "; ".join(failures) or None


def _decision(item: Invocation, message: str, validation: Validation | None) -> Decision:
    return Decision(item.policy, item.binding, item.request, message, validation)


def _message(validation: Validation, text: Answer | None) -> str:
    """As the API server chooses it: a text of one line, else the message, else the expression."""
    expression = validation.expression.strip()
    return said(text) or validation.message or f"failed expression: {expression}"


def _failure(validation: Validation, answer: Answer) -> str:
    return (
        f"expression '{validation.expression.strip()}' resulted in error: {failure_words(answer)}"
    )
