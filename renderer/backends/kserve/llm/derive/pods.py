"""The pods of an LLM service as KServe's controller writes them."""

from collections.abc import Mapping

from renderer.backends.kserve.llm.derive.devices import add_claim
from renderer.backends.kserve.llm.derive.model_files import SERVER, Reader, attach_model
from renderer.backends.kserve.llm.derive.plan import LlmPlan, Workload
from renderer.backends.kserve.stored_components import stored_pods
from renderer.derive.located import located, tree_of
from renderer.kubernetes.data import Data, change_container, container_named, items, mapping, words
from renderer.kubernetes.quantities import canonical, value
from renderer.values.diagnostics import Origin
from renderer.values.tree import Plain

SIDECAR = "llm-d-routing-sidecar"
_DETAILS = {"--otlp-traces-endpoint": "", "--collect-detailed-traces": "all"}
_EXPORT = {
    "OTEL_EXPORTER_OTLP_ENDPOINT": "exporterEndpoint",
    "OTEL_TRACES_EXPORTER": "exporter",
    "OTEL_TRACES_SAMPLER": "sampler",
    "OTEL_TRACES_SAMPLER_ARG": "samplerArg",
}
_PLACES = {"NODE_NAME": "spec.nodeName", "POD_NAME": "metadata.name"}
_STORAGE = "ephemeral-storage"


def server_pod(plan: LlmPlan, workload: Workload, template: str) -> Data:
    """The spec of a pod of a role, from the template of that name."""
    pod = add_claim(plan, dict(mapping(workload.fields, template)))
    if has_sidecar(pod) and not workload.is_prefill:
        pod = _name_pool(plan, pod)
    if account := account_name(plan, workload):
        pod["serviceAccountName"] = account
    pod = attach_model(plan, pod, Reader(adapters=tuple(plan.adapters)))
    pod = _add_tiers(pod, mapping(workload.fields, "kvCacheOffloading"))
    if "tracing" in plan.spec:
        role = "prefill" if workload.is_prefill else "decode"
        pod = change_container(pod, SERVER, lambda item: trace_server(plan, item, role))
    return as_stored(pod)


def as_stored(pod: Data) -> Data:
    """A pod with amounts as Kubernetes writes them, and the defaults of its schema."""
    for key in ("containers", "initContainers"):
        if key in pod:
            pod = {**pod, key: [_with_bare_variables(item) for item in items(pod, key)]}
    return located(stored_pods(tree_of(pod, Origin("", 0, 0, "set by KServe")), None))


def _with_bare_variables(container: Data) -> Data:
    """An empty value of a variable is not stored."""
    env: list[Plain] = [
        {key: value for key, value in item.items() if key != "value" or value}
        for item in items(container, "env")
    ]
    return {**container, "env": env} if env else container


def has_sidecar(pod: Data) -> bool:
    return container_named(items(pod, "initContainers"), SIDECAR) is not None


def account_name(plan: LlmPlan, workload: Workload) -> str:
    """The ServiceAccount of the pods; empty if Kubernetes chooses it."""
    pods = [mapping(workload.fields, key) for key in ("template", "worker")]
    own = next((str(pod["serviceAccountName"]) for pod in pods if "serviceAccountName" in pod), "")
    if own and (workload.is_spread or pods[0].get("serviceAccountName")):
        return own
    is_made = workload.is_spread or (has_sidecar(pods[0]) and not workload.is_prefill)
    return plan.child(workload.suffix) if is_made else own


def _name_pool(plan: LlmPlan, pod: Data) -> Data:
    if not plan.router:
        return pod

    def change(container: Data) -> Data:
        if container.get("name") != SIDECAR:
            return container
        pool: Plain = {"name": "INFERENCE_POOL_NAME", "value": plan.pool}
        return {**container, "env": [*items(container, "env"), pool]}

    return {**pod, "initContainers": [change(item) for item in items(pod, "initContainers")]}


