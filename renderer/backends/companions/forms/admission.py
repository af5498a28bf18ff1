"""What Kubernetes wants of webhooks, admission policies and CRDs: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.crd_schemas import schema_findings
from renderer.backends.companions.forms.parts import items_at, kind, node_at, spec, value_at
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import LABEL_SELECTOR
from renderer.kubernetes.forms.form import NAME, PATH, Form, number, words
from renderer.kubernetes.forms.service import SERVICE_NAME
from renderer.kubernetes.forms.shape import Each, Members, Shape
from renderer.values.diagnostics import Finding, Path

_EVERY = "*"
_ALONE = ("apiGroups", "apiVersions", "operations")
_NEEDED = (*_ALONE, "resources")
_VALIDATIONS = ("validations", "auditAnnotations")
_SEGMENTS = 3


def _is_address(text: str) -> bool:
    """One that begins with https and has a host, and no user, question or place in a page."""
    host, _, path = text.removeprefix("https://").partition("/")
    is_plain = not {*"?#@"} & {*host, *path}
    return text.startswith("https://") and bool(host) and is_plain


def _wildcards(rule: Members, path: Path) -> Iterator[Finding]:
    for key in _NEEDED:
        if not items_at(rule, key):
            yield Finding((*path, key), f"a rule has no {key}", f"add {key}")
    for key in _ALONE:
        given = [node.value for node in items_at(rule, key)]
        if len(given) > 1 and _EVERY in given:
            message = f"'{_EVERY}' means all {key}, and stands alone"
            yield Finding((*path, key), message, "delete the others", at_key=True)


def _something_checked(policy: Members, path: Path) -> Iterator[Finding]:
    if not any(items_at(policy, key) for key in _VALIDATIONS):
        message = "the policy neither validates nor audits"
        yield Finding((*path, _VALIDATIONS[0]), message, "add validations or auditAnnotations")


def _actions(binding: Members, path: Path) -> Iterator[Finding]:
    given = [str(node.value) for node in items_at(binding, "validationActions")]
    if "Deny" in given and "Warn" in given:
        message = "Deny and Warn exclude each other: who is refused is told why"
        yield Finding((*path, "validationActions"), message, "keep Deny")
    if len({*given}) < len(given):
        message = "an action is there twice"
        yield Finding((*path, "validationActions"), message, "write it once")


def _crd_name(definition: Members, path: Path) -> Iterator[Finding]:
    plural = value_at(definition, "spec", "names", "plural")
    wanted = f"{plural}.{value_at(definition, 'spec', 'group')}"
    name = value_at(definition, "metadata", "name")
    if plural and name != wanted:
        message = f"the name is {name}, and a definition is called after its plural and group"
        yield Finding((*path, "metadata", "name"), message, f"write {wanted}")


def _crd_words(definition: Members, path: Path) -> Iterator[Finding]:
    place = ("spec", "names", "singular")
    singular, kind_name = (
        value_at(definition, "spec", "names", key) for key in ("singular", "kind")
    )
    for given, where in ((singular, place), (str(kind_name or "").lower(), (*place[:-1], "kind"))):
        if given and not names.is_dns_label(str(given)):
            message = f"{given} is no name of one part"
            yield Finding((*path, *where), message, "use letters, digits and dashes")


def _crd_versions(definition: Members, path: Path) -> Iterator[Finding]:
    versions = items_at(definition, "versions")
    stored = [index for index, item in enumerate(versions) if value_at(item.items, "storage")]
    if versions and len(stored) != 1:
        place = (*path, "versions", *((stored[1], "storage") if stored else ()))
        message = f"{len(stored)} versions are stored, and it is one of them that is"
        yield Finding(place, message, "write storage: true at one of them, false at the others")
    for index, item in enumerate(versions):
        place = (*path, "versions", index)
        schema = node_at(item.items, "schema", "openAPIV3Schema")
        if schema is None:
            message = f"version {value_at(item.items, 'name')} has no schema"
            yield Finding((*place, "schema"), message, "add schema.openAPIV3Schema")
        else:
            yield from schema_findings(schema, (*place, "schema", "openAPIV3Schema"))


_OPERATIONS = words(_EVERY, "CONNECT", "CREATE", "DELETE", "UPDATE").strict()
_RULE = Shape(
    "a rule",
    {"operations": Each(_OPERATIONS), "scope": words(_EVERY, "Cluster", "Namespaced").strict()},
    relations=(_wildcards,),
)
_FAILURE, _MATCH = words("Fail", "Ignore").strict(), words("Equivalent", "Exact").strict()
_HOOK_NAME = Form(
    NAME,
    lambda text: names.is_dns_name(text) and text.count(".") >= _SEGMENTS - 1,
    "a name of three parts or more, such as check.models.example.com",
)
_CLIENT = Shape(
    "clientConfig",
    {
        "url": Form(PATH, _is_address, "an address that begins with https:// and has a host"),
        "service": Shape(
            "a service",
            {"name": SERVICE_NAME, "path": form.ABSOLUTE, "port": form.PORT_NUMBER},
            needed=("name", "namespace"),
        ),
    },
    one_of=(("service", "url"),),
)


def _webhooks(**more: Form) -> Shape:
    hook = Shape(
        "a webhook",
        {
            "name": _HOOK_NAME,
            "clientConfig": _CLIENT,
            "failurePolicy": _FAILURE,
            "matchPolicy": _MATCH,
            "namespaceSelector": LABEL_SELECTOR,
            "objectSelector": LABEL_SELECTOR,
            "rules": Each(_RULE),
            "sideEffects": words("None", "NoneOnDryRun").strict(),
            "timeoutSeconds": number(1, 30),
            **more,
        },
        needed=("name", "admissionReviewVersions", "clientConfig", "sideEffects"),
    )
    return kind("webhooks", {"webhooks": Each(hook, unique=("name",))})


_MATCHED = {
    "matchPolicy": _MATCH,
    "namespaceSelector": LABEL_SELECTOR,
    "objectSelector": LABEL_SELECTOR,
    "resourceRules": Each(_RULE),
    "excludeResourceRules": Each(_RULE),
}
SHAPES = {
    "ValidatingWebhookConfiguration": _webhooks(),
    "MutatingWebhookConfiguration": _webhooks(
        reinvocationPolicy=words("IfNeeded", "Never").strict()
    ),
    "ValidatingAdmissionPolicy": spec(
        "a policy",
        {
            "failurePolicy": _FAILURE,
            "matchConstraints": Shape("matchConstraints", _MATCHED, needed=("resourceRules",)),
            "validations": Each(Shape("a validation", {}, needed=("expression",))),
            "auditAnnotations": Each(
                Shape("an annotation", {}, needed=("key", "valueExpression")), unique=("key",)
            ),
        },
        needed=("matchConstraints",),
        relations=(_something_checked,),
    ),
    "ValidatingAdmissionPolicyBinding": spec(
        "a binding",
        {
            "policyName": form.DNS_NAME,
            "matchResources": Shape("matchResources", _MATCHED),
            "validationActions": Each(words("Audit", "Deny", "Warn").strict()),
        },
        needed=("policyName", "validationActions"),
        relations=(_actions,),
    ),
    "CustomResourceDefinition": kind(
        "a definition",
        {
            "spec": Shape(
                "a definition",
                {
                    "group": form.DNS_NAME,
                    "scope": words("Cluster", "Namespaced").strict(),
                    "names": Shape("names", {"plural": form.DNS_LABEL}, needed=("kind", "plural")),
                    "versions": Each(
                        Shape("a version", {"name": form.DNS_LABEL}, needed=("name",)),
                        unique=("name",),
                    ),
                },
                needed=("group", "names", "scope", "versions"),
                relations=(_crd_versions,),
            )
        },
        needed=("spec",),
        relations=(_crd_name, _crd_words),
    ),
}
