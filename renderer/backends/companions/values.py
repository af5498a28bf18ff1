"""Values and fields that API servers refuse although their types are right."""

from collections.abc import Iterator

from renderer.backends.base import OBJECT
from renderer.backends.companions.api_versions import versions
from renderer.backends.companions.objects import CompanionView
from renderer.kubernetes.forms.form import CHOICE, COUNT, MISSING, TOGETHER, TWICE
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Spec
from renderer.values.tree import Node, constant

_SERVICE = "Service"
#: What is found by more than one value; all else is wrong by itself.
_BY_MORE = frozenset((CHOICE, COUNT, MISSING, TOGETHER, TWICE))


@rule("MAN240", Severity.ERROR, OBJECT, since="0.2.0")
def value_is_taken(view: CompanionView) -> Iterator[Finding]:
    """A value of a built-in kind is one that Kubernetes takes.

    The API server refuses the object otherwise: words that are none of a closed set, amounts,
    numbers and ports out of range, names, addresses and schedules of another form. A schema knows
    their types only.

    Fails:

        apiVersion: v1
        kind: PersistentVolumeClaim
        spec: {accessModes: [ReadWriteAlways], resources: {requests: {storage: 10Gi}}}

    Passes:

        apiVersion: v1
        kind: PersistentVolumeClaim
        spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 10Gi}}}
    """
    yield from (finding for code, finding in _found(view) if code not in _BY_MORE)


@rule("MAN242", Severity.ERROR, OBJECT, since="0.3.0")
def fields_go_together(view: CompanionView) -> Iterator[Finding]:
    """A built-in kind has the fields that it needs, and they go together.

    The API server refuses the object otherwise: one of several ports has no name, a range ends
    before it begins, a quota's scope bounds other amounts, two fields exclude each other.

    Fails:

        apiVersion: v1
        kind: Service
        spec: {selector: {app: gate}, ports: [{port: 80}, {port: 81}]}

    Passes:

        apiVersion: v1
        kind: Service
        spec: {selector: {app: gate}, ports: [{name: http, port: 80}, {name: grpc, port: 81}]}
    """
    yield from (finding for code, finding in _found(view) if code in _BY_MORE)


@cached_by_identity
def _found(view: CompanionView) -> tuple[tuple[str, Finding], ...]:
    """What a walk through the object finds, by the code of what is wrong."""
    from renderer.backends.companions.forms import Walk, look_at
    from renderer.kubernetes.forms.service import look_at_service

    kind, walk = view.spec.kind.name, Walk(versions(view))
    tree = _named_tree(view.spec)
    if look := look_at(kind):
        look(tree, (), walk)
    if kind == _SERVICE:
        look_at_service(tree, (), "", walk)
    return tuple(dict.fromkeys(walk.found))


def _named_tree(spec: Spec) -> Node:
    """The object with its name, which may be that of its file."""
    metadata = spec.tree.get("metadata") or constant({}, "not given")
    name = spec.name_node.with_value(spec.name)
    named = metadata.with_members({**metadata.items, "name": name})
    return spec.tree.with_members({**spec.tree.items, "metadata": named})
