"""The scheduler of an LLM service: what picks a pod for each request, and its InferencePool."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.derive.model_files import SERVER, Reader, attach_model
from renderer.backends.kserve.llm.derive.plan import LlmPlan
from renderer.backends.kserve.llm.derive.pods import (
    add_variables,
    as_stored,
    has_argument,
    tracing_variables,
)
from renderer.backends.kserve.llm.derive.scheduler_config import changed_config, default_config
from renderer.backends.kserve.llm.derive.workloads import POOL_GROUPS, binding, bound_role
from renderer.backends.kserve.llm.go_templates import child_name
from renderer.kubernetes.data import (
    Data,
    change_container,
    container_named,
    items,
    make_object,
    mapping,
    number,
    texts,
    words,
)
from renderer.text.expressions import expression
from renderer.values.tree import Plain

_TOKENIZER = "tokenizer"
_VERSION = "app.kubernetes.io/version"
_NUMBERS = expression(r"([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})(?:[-+].*)?")
_PORTS = ("grpc", "grpc-health", "metrics", "zmq")
_TEXTS = ("--config-text", "-config-text", "--configText", "-configText")
_FLAGS = (*_TEXTS, "--config-file", "-config-file", "--configFile", "-configFile")
_ELECTION = ("--ha-enable-leader-election", "-ha-enable-leader-election")
_READ = ("get", "list", "watch")
_CHANGE = (*_READ, "create", "update", "patch", "delete")
_RULES: list[Plain] = [
    {"apiGroups": [*groups], "resources": [*resources], "verbs": [*verbs]}
    for groups, resources, verbs in (
        (("",), ("pods",), _READ),
        (
            reversed(POOL_GROUPS),
            ("inferencepools", "inferenceobjectives", "inferencemodels"),
            _READ,
        ),
        (POOL_GROUPS[:1], ("inferencemodelrewrites", "inferencepoolimports"), _READ),
        (("llm-d.ai",), ("inferenceobjectives", "inferencemodelrewrites"), _READ),
        (("discovery.k8s.io",), ("endpointslices",), _READ),
        (("coordination.k8s.io",), ("leases",), _CHANGE),
    )
]
#: The older group of pools comes last: it is made only where its kind is known.
_POOL_VERSION = "inference.networking.k8s.io/v1"


def make_scheduler(plan: LlmPlan, scheduler: Data, kept: str = "") -> Iterator[Data]:
    """The Deployment first, then what belongs to it; it keeps a configuration that it has."""
    pod = scheduler_pod(plan, scheduler, kept)
    labels = plan.labels_for("router-scheduler")
    whole = labels | texts(scheduler, "labels")
    metadata: Data = {"labels": {**whole}}
    if notes := texts(scheduler, "annotations"):
        metadata["annotations"] = {**notes}
    count = number(scheduler, "replicas")
    spec: Data = {
        "replicas": 1 if count is None else count,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": {**whole}},
        "template": {"metadata": metadata, "spec": pod},
    }
    about = plan.metadata(plan.child("-kserve-router-scheduler"), whole)
    yield make_object("apps/v1", "Deployment", about, spec)
    pool = mapping(scheduler, "pool", "spec")
    about = plan.metadata(plan.child("-inference-pool"), labels)
    yield make_object(_POOL_VERSION, "InferencePool", about, pool)
    yield _service(plan, scheduler, labels)
    yield from _rights(plan, scheduler, labels)


def scheduler_pod(plan: LlmPlan, scheduler: Data, kept: str) -> Data:
    """The pod of the scheduler, with its configuration as an argument."""
    pod = mapping(scheduler, "template")
    pod = change_container(pod, SERVER, lambda item: _add_arguments(plan, scheduler, item, kept))
    has_tokenizer = container_named(items(pod, "containers"), _TOKENIZER) is not None
    if has_tokenizer:
        reader = Reader(_TOKENIZER, "/mnt/models/base", only_tokenizer=True)
        pod = attach_model(plan, pod, reader)
    if text := config_text(pod):
        version = scheduler_version(scheduler)
        changed, needs_tokenizer = changed_config(text, version, has_tokenizer=has_tokenizer)
        pod = _add_config(pod, changed)
        if not needs_tokenizer:
            rest = [item for item in items(pod, "containers") if item.get("name") != _TOKENIZER]
            pod = {**pod, "containers": [*rest]}
    return as_stored(pod)


def scheduler_version(scheduler: Data) -> tuple[int, ...]:
    """The version that the pods are annotated with, by which KServe rewrites configurations."""
    found = _NUMBERS.fullmatch(texts(scheduler, "annotations").get(_VERSION) or "0.0.0")
    return tuple(map(int, found.groups())) if found else ()


def has_wrong_version(scheduler: Data) -> bool:
    return not scheduler_version(scheduler)


def _add_arguments(plan: LlmPlan, scheduler: Data, container: Data, kept: str) -> Data:
    args: list[Plain] = [*words(container, "args")]
    if (number(scheduler, "replicas") or 1) > 1 and not set(_ELECTION) & set(map(str, args)):
        args.append(_ELECTION[0])
    config = mapping(scheduler, "config")
    if "inline" in config or not any(item in _FLAGS for item in args):
        own = "" if "inline" in config else kept
        args += ["--config-text", own or default_config(plan, config)]
    done: Data = {**container, "args": args}
    if "tracing" not in plan.spec:
        return done
    if not any(has_argument(args, name) for name in ("--tracing", "-tracing")):
        done["args"] = [*args, "--tracing=true"]
    return add_variables(done, tracing_variables(plan, "inference-scheduler"))


def config_text(pod: Data) -> str:
    """The configuration that stands among the scheduler's arguments."""
    container = container_named(items(pod, "containers"), SERVER) or {}
    args = words(container, "args")
    return next((args[i + 1] for i in range(len(args) - 1) if args[i] in _TEXTS), "")


def _add_config(pod: Data, text: str) -> Data:
    def change(container: Data) -> Data:
        args = words(container, "args")
        done = [
            text if place and args[place - 1] in _TEXTS else word for place, word in enumerate(args)
        ]
        return {**container, "args": [*done]}

    return change_container(pod, SERVER, change)


def _service(plan: LlmPlan, scheduler: Data, labels: dict[str, str]) -> Data:
    ports = {
        str(port["name"]): port
        for container in items(mapping(scheduler, "template"), "containers")
        for port in items(container, "ports")
        if port.get("name") in _PORTS
    }
    listed: list[Plain] = [
        {
            "name": name,
            "port": ports[name].get("containerPort"),
            "targetPort": name,
            "protocol": ports[name].get("protocol", "TCP"),
        }
        for name in sorted(ports)
    ]
    picker = mapping(scheduler, "pool", "spec", "endpointPickerRef").get("name")
    name = str(picker or plan.child("-epp-service"))
    spec: Data = {"type": "ClusterIP", "selector": {**labels}, "ports": listed}
    return make_object("v1", "Service", plan.metadata(name, labels), spec)


def _rights(plan: LlmPlan, scheduler: Data, labels: dict[str, str]) -> Iterator[Data]:
    own = plan.child("-epp-sa")
    account = str(mapping(scheduler, "template").get("serviceAccountName") or own)
    if account == own:
        about = plan.metadata(own, labels)
        yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": about}
    yield from bound_role(plan, "-epp", account, labels, _RULES)
    name = child_name(plan.namespace, f"-{plan.name}-epp-auth-rb")
    about = {"name": name, "labels": {**labels}}
    role = ("ClusterRole", "system:auth-delegator")
    yield binding("ClusterRoleBinding", about, account, plan.namespace, role)
