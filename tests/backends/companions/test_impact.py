"""What `diff` says of an edit of a companion: its class, and the sentence that people need."""

import pytest

from renderer import compare
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
companions:
  allow: [ConfigMap, CronJob, DaemonSet, Deployment, ExternalSecret, Job, LocalQueue, Namespace,
          NetworkPolicy, PersistentVolume, PersistentVolumeClaim, PriorityClass, ReplicaSet,
          Service, StatefulSet, StorageClass, Widget.example.com]
"""
TEMPLATE = "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i:1}]}}"
PODS = f"selector: {{matchLabels: {{a: b}}}}, {TEMPLATE}"
SELECTOR = PODS.replace("labels: {a: b}", "labels: {a: b, c: d}")
OTHER_SELECTOR = SELECTOR.replace("matchLabels: {a: b}", "matchLabels: {c: d}")
OTHER_PODS = PODS.replace("i:1", "i:2")
ENDING, OTHER_ENDING = (
    pods.replace("spec: {", "spec: {restartPolicy: Never, ")
    for pods in (TEMPLATE, TEMPLATE.replace("i:1", "i:2"))
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
SECRETS = "external-secrets.io/v1"
BOTH = "{maxSurge: 1, maxUnavailable: 0}"
CLAIM = "spec: {{accessModes: [{}], resources: {{requests: {{storage: {}}}}}}}"
SMALL_CLAIM = CLAIM.format("ReadWriteOnce", "1Gi")
VOLUME = (
    "spec: {{accessModes: [ReadWriteOnce], capacity: {{storage: 1Gi}}, "
    "nfs: {{server: a, path: /a}}, "
    "nodeAffinity: {{required: {{nodeSelectorTerms: [{}]}}}}}}"
)
EDITS = {
    "created": (None, written("ConfigMap", "data: {a: b}"), "create"),
    "deleted": (written("ConfigMap", "data: {a: b}"), None, "delete"),
    "kept": (written("PersistentVolumeClaim", SMALL_CLAIM), None, "orphans"),
    "renamed": (
        written("ConfigMap", "metadata: {name: a}\ndata: {a: b}"),
        written("ConfigMap", "metadata: {name: b}\ndata: {a: b}"),
        "recreate",
    ),
    "kept and renamed": (
        written("PersistentVolumeClaim", "metadata: {name: a}\n" + SMALL_CLAIM),
        written("PersistentVolumeClaim", "metadata: {name: b}\n" + SMALL_CLAIM),
        "orphans",
    ),
    "labels": (
        written("Service", "metadata: {labels: {a: b}}"),
        written("Service", "metadata: {labels: {a: c}}"),
        "in-place",
    ),
    "content that nothing reads": (
        written("ConfigMap", "data: {a: b}"), written("ConfigMap", "data: {a: c}"), "in-place",
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
        written("Deployment", f"spec: {{{SELECTOR}}}", APPS),
        written("Deployment", f"spec: {{{OTHER_SELECTOR}}}", APPS),
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
        "refused",
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
    "pods of what is paused": (
        written("Deployment", f"spec: {{paused: true, {PODS}}}", APPS),
        written("Deployment", f"spec: {{paused: true, {OTHER_PODS}}}", APPS),
        "deferred",
    ),
    "pods that nothing replaces": (
        written("ReplicaSet", f"spec: {{{PODS}}}", APPS),
        written("ReplicaSet", f"spec: {{{OTHER_PODS}}}", APPS),
        "deferred",
    ),
    "pods of every node": (
        written("DaemonSet", f"spec: {{{PODS}}}", APPS),
        written("DaemonSet", f"spec: {{{OTHER_PODS}}}", APPS),
        "rolling",
    ),
    "a strategy whose settings Git has": (
        written("Deployment", f"spec: {{strategy: {{rollingUpdate: {BOTH}}}, {PODS}}}", APPS),
        written("Deployment", f"spec: {{strategy: {{type: Recreate}}, {PODS}}}", APPS),
        "in-place",
    ),
    "the node of a volume": (
        written("PersistentVolume", VOLUME.format("")),
        written("PersistentVolume", VOLUME.format("{}")),
        "refused",
    ),
    "the queue of a queue": (
        written("LocalQueue", "spec: {clusterQueue: a}", "kueue.x-k8s.io/v1beta1"),
        written("LocalQueue", "spec: {clusterQueue: b}", "kueue.x-k8s.io/v1beta1"),
        "refused",
    ),
    "finalizers": (
        written("Namespace", "spec: {finalizers: [kubernetes]}"),
        written("Namespace", "spec: {finalizers: []}"),
        "ignored",
    ),
    "another Secret": (
        written("ExternalSecret", "spec: {target: {name: a}}", SECRETS),
        written("ExternalSecret", "spec: {target: {name: b}}", SECRETS),
        "recreate",
    ),
    "another Secret, of which the first stays": (
        written("ExternalSecret", "spec: {target: {name: a, creationPolicy: Orphan}}", SECRETS),
        written("ExternalSecret", "spec: {target: {name: b, creationPolicy: Orphan}}", SECRETS),
        "orphans",
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
    claim = written("PersistentVolumeClaim", "metadata: {name: weights}\n" + SMALL_CLAIM)
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


@pytest.mark.parametrize(
    ("known", "claim", "effect"),
    [
        ("metadata: {name: fast}\nallowVolumeExpansion: true", "fast", "in-place"),
        ("metadata: {name: fast}", "fast", "refused"),
        ("metadata: {name: other}\nallowVolumeExpansion: true", "fast", "unknown"),
        (
            "metadata: {name: fast, annotations: "
            '{storageclass.kubernetes.io/is-default-class: "true"}}\nallowVolumeExpansion: true',
            None,
            "in-place",
        ),
        ("metadata: {name: fast}\nallowVolumeExpansion: true", '""', "refused"),
    ],
    ids=["grows", "does not", "another", "default", "none"],
)
def test_a_claim_grows_if_its_class_is_in_git_and_allows_it(known, claim, effect):
    chosen = f", storageClassName: {claim}" if claim else ""

    def state(amount):
        spec = CLAIM.format("ReadWriteOnce", amount).removesuffix("}") + chosen + "}"
        files = {
            "servingctl.yaml": "",
            "environments/dev/environment.yaml": ENVIRONMENT,
            "environments/dev/claim.yaml": written("PersistentVolumeClaim", spec),
            "environments/dev/class.yaml": written(
                "StorageClass", f"provisioner: x\n{known}", "storage.k8s.io/v1"
            ),
        }
        return project(files)

    found = compare(state("1Gi"), state("2Gi")).objects
    assert [impact.effect for item in found for _, impact in item.impacts] == [effect]
