"""What KServe makes of a graph: the router that calls its services, by the mode of the graph."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.components import AUTOSCALER, EXTERNAL, HPA, replica_bounds
from renderer.backends.kserve.derive.autoscalers import horizontal_autoscaler
from renderer.backends.kserve.derive.pod import HTTP
from renderer.backends.kserve.derive.service_plan import Workload, applied_mode, is_stopped
from renderer.backends.kserve.derive.storage import OWN_AMOUNTS
from renderer.backends.kserve.derive.summaries import summarise
from renderer.backends.kserve.derive.workloads import (
    DEFAULT_UPDATE,
    LOCAL,
    knative_scaling,
    make_service,
)
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.settings import KServeSettings
from renderer.derive.located import located
from renderer.derive.pods import Bounds
from renderer.kubernetes.data import Data, make_object, mapping, number, texts
from renderer.values.derivations import Applied, Derivation, DerivedUnit, Pods
from renderer.values.tree import Node, Plain
from renderer.values.unit_details import Address

ROUTER = "router"
_FIRST = "autoscaling.knative.dev/initial-scale"
_GRAPH_LABEL = "serving.kserve.io/inferencegraph"
POD_FIELDS = ("affinity", "tolerations", "nodeSelector", "nodeName", "serviceAccountName")
_STOPPED = "the graph is stopped (annotation serving.kserve.io/stop)"
_INSIDE = "within the cluster"
_NOTES = (
    "KServe writes the addresses of the services into --graph-json once they are ready; one that "
    "changes later is not followed until the graph is edited",
    "the image of the router and its amounts are those of the configuration that KServe ships; a "
    "cluster may have others (inferenceservice-config)",
)
_INNER = "in the mode Standard there is no way in from outside the cluster"


def derive(applied: Applied, former: Derivation | None) -> Derivation:  # noqa: ARG001
    """The only unit of a graph is its router, at which KServe may stop."""
    bare = DerivedUnit(applied.destination, ROUTER, path=("spec",))
    if is_stopped(applied):
        return Derivation((bare._replace(problem=_STOPPED),))
    mode = applied_mode(applied)
    fields = located(applied.tree.get("spec"))
    workload = Workload(ROUTER, ROUTER, applied.name, ("spec",), fields)
    is_knative = mode in (KNATIVE, MODEL_MESH)
    least, most = (number(fields, key) for key in ("minReplicas", "maxReplicas"))
    bounds = replica_bounds(least, most, KNATIVE if is_knative else mode, HPA)
    make = _knative_objects if is_knative else _standard_objects
    objects = tuple(summarise(item, workload) for item in make(applied, workload, bounds))
    pod = objects[0].tree.get("spec", "template", "spec") or Node({}, applied.tree.origin)
    start = max(bounds[0], 1) if is_knative else 1
    surge = "" if is_knative else "25%"
    pods = Pods(*bounds, start, pod, surge, shares_requests=is_knative)
    unit = bare._replace(
        pods=(pods,),
        objects=objects,
        addresses=(_address(applied),),
        notes=_NOTES if is_knative else (*_NOTES, _INNER),
    )
    return Derivation((unit,), applied.obstacles)


def _address(applied: Applied) -> Address:
    namespace = applied.namespace or "<namespace>"
    url = f"http://{applied.name}.{namespace}.svc.cluster.local"
    return Address("request", url, _INSIDE, method="POST", body='{"instances":[]}')


def _pod(applied: Applied, fields: Data) -> Data:
    version = KServeSettings.of(applied.environment).dialect
    graph = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    container: Data = {
        "name": applied.name,
        "image": f"kserve/router:v{version}",
        "imagePullPolicy": "IfNotPresent",
        "args": ["--graph-json", graph],
        "resources": mapping(fields, "resources") or OWN_AMOUNTS,
        "readinessProbe": {
            "httpGet": {"path": "/readyz", "port": HTTP, "scheme": "HTTP"},
            "initialDelaySeconds": 5,
            "timeoutSeconds": 2,
            "periodSeconds": 5,
            "successThreshold": 1,
            "failureThreshold": 3,
        },
        "securityContext": {
            "privileged": False,
            "runAsNonRoot": True,
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        },
    }
    kept: Data = {key: fields[key] for key in POD_FIELDS if key in fields}
    return {"containers": [container], "automountServiceAccountToken": False, **kept}


def _labels(applied: Applied) -> dict[str, str]:
    about = located(applied.tree.get("metadata"))
    return {**texts(about, "labels"), _GRAPH_LABEL: applied.name}


def _annotations(applied: Applied) -> dict[str, str]:
    return texts(located(applied.tree.get("metadata")), "annotations")


def _standard_objects(applied: Applied, workload: Workload, bounds: Bounds) -> Iterator[Data]:
    app = {"app": f"isvc.{applied.name}"}
    about: Data = {
        "name": applied.name,
        "namespace": applied.namespace or "<namespace>",
        "labels": {**_labels(applied), **app},
        "annotations": {**_annotations(applied)},
    }
    pod = _pod(applied, workload.fields)
    spec: Data = {
        "replicas": 1,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": DEFAULT_UPDATE},
        "selector": {"matchLabels": {**app}},
        "template": {"metadata": about, "spec": pod},
    }
    yield make_object("apps/v1", "Deployment", about, spec)
    yield make_service(workload, pod, about)
    if applied.annotation(AUTOSCALER) not in (EXTERNAL, "none"):
        yield horizontal_autoscaler(workload, bounds, about)


def _is_dropped(key: str, note: str) -> bool:
    """KServe takes away a first number of pods that is none, or 0, which Knative must allow."""
    return key == _FIRST and not note.strip("0").isdigit()


def _knative_objects(applied: Applied, workload: Workload, bounds: Bounds) -> Iterator[Data]:
    labels, own = _labels(applied), texts(located(applied.tree.get("metadata")), "labels")
    notes = {key: note for key, note in _annotations(applied).items() if not _is_dropped(key, note)}
    pod = _pod(applied, workload.fields)
    timeout = number(workload.fields, "timeout")
    containers: Plain = [
        {key: value for key, value in container.items() if key != "name"}
        for container in pod["containers"]  # type: ignore[union-attr]
        if isinstance(container, dict)
    ]
    spec: Data = {**pod, "containers": containers}
    spec |= {} if timeout is None else {"timeoutSeconds": timeout}
    scaling = knative_scaling(workload.fields, bounds, notes)
    inner_labels: Data = {key: label for key, label in labels.items() if key != LOCAL}
    inner: Data = {
        "labels": {**inner_labels, "serving.kserve.io/kind": "InferenceGraph"},
        "annotations": {**notes, **scaling},
    }
    about: Data = {
        "name": applied.name,
        "namespace": applied.namespace or "<namespace>",
        "labels": {**own},
    }
    template: Plain = {"metadata": inner, "spec": spec}
    yield make_object("serving.knative.dev/v1", "Service", about, {"template": template})
