"""How requests reach a component: hosts, the objects that lead there, and example requests."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.components import EXPLAINER, PREDICTOR, TRANSFORMER
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.dialect import KNATIVE
from renderer.kubernetes.data import Data, make_object, mapping, variable, words
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain
from renderer.values.unit_details import Address

#: As the configuration that KServe ships has them.
DOMAIN, CLUSTER = "example.com", "svc.cluster.local"
_INGRESS_CLASS = "istio"
_LOCAL_GATEWAY = f"knative-local-gateway.istio-system.{CLUSTER}"
_INGRESS = "http://<ingress>"
#: Servers that take the names of models from their files, which are not known here.
_FILE_NAMES = frozenset(("tritonserver", "torchserve"))
UNKNOWN_MODEL = "<model>"
_OUTSIDE, _INSIDE = "whoever reaches the ingress", "only within the cluster"
_NUMBERS: Plain = [[0.0, 0.0, 0.0, 0.0]]
_WORDS: Plain = ["The capital of France is"]


def service_host(plan: ServicePlan) -> str:
    """The host of the service: with Knative, KServe takes a word out of its component's."""
    if plan.mode != KNATIVE:
        return host(plan, plan.metadata.name)
    whole, kind = host(plan, plan.entry.name), plan.entry.kind
    # observed: a service with -default in its name keeps the host of its component
    word = f"-{kind}-default" if "-default" in whole else f"-{kind}"
    return whole.replace(word, "", 1)


def host(plan: ServicePlan, name: str) -> str:
    """The host of a component."""
    joint = "." if plan.mode == KNATIVE else "-"
    return f"{name}{joint}{plan.metadata.namespace}.{DOMAIN}"


def outer_host(plan: ServicePlan, workload: Workload) -> str:
    """The host of a component for callers outside the cluster; empty if it has none.

    With a transformer, KServe's Ingress has no host that leads to an explainer, and canaries have
    none in any case.
    """
    if is_local(plan) or workload.is_canary:
        return ""
    name = service_host(plan) if workload is plan.entry else host(plan, workload.name)
    known = dict(reversed(list(_host_services(plan))))
    return name if plan.mode == KNATIVE or known.get(name) == workload.name else ""


def local_host(plan: ServicePlan, workload: Workload) -> str:
    """The host of a component within the cluster; with Knative, the service has its own."""
    name = workload.name
    if plan.mode == KNATIVE and workload is plan.entry:
        name = plan.metadata.name
    return f"{name}.{plan.metadata.namespace}.{CLUSTER}"


def is_local(plan: ServicePlan) -> bool:
    """Whether it can be called only within the cluster."""
    group = "knative.dev" if plan.mode == KNATIVE else "kserve.io"
    return plan.metadata.labels.get(f"networking.{group}/visibility") == "cluster-local"


def make_entrance(plan: ServicePlan) -> Iterator[Data]:
    """The Ingress of a service; with Knative, a name in the cluster for the gateway."""
    about: Data = {"name": plan.metadata.name, "namespace": plan.metadata.namespace}
    if plan.mode == KNATIVE:
        spec: Data = {"type": "ExternalName", "externalName": _LOCAL_GATEWAY}
        yield make_object("v1", "Service", about, spec)
    elif not is_local(plan):
        about["annotations"] = {**plan.metadata.annotations}
        rules = [_ingress_rule(*rule) for rule in _host_services(plan)]
        spec = {"ingressClassName": _INGRESS_CLASS, "rules": [*rules]}
        yield make_object("networking.k8s.io/v1", "Ingress", about, spec)


def _host_services(plan: ServicePlan) -> Iterator[tuple[str, str]]:
    """Hosts, and the Services that they lead to, as KServe has them."""
    whole, predictor = service_host(plan), plan.predictor.name
    others = {
        workload.kind: workload.name
        for workload in plan.workloads
        if workload.kind != plan.predictor.kind
    }
    # With both, KServe makes two rules for the transformer's host, and the first one counts.
    if TRANSFORMER in others:
        transformer = others[TRANSFORMER]
        if EXPLAINER in others:
            yield host(plan, transformer), others[EXPLAINER]
        yield whole, transformer
        yield host(plan, transformer), predictor
    else:
        yield whole, predictor
        if EXPLAINER in others:
            yield host(plan, others[EXPLAINER]), others[EXPLAINER]
    yield host(plan, predictor), predictor


