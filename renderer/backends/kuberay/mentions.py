"""Where specs of KubeRay name objects of the cluster, in both ways to write them."""

from functools import cache

from renderer.backends.kuberay.messages.values import names_of
from renderer.backends.kuberay.vocabulary import CLUSTER_FIELD, JOB, MESSAGE
from renderer.kubernetes.mentions import CONTAINER, POD, QUEUED, Mention, nest

_KINDS = {
    "CONFIGMAP": "ConfigMap",
    "PERSISTENT_VOLUME_CLAIM": "PersistentVolumeClaim",
    "SECRET": "Secret",
}


def _kinds(field: str) -> tuple[tuple[str, str], ...]:
    """What the values of an enumeration stand for: names, numbers, and the first for none."""
    numbered = [(number, name) for number, name in enumerate(names_of(field)) if name in _KINDS]
    words = [(word, _KINDS[name]) for number, name in numbered for word in (name, str(number))]
    return (*words, *(("", _KINDS[name]) for number, name in numbered if number == 0))


#: A group of pods in a message of the API server.
_MESSAGE_GROUP = (
    Mention(("serviceAccount",), "ServiceAccount"),
    Mention(("imagePullSecret",), "Secret"),
    Mention(
        ("environment", "valuesFrom", "*", "name"),
        "",
        kind_at="source",
        kinds=_kinds("source"),
        keys_at=("key",),
    ),
    Mention(("volumes", "*", "source"), "", kind_at="volumeType", kinds=_kinds("volumeType")),
)
_MESSAGE_GROUPS = ("headGroupSpec",), ("workerGroupSpec", "*")
_TEMPLATES = (
    ("headGroupSpec", "template", "spec"),
    ("workerGroupSpecs", "*", "template", "spec"),
)
_PASSWORDS = tuple(
    row._replace(path=("gcsFaultToleranceOptions", field, *row.path[2:]))
    for field in ("redisPassword", "redisUsername")
    for row in CONTAINER
    if row.path[0] == "env"
)

#: What KubeRay makes of a spec and names after it.
_DERIVED = frozenset(("Ingress", "Job", "Service", "ServiceAccount"))


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """In the pods of each group, beside the cluster, and in the pod that submits a job."""
    cluster = CLUSTER_FIELD[kind]
    in_templates = (nest((*cluster, *place), POD) for place in _TEMPLATES)
    in_messages = (nest((MESSAGE, *place), _MESSAGE_GROUP) for place in _MESSAGE_GROUPS)
    return (
        *QUEUED,
        *(row for some in (*in_templates, *in_messages) for row in some),
        *nest(cluster, _PASSWORDS),
        *nest((*cluster, "autoscalerOptions"), CONTAINER),
        *(nest(("submitterPodTemplate", "spec"), POD) if kind == JOB else ()),
    )


def derives(kind: str) -> frozenset[str]:  # noqa: ARG001
    """The same for all kinds; that some make less hides a wrong name at most."""
    return _DERIVED
