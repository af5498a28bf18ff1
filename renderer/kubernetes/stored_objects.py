"""Objects as the API server stores them, by tables of its defaults.

To write a value that the server would add is no change: pods roll if what is stored of their
template differs. A Knative Service has the defaults of Knative and not those of pods, because the
API server knows its template by a schema only; a LeaderWorkerSet has none here for that reason.
"""

from collections.abc import Callable, Mapping
from functools import cache

from renderer.kubernetes.admitted_pods import admitted_pod
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_DEFAULTED = "the default of what is stored"
_Table = Mapping[str, Plain]
_NO_DEFAULTS: _Table = {}


def _nothing(node: Node) -> _Table:  # noqa: ARG001
    """Of a place where no default depends on other fields."""
    return {}


class _Form(NamedTuple):
    """The defaults of a mapping, or of every mapping in a list.

    `empty` are defaults of fields for which 0, `false` and an empty text are the same as nothing;
    those in `absent` may be 0 or empty on purpose. `chosen` are defaults that other fields decide;
    one that is a mapping adds its members to what is given. `omits_empty` asks for what the server
    writes: such fields are then not there at all.
    """

    empty: _Table = _NO_DEFAULTS
    absent: _Table = _NO_DEFAULTS
    members: Mapping[str, "_Form"] = {}
    chosen: Callable[[Node], _Table] = _nothing

    def fill(self, node: Node, *, omits_empty: bool = False) -> Node:
        if isinstance(node.value, tuple):
            items = (self.fill(item, omits_empty=omits_empty) for item in node.value)
            return node.with_members(tuple(items))
        if not isinstance(node.value, dict):
            return node
        given = {key: child for key, child in node.value.items() if child.value is not None}
        missing = {key: value for key, value in self.absent.items() if key not in given}
        for key, value in {**self.empty, **self.chosen(node)}.items():
            is_filled = value or (isinstance(value, dict) and key in self.members)
            if given.get(key) and given[key].value:
                if isinstance(value, dict):
                    given[key] = _Form(absent=value).fill(given[key])
            elif is_filled or not omits_empty:
                missing[key] = value
            else:
                given.pop(key, None)
        given |= {key: constant(value, _DEFAULTED) for key, value in missing.items()}
        for key, form in self.members.items():
            if key in given:
                given[key] = form.fill(given[key], omits_empty=omits_empty)
        return node.with_members(given)


def _text(node: Node, *path: str | int) -> str:
    found = node.get(*path)
    return str(found.value) if found and found.value is not None else ""


def _pull_policy(container: Node) -> _Table:
    """A tag that may move is pulled each time."""
    name, _, digest = _text(container, "image").rpartition("/")[2].partition("@")
    tag = name.partition(":")[2] or (not digest and "latest")
    return {"imagePullPolicy": "Always" if tag == "latest" else "IfNotPresent"}


def _requests(resources: Node) -> _Table:
    """Who has a limit and no request, requests the limit."""
    limits = resources.get("limits")
    return {"requests": limits.plain()} if limits and limits.items else {}


def _rolling(strategy: Node) -> _Table:
    kind = _text(strategy, "type") or "RollingUpdate"
    return {"rollingUpdate": {}} if kind == "RollingUpdate" else {}


def _target_port(port: Node) -> _Table:
    number = port.get("port")
    return {"targetPort": number.plain()} if number else {}


def _completions(spec: Node) -> _Table:
    """One pod, if nobody says how many there are."""
    return {} if spec.get("parallelism") or spec.get("completions") else {"completions": 1}


