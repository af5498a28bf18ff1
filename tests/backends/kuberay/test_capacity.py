"""What groups of pods ask of their clusters: what runs, what will run, and the time in between."""

from tests.support.kuberay_edits import SPECS, compared, container, edited, group
from tests.support.rows import each

CLUSTER, JOB, SERVICE = "RayCluster", "RayJob", "RayService"
CONFIG, WORKER = "rayClusterConfig", "workerGroupSpecs/0"
BOX = f"{WORKER}/template/spec/containers/0"
NEXT = {f"{BOX}/image": "example.com/ray:2.52.0"}
BIG = {f"{BOX}/resources/{kind}/cpu": "4" for kind in ("requests", "limits")}
SCALED = {"enableInTreeAutoscaling": True, f"{WORKER}/minReplicas": 1, f"{WORKER}/maxReplicas": 4}
FIXED = {"name_suffix": "none"}
SUBMITTER = {"restartPolicy": "Never", "containers": [container("ray-job-submitter", cpu="3")]}
SUBMITTED = {"submitterPodTemplate": {"spec": SUBMITTER}}


def inside(edits, field=CONFIG):
    return {f"{field}/{path}": value for path, value in edits.items()}


def cores(kind, before, after, way="resource", **environment):
    """Cores by unit: before, after, peak."""
    sides = [
        {} if edits is None else {(kind, "x"): edited(SPECS[kind, way], edits)}
        for edits in (before, after)
    ]
    told = compared(*sides, **environment)
    return {row.unit: tuple(map(float, row[4:])) for row in told.capacity if row.resource == "cpu"}


