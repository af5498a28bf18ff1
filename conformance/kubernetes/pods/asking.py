"""One pod in each shape in which it comes to an API server, and what that says."""

import re
from collections.abc import Callable
from typing import Any

from conformance.kubernetes.client import Client, Object, Reply
from conformance.kubernetes.pods.trees import found

#: Enough of a message to know which rule spoke; the rest is the server's prose.
_LONGEST = 80
#: What differs from run to run, from shape to shape and from one compiler to the next.
_SAME = (
    (re.compile(r"[\w.]+\{.*\}"), "{}"),
    (re.compile(r"^\w+ in version \"v1\" cannot be handled as a \w+: "), ""),
    (re.compile(r"json: cannot unmarshal (.+) into Go .* of type (.+)"), r"\1 for \2"),
    (re.compile(r"\bspec\.template\."), ""),
)
#: Nothing stays, and no field is dropped in silence.
QUERY = "dryRun=All&fieldValidation=Strict"
_QUOTED = re.compile(r'^299 \S+ "(.*)"$', re.DOTALL)
Answer = dict[str, Any]


_PLACE = {"name": "row", "namespace": "default"}
#: What workloads know their pods by, which no row changes.
_OWN_LABEL = {"workload": "row"}


def _workload(kind: str, version: str, **spec: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": _PLACE, "spec": spec}


def _deployment(pod: Any) -> Object:
    metadata = pod.get("metadata", {})
    labels = found(metadata, ("labels",)) or {}
    if isinstance(metadata, dict) and isinstance(labels, dict):
        pod = {**pod, "metadata": {**metadata, "labels": {**labels, **_OWN_LABEL}}}
    return _workload("Deployment", "apps/v1", selector={"matchLabels": _OWN_LABEL}, template=pod)


def _job(pod: Any) -> Object:
    """Its pods end, so that the policy of others would not do."""
    template = {**pod, "spec": {"restartPolicy": "Never", **pod["spec"]}}
    return _workload("Job", "batch/v1", template=template)


def _pod(pod: Any) -> Object:
    """Named by whoever makes it, with the account that a cluster would give it."""
    spec = pod["spec"]
    if not spec.keys() & {"serviceAccount", "serviceAccountName"}:
        spec = {**spec, "serviceAccountName": "default"}
    given = pod.get("metadata", {})
    metadata = {**given, **_PLACE} if isinstance(given, dict) else given
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


SHAPES: dict[str, Callable[[Any], Object]] = {"deployment": _deployment, "job": _job, "pod": _pod}
_PATHS = {"deployment": "apis/apps/v1", "job": "apis/batch/v1", "pod": "api/v1"}


def ask(client: Client, shape: str, pod: Any) -> Answer:
    """What was refused and why, and what the server warns of; nothing if all is well."""
    path = f"/{_PATHS[shape]}/namespaces/default/{shape}s?{QUERY}"
    reply = client.request("POST", path, SHAPES[shape](pod))
    warnings = sorted({_short(_unquoted(text)) for text in reply.warnings})
    causes = _causes(reply) if reply.is_refusal else []
    return {
        **({"causes": causes} if causes else {}),
        **({"warnings": warnings} if warnings else {}),
    }


def _causes(reply: Reply) -> list[list[str]]:
    """Field, reason and message of each; at least one, whatever the server says."""
    listed = found(reply.body, ("details", "causes")) or [reply.body]
    causes = {
        (
            _short(cause.get("field") or ""),
            cause.get("reason") or reply.body.get("reason") or "",
            _short(cause.get("message") or ""),
        )
        for cause in listed
    }
    return [list(cause) for cause in sorted(causes)]


def _unquoted(header: str) -> str:
    match = _QUOTED.match(header)
    return match[1].replace('\\"', '"') if match else header


def _short(message: str) -> str:
    for pattern, instead in _SAME:
        message = pattern.sub(instead, message)
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"
