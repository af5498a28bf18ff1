"""What KServe's webhook adds to a pod: the model, and an agent that logs, batches or pulls."""

import json
from typing import TYPE_CHECKING

from renderer.backends.kserve.derive.metadata import INTERNAL, SOURCE
from renderer.backends.kserve.derive.pod import called_container, first_port
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.derive.storage import OWN_AMOUNTS, mount_model
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.merged_container import MODELS
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.data import Data, change_container, items, mapping

if TYPE_CHECKING:
    from renderer.values.tree import Plain

AGENT_PORT = 9081
_TIMES = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
_BROKER = "http://default-broker"
_CONFIGS = "/mnt/configs"
_READABLE = 0o644


def webhook_pod(plan: ServicePlan, workload: Workload, pod: Data, notes: dict[str, str]) -> Data:
    """The pod as it is created; `notes` are its annotations."""
    bare = pod
    uri, pulls = notes.get(SOURCE, ""), f"{INTERNAL}agent" in notes
    if uri and not pulls and not uri.startswith("oci://"):
        pod = _add_model(pod, plan, workload, uri, notes)
    if pulls or {f"{INTERNAL}logger", f"{INTERNAL}batcher"} & notes.keys():
        pod = _add_agent(plan, workload, pod, notes)
    done = mount_model(pod, uri, plan, []) if uri.startswith("oci://") else pod
    return done if done is bare else _default_requests(done)


def _default_requests(pod: Data) -> Data:
    """The API server sets requests from limits where a pod has only limits."""
    return {**pod, "containers": [_add_requests(item) for item in items(pod, "containers")]}


def _add_requests(container: Data) -> Data:
    limits = mapping(container, "resources", "limits")
    if not limits:
        return container
    whole: Data = {**limits, **mapping(container, "resources", "requests")}
    resources: Data = {**mapping(container, "resources"), "requests": whole}
    return {**container, "resources": resources}


def _add_model(
    pod: Data, plan: ServicePlan, workload: Workload, uri: str, notes: dict[str, str]
) -> Data:
    parameters = mapping(workload.model, "storage", "parameters")
    env: list[Plain] = []
    if f"{INTERNAL}storage-spec" in notes and parameters:
        kind, bucket = (str(parameters.get(key) or "") for key in ("type", "bucket"))
        place = "/".join(filter(None, (bucket, uri.partition("://")[2])))
        uri = f"{kind}://{place}" if kind else uri
        override = notes[f"{INTERNAL}storage-spec-param"]
        env = [{"name": "STORAGE_OVERRIDE_CONFIG", "value": override}]
    return change_container(mount_model(pod, uri, plan, env), SERVING_CONTAINER, _set_uri)


def _set_uri(container: Data) -> Data:
    """The variable STORAGE_URI becomes the folder that the model is downloaded to."""
    variables: list[Plain] = [
        {**item, "value": MODELS} if item.get("name") == "STORAGE_URI" else item
        for item in items(container, "env")
    ]
    return {**container, "env": variables} if variables else container


def _add_agent(plan: ServicePlan, workload: Workload, pod: Data, notes: dict[str, str]) -> Data:
    called = called_container(pod)
    args = [
        *_puller_arguments(notes),
        *_batcher_arguments(notes),
        *_logger_arguments(plan, workload, notes),
    ]
    agent: Data = {
        "name": "agent",
        "image": f"kserve/agent:v{plan.dialect}",
        "args": [*args, "--component-port", str(first_port(called))],
        "resources": OWN_AMOUNTS,
        "ports": [{"name": "agent-port", "containerPort": AGENT_PORT, "protocol": "TCP"}],
        "readinessProbe": _agent_probe(called),
    }
    if "securityContext" in items(pod, "containers")[0]:
        agent["securityContext"] = items(pod, "containers")[0]["securityContext"]
    probe = mapping(called, "readinessProbe")
    if plan.mode != KNATIVE and {"httpGet", "tcpSocket"} & probe.keys():
        agent["env"] = [{"name": "SERVING_READINESS_PROBE", "value": _probe_text(probe)}]
    whole: Data = {**pod, "containers": [*items(pod, "containers"), agent]}
    return _mount_models(whole, notes) if f"{INTERNAL}agent" in notes else whole


