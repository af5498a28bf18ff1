"""The serving containers of the runtimes that KServe ships, as they are in 0.20."""

from functools import cache

from renderer.backends.fields import elements, text
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.runtimes import SERVING_CONTAINER, Runtime
from renderer.values.tree import Node, Plain, constant

_MODEL = ["--model_name={{.Name}}", "--model_dir=/mnt/models", "--http_port=8080"]
_SMALL: Plain = {
    "requests": {"cpu": "1", "memory": "2Gi"},
    "limits": {"cpu": "1", "memory": "2Gi"},
}
_LARGE: Plain = {
    "requests": {"cpu": "2", "memory": "6Gi"},
    "limits": {"cpu": "4", "memory": "12Gi"},
}
_SHARED_MEMORY: Plain = [{"name": "devshm", "mountPath": "/dev/shm"}]  # noqa: S108
_LMCACHE: Plain = {"name": "LMCACHE_USE_EXPERIMENTAL", "value": "True"}


def _server(image: str, *args: str) -> dict[str, Plain]:
    """One of KServe's own servers; its tag is KServe's version."""
    return {"image": f"kserve/{image}:v{{version}}", "args": [*_MODEL, *args]}


def _models_ready(**numbers: int) -> Plain:
    return {"httpGet": {"path": "/v1/models", "port": 8080}, "successThreshold": 1, **numbers}


#: What differs from one to the other; all are called kserve-container.
_CONTAINERS: dict[str, dict[str, Plain]] = {
    "kserve-sklearnserver": _server("sklearnserver"),
    "kserve-xgbserver": _server("xgbserver", "--nthread=1"),
    "kserve-lgbserver": _server("lgbserver", "--nthread=1"),
    "kserve-pmmlserver": _server("pmmlserver"),
    "kserve-paddleserver": _server("paddleserver"),
    "kserve-autogluonserver": _server("autogluonserver"),
    "kserve-predictiveserver": _server(
        "predictiveserver", "--framework={{.Annotations.modelFormat}}", "--nthread=1"
    ),
    "kserve-mlserver": {
        "image": "docker.io/seldonio/mlserver:1.7.1",
        "env": [
            {"name": "MLSERVER_MODEL_IMPLEMENTATION", "value": "{{.Labels.modelClass}}"},
            {"name": "MLSERVER_HTTP_PORT", "value": "8080"},
            {"name": "MLSERVER_GRPC_PORT", "value": "9000"},
        ],
    },
    "kserve-tensorflow-serving": {
        "image": "tensorflow/serving:2.6.2",
        "command": ["/usr/bin/tensorflow_model_server"],
        "args": [
            "--model_name={{.Name}}",
            "--port=9000",
            "--rest_api_port=8080",
            "--model_base_path=/mnt/models",
            "--rest_api_timeout_in_ms=60000",
        ],
    },
    "kserve-tritonserver": {
        "image": "nvcr.io/nvidia/tritonserver:23.05-py3",
        "args": [
            "tritonserver",
            "--model-store=/mnt/models",
            "--grpc-port=9000",
            "--http-port=8080",
            "--allow-grpc=true",
            "--allow-http=true",
        ],
    },
    "kserve-torchserve": {
        "image": "pytorch/torchserve-kfs:0.9.0",
        "args": [
            "torchserve",
            "--start",
            "--model-store=/mnt/models/model-store",
            "--ts-config=/mnt/models/config/config.properties",
        ],
        "env": [{"name": "TS_SERVICE_ENVELOPE", "value": "{{.Labels.serviceEnvelope}}"}],
    },
    "kserve-huggingfaceserver": {
        "image": "kserve/huggingfaceserver:v{version}",
        "args": ["--model_name={{.Name}}"],
        "env": [_LMCACHE],
        "volumeMounts": _SHARED_MEMORY,
    },
    "kserve-huggingfaceserver-multinode": {
        "image": "kserve/huggingfaceserver:v{version}-gpu",
        "args": ["--model_name={{.Name}}"],
        "resources": _LARGE,
    },
    "kserve-vllmserver": {
        "image": "vllm/vllm-openai:v0.20.0",
        "command": ["python", "-m", "vllm.entrypoints.openai.api_server"],
        "args": ["--port=8080", "--served-model-name={{.Name}}", "--model=/mnt/models"],
        "env": [
            _LMCACHE,
            {"name": "HF_HOME", "value": "/tmp"},  # noqa: S108
            {"name": "VLLM_CONFIG_ROOT", "value": "/tmp"},  # noqa: S108
            {"name": "VLLM_WORKER_MULTIPROC_METHOD", "value": "spawn"},
        ],
        "volumeMounts": _SHARED_MEMORY,
        "readinessProbe": _models_ready(failureThreshold=3, periodSeconds=10, timeoutSeconds=5),
        "startupProbe": _models_ready(
            failureThreshold=60, initialDelaySeconds=30, periodSeconds=30, timeoutSeconds=10
        ),
    },
}
#: Runtimes whose container runs as user 1000 (others: as the image says, but not as root).
_USER_1000 = frozenset(("kserve-tensorflow-serving", "kserve-tritonserver", "kserve-torchserve"))
#: Runtimes that do not ask for a user other than root.
_ANY_USER = frozenset(("kserve-vllmserver",))
#: Runtimes that say nothing of rights.
_UNCONFINED = frozenset(("kserve-huggingfaceserver-multinode",))