_GRPC = _Form(absent={"service": ""})
_HTTP_GET = _Form({"path": "/", "scheme": "HTTP"})
_PROBE = _Form(
    {
        "initialDelaySeconds": 0,
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
    },
    members={"httpGet": _HTTP_GET, "grpc": _GRPC},
)
_HANDLER = _Form(members={"httpGet": _HTTP_GET})
_FIELD = _Form({"apiVersion": "v1"})
_RESOURCE_FIELD = _Form({"divisor": "0"})
_FIELD_ITEMS = _Form(members={"fieldRef": _FIELD, "resourceFieldRef": _RESOURCE_FIELD})
_CONTAINER = _Form(
    {
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "stdin": False,
        "stdinOnce": False,
        "tty": False,
        "workingDir": "",
        **{key: [] for key in ("args", "command", "env", "envFrom", "ports", "volumeMounts")},
    },
    {"resources": {}},
    {
        "ports": _Form({"protocol": "TCP", "hostPort": 0, "name": "", "hostIP": ""}),
        "env": _Form({"value": ""}, members={"valueFrom": _FIELD_ITEMS}),
        "volumeMounts": _Form({"readOnly": False, "subPath": ""}),
        "lifecycle": _Form(members={"postStart": _HANDLER, "preStop": _HANDLER}),
        **dict.fromkeys(("livenessProbe", "readinessProbe", "startupProbe"), _PROBE),
    },
    _pull_policy,
)
_MODE: _Table = {"defaultMode": 420}
_PROJECTED = _Form(
    members={
        "downwardAPI": _Form(members={"items": _FIELD_ITEMS}),
        "serviceAccountToken": _Form(absent={"expirationSeconds": 3600}),
    }
)
_VOLUMES = _Form(
    members={
        "configMap": _Form(absent=_MODE),
        "secret": _Form(absent=_MODE),
        "downwardAPI": _Form(absent=_MODE, members={"items": _FIELD_ITEMS}),
        "projected": _Form(absent=_MODE, members={"sources": _PROJECTED}),
        "hostPath": _Form(absent={"type": ""}),
        "emptyDir": _Form({"medium": ""}),
        "persistentVolumeClaim": _Form({"readOnly": False}),
    }
)
_POD = _Form(
    {
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "serviceAccountName": "",
        "priorityClassName": "",
        **dict.fromkeys(("hostNetwork", "hostPID", "hostIPC"), False),
        "nodeSelector": {},
        **{key: [] for key in ("imagePullSecrets", "initContainers", "tolerations", "volumes")},
        "topologySpreadConstraints": [],
    },
    {"terminationGracePeriodSeconds": 30, "securityContext": {}},
    {"containers": _CONTAINER, "initContainers": _CONTAINER, "volumes": _VOLUMES},
)
#: These are defaults of pods alone: in the template of a Deployment nobody writes them.
_REQUESTING = _CONTAINER._replace(
    members={**_CONTAINER.members, "resources": _Form(chosen=_requests)}
)
_BARE_POD = _POD._replace(
    absent={**_POD.absent, "enableServiceLinks": True},
    members={**_POD.members, "containers": _REQUESTING, "initContainers": _REQUESTING},
)
_METADATA = _Form({"labels": {}, "annotations": {}})
_TEMPLATE = _Form(absent={"metadata": {}}, members={"metadata": _METADATA, "spec": _POD})
_DEPLOYMENT = _Form(
    {"minReadySeconds": 0, "paused": False, "strategy": {}},
    {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600},
    {
        "template": _TEMPLATE,
        "strategy": _Form(
            {"type": "RollingUpdate"},
            members={"rollingUpdate": _Form(absent={"maxSurge": "25%", "maxUnavailable": "25%"})},
            chosen=_rolling,
        ),
    },
)
_STATEFUL_SET = _Form(
    {"podManagementPolicy": "OrderedReady", "minReadySeconds": 0, "updateStrategy": {}},
    {"replicas": 1, "revisionHistoryLimit": 10},
    {
        "template": _TEMPLATE,
        "updateStrategy": _Form(
            {"type": "RollingUpdate"},
            members={"rollingUpdate": _Form(absent={"partition": 0})},
            chosen=_rolling,
        ),
    },
)
_JOB = _Form(
    {"completionMode": "NonIndexed"},
    {"parallelism": 1, "backoffLimit": 6, "suspend": False},
    {"template": _TEMPLATE},
    _completions,
)
_SERVICE = _Form(
    {"type": "ClusterIP", "sessionAffinity": "None", "publishNotReadyAddresses": False},
    members={"ports": _Form({"protocol": "TCP", "name": ""}, chosen=_target_port)},
)
_USUAL_METRIC: Plain = {
    "type": "Resource",
    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
}
_AUTOSCALER = _Form({"metrics": [_USUAL_METRIC]}, {"minReplicas": 1})
_SOCKET: _Table = {"tcpSocket": {"port": 0}}


