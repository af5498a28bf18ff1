"""Where a component is asked, and with what, in the protocol that it speaks."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.kserve.derive.entrance import local_host, outer_host
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.inference_service import EXPLAINER, PREDICTOR
from renderer.kubernetes.data import Data, mapping, variable, words
from renderer.values.derivations import Address
from renderer.values.tree import Plain

#: Servers that take the names of models from files nobody sees here.
_OWN_NAMES = frozenset(("tritonserver", "torchserve"))
UNKNOWN_MODEL = "<model>"
_OUTSIDE, _INSIDE = "whoever reaches the ingress", "only within the cluster"
_GATEWAY = "http://<ingress>"
_NUMBERS: Plain = [[0.0, 0.0, 0.0, 0.0]]
_WORDS: Plain = ["The capital of France is"]


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
        url, through = f"http://{outer}{call.path}", f"{_GATEWAY}{call.path}"
        headers = (("Host", outer),)
        yield Address(call.name, url, _OUTSIDE, through, headers, call.method, body)


def protocol(workload: Workload, container: Data) -> str:
    """As the model says; containers of the user's own have a variable for it."""
    if workload.kind == EXPLAINER:
        return "v1"
    if workload.kind == PREDICTOR and workload.model:
        return str(workload.model.get("protocolVersion") or "v1")
    return variable(container, "PROTOCOL") or "v1"


def model_name(plan: ServicePlan, workload: Workload, container: Data) -> str:
    """The name by which a server knows its model; a marker where only its files say it."""
    if workload.model and workload.runtime.server in _OWN_NAMES:
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
    """What servers of language models offer besides, whatever the protocol says."""
    message: Plain = {"role": "user", "content": "Hello"}
    body: Data = {"model": name, "messages": [message], "max_tokens": 16}
    yield _Call("model", "GET", f"{prefix}/v1/models")
    yield _Call("chat", "POST", f"{prefix}/v1/chat/completions", body)


def _inputs(data: Plain, *, is_text: bool) -> Data:
    shape: Plain = [1] if is_text else [1, 4]
    kind = "BYTES" if is_text else "FP32"
    return {"inputs": [{"name": "input-0", "shape": shape, "datatype": kind, "data": data}]}
