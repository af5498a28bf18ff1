"""What `diff` says of an edit of a companion: its class, and the sentence that people need."""

import pytest

from renderer import compare
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
companions:
  allow: [ConfigMap, CronJob, DaemonSet, Deployment, Job, NetworkPolicy, PersistentVolumeClaim,
          PriorityClass, Service, StatefulSet, Widget.example.com]
"""
PODS = "template: {spec: {containers: [{name: c, image: i:1}]}}"
OTHER_PODS = PODS.replace("i:1", "i:2")
ENDING, OTHER_ENDING = (
    pods.replace("spec: {", "spec: {restartPolicy: Never, ") for pods in (PODS, OTHER_PODS)
)


def impacts(before, after):
    """The classes and sentences of one file's edit; nothing is a file that is not there."""

    def state(text):
        files = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
        return project({**files, **({"environments/dev/one.yaml": text} if text else {})})

    found = compare(state(before), state(after))
    return [(impact.effect, impact) for item in found.objects for _, impact in item.impacts]


def written(kind, body, version="v1"):
    return f"apiVersion: {version}\nkind: {kind}\n{body}\n"


APPS, BATCH, NETWORK = "apps/v1", "batch/v1", "networking.k8s.io/v1"
CLAIM = "spec: {{accessModes: [{}], resources: {{requests: {{storage: {}}}}}}}"
EDITS = {
    "created": (None, written("ConfigMap", "data: {a: b}"), "create"),
    "deleted": (written("ConfigMap", "data: {a: b}"), None, "delete"),
    "kept": (written("PersistentVolumeClaim", ""), None, "orphans"),
    "renamed": (
        written("ConfigMap", "metadata: {name: a}\ndata: {a: b}"),
        written("ConfigMap", "metadata: {name: b}\ndata: {a: b}"),
        "recreate",
    ),
    "kept and renamed": (
        written("PersistentVolumeClaim", "metadata: {name: a}"),
        written("PersistentVolumeClaim", "metadata: {name: b}"),
        "orphans",
    ),
    "labels": (
        written("Service", "metadata: {labels: {a: b}}"),
        written("Service", "metadata: {labels: {a: c}}"),
        "in-place",
    ),
    "content": (
        written("ConfigMap", "data: {a: b}"), written("ConfigMap", "data: {a: c}"), "deferred",
    ),
    "immutable content": (
        written("ConfigMap", "immutable: true\ndata: {a: b}"),
        written("ConfigMap", "immutable: true\ndata: {a: c}"),
        "refused",
    ),
    "a plain kind": (
        written("NetworkPolicy", "spec: {podSelector: {}}", NETWORK),
        written("NetworkPolicy", "spec: {podSelector: {matchLabels: {a: b}}}", NETWORK),
        "in-place",
    ),
    "a smaller claim": (
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteOnce", "1Gi")),
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteOnce", "1000Mi")),
        "refused",
    ),
    "a larger claim": (
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteOnce", "1000Mi")),
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteOnce", "1Gi")),
        "unknown",
    ),
    "another access": (
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteOnce", "1Gi")),
        written("PersistentVolumeClaim", CLAIM.format("ReadWriteMany", "1Gi")),
        "refused",
    ),
    "a selector": (
        written("Deployment", "spec: {selector: {matchLabels: {a: b}}}", APPS),
        written("Deployment", "spec: {selector: {matchLabels: {a: c}}}", APPS),
        "refused",
    ),
    "a job": (
        written("Job", f"spec: {{{ENDING}}}", BATCH),
        written("Job", f"spec: {{{OTHER_ENDING}}}", BATCH),
        "refused",
    ),
    "a suspended job": (
        written("Job", f"spec: {{suspend: true, {ENDING}}}", BATCH),
        written("Job", f"spec: {{suspend: true, {OTHER_ENDING}}}", BATCH),
        "unknown",
    ),
    "pods": (
        written("Deployment", f"spec: {{{PODS}}}", APPS),
        written("Deployment", f"spec: {{{OTHER_PODS}}}", APPS),
        "rolling",
    ),
    "pods that stop first": (
        written("Deployment", f"spec: {{strategy: {{type: Recreate}}, {PODS}}}", APPS),
        written("Deployment", f"spec: {{strategy: {{type: Recreate}}, {OTHER_PODS}}}", APPS),
        "recreate",
    ),
    "pods that stay": (
        written("DaemonSet", f"spec: {{updateStrategy: {{type: OnDelete}}, {PODS}}}", APPS),
        written("DaemonSet", f"spec: {{updateStrategy: {{type: OnDelete}}, {OTHER_PODS}}}", APPS),
        "deferred",
    ),
    "a class": (
        written("PriorityClass", "value: 1", "scheduling.k8s.io/v1"),
        written("PriorityClass", "value: 2", "scheduling.k8s.io/v1"),
        "refused",
    ),
    "a kind of which nothing is known": (
        written("Widget", "spec: {size: 1}", "example.com/v1"),
        written("Widget", "spec: {size: 2}", "example.com/v1"),
        "unknown",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "effect"), EDITS.values(), ids=[*EDITS])
def test_the_class_of_an_edit(before, after, effect):
    found = impacts(before, after)
    assert {item for item, _ in found} == {effect}
    assert all("{" not in impact.consequence + impact.advice for _, impact in found)


def test_what_stays_is_named_with_the_command_that_deletes_it():
    claim = written("PersistentVolumeClaim", "metadata: {name: weights}")
    ((_, impact),) = impacts(claim, None)
    assert "`kubectl delete persistentvolumeclaim weights --namespace models`" in impact.advice
    assert "no longer rendered for `east`" in impact.consequence


def test_a_mark_for_one_engine_alone_keeps_nothing():
    marked = "metadata: {annotations: {argocd.argoproj.io/sync-options: Prune=false}}"
    ((effect, _),) = impacts(written("ConfigMap", marked), None)
    assert effect == "delete"


def test_an_object_that_comes_to_another_cluster_too_is_created():
    """It is where it was as well, so that nothing moved."""
    places = "[{name: east, platform: kubernetes}, {name: west, platform: kubernetes}]"
    environment = f"apiVersion: serving.gitops/v1\nkind: Environment\ndestinations: {places}\n"
    states = [
        project(
            {
                "servingctl.yaml": "",
                "environments/dev/environment.yaml": environment,
                "environments/dev/one.yaml": written(
                    "ConfigMap",
                    f"metadata: {{namespace: m}}\n$destination: {where}\ndata: {{a: b}}",
                ),
            }
        )
        for where in ("[east]", "[east, west]")
    ]
    found = compare(*states).objects
    assert [
        (item.change.destination, impact.effect) for item in found for _, impact in item.impacts
    ] == [("west", "create")]