def _ingress_rule(name: str, service: str) -> Data:
    backend: Data = {"service": {"name": service, "port": {"number": 80}}}
    path: Data = {"path": "/", "pathType": "Prefix", "backend": backend}
    return {"host": name, "http": {"paths": [path]}}


class _Call(NamedTuple):
    name: str
    method: str
    path: str
    body: Data | None = None


def find_addresses(plan: ServicePlan, workload: Workload, container: Data) -> Iterator[Address]:
    """Is it ready, and one request; from outside through the ingress, unless it is local."""
    outer, inner = outer_host(plan, workload), local_host(plan, workload)
    if protocol(workload, container).startswith("grpc"):
        yield Address("gRPC", f"grpc://{inner}:80", _INSIDE)
        return
    for call in _calls(plan, workload, container):
        body = json.dumps(call.body, separators=(",", ":")) if call.body else ""
        if not outer:
            url = f"http://{inner}{call.path}"
            yield Address(call.name, url, _INSIDE, method=call.method, body=body)
            continue
        url, through = f"http://{outer}{call.path}", f"{_INGRESS}{call.path}"
        headers = (("Host", outer),)
        yield Address(call.name, url, _OUTSIDE, through, headers, call.method, body)


def protocol(workload: Workload, container: Data) -> str:
    """The protocol of the model; custom containers have a variable for it."""
    if workload.kind == EXPLAINER:
        return "v1"
    if workload.kind == PREDICTOR and workload.model:
        return str(workload.model.get("protocolVersion") or "v1")
    return variable(container, "PROTOCOL") or "v1"


def model_name(plan: ServicePlan, workload: Workload, container: Data) -> str:
    """The model's name in requests; a marker where only the model's files have it."""
    if workload.model and workload.runtime.server in _FILE_NAMES:
        return UNKNOWN_MODEL
    option = "--served-model-name" if workload.runtime.server == "vllmserver" else "--model_name"
    given = _option(words(container, "args"), option)
    return given or variable(container, "MLSERVER_MODEL_NAME") or plan.metadata.name


def _option(args: list[str], name: str) -> str:
    """The last value of an option, which is the one that counts."""
    found = ""
    for word, following in zip(args, [*args, ""][1:], strict=True):
        key, equals, value = word.partition("=")
        if key == name:
            found = value if equals else following
    return found


def _calls(plan: ServicePlan, workload: Workload, container: Data) -> Iterator[_Call]:
    name = model_name(plan, workload, container)
    if workload.runtime.server == "vllmserver":
        yield from _chat("", name)
        return
    is_text = mapping(workload.model, "modelFormat").get("name") == "huggingface"
    data = _WORDS if is_text else _NUMBERS
    if protocol(workload, container) == "v2":
        path = f"/v2/models/{name}"
        yield _Call("server", "GET", "/v2/health/ready")
        yield _Call("model", "GET", f"{path}/ready")
        yield _Call("predict", "POST", f"{path}/infer", _inputs(data, is_text=is_text))
    else:
        path = f"/v1/models/{name}"
        verb = "explain" if workload.kind == EXPLAINER else "predict"
        yield _Call("model", "GET", path)
        yield _Call(verb, "POST", f"{path}:{verb}", {"instances": data})
    if workload.runtime.server == "huggingfaceserver":
        yield from list(_chat("/openai", name))[1:]


def _chat(prefix: str, name: str) -> Iterator[_Call]:
    """Servers of language models offer OpenAI's API in addition to the protocol."""
    message: Plain = {"role": "user", "content": "Hello"}
    body: Data = {"model": name, "messages": [message], "max_tokens": 16}
    yield _Call("model", "GET", f"{prefix}/v1/models")
    yield _Call("chat", "POST", f"{prefix}/v1/chat/completions", body)


def _inputs(data: Plain, *, is_text: bool) -> Data:
    shape: Plain = [1] if is_text else [1, 4]
    kind = "BYTES" if is_text else "FP32"
    return {"inputs": [{"name": "input-0", "shape": shape, "datatype": kind, "data": data}]}
