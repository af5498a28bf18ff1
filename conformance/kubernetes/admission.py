"""Policies of the table with what they need, and what the API server answers under them."""

import copy
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.client import Client, Object, Reply
from conformance.kubernetes.places import HERE, ROOT

TABLE = HERE / "admission.yaml"
RECORDED = ROOT / "tests/observed/cel/admission.json"
_GROUP = "admissionregistration.k8s.io/v1"
_ALL = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}
_BUILT_IN = frozenset(("v1", "policy/v1", "networking.k8s.io/v1"))
_PATIENCE = 60
#: Nothing of ours has this name: what denies it says that all policies before it are in force.
_LAST = "last-policy"


class Trial(NamedTuple):
    """A policy with its binding and parameters, the namespace, and the object that is asked of."""

    name: str
    policies: tuple[Object, ...]
    params: tuple[Object, ...]
    namespace: Object
    object: Object
    old: Object | None


def trials() -> list[Trial]:
    """The rows of the table; each has a namespace of its own, so that all are asked at once."""
    table = yaml.safe_load(TABLE.read_text("utf-8"))
    objects = {
        name: yaml.safe_load((ROOT / path).read_text("utf-8"))
        for name, path in table["objects"].items()
    }
    return [_trial(number, row, objects) for number, row in enumerate(table["rows"], 1)]


def _trial(number: int, row: Mapping[str, Any], objects: Mapping[str, Object]) -> Trial:
    name = f"row-{number:02}"
    where = _object("v1", "Namespace", name, labels={"row": name, **row.get("namespace", {})})
    made = _laid(objects[row["object"]], row.get("change", {}))
    made["metadata"]["namespace"] = name
    old = _laid(made, row["old"]) if "old" in row else None
    params = [_laid(item, {"metadata": {"namespace": name}}) for item in row.get("params", ())]
    return Trial(row["name"], tuple(_policies(name, row)), tuple(params), where, made, old)


def _policies(name: str, row: Mapping[str, Any]) -> Iterator[Object]:
    """The policy, which looks at the row's namespace only, and its binding."""
    limits = _laid(
        {"resourceRules": [_ALL], "namespaceSelector": {"matchLabels": {"row": name}}},
        row["policy"].get("matchConstraints", {}),
    )
    spec = {**row["policy"], "matchConstraints": limits}
    yield {**_object(_GROUP, "ValidatingAdmissionPolicy", name), "spec": spec}
    binding = {
        "policyName": name,
        "validationActions": row.get("actions", ["Deny"]),
        **row.get("binding", {}),
    }
    yield {**_object(_GROUP, "ValidatingAdmissionPolicyBinding", name), "spec": binding}


def _object(version: str, kind: str, name: str, **metadata: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}


def _laid(base: Any, change: Any) -> Any:
    """A copy of an object with a change laid over it."""
    if not (isinstance(base, dict) and isinstance(change, dict)):
        return copy.deepcopy(change)
    made = copy.deepcopy(base)
    for key, value in change.items():
        made[key] = _laid(base.get(key), value)
    return made


def prepare(client: Client, rows: list[Trial]) -> None:
    """Kinds, namespaces and former objects first: no policy may be in their way."""
    kinds = {(row.object["apiVersion"], row.object["kind"]) for row in rows}
    for version, kind in sorted(kinds):
        if version not in _BUILT_IN:
            _accepted(client.apply(_open_crd(version, kind)))
    for row in rows:
        _accepted(client.apply(row.namespace))
        for item in (*row.params, *([row.old] if row.old else ())):
            _accepted(client.request("POST", client.path_of(item, named=False), item))
    for row in rows:
        for item in row.policies:
            _accepted(client.request("POST", client.path_of(item, named=False), item))
    _wait_for_policies(client)


def _open_crd(version: str, kind: str) -> Object:
    """A kind of which any object is taken: only policies are asked about here."""
    group, number = version.split("/")
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    spec = {
        "group": group,
        "scope": "Namespaced",
        "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
        "versions": [
            {"name": number, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        ],
    }
    crd = _object("apiextensions.k8s.io/v1", "CustomResourceDefinition", f"{plural}.{group}")
    return {**crd, "spec": spec}


def _wait_for_policies(client: Client) -> None:
    """Until the last policy is in force; the server takes up all that it knows of together."""
    limits = {"resourceRules": [{**_ALL, "resources": ["configmaps"], "resourceNames": [_LAST]}]}
    spec = {"matchConstraints": limits, "validations": [{"expression": "false"}]}
    policy = {**_object(_GROUP, "ValidatingAdmissionPolicy", _LAST), "spec": spec}
    bound = {"policyName": _LAST, "validationActions": ["Deny"]}
    binding = {**_object(_GROUP, "ValidatingAdmissionPolicyBinding", _LAST), "spec": bound}
    for item in (policy, binding):
        _accepted(client.apply(item))
    end = time.monotonic() + _PATIENCE
    probe = _object("v1", "ConfigMap", _LAST, namespace="default")
    while not client.try_to_create(probe).is_refusal:
        if time.monotonic() > end:
            raise TimeoutError("the policies are not in force")
        time.sleep(0.2)
    time.sleep(2)


def _accepted(reply: Reply) -> None:
    assert not reply.is_refusal, reply.body


def asked(client: Client, row: Trial) -> dict[str, Any]:
    """The row as it is recorded, with the answer to its object."""
    if row.old is None:
        reply = client.try_to_create(row.object)
    else:
        path = client.path_of(row.object)
        version = client.request("GET", path).body["metadata"]["resourceVersion"]
        wanted = _laid(row.object, {"metadata": {"resourceVersion": version}})
        reply = client.request("PUT", f"{path}?dryRun=All", wanted)
    recorded = {**row._asdict(), "policies": list(row.policies), "params": list(row.params)}
    recorded["denied"] = reply.body["message"] if reply.is_refusal else ""
    recorded["reason"] = reply.body.get("reason", "") if reply.is_refusal else ""
    return {**recorded, "warnings": [_words(item) for item in reply.warnings]}


def _words(header: str) -> str:
    """The text of a warning: behind a number and an agent, in quotes."""
    return str(json.loads(header.split(" ", 2)[2]))


def read() -> list[dict[str, Any]]:
    return list(json.loads(RECORDED.read_text("utf-8"))["rows"])


def write(rows: list[dict[str, Any]], version: str) -> None:
    """A line for each row."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    RECORDED.write_text(f'{{"kubernetes": "{version}", "rows": [\n{lines}\n]}}\n', "utf-8")
