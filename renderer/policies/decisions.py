"""What policies of a cluster decide, as findings: in its words, where people wrote it."""

from renderer.policies.admission_files import AdmissionPolicy, Binding, Validation
from renderer.policies.reads import paths_read, texts_read
from renderer.policies.requests import Request, Unknown
from renderer.policies.rules import DENIED, NOT_EVALUATED
from renderer.values.diagnostics import Diagnostic, Origin, Path, Severity, brief
from renderer.values.model import environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, walk

_ACTIONS = {"Deny": Severity.ERROR, "Warn": Severity.WARNING, "Audit": Severity.INFO}
#: Of each action, what the API server does then.
_CONSEQUENCES = {
    "Deny": "The API server refuses the object when it is applied, and what is there stays.",
    "Warn": "The API server takes the object, and warns whoever applies it.",
    "Audit": "The API server takes the object, and its audit log has this.",
}


class Decision(NamedTuple):
    """What a policy says against a request, of a validation if it was one.

    A policy that cannot be asked at all denies whatever its binding says.
    """

    policy: AdmissionPolicy
    binding: Binding
    request: Request
    message: str
    validation: Validation | None = None
    is_unasked: bool = False


def finding_of(item: Decision) -> Diagnostic:
    """What is said of it, where people wrote what it is about."""
    names = f"ValidatingAdmissionPolicy {item.policy.name!r} with binding {item.binding.name!r}"
    action = "Deny" if item.is_unasked else max(item.binding.actions, key=_ACTIONS.__getitem__)
    if action == "Deny":
        message = f"{names} would deny this: {item.message}"
    else:
        message = f"Validation failed for {names}: {item.message}"
    request = item.request
    if request.maker:
        message = f"{message} ({request.kind} {request.name!r}, which the platform makes)"
    place, fix = _place(item)._replace(note=""), _fix(item)
    finding = DENIED.at(place, brief(" ".join(message.split())), fix, _CONSEQUENCES[action])
    related = (*request.spec.files, *request.environment.files, item.policy.file, item.binding.file)
    found = finding._replace(severity=_ACTIONS[action], found_by=f"{item.policy.name} {fix}")
    return found.about(request.environment.name, related=related)


def _fix(item: Decision) -> str:
    """What has to hold, and where the policy says so."""
    if item.validation is None:
        tree, key = item.policy.tree, "matchConditions"
        if item.is_unasked:
            tree, key = item.binding.tree, "paramRef"
        place = tree.items["spec"].locate((key,))
        return f"see {place.file}:{place.line}"
    place = item.validation.node.items["expression"].origin
    expression = " ".join(item.validation.expression.split())
    return f"see {place.file}:{place.line}: this has to hold: {expression}"


def not_evaluated(
    policy: AdmissionPolicy, binding: Binding, request: Request, unknown: Unknown
) -> Diagnostic:
    message = f"the policy {policy.name!r} is not evaluated: {unknown.reason}"
    found = NOT_EVALUATED.at(unknown.node.key or unknown.node.origin, message, unknown.fix)
    environment = request.environment
    related = (*environment.files, policy.file, binding.file)
    return found.about(environment.name, related=related)


def _place(item: Decision) -> Origin:
    """Where it was edited; else the field that an expression reads, if it reads one that people
    wrote; else where the spec is named.
    """
    request, spec = item.request, item.request.spec
    read = _paths(item) if item.validation else []
    if edited := request.find_edit(read):
        return edited
    nodes = [node for path in read if (node := request.tree.get(*path))]
    places = dict.fromkeys(filter(None, (_first_written(node) for node in nodes)))
    if len(places) == 1:
        return next(iter(places))
    if not places and len(read) == 1 and _is_written(near := request.tree.locate(read[0])):
        return near
    return spec.name_node.origin


def _first_written(node: Node) -> Origin | None:
    """Where people wrote a value, or the first that it holds."""
    return next((below.origin for _, below in walk(node) if _is_written(below.origin)), None)


def _is_written(origin: Origin) -> bool:
    """Whether it is a place in people's own files, of whichever spec."""
    return bool(environment_of(origin.file))


def _paths(item: Decision) -> list[Path]:
    """The fields of the object that a validation reads, by itself or by variables."""
    expression = item.validation.expression if item.validation else ""
    texts = texts_read(expression, item.policy.variables)
    found = (path for text in texts for path in paths_read(text, ("object", "oldObject")))
    return list(dict.fromkeys(found))
