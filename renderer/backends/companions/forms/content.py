"""What Kubernetes wants of ConfigMaps, Secrets, namespaces, leases and classes: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import (
    items_at,
    kind,
    node_at,
    object_name,
    spec,
    value_at,
)
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import Form, name, number, words
from renderer.kubernetes.forms.shape import Members, NamedValues, Shape
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path

_LARGEST_CONTENT = 2**20
_DATA, _BINARY, _TEXTS = "data", "binaryData", "stringData"
_BASE64 = expression(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_TIME = expression(
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}"
    r"(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_KEY = name(names.is_config_key, f"at most 253 {names.CONFIG_KEY}")
_BYTES = Form(
    form.WORD,
    lambda text: _BASE64.fullmatch(text.replace("\n", "").replace("\r", "")),
    "base64",
)
_MICRO_TIME = Form(form.WORD, _TIME.fullmatch, "a time such as 2030-01-31T12:00:00.000000Z")
_TOKEN, _BASIC = "kubernetes.io/service-account-token", "kubernetes.io/basic-auth"
_ACCOUNT = "kubernetes.io/service-account.name"
#: What Secrets of these types hold.
_KEYS = {
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
}
_USER_KEYS = ("username", "password")
_LEVELS = words("privileged", "baseline", "restricted").strict()
_LEVEL_LABELS = tuple(f"pod-security.kubernetes.io/{mode}" for mode in ("enforce", "audit", "warn"))
#: The classes that Kubernetes makes itself.
_SYSTEM_CLASSES = frozenset(("system-cluster-critical", "system-node-critical"))


def _keys_twice(config: Members, path: Path) -> Iterator[Finding]:
    texts, others = (config.get(key) for key in (_DATA, _BINARY))
    for key in texts.items if texts else ():
        if others and key in others.items:
            message = f"the key {key} is in {_DATA} and in {_BINARY}"
            yield Finding((*path, _DATA, key), message, "keep one of the two", at_key=True)


def _size(config: Members, path: Path) -> Iterator[Finding]:
    values = [
        (str(key), node.value if isinstance(node.value, str) else "", place)
        for place in (_DATA, _BINARY)
        for key, node in (config[place].items if place in config else {}).items()
    ]
    total = sum(_length(text, is_binary=place == _BINARY) for _, text, place in values)
    if total > _LARGEST_CONTENT:
        key, _, place = max(values, key=lambda item: len(item[1]))
        message = f"it holds {total} bytes, and may hold {_LARGEST_CONTENT} in all"
        fix = f"{key} is the largest; let pods load it from elsewhere"
        yield Finding((*path, place, key), message, fix, at_key=True)


def _length(text: str, *, is_binary: bool) -> int:
    return len(text) * 3 // 4 if is_binary else len(text.encode("utf-8", "surrogatepass"))


def _keys_of_type(secret: Members, path: Path) -> Iterator[Finding]:
    """Keys that Secrets of some types have; values of a plain Secret are another rule's subject."""
    given = value_at(secret, "type")
    there = {
        str(key)
        for place in (_DATA, _TEXTS)
        for key in (secret[place].items if place in secret else ())
    }
    missing = [key for key in _KEYS.get(str(given), ()) if key not in there]
    if given == _BASIC and not there & {*_USER_KEYS}:
        missing = [" or ".join(_USER_KEYS)]
    if missing:
        message = f"a Secret of the type {given} has {listed(missing)}, and this one has not"
        yield Finding((*path, "type"), message, "let a controller make the Secret with its data")
    if given == _TOKEN and not value_at(secret, "metadata", "annotations", _ACCOUNT):
        message = f"a Secret of the type {given} names its account by the annotation {_ACCOUNT}"
        yield Finding((*path, "type"), message, "add the annotation")


def _allowed_name(priority: Members, path: Path) -> Iterator[Finding]:
    given = value_at(priority, "metadata", "name")
    if str(given).startswith("system-") and given not in _SYSTEM_CLASSES:
        message = f"names of classes that begin with system- are Kubernetes' own, as {given} does"
        yield Finding((*path, "metadata", "name"), message, "write another name")


def _limited(level: Members, path: Path) -> Iterator[Finding]:
    given = value_at(level, "type")
    for kind_of_level, key in (("Limited", "limited"), ("Exempt", "exempt")):
        if given in ("Limited", "Exempt") and given != kind_of_level and key in level:
            message = f"{key} is for levels of the type {kind_of_level}, and this one is {given}"
            yield Finding((*path, key), message, "delete it, or change the type", at_key=True)
    if given == "Limited" and node_at(level, "limited") is None:
        message = "a level of the type Limited says how it is limited"
        yield Finding((*path, "limited"), message, "add limited")


def _subjects(flow: Members, path: Path) -> Iterator[Finding]:
    for index, rule in enumerate(items_at(flow, "rules")):
        if not rule.get("subjects") or not items_at(rule.items, "subjects"):
            message = "a rule says of whom it speaks"
            yield Finding((*path, "rules", index, "subjects"), message, "add subjects")


_ISOLATED = Shape("labels", dict.fromkeys(_LEVEL_LABELS, _LEVELS))
_NAMESPACE_NAME = object_name(names.is_dns_label, f"at most 63 {names.DNS_LABEL}")
_POSITIVE = number(1, 2**31 - 1)
_NAMESPACE = Shape(
    "metadata",
    {
        "name": _NAMESPACE_NAME,
        "labels": _ISOLATED,
    },
)
SHAPES = {
    "ConfigMap": kind(
        "a ConfigMap",
        {_DATA: NamedValues(_KEY), _BINARY: NamedValues(_KEY, _BYTES)},
        relations=(_keys_twice, _size),
    ),
    "Secret": kind(
        "a Secret",
        {_DATA: NamedValues(_KEY), _TEXTS: NamedValues(_KEY)},
        relations=(_keys_of_type,),
    ),
    "Namespace": Shape("a Namespace", {"metadata": _NAMESPACE}),
    "Lease": spec(
        "a Lease",
        {
            "leaseDurationSeconds": _POSITIVE,
            "leaseTransitions": form.COUNT32,
            "acquireTime": _MICRO_TIME,
            "renewTime": _MICRO_TIME,
        },
    ),
    "PriorityClass": kind(
        "a PriorityClass",
        {
            "preemptionPolicy": words("Never", "PreemptLowerPriority"),
            "value": number(-(2**31), 1_000_000_000),
        },
        relations=(_allowed_name,),
    ),
    "RuntimeClass": kind("a RuntimeClass", {"handler": form.DNS_LABEL}, needed=("handler",)),
    "FlowSchema": spec(
        "a FlowSchema",
        {"matchingPrecedence": number(0, 10000)},
        relations=(_subjects,),
    ),
    "PriorityLevelConfiguration": spec(
        "a level",
        {"type": words("Exempt", "Limited")},
        needed=("type",),
        relations=(_limited,),
    ),
}
