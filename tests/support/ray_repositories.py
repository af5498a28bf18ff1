"""Repositories of Ray specs made up by Hypothesis: nearly all of them have no errors."""

import copy

from hypothesis import strategies as st

from tests.support.kubernetes_specs import HEADER, environments, metadata, resources, shuffled
from tests.support.ray_specs import MESSAGES, RESOURCES

_CLUSTER_FIELD = {"RayCluster": None, "RayJob": "rayClusterSpec", "RayService": "rayClusterConfig"}
_settings = st.fixed_dictionaries(
    {},
    optional={
        "kuberay": st.fixed_dictionaries(
            {}, optional={"version": st.sampled_from(["1.2.2", "1.4.0", "1.6.1"])}
        )
    },
)
_numbers = st.fixed_dictionaries(
    {},
    optional={
        "replicas": st.integers(0, 2),
        "minReplicas": st.just(0),
        "maxReplicas": st.sampled_from([2, 5, 2147483647]),
        "numOfHosts": st.just(1),
        "scaleStrategy": st.just({}),
    },
)
_job = st.fixed_dictionaries(
    {},
    optional={
        "submissionMode": st.sampled_from(["K8sJobMode", "HTTPMode"]),
        "backoffLimit": st.integers(0, 1),
        "ttlSecondsAfterFinished": st.just(0),
        "shutdownAfterJobFinishes": st.booleans(),
        "name_suffix": st.sampled_from(["none", "hash"]),
        "prune": st.booleans(),
        "runtimeEnvYAML": st.sampled_from(["pip: [a]\n", {"pip": ["a"]}]),
    },
)
_config = {"applications": [{"name": "app", "import_path": "fruit:app", "route_prefix": "/"}]}
_serve = st.sampled_from([
    _config,
    {"http_options": {"port": 8000}, **_config},
    "applications:\n- name: app\n  import_path: fruit:app\n",
    "applications: # of fruit\n  - {name: app, import_path: 'fruit:app'}\n",
])  # fmt: skip


@st.composite
def _templates(draw):
    more = {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]}
    found = {
        "cpu": 2,
        "memory": draw(st.sampled_from([4, 4096])),
        "memoryUnit": draw(st.sampled_from(["Gi", "Mi"])),
        "gpu": draw(st.sampled_from([0, 1])),
        "extendedResources": {"example.com/b": 1, "example.com/a": 2},
        **more,
        "emit": True,
    }
    always = ("cpu", "memory", "emit")
    chosen = [key for key in found if key in always or draw(st.booleans())]
    return {**HEADER, "kind": "ComputeTemplate", **shuffled(draw, {k: found[k] for k in chosen})}


@st.composite
def _clusters(draw):
    """A cluster in the words of the custom resource, with what rendering writes or without."""
    found = copy.deepcopy(RESOURCES["RayCluster"])
    scaled = draw(st.booleans())
    if scaled:
        found["enableInTreeAutoscaling"] = True
    worker = found["workerGroupSpecs"][0]
    for key in ("replicas", "minReplicas", "maxReplicas"):
        del worker[key]
    worker |= draw(_numbers)
    for group in (found["headGroupSpec"], worker):
        container = group["template"]["spec"]["containers"][0]
        if draw(st.booleans()):
            container["ports"] = [{"name": "a", "containerPort": 9}] if group is worker else []
        if draw(st.booleans()):
            group["computeTemplate"] = "small"
            container["resources"] = draw(resources())
    return found


@st.composite
def _workloads(draw, kind, environment):
    own = draw(metadata(environment))
    if draw(st.booleans()):
        found = copy.deepcopy(MESSAGES[kind])
    else:
        cluster = draw(_clusters())
        field = _CLUSTER_FIELD[kind]
        found = {**RESOURCES[kind], field: cluster} if field else cluster
        found = found | (draw(_job) if kind == "RayJob" else {})
    if kind == "RayService":
        found = found | {"serveConfigV2": draw(_serve)}
    return {**HEADER, "kind": kind, **shuffled(draw, {**own, **found})}


@st.composite
def ray_repositories(draw):
    """Files by path: a template, and up to one spec of each of the other kinds."""
    environment = draw(environments(_settings))
    files = {"environments/dev/environment.yaml": environment}
    files["environments/dev/small.yaml"] = draw(_templates())
    kinds = st.lists(st.sampled_from(list(_CLUSTER_FIELD)), min_size=1, max_size=2, unique=True)
    for kind in draw(kinds):
        files[f"environments/dev/{kind.lower()}.yaml"] = draw(_workloads(kind, environment))
    return files
