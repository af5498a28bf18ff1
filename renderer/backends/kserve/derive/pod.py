"""The pod of a component as KServe's controller writes it, before its webhook sees it."""

from renderer.backends.kserve.components import EXPLAINER, PREDICTOR
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.derive.storage import ModelSource, mount_models
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.knative_fields import DROPPED_FIELDS, DROPPED_IN_CONTAINERS
from renderer.backends.kserve.merged_container import (
    MODELS,
    TRANSFORMER_CONTAINER,
    add_service_name,
    pod_fields,
    predictor_pod,
)
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.data import Data, container_named, items, mapping, number, words
from renderer.values.tree import Plain

HTTP = 8080
#: Stands for what a runtime brings that is kept elsewhere.
UNKNOWN_IMAGE = "<image of the runtime>"
_PORT_OPTION = ("--http_port", str(HTTP))
_EXPLAINER_FIELDS = frozenset(("type", "storageUri", "runtimeVersion", "config"))
_ART_IMAGE = "kserve/art-explainer"
#: Volumes that Knative lets containers write into.
_WRITABLE_VOLUMES = frozenset(("emptyDir", "persistentVolumeClaim"))
#: A Knative Service keeps it although all in it was dropped: another template than without it.
_KEPT_EMPTY = "securityContext"
_PROBED = (SERVING_CONTAINER, TRANSFORMER_CONTAINER)


def make_pod(plan: ServicePlan, workload: Workload) -> Data:
    """The spec of the pod template, without the defaults of Kubernetes."""
    pod = _bare_pod(plan, workload)
    if not workload.is_canary:  # by its source, several addresses are not handed on to canaries
        sources = [
            ModelSource(str(item.get("uri")), str(item.get("mountPath") or MODELS))
            for item in items(workload.fields, "storageUris")
        ]
        pod = mount_models(pod, sources, plan) if sources else pod
    containers = items(pod, "containers")
    if plan.mode == STANDARD:
        return {**pod, "containers": [_default_container(item) for item in containers]}
    kept = {key: value for key, value in pod.items() if key not in DROPPED_FIELDS}
    writable = {
        item.get("name") for item in items(pod, "volumes") if _WRITABLE_VOLUMES & item.keys()
    }
    done = [_read_only_mounts(_knative_container(item), writable) for item in containers]
    return {**kept, "containers": list[Plain](done)}


def _bare_pod(plan: ServicePlan, workload: Workload) -> Data:
    if workload.kind == PREDICTOR and workload.model:
        return _add_unknown_image(predictor_pod(workload.runtime, workload.fields, plan.metadata))
    given = items(workload.fields, "containers") or [{"name": SERVING_CONTAINER}]
    if workload.kind == PREDICTOR:
        own = container_named(given, SERVING_CONTAINER)
        containers = [own, *given[1:]] if own else given
        done = [add_service_name(item, plan.metadata) for item in containers]
    elif workload.kind == EXPLAINER:
        art = mapping(workload.fields, "art")
        done = (
            [_art_container(plan, workload, art)]
            if art
            else [_helper_container(plan, workload, given[0]), *given[1:]]
        )
    else:
        first = add_service_name(_helper_container(plan, workload, given[0]), plan.metadata)
        done = [first, *given[1:]]
    return {**pod_fields(workload.fields), "containers": list[Plain](done)}


def _add_unknown_image(pod: Data) -> Data:
    """A marker stands for the image of a runtime that is not known here."""
    first, *rest = items(pod, "containers")
    return {**pod, "containers": [{"image": UNKNOWN_IMAGE, **first}, *rest]}


def _helper_container(plan: ServicePlan, workload: Workload, container: Data) -> Data:
    """A transformer or explainer with options for its model and its predictor's host."""
    args = words(container, "args")
    always = _PORT_OPTION[0] if workload.kind == EXPLAINER else ""
    more = [
        word
        for option, value in _helper_options(plan, workload)
        if option == always or not _has_option(args, option)
        for word in (option, value)
    ]
    return {**container, "args": list[Plain]([*args, *more])}


def _helper_options(plan: ServicePlan, workload: Workload) -> list[tuple[str, str]]:
    told = [
        ("--model_name", plan.metadata.name),
        ("--predictor_host", f"{plan.predictor.name}.{plan.metadata.namespace}"),
        _PORT_OPTION,
    ]
    workers = number(workload.fields, "containerConcurrency")
    return told if workers is None else [*told, ("--workers", str(workers))]


def _has_option(args: list[str], option: str) -> bool:
    return any(word.split("=")[0] == option for word in args)


def _art_container(plan: ServicePlan, workload: Workload, art: Data) -> Data:
    """The explainer that KServe ships; its own arguments come twice, as in KServe."""
    own = words(art, "args")
    name, host, *rest = _helper_options(plan, workload)
    args = [*name, *_PORT_OPTION]
    for option, value in (host, *rest[1:]):
        args += () if _has_option(own, option) else (option, value)
    args += ("--storage_uri", MODELS) if art.get("storageUri") else ()
    args += ("--adversary_type", str(art.get("type") or ""))
    for key, said in sorted(mapping(art, "config").items()):
        args += (f"--{key}", str(said))
    version = art.get("runtimeVersion") or "latest"
    container = {key: value for key, value in art.items() if key not in _EXPLAINER_FIELDS}
    image = container.get("image") or f"{_ART_IMAGE}:{version}"
    return {**container, "image": image, "args": list[Plain]([*args, *own, *own])}


def _default_container(container: Data) -> Data:
    """The pull policy and the probe that the controller adds by default."""
    done = {"imagePullPolicy": "IfNotPresent", **container}
    if container.get("name") in _PROBED and "readinessProbe" not in container:
        done["readinessProbe"] = {"tcpSocket": {"port": first_port(container)}}
    return done


def _knative_container(container: Data) -> Data:
    """What Knative keeps; it probes the port that it chooses, which it writes as 0."""
    for path in DROPPED_IN_CONTAINERS:
        container = _drop(container, path)
    if container.get("name") != SERVING_CONTAINER or "readinessProbe" in container:
        return container
    return {**container, "readinessProbe": {"tcpSocket": {"port": 0}}}


def _read_only_mounts(container: Data, writable: set[Plain]) -> Data:
    """Knative lets nobody write into other volumes than a few (observed)."""
    if "volumeMounts" not in container:
        return container
    mounts: list[Plain] = [
        mount if mount.get("name") in writable else {**mount, "readOnly": True}
        for mount in items(container, "volumeMounts")
    ]
    return {**container, "volumeMounts": mounts}


def _drop(data: Data, path: tuple[str, ...]) -> Data:
    """The data without what stands at a path, nor what is empty without it, but for one field."""
    key, *rest = path
    if key not in data:
        return data
    child = data[key]
    below: Plain = {}
    if rest and isinstance(child, list):
        below = [_drop(item, tuple(rest)) for item in items(data, key)]
    elif rest:
        below = _drop(mapping(data, key), tuple(rest))
    is_kept = bool(below) or (bool(rest) and key == _KEPT_EMPTY)
    return {name: below if name == key else data[name] for name in data if name != key or is_kept}


def first_port(container: Data) -> int:
    """The port that a container is called at."""
    ports = items(container, "ports")
    return (number(ports[0], "containerPort") if ports else None) or HTTP


def called_container(pod: Data) -> Data:
    """The container that requests reach: a transformer beside the model, else the first."""
    listing = items(pod, "containers")
    return container_named(listing, TRANSFORMER_CONTAINER) or listing[0]