def _add_tiers(pod: Data, cache: Data) -> Data:
    """The volumes of the lower tiers of the key-value cache."""
    for number, tier in enumerate(items(cache, "secondary")):
        files = mapping(tier, "fileSystem")
        holder, path = _tier_volume(files)
        if not holder:
            continue
        name = f"kv-cache-secondary-{number}"
        mount: Data = {"name": name, "mountPath": f"/mnt/kv-cache-{number}"}
        mount |= {"subPath": path} if path else {}
        size = mapping(files, "emptyDir").get("size")

        def add(container: Data, mount: Data = mount, size: Plain = size) -> Data:
            done: Data = {**container, "volumeMounts": [*items(container, "volumeMounts"), mount]}
            return _request_storage(done, str(size)) if size is not None else done

        pod = change_container(pod, SERVER, add)
        pod = {**pod, "volumes": [*items(pod, "volumes"), {"name": name, **holder}]}
    return pod


def _tier_volume(files: Data) -> tuple[Data, str]:
    if "emptyDir" in files:
        return {"emptyDir": {"sizeLimit": mapping(files, "emptyDir").get("size")}}, ""
    claim = mapping(files, "pvc")
    if "spec" in claim:
        return {"ephemeral": {"volumeClaimTemplate": {"spec": claim["spec"]}}}, ""
    ref = mapping(claim, "ref")
    if not ref:
        return {}, ""
    return {"persistentVolumeClaim": {"claimName": ref.get("name")}}, str(ref.get("path") or "")


def _request_storage(container: Data, size: str) -> Data:
    """The server requests the room that its cache has on the node's disk."""
    resources = mapping(container, "resources")
    requests = mapping(resources, "requests")
    given = requests.get(_STORAGE)
    amounts = [value(str(item)) or 0 for item in (given, size) if item is not None]
    total = canonical(str(sum(amounts))) if given is not None else size
    return {**container, "resources": {**resources, "requests": {**requests, _STORAGE: total}}}


def trace_server(plan: LlmPlan, container: Data, role: str) -> Data:
    """A server that reports what it does; arguments and variables of the spec come first."""
    endpoint = mapping(plan.spec, "tracing").get("exporterEndpoint")
    if not endpoint:
        return container
    args: list[Plain] = [*words(container, "args")]
    for name, usual in _DETAILS.items():
        if not has_argument(args, name):
            args += [name, usual or endpoint]
    done = {**container, "args": args}
    return add_variables(done, tracing_variables(plan, f"inference-server-{role}"))


def has_argument(args: list[Plain], name: str) -> bool:
    return any(item == name or str(item).startswith(f"{name}=") for item in args)


def tracing_variables(plan: LlmPlan, service: str) -> dict[str, Plain]:
    """What the libraries of OpenTelemetry are told; a mapping is where a value comes from."""
    tracing = mapping(plan.spec, "tracing")
    found: dict[str, Plain] = {"OTEL_SERVICE_NAME": service}
    found |= {name: tracing.get(key, "") for name, key in _EXPORT.items()}
    for name, path in _PLACES.items():
        place: Plain = {"apiVersion": "v1", "fieldPath": path}
        found[f"OTEL_RESOURCE_ATTRIBUTES_{name}"] = {"fieldRef": place}
    found["OTEL_RESOURCE_ATTRIBUTES"] = (
        f"k8s.namespace.name={plan.namespace},"
        "k8s.node.name=$(OTEL_RESOURCE_ATTRIBUTES_NODE_NAME),"
        f"k8s.pod.name=$(OTEL_RESOURCE_ATTRIBUTES_POD_NAME),llmisvc.name={plan.name}"
    )
    return found


def add_variables(container: Data, variables: Mapping[str, Plain]) -> Data:
    """A container with variables that it does not have yet."""
    given = items(container, "env")
    known = {item.get("name") for item in given}
    more: list[Plain] = [
        {"name": name, ("valueFrom" if isinstance(content, dict) else "value"): content}
        for name, content in variables.items()
        if name not in known
    ]
    return {**container, "env": [*given, *more]}