@cache
def shipped_container(name: str, dialect: Dialect) -> Node | None:
    """The container that serves models, with its placeholders; nothing if it is not known."""
    given = _CONTAINERS.get(name)
    if given is None:
        return None
    image = str(given["image"]).replace("{version}", str(dialect))
    whole: dict[str, Plain] = {"name": SERVING_CONTAINER, "resources": _SMALL, **given}
    whole["image"] = image
    if name not in _UNCONFINED:
        whole["securityContext"] = _security_context(name)
    return constant(whole, f"the runtime {name}, as KServe {dialect} ships it")


def _security_context(name: str) -> Plain:
    rights: dict[str, Plain] = {
        "allowPrivilegeEscalation": False,
        "privileged": False,
        "capabilities": {"drop": ["ALL"]},
    }
    if name not in _ANY_USER:
        rights["runAsNonRoot"] = True
    if name in _USER_1000:
        rights["runAsUser"] = 1000
    return rights


_VOLUMES: dict[str, Plain] = {
    "kserve-huggingfaceserver": [{"name": "devshm", "emptyDir": {"medium": "Memory"}}],
    "kserve-vllmserver": [{"name": "devshm", "emptyDir": {"medium": "Memory"}}],
    "kserve-huggingfaceserver-multinode": [
        {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "3Gi"}}
    ],
}
#: Where servers have their metrics, if not at 8080.
_METRICS = {"kserve-torchserve": "8082", "kserve-tritonserver": "8002"}


@cache
def shipped_runtime(name: str, dialect: Dialect) -> Node | None:
    """The pod fields of a shipped runtime; nothing if it is not known."""
    container = shipped_container(name, dialect)
    if container is None:
        return None
    spec: dict[str, Plain] = {
        "annotations": {
            "prometheus.kserve.io/path": "/metrics",
            "prometheus.kserve.io/port": _METRICS.get(name, "8080"),
        },
        "containers": [container.plain()],
    }
    if name in _VOLUMES:
        spec["volumes"] = _VOLUMES[name]
    return constant(spec, f"the runtime {name}, as KServe {dialect} ships it")


def runtime_container(runtime: Runtime, dialect: Dialect) -> Node | None:
    """The container of a runtime that serves models, if it is known."""
    if runtime.spec is None:
        return shipped_container(runtime.name, dialect)
    listing = elements(runtime.spec.tree, "containers")
    return next((item for item in listing if text(item, "name") == SERVING_CONTAINER), None)
