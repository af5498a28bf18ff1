"""What Kubernetes wants of roles and their bindings: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import items_at, kind, node_at, value_at
from renderer.kubernetes.forms.claim import LABEL_SELECTOR
from renderer.kubernetes.forms.form import words
from renderer.kubernetes.forms.shape import Each, Members, Shape
from renderer.values.diagnostics import Finding, Path

_GROUP = "rbac.authorization.k8s.io"
_URLS = "nonResourceURLs"
_OBJECTS = ("apiGroups", "resources")


def _object_rule(rule: Members, path: Path) -> Iterator[Finding]:
    for key in ("verbs", *(() if items_at(rule, _URLS) else _OBJECTS)):
        if not items_at(rule, key):
            fix = 'add apiGroups: [""] for the core group' if key == "apiGroups" else f"add {key}"
            yield Finding((*path, key), f"a rule has no {key}", fix)


def _addresses_alone(rule: Members, path: Path) -> Iterator[Finding]:
    others = [key for key in (*_OBJECTS, "resourceNames") if items_at(rule, key)]
    if items_at(rule, _URLS) and others:
        message = f"{_URLS} stand beside {others[0]}, and a rule is about one of them"
        yield Finding((*path, _URLS), message, "write two rules", at_key=True)


def _no_addresses(rule: Members, path: Path) -> Iterator[Finding]:
    if items_at(rule, _URLS):
        message = f"{_URLS} belong to no namespace"
        yield Finding((*path, _URLS), message, "write a ClusterRole for them", at_key=True)


def _account(subject: Members, path: Path) -> Iterator[Finding]:
    is_account = value_at(subject, "kind") == "ServiceAccount"
    group = value_at(subject, "apiGroup")
    if group not in (None, "", *(() if is_account else (_GROUP,))):
        message = f"a {value_at(subject, 'kind')} is not of the group {group}"
        yield Finding((*path, "apiGroup"), message, "delete it", at_key=True)


def _place(subject: Members, path: Path) -> Iterator[Finding]:
    if value_at(subject, "kind") == "ServiceAccount" and not value_at(subject, "namespace"):
        message = "a ClusterRoleBinding is of no namespace, so it says that of an account"
        yield Finding((*path, "namespace"), message, "add namespace")


def _selected(role: Members, path: Path) -> Iterator[Finding]:
    place = ("aggregationRule", "clusterRoleSelectors")
    if node_at(role, place[0]) and not items_at(role, *place):
        yield Finding((*path, *place), "nothing is joined", "add clusterRoleSelectors")


def _subjects(*more: object) -> Each:
    kinds = words("Group", "ServiceAccount", "User").strict()
    relations = (_account, *more)
    return Each(Shape("a subject", {"kind": kinds}, ("kind", "name"), relations=relations))  # type: ignore[arg-type]


def _role(*kinds: str) -> Shape:
    fields = {"kind": words(*kinds).strict(), "apiGroup": words(_GROUP)}
    return Shape("roleRef", fields, needed=("kind", "name"))


SHAPES = {
    "Role": kind(
        "a Role",
        {"rules": Each(Shape("a rule", {}, relations=(_object_rule, _no_addresses)))},
    ),
    "ClusterRole": kind(
        "a ClusterRole",
        {
            "rules": Each(Shape("a rule", {}, relations=(_object_rule, _addresses_alone))),
            "aggregationRule": Shape("a rule", {"clusterRoleSelectors": Each(LABEL_SELECTOR)}),
        },
        relations=(_selected,),
    ),
    "RoleBinding": kind(
        "a RoleBinding",
        {"roleRef": _role("ClusterRole", "Role"), "subjects": _subjects()},
        needed=("roleRef",),
    ),
    "ClusterRoleBinding": kind(
        "a ClusterRoleBinding",
        {"roleRef": _role("ClusterRole"), "subjects": _subjects(_place)},
        needed=("roleRef",),
    ),
}
