"""Requests as the API server sees them, and which policies look at them."""

from collections.abc import Iterable, Mapping, Sequence

from renderer.backends.fields import elements
from renderer.backends.kinds import folder_of
from renderer.kubernetes.label_selectors import LabelSelector
from renderer.policies.subjects import FindEdit, nowhere
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_ANY = "*"
#: The API server labels every namespace with its own name.
NAMESPACE_NAME = "kubernetes.io/metadata.name"
_CORE_NAMESPACE = ("", "Namespace")
_CORE_KINDS = {"Endpoints": "endpoints"}


class Namespace(NamedTuple):
    """A namespace that is made here, or of which an environment gives the labels.

    Of the latter, nothing but its name and labels is known.
    """

    labels: Mapping[str, str]
    data: Plain = None
    is_whole: bool = True


class Surroundings(NamedTuple):
    """What policies look at beside a request: namespaces by name, objects with parameters."""

    namespaces: Mapping[str, Namespace] = {}
    params: Sequence[Node] = ()


class Request(NamedTuple):
    """An object that is made, changed or deleted: as it was, and as it will be.

    `maker` is the object that a platform makes it of, if it is none of the rendered ones. Of one
    that people changed, `find_edit` says where they edited what is at some paths of it.
    """

    operation: str
    spec: Spec
    environment: Environment
    tree: Node
    old: Node | None = None
    maker: Node | None = None
    find_edit: FindEdit = nowhere

    @property
    def object(self) -> Node | None:
        """As it will be; of one that is deleted, nothing."""
        return None if self.operation == "DELETE" else self.tree

    @property
    def before(self) -> Node | None:
        return self.tree if self.operation == "DELETE" else self.old

    @property
    def group(self) -> str:
        return self.tree.text_at("apiVersion").rpartition("/")[0]

    @property
    def version(self) -> str:
        return self.tree.text_at("apiVersion").rpartition("/")[2]

    @property
    def kind(self) -> str:
        return self.tree.text_at("kind")

    @property
    def resource(self) -> str:
        """The kind in the plural, as addresses of the API have it."""
        return _CORE_KINDS.get(self.kind) or folder_of(self.kind)

    @property
    def name(self) -> str:
        return self.tree.text_at("metadata", "name")

    @property
    def namespace(self) -> str:
        return self.tree.text_at("metadata", "namespace")

    @property
    def is_namespace(self) -> bool:
        return (self.group, self.kind) == _CORE_NAMESPACE

    @property
    def data(self) -> dict[str, Plain]:
        """The variable `request`, without who asks, which nobody knows yet."""
        kind = {"group": self.group, "version": self.version, "kind": self.kind}
        resource = {"group": self.group, "version": self.version, "resource": self.resource}
        return {
            "kind": {**kind}, "requestKind": {**kind},
            "resource": {**resource}, "requestResource": {**resource},
            "subResource": "", "requestSubResource": "",
            # the server takes a namespace to be in itself
            "name": self.name, "namespace": self.name if self.is_namespace else self.namespace,
            "operation": self.operation, "dryRun": False,
        }  # fmt: skip


class Unknown(NamedTuple):
    """Why nobody knows whether a policy is about a request, and what names that."""

    reason: str
    fix: str
    node: Node


def is_about(resources: Node | None, request: Request, around: Surroundings) -> bool | Unknown:
    """Whether `matchConstraints` or `matchResources` mean a request."""
    if resources is None:
        return True
    rules = elements(resources, "resourceRules")
    excluded = elements(resources, "excludeResourceRules")
    is_exact = resources.text_at("matchPolicy") == "Exact"
    if _meets(excluded, request, is_exact=is_exact) is True or not _selects_object(
        resources.get("objectSelector"), request
    ):
        return False
    met = _meets(rules, request, is_exact=is_exact) if rules else True
    if met is False:
        return False
    selected = _selects_namespace(resources.get("namespaceSelector"), request, around)
    return selected if selected is not True else met


def _meets(rules: Iterable[Node], request: Request, *, is_exact: bool) -> bool | Unknown:
    """Whether a rule means a request; in another version, what is converted is not known."""
    other: Unknown | None = None
    for rule in rules:
        if not _means_resource(rule, request):
            continue
        if _has(rule, "apiVersions", request.version):
            return True
        reason = f"{request.kind} is not converted from {request.version} here"
        other = Unknown(reason, f"add {request.version} to apiVersions", rule.items["apiVersions"])
    return other if other and not is_exact else False


def _means_resource(rule: Node, request: Request) -> bool:
    scope = rule.text_at("scope") or _ANY
    names = {str(node.value) for node in elements(rule, "resourceNames")}
    is_in_scope = scope == _ANY or (scope == "Namespaced") == bool(request.namespace)
    return (
        is_in_scope
        and _has(rule, "operations", request.operation)
        and _has(rule, "apiGroups", request.group)
        and _has_resource(rule, request.resource)
        and (not names or request.name in names)
    )


def _has_resource(rule: Node, resource: str) -> bool:
    """Whether it means the objects of a resource; `pods/*` means pods as well as what is below."""
    for node in elements(rule, "resources"):
        name, _, below = str(node.value).partition("/")
        if name in (_ANY, resource) and below in (_ANY, ""):
            return True
    return False


def _has(rule: Node, key: str, word: str) -> bool:
    return any(node.value in (_ANY, word) for node in elements(rule, key))


def _selects_object(selector: Node | None, request: Request) -> bool:
    """By the labels that it has, or had."""
    if selector is None:
        return True
    sides = (side for side in (request.object, request.before) if side)
    return any(LabelSelector.of(selector).selects(labels_of(side)) for side in sides)


def _selects_namespace(
    selector: Node | None, request: Request, around: Surroundings
) -> bool | Unknown:
    """By its labels; what is in no namespace is always selected, a namespace by its own labels."""
    wanted = LabelSelector.of(selector) if selector else None
    if selector is None or not wanted or not wanted.terms:
        return True
    if request.is_namespace:
        return wanted.selects({**labels_of(request.tree), NAMESPACE_NAME: request.name})
    if not request.namespace:
        return True
    known = around.namespaces.get(request.namespace)
    if known is None and wanted.keys != {NAMESPACE_NAME}:
        return unknown_namespace(request.namespace, selector)
    labels = known.labels if known else {}
    return wanted.selects({**labels, NAMESPACE_NAME: request.namespace})


def unknown_namespace(name: str, node: Node) -> Unknown:
    """Of a namespace that is neither made here nor said to be there."""
    fix = f"add a companion, or {{kind: Namespace, name: {name}, labels: …}} to references.provided"
    return Unknown(f"namespace {name!r} is not known", fix, node)


def labels_of(tree: Node) -> dict[str, str]:
    """The labels of an object."""
    found = tree.get("metadata", "labels")
    return {key: str(node.value) for key, node in found.items.items()} if found else {}