#: A kind, what is there first, what is there then, and cores by unit.
ROWS = {
    "a service comes": (SERVICE, None, {}, {"head": (0, 1, 1), "small": (0, 2, 2)}),
    "a service goes": (SERVICE, {}, None, {"head": (1, 0, 1), "small": (2, 0, 2)}),
    "two clusters": (SERVICE, {}, inside(NEXT), {"head": (1, 1, 2), "small": (2, 2, 4)}),
    "two clusters, one larger": (
        SERVICE, {}, inside(BIG), {"head": (1, 1, 2), "small": (2, 4, 6)},
    ),
    "two clusters at their most": (
        SERVICE, inside(SCALED), inside({**SCALED, **NEXT}),
        {"head": (1.5, 1.5, 3), "small": (2, 2, 16)},
    ),
    "more replicas, later": (
        SERVICE, {}, inside({f"{WORKER}/replicas": 3}), {"small": (2, 6, 6)},
    ),
    "no upgrades": (
        SERVICE, {"upgradeStrategy": {"type": "None"}},
        {"upgradeStrategy": {"type": "None"}, **inside({**BIG, f"{WORKER}/replicas": 3})}, {},
    ),
    "a group at the end": (
        SERVICE, {}, inside({"workerGroupSpecs": [group(), group("big", 2)]}),
        {"big": (0, 4, 4)},
    ),
    "a service is suspended": (
        SERVICE, {}, {"suspend": True}, {"head": (1, 0, 1), "small": (2, 0, 2)},
    ),
    "code": (SERVICE, {}, {"serveConfigV2/applications/0/import_path": "a:b"}, {}),
    "another name": (SERVICE, {}, {"name": "y"}, {"head": (1, 1, 2), "small": (2, 2, 4)}),
    "replicas": (CLUSTER, {}, {f"{WORKER}/replicas": 3}, {"small": (2, 6, 6)}),
    "fewer replicas": (
        CLUSTER, {f"{WORKER}/replicas": 3}, {f"{WORKER}/replicas": 1}, {"small": (6, 2, 6)},
    ),
    "more than it may have": (CLUSTER, {}, {f"{WORKER}/replicas": 9}, {"small": (2, 10, 10)}),
    "hosts": (
        CLUSTER, {f"{WORKER}/numOfHosts": 2}, {f"{WORKER}/numOfHosts": 4}, {"small": (4, 8, 8)},
    ),
    "hosts beside a pod that stays": (
        CLUSTER, {}, {f"{WORKER}/numOfHosts": 2}, {"small": (2, 6, 6)},
    ),
    "two clusters for good": (
        SERVICE, {}, inside({"headGroupSpec/serviceType": "NodePort"}),
        {"head": (1, 2, 2), "small": (2, 4, 4)},
    ),
    "larger pods, which nobody makes": (CLUSTER, {}, BIG, {}),
    "larger pods beside smaller ones": (
        CLUSTER, {}, {**BIG, f"{WORKER}/replicas": 2}, {"small": (2, 6, 6)},
    ),
    "larger pods at once": (
        CLUSTER, {"upgradeStrategy": {"type": "Recreate"}},
        {"upgradeStrategy": {"type": "Recreate"}, **BIG}, {"small": (2, 4, 4)},
    ),
    "a group goes, its pods do not": (
        CLUSTER, {"workerGroupSpecs": [group(), group("big")]}, {}, {},
    ),
    "a cluster is resumed": (
        CLUSTER, {"suspend": True}, {"suspend": False}, {"head": (0, 1, 1), "small": (0, 2, 2)},
    ),
    "the suspend of a cluster goes": (CLUSTER, {"suspend": True}, {}, {}),
    "a group is suspended": (CLUSTER, {}, {f"{WORKER}/suspend": True}, {"small": (2, 0, 2)}),
    "more for the autoscaler": (
        CLUSTER, SCALED, {**SCALED, f"{WORKER}/maxReplicas": 8}, {"small": (2, 2, 16)},
    ),
    "no bound for the autoscaler": (
        CLUSTER, SCALED, {**SCALED, f"{WORKER}/maxReplicas": 2147483647}, {"small": (2, 2, 8)},
    ),
    "a cluster that scales comes": (
        CLUSTER, None, SCALED, {"head": (0, 1.5, 1.5), "small": (0, 2, 8)},
    ),
    "an autoscaler of its own size": (
        CLUSTER, None,
        {**SCALED, "autoscalerOptions": {"resources": {"requests": {"cpu": "2"}}}},
        {"head": (0, 3, 3), "small": (0, 2, 8)},
    ),
    "a refused change": (
        CLUSTER, {"managedBy": "ray.io/kuberay-operator"},
        {"managedBy": "kueue.x-k8s.io/multikueue", f"{WORKER}/replicas": 3}, {},
    ),
    "a job": (JOB, None, {}, {"head": (0, 1, 1), "small": (0, 2, 2), "submitter": (0, 0.5, 0.5)}),
    "a job beside the last run": (
        JOB, {}, {"entrypoint": "python b.py"},
        {"head": (1, 1, 2), "small": (2, 2, 4), "submitter": (0.5, 0.5, 1)},
    ),
    "a submitter of its own size": (
        JOB, None, SUBMITTED, {"head": (0, 1, 1), "small": (0, 2, 2), "submitter": (0, 3, 3)},
    ),
    "no submitter": (
        JOB, None, {"submissionMode": "HTTPMode"}, {"head": (0, 1, 1), "small": (0, 2, 2)},
    ),
    "on another's cluster": (
        JOB, None, {"rayClusterSpec": None, "clusterSelector": {"ray.io/cluster": "lab"}},
        {"submitter": (0, 0.5, 0.5)},
    ),
    "under a fixed name": (
        JOB, FIXED, {**FIXED, **inside({**BIG, f"{WORKER}/replicas": 3}, "rayClusterSpec")}, {},
    ),
    "a job that is kept": (JOB, {}, None, {}),
    "a job that is pruned": (
        JOB, {"prune": True}, None,
        {"head": (1, 0, 1), "small": (2, 0, 2), "submitter": (0.5, 0, 0.5)},
    ),
}  # fmt: skip


@each("kind before after expected", ROWS)
def test_cores(kind, before, after, expected):
    assert cores(kind, before, after) == expected


def test_a_template_in_both_clusters():
    both = ({}, {"template": {"cpu": 4, "memory": 4, "gpu": 1}})
    found = cores(SERVICE, {}, {}, "message", both=both)
    assert found == {"head": (2, 4, 6), "small": (2, 4, 6)}


def test_accelerators_and_memory():
    specs = {(SERVICE, "x"): SPECS[SERVICE, "message"]}
    both = ({}, {"template": {"cpu": 2, "memory": 4, "gpu": 2}})
    rows = compared(specs, specs, both=both).capacity
    found = {(row.unit, row.resource): tuple(map(float, row[4:])) for row in rows}
    assert found["small", "nvidia.com/gpu"] == (0, 2, 2)
    assert found["small", "memory"] == (4 * 2**30, 4 * 2**30, 8 * 2**30)