def _socket(probe: Node) -> _Table:
    """Knative asks the container's port, if nothing else is to be asked."""
    handlers = ("exec", "grpc", "httpGet", "tcpSocket")
    return {} if any(key in probe.items for key in handlers) else _SOCKET


def _nothing_of(form: _Form, **others: Plain) -> _Form:
    """The fields of a form for which nothing is the same as an empty value; no other defaults."""
    empty = {key: value for key, value in form.empty.items() if not value}
    return _Form({**empty, **others})


#: Numbers of a probe that Knative does not fill in.
_KNATIVE_PROBE = _Form(dict.fromkeys(_PROBE.empty, 0))
_REVISION = _nothing_of(_POD, timeoutSeconds=300)._replace(
    absent={"containerConcurrency": 0, "enableServiceLinks": False},
    members={
        "containers": _nothing_of(_CONTAINER)._replace(
            absent={"resources": {}},
            members={
                "readinessProbe": _Form(
                    {**_KNATIVE_PROBE.empty, "successThreshold": 1}, chosen=_socket
                ),
                **dict.fromkeys(("livenessProbe", "startupProbe"), _KNATIVE_PROBE),
            },
        )
    },
)
_SPECS: Mapping[tuple[str, str], _Form] = {
    ("apps", "Deployment"): _DEPLOYMENT,
    ("apps", "StatefulSet"): _STATEFUL_SET,
    ("batch", "Job"): _JOB,
    ("", "Pod"): _BARE_POD,
    ("", "Service"): _SERVICE,
    ("", "PersistentVolumeClaim"): _Form({"volumeMode": "Filesystem"}),
    ("autoscaling", "HorizontalPodAutoscaler"): _AUTOSCALER,
    ("serving.knative.dev", "Service"): _Form(
        members={"template": _Form(members={"metadata": _METADATA, "spec": _REVISION})}
    ),
}
_CHOSEN = frozenset(
    ("imagePullPolicy", "requests", "rollingUpdate", "targetPort", "completions", "tcpSocket")
)


def stored_tree(tree: Node) -> Node:
    """An object with what is added to it when it is stored; what it has keeps its origins."""
    return _filled(tree, omits_empty=False)


def admitted_tree(tree: Node) -> Node:
    """The same as policies of the cluster see it: what is empty is not there, pods have a token."""
    filled = _filled(tree, omits_empty=True)
    spec = filled.get("spec")
    if spec is None or (_text(tree, "apiVersion"), _text(tree, "kind")) != ("v1", "Pod"):
        return filled
    return filled.with_members({**filled.items, "spec": admitted_pod(spec)})


def _filled(tree: Node, *, omits_empty: bool) -> Node:
    group = _text(tree, "apiVersion").rpartition("/")[0]
    form, spec = _SPECS.get((group, _text(tree, "kind"))), tree.get("spec")
    if form is None or spec is None:
        return tree
    filled = form.fill(spec, omits_empty=omits_empty)
    return tree.with_members({**tree.items, "spec": filled})


def may_be_default(path: Path) -> bool:
    """Whether some object has a default where two differ; quickly, as most edits are elsewhere."""
    return any(key in _defaulted_fields() for key in path[-2:])


@cache
def _defaulted_fields() -> frozenset[str]:
    found = {*_CHOSEN}
    waiting = [*_SPECS.values()]
    while waiting:
        form = waiting.pop()
        found |= {*form.empty, *form.absent}
        waiting += form.members.values()
    return frozenset(found)
