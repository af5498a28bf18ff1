"""What runs of companions that are workloads: how many pods, and what a rollout adds."""

import pytest

from renderer import render
from renderer.backends.kinds import functions_of
from renderer.values.derivations import Applied, needed_objects
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
companions:
  allow: [CronJob, DaemonSet, Deployment, HorizontalPodAutoscaler, Job, LeaderWorkerSet, Pod,
          PodTemplate, ReplicaSet, ScaledObject, StatefulSet]
"""
LABELS = "selector: {matchLabels: {app: a}}"
POD = "spec: {containers: [{name: c, image: 'example/c:1', resources: {requests: {cpu: 1}}}]}"
TEMPLATE = f"template: {{metadata: {{labels: {{app: a}}}}, {POD}}}"
ENDING = TEMPLATE.replace("spec: {", "spec: {restartPolicy: Never, ")
SERVING = f"{LABELS}, {TEMPLATE}"
LEADERS = "leaderworkerset.x-k8s.io/v1"


def written(version, kind, spec):
    return f"apiVersion: {version}\nkind: {kind}\nspec: {{{spec}}}\n"


def derived(text, other=None):
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
    files |= {"environments/dev/one.yaml": text, "environments/dev/two.yaml": other}
    opened = project(files)
    rendering = render(opened)
    assert not [item for item in rendering.diagnostics if item.severity == "error"]
    manifest = next(item for item in rendering.manifests if item.spec.stem == "one")
    environment = opened.environment("dev")
    needed = needed_objects(rendering.manifests, environment)
    item = Applied(manifest.spec, environment, manifest.tree, needed, "east")
    return functions_of(manifest.spec.kind.name).derive(item, None)


WORKLOADS = {
    "a Deployment": (written("apps/v1", "Deployment", f"replicas: 3, {SERVING}"), [(3, 3, 3)]),
    "one that says no number": (written("apps/v1", "ReplicaSet", SERVING), [(1, 1, 1)]),
    "a StatefulSet of none": (
        written("apps/v1", "StatefulSet", f"replicas: 0, serviceName: a, {SERVING}"), [(0, 0, 0)],
    ),
    "a DaemonSet": (written("apps/v1", "DaemonSet", SERVING), [(1, None, 1)]),
    "a Job": (written("batch/v1", "Job", f"parallelism: 2, {ENDING}"), [(0, 2, 2)]),
    "a suspended Job": (written("batch/v1", "Job", f"suspend: true, {ENDING}"), [(0, 0, 0)]),
    "a CronJob": (
        written("batch/v1", "CronJob", f"schedule: '@daily', jobTemplate: {{spec: {{{ENDING}}}}}"),
        [(0, None, 0)],
    ),
    "a Pod": (f"apiVersion: v1\nkind: Pod\n{POD}\n", [(1, 1, 1)]),
    "groups whose first pods are like the others": (
        written(LEADERS, "LeaderWorkerSet",
                f"replicas: 2, leaderWorkerTemplate: {{size: 4, workerTemplate: {{{POD}}}}}"),
        [(2, 2, 2), (6, 6, 6)],
    ),
    "groups of one": (
        written(LEADERS, "LeaderWorkerSet",
                f"leaderWorkerTemplate: {{leaderTemplate: {{{POD}}}, workerTemplate: {{{POD}}}}}"),
        [(1, 1, 1)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), WORKLOADS.values(), ids=[*WORKLOADS])
def test_the_pods_of_a_workload(text, numbers):
    (unit,) = derived(text).units
    assert unit.unit == "pods"
    assert [(pods.least, pods.most, pods.start) for pods in unit.pods] == numbers


SCALED = written("apps/v1", "Deployment", f"replicas: 9, {SERVING}")
TARGET = "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: one}"


@pytest.mark.parametrize(
    ("scaler", "numbers"),
    [
        (written("autoscaling/v2", "HorizontalPodAutoscaler",
                 f"{TARGET}, minReplicas: 2, maxReplicas: 5"), (2, 5, 5)),
        (written("autoscaling/v2", "HorizontalPodAutoscaler",
                 f"{TARGET.replace('one', 'other')}, maxReplicas: 5"), (9, 9, 9)),
        (written("keda.sh/v1alpha1", "ScaledObject",
                 "scaleTargetRef: {name: one}, triggers: []"), (0, 100, 9)),
    ],
    ids=["autoscaler", "of another one", "KEDA"],
)  # fmt: skip
def test_what_scales_a_workload_counts(scaler, numbers):
    (unit,) = derived(SCALED, scaler).units
    (pods,) = unit.pods
    assert (pods.least, pods.most, pods.start) == numbers


@pytest.mark.parametrize(
    ("kind", "strategy", "expected"),
    [
        ("Deployment", "", ("25%", False)),
        ("Deployment", "strategy: {rollingUpdate: {maxSurge: 2}}, ", ("2", False)),
        ("Deployment", "strategy: {type: Recreate}, ", ("25%", True)),
        ("StatefulSet", "serviceName: a, ", ("0", False)),
        ("DaemonSet", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}, ",
         ("1", False)),
    ],
)  # fmt: skip
def test_what_a_rollout_adds(kind, strategy, expected):
    (unit,) = derived(written("apps/v1", kind, f"{strategy}{SERVING}")).units
    (pods,) = unit.pods
    assert (pods.surge, pods.stop_first) == expected


def test_a_template_alone_runs_nothing():
    assert functions_of("PodTemplate").derive is None
    assert functions_of("ConfigMap").derive is None