def _puller_arguments(notes: dict[str, str]) -> list[str]:
    if f"{INTERNAL}agent" not in notes:
        return []
    return ["--enable-puller", "--config-dir", _CONFIGS, "--model-dir", MODELS]


def _batcher_arguments(notes: dict[str, str]) -> list[str]:
    if f"{INTERNAL}batcher" not in notes:
        return []
    options = {"--max-batchsize": "batcher-max-batchsize", "--max-latency": "batcher-max-latency"}
    given = ((option, notes.get(f"{INTERNAL}{key}")) for option, key in options.items())
    return ["--enable-batcher", *(word for pair in given if pair[1] for word in map(str, pair))]


def _logger_arguments(plan: ServicePlan, workload: Workload, notes: dict[str, str]) -> list[str]:
    if f"{INTERNAL}logger" not in notes:
        return []
    store = mapping(plan.predictor.fields, "logger", "storage")
    said = mapping(plan.predictor.fields, "logger")
    options = {
        "--log-url": notes.get(f"{INTERNAL}logger-sink-url", _BROKER),
        "--source-uri": "",
        "--log-mode": notes[f"{INTERNAL}logger-mode"],
        "--inference-service": plan.metadata.name,
        "--namespace": plan.metadata.namespace,
        "--endpoint": "",
        "--component": workload.kind,
    }
    extra = {
        "--log-store-path": store.get("path"),
        "--log-store-format": mapping(store, "parameters").get("format"),
        "--log-marshaller-url": said.get("marshallerUrl"),
        "--log-batch-size": said.get("batchSize"),
        "--log-batch-interval": said.get("batchInterval"),
        "--metadata-headers": notes.get(f"{INTERNAL}logger-metadata-headers"),
    }
    options |= {key: str(value) for key, value in extra.items() if value}
    if f"{INTERNAL}logger-metadata-annotations" in notes:  # there are none to be found: it is empty
        options["--metadata-annotations"] = _logged_annotations(notes)
    listed = [word for pair in options.items() for word in pair]
    return [*listed, "--logger-tls-skip-verify", "false"]


def _logged_annotations(notes: dict[str, str]) -> str:
    wanted = notes.get(f"{INTERNAL}logger-metadata-annotations", "").split(",")
    return ",".join(f"{key}={notes[key]}" for key in wanted if key in notes)


def _agent_probe(called: Data) -> Data:
    path = mapping(called, "readinessProbe", "httpGet").get("path") or "/"
    header: Plain = {"name": "K-Network-Probe", "value": "queue"}
    return {
        "httpGet": {"httpHeaders": [header], "path": path, "port": AGENT_PORT, "scheme": "HTTP"}
    }


def _probe_text(probe: Data) -> str:
    """A probe as Go writes it, with the defaults that the API server has added."""
    found: Data = {}
    if http := mapping(probe, "httpGet"):
        keys = ("path", "port", "host", "scheme", "httpHeaders")
        whole: Data = {"path": "/", "scheme": "HTTP", **http}
        found["httpGet"] = {key: whole[key] for key in keys if key in whole}
    if "tcpSocket" in probe:
        found["tcpSocket"] = probe["tcpSocket"]
    found |= {key: probe[key] for key in ("initialDelaySeconds",) if key in probe}
    found |= {key: probe.get(key, value) for key, value in _TIMES.items()}
    return json.dumps(found, separators=(",", ":"))


def _mount_models(pod: Data, notes: dict[str, str]) -> Data:
    """The folder that the agent downloads models to, and the list of those models."""
    folder: Plain = {"name": "model-dir", "mountPath": MODELS}
    config: Plain = {"name": "model-config", "mountPath": _CONFIGS}

    def add_folder(container: Data) -> Data:
        return {**container, "volumeMounts": [*items(container, "volumeMounts"), folder]}

    pod = change_container(pod, SERVING_CONTAINER, add_folder)
    pod = change_container(pod, "agent", lambda agent: {**agent, "volumeMounts": [folder, config]})
    name = notes[f"{INTERNAL}configVolumeName"]
    volumes: list[Plain] = [
        {"name": "model-dir", "emptyDir": {}},
        {"name": "model-config", "configMap": {"name": name, "defaultMode": _READABLE}},
    ]
    return {**pod, "volumes": [*items(pod, "volumes"), *volumes]}
