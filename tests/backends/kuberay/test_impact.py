"""What an edit does to clusters, jobs and services that run: single edits, in both vocabularies."""

from typing import NamedTuple

import pytest

from renderer.backends.kuberay.behaviour.objects import KINDS
from renderer.changes.demand import demands
from renderer.derive.behaviour import ChangeKind
from renderer.values.changes import Comparison
from tests.support import kuberay_states as states
from tests.support.kuberay_edits import SPECS, compared, edited, effects, group, said
from tests.support.rows import each

M, R = "message", "resource"
CLUSTER, JOB, SERVICE = "RayCluster", "RayJob", "RayService"
CONFIG, WORKER = "rayClusterConfig", "workerGroupSpecs/0"
HEAD_BOX = "headGroupSpec/template/spec/containers/0"
BOX = f"{WORKER}/template/spec/containers/0"
MESSAGE_GROUP = "clusterSpec/workerGroupSpec/0"
APP = "serveConfigV2/applications/0"
SECOND = {"name": "second", "import_path": "fruit:second", "route_prefix": "/second"}
TOLERATION = [{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}]
FT, ROCKS = {"redisAddress": "redis:6379"}, {"backend": "rocksdb", "storage": {"size": "1Gi"}}
OTHER = "example.com/ray:2.52.0"
SUBMITTER = {
    "spec": {"restartPolicy": "Never", "containers": [{"name": "submit", "image": OTHER}]},
}
INCREMENTAL = {
    "type": "NewClusterWithIncrementalUpgrade",
    "clusterUpgradeOptions": {
        "stepSizePercent": 10,
        "intervalSeconds": 10,
        "gatewayClassName": "istio",
    },
}
ALL = ("head", "small")


def every(effect, *more):
    return dict.fromkeys((*ALL, *more), effect)


class Row:
    """An edit: of what, what is there first, what changes, and what that does."""

    def __init__(self, kind, way, edits, expected, words="", *, first=None, **environment):
        self.kind, self.way, self.edits, self.expected = kind, way, edits, expected
        self.words, self.first, self.environment = words, first or {}, environment

    def told(self):
        before = edited(SPECS[self.kind, self.way], self.first)
        after = edited(before, self.edits)
        one, other = ({(self.kind, "x"): side} for side in (before, after))
        return compared(one, other, **self.environment)


def in_config(*edits, **more):
    return {f"{CONFIG}/{path}": value for path, value in (*edits, *more.items())}


REPLACED = every("replace")
SERVICES = {
    "an image": Row(
        SERVICE, R, in_config((f"{HEAD_BOX}/image", OTHER)), REPLACED,
        "`rayClusterConfig.headGroupSpec.template.spec.containers[ray-head].image` changed",
    ),
    "an image of a message": Row(
        SERVICE, M, {f"{MESSAGE_GROUP}/image": OTHER}, REPLACED,
        "deleted 60 s later",
    ),
    "the version of a message": Row(SERVICE, M, {"version": "2.53.0"}, REPLACED, ".rayVersion`"),
    "a variable": Row(
        SERVICE, R, in_config((f"{BOX}/env", [{"name": "A", "value": "a"}])), REPLACED, ".env`",
    ),
    "the order of variables": Row(
        SERVICE, R, in_config((f"{BOX}/env", lambda old: old[::-1])), REPLACED, ".env`",
        first=in_config((f"{BOX}/env", [{"name": n, "value": "1"} for n in "AB"])),
    ),
    "a pod's annotation": Row(
        SERVICE, R, in_config(("headGroupSpec/template/metadata/annotations", {"a": "b"})),
        REPLACED, "template.metadata`",
    ),
    "the type of the Service": Row(
        SERVICE, R, in_config(("headGroupSpec/serviceType", "NodePort")), every("breaks"),
        "never switches to it",
    ),
    "the type of the Service that is described": Row(
        SERVICE, R, in_config(("headGroupSpec/headService", {"spec": {"type": "NodePort"}})),
        every("breaks"), "never switches to it",
    ),
    "the type of the Service, which had another one": Row(
        SERVICE, R, in_config(("headGroupSpec/serviceType", "LoadBalancer")), REPLACED,
        "serviceType", first=in_config(("headGroupSpec/serviceType", "NodePort")),
    ),
    "annotations of the head's Service": Row(
        SERVICE, M, {"clusterSpec/headServiceAnnotations": {"a": "b"}}, REPLACED,
        "headServiceAnnotations",
    ),
    "autoscaling": Row(
        SERVICE, R, in_config(("enableInTreeAutoscaling", True)), REPLACED,
        "enableInTreeAutoscaling",
    ),
    "a longer delay": Row(
        SERVICE, R, in_config(("rayVersion", "2.53.0")), REPLACED, "deleted 300 s later",
        first={"rayClusterDeletionDelaySeconds": 300},
    ),
    "steps": Row(
        SERVICE, R, in_config(("rayVersion", "2.53.0")), REPLACED, "in steps",
        first={"upgradeStrategy": INCREMENTAL, f"{CONFIG}/enableInTreeAutoscaling": True},
    ),
    "no upgrades": Row(
        SERVICE, R, in_config(("rayVersion", "2.53.0")), every("ignored"), "allows no second one",
        first={"upgradeStrategy": {"type": "None"}},
    ),
    "numbers without upgrades": Row(
        SERVICE, R, in_config((f"{WORKER}/replicas", 2)), {"small": "deferred"}, "only the next",
        first={"upgradeStrategy": {"type": "None"}},
    ),
    "upgrades are allowed": Row(
        SERVICE, R, {"upgradeStrategy": {"type": "NewCluster"}}, every("in-place"),
        "starts a new cluster at once", first={"upgradeStrategy": {"type": "None"}},
    ),
    "upgrades are allowed, and used": Row(
        SERVICE, R, {"upgradeStrategy/type": "NewCluster", f"{CONFIG}/rayVersion": "2.53.0"},
        every("in-place replace"), "second cluster", first={"upgradeStrategy": {"type": "None"}},
    ),
    "replicas": Row(
        SERVICE, R, in_config((f"{WORKER}/replicas", 2)), {"small": "deferred"},
        "`rayClusterConfig.workerGroupSpecs[small].replicas` is not among what KubeRay compares",
    ),
    "bounds of a message": Row(
        SERVICE, M, {f"{MESSAGE_GROUP}/maxReplicas": 4}, {"small": "deferred"}, "by hand",
    ),
    "bounds before 1.2": Row(
        SERVICE, R, in_config((f"{WORKER}/maxReplicas", 9)), REPLACED, "", version="1.1.0",
    ),
    "tolerations": Row(
        SERVICE, R, in_config((f"{WORKER}/template/spec/tolerations", TOLERATION)),
        {"small": "deferred"}, "only the next one",
    ),
    "tolerations before 1.5.2": Row(
        SERVICE, R, in_config((f"{WORKER}/template/spec/tolerations", TOLERATION)), REPLACED,
        "tolerations", version="1.5.1",
    ),
    "replicas beside an image": Row(
        SERVICE, R,
        in_config((f"{WORKER}/replicas", 2), (f"{HEAD_BOX}/image", OTHER)),
        REPLACED, "which this change starts anyway",
    ),
    "a group at the end": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda old: [*old, group("big")])),
        {"big": "create"}, "new group",
    ),
    "a group at the end, and replicas": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda _: [group(replicas=2), group("big")])),
        {"big": "create", "small": "in-place"}, "now has 2 pods (before: 1 pod)",
    ),
    "a group at the end, and tolerations": Row(
        SERVICE, R,
        in_config(
            (f"{WORKER}/template/spec/tolerations", TOLERATION),
            ("workerGroupSpecs", lambda old: [*old, group("big")]),
        ),
        {"big": "create", "small": "deferred"}, "only pods that are made from now on",
    ),
    "a group at the end without upgrades": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda old: [*old, group("big")])),
        {"big": "create"}, "", first={"upgradeStrategy": {"type": "None"}},
    ),
    "the first group": Row(
        SERVICE, R, in_config(("workerGroupSpecs", [group()])), {"small": "create"}, "",
        first=in_config(("workerGroupSpecs", None)),
    ),
    "a group at the beginning": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda old: [group("big"), *old])),
        every("replace", "big"), "`rayClusterConfig.workerGroupSpecs[big]` changed",
    ),
    "groups in another order": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda old: old[::-1])),
        every("replace", "big"), "",
        first=in_config(("workerGroupSpecs", [group(), group("big")])),
    ),
    "a group that goes": Row(
        SERVICE, R, in_config(("workerGroupSpecs", lambda old: old[:1])),
        every("replace", "big"), "",
        first=in_config(("workerGroupSpecs", [group(), group("big")])),
    ),
    "a group of another name": Row(
        SERVICE, R, in_config((f"{WORKER}/groupName", "tiny")), every("replace", "tiny"), "",
    ),
    "code": Row(
        SERVICE, R, {f"{APP}/import_path": "fruit:other"}, every("in-place"),
        "`serveConfigV2.applications[app].import_path` changed: KubeRay sends",
    ),
    "an application is new": Row(
        SERVICE, R, {"serveConfigV2/applications": lambda old: [*old, SECOND]}, every("in-place"),
        "starts the application",
    ),
    "an application is renamed": Row(
        SERVICE, R, {f"{APP}/name": "other"}, every("in-place"), "the application of the old name",
    ),
    "an application goes": Row(
        SERVICE, R, {"serveConfigV2/applications": lambda old: old[:1]}, every("in-place"),
        "stops the application",
        first={"serveConfigV2/applications": lambda old: [*old, SECOND]},
    ),
    "replicas of a deployment": Row(
        SERVICE, M, {f"{APP}/deployments": [{"name": "D", "num_replicas": 2}]}, every("in-place"),
        "without replacing replicas",
        first={f"{APP}/deployments": [{"name": "D", "num_replicas": 1}]},
    ),
    "the text of the configuration": Row(
        SERVICE, R,
        {"serveConfigV2": "# apps\napplications: [{name: app, import_path: 'fruit:app'}]\n"},
        every("in-place"), "but says the same",
        first={"serveConfigV2": "applications: [{name: app, import_path: 'fruit:app'}]\n"},
    ),
    "the port of requests": Row(
        SERVICE, R, {"serveConfigV2/http_options": {"keep_alive_timeout_s": 9}}, every("ignored"),
        "reads `serveConfigV2.http_options` when it starts",
    ),
    "the configuration and the cluster": Row(
        SERVICE, R, {f"{APP}/import_path": "a:b", f"{CONFIG}/rayVersion": "2.53.0"}, REPLACED,
        "only the new cluster gets it",
    ),
    "both before 1.4": Row(
        SERVICE, R, {f"{APP}/import_path": "a:b", f"{CONFIG}/rayVersion": "2.53.0"}, REPLACED,
        "Make it two commits", version="1.3.2",
    ),
    "the Service for requests": Row(
        SERVICE, R, {"serveService": {"spec": {"type": "NodePort"}}}, every("deferred"),
        "delete the Service `x-serve-svc`",
    ),
    "the Service for requests, which has a name": Row(
        SERVICE, R, {"serveService/metadata/labels": {"a": "b"}}, every("deferred"),
        "delete the Service `public`", first={"serveService": {"metadata": {"name": "public"}}},
    ),
    "a name for the Service for requests": Row(
        SERVICE, R, {"serveService": {"metadata": {"name": "public"}}}, every("orphans"),
        "makes the Service `public` for requests and leaves `x-serve-svc` as it is (observed)",
        version="1.6.1",
    ),
    "another name for the Service for requests": Row(
        SERVICE, R, {"serveService/metadata/name": "b"}, every("orphans"),
        "makes the Service `b` for requests and leaves `a` as it is",
        first={"serveService": {"metadata": {"name": "a"}}},
    ),
    "no name for the Service for requests": Row(
        SERVICE, R, {"serveService": None}, every("orphans"),
        "makes the Service `x-serve-svc` for requests and leaves `a` as it is",
        first={"serveService": {"metadata": {"name": "a"}}},
    ),
    "another name and type for the Service for requests": Row(
        SERVICE, R, {"serveService/metadata/name": "b", "serveService/spec/type": "NodePort"},
        every("in-place orphans"), "`serveService.spec.type` counts in the new Service `b`",
        first={"serveService": {"metadata": {"name": "a"}, "spec": {"type": "ClusterIP"}}},
    ),
    "another name for the Service for requests, and the cluster": Row(
        SERVICE, R, {"serveService/metadata/name": "b", f"{CONFIG}/rayVersion": "2.53.0"},
        every("orphans replace"), "leaves `a` as it is",
        first={"serveService": {"metadata": {"name": "a"}}},
    ),
    "a Service for requests that steps do not use": Row(
        SERVICE, R, {"serveService": {"metadata": {"name": "public"}}}, every("deferred"),
        "not the Service for requests",
        first={"upgradeStrategy": INCREMENTAL, f"{CONFIG}/enableInTreeAutoscaling": True},
    ),
    "the Service for requests and the cluster": Row(
        SERVICE, R,
        {"serveService": {"spec": {"type": "NodePort"}}, f"{CONFIG}/rayVersion": "2.53.0"},
        REPLACED, "`serveService` counts in the new cluster",
    ),
    "the head serves nobody": Row(
        SERVICE, R, {"excludeHeadPodFromServeSvc": True}, every("in-place"), "labels the head's",
    ),
    "the delay": Row(
        SERVICE, R, {"rayClusterDeletionDelaySeconds": 5}, every("in-place"), "replaced from now",
    ),
    "a threshold": Row(
        SERVICE, M, {"serviceUnhealthySecondThreshold": 900}, every("ignored"), "Remove it.",
    ),
    "a label": Row(SERVICE, R, {"labels": {"a": "b"}}, every("in-place"), "on the object only"),
    "the timeout": Row(
        SERVICE, R, {"annotations": {"ray.io/initializing-timeout": "30m"}}, every("in-place"),
        "not ready yet", first={"annotations": {"ray.io/initializing-timeout": "10m"}},
    ),
    "fault tolerance": Row(
        SERVICE, R, {"annotations": {"ray.io/ft-enabled": "true", "a": "b"}},
        every("deferred"), "when it makes one", first={"annotations": {"a": "b"}},
    ),
    "fault tolerance and the cluster": Row(
        SERVICE, R,
        {"annotations": {"ray.io/ft-enabled": "true", "a": "b"}, f"{CONFIG}/rayVersion": "2.53.0"},
        REPLACED, "The annotation `ray.io/ft-enabled` counts", first={"annotations": {"a": "b"}},
    ),
    "it is suspended": Row(SERVICE, R, {"suspend": True}, every("delete"), "and its Services"),
    "it is resumed": Row(
        SERVICE, R, {"suspend": False, f"{CONFIG}/rayVersion": "2.53.0"}, every("create"),
        "a new cluster", first={"suspend": True},
    ),
    "an edit while it is suspended": Row(
        SERVICE, R, in_config(("rayVersion", "2.53.0")), every("deferred"), "once it is resumed",
        first={"suspend": True},
    ),
    "its cluster is suspended": Row(
        SERVICE, R, in_config(("suspend", True)), every("deferred"), "only the next one",
    ),
    "its cluster is suspended in 1.6": Row(
        SERVICE, R, in_config(("suspend", True)), every("delete"), "all its pods",
        version="1.6.1",
    ),
    "its cluster is resumed in 1.6": Row(
        SERVICE, R, in_config(("suspend", False), ("rayVersion", "2.53.0")),
        every("create deferred"), "as they are now", version="1.6.1",
        first=in_config(("suspend", True)),
    ),
    "the suspend of its cluster goes in 1.6": Row(
        SERVICE, R, in_config(("suspend", None)), every("ignored"), "stays suspended",
        version="1.6.1", first=in_config(("suspend", True)),
    ),
    "the suspend of its cluster goes in 1.5": Row(
        SERVICE, R, in_config(("suspend", None)), REPLACED, "", version="1.5.1",
        first=in_config(("suspend", True)),
    ),
    "its cluster is suspended in 1.5": Row(
        SERVICE, R, in_config(("suspend", True)), REPLACED, "", version="1.5.1",
    ),
    "another manager": Row(
        SERVICE, R, {"managedBy": "kueue.x-k8s.io/multikueue"}, every("refused"),
        "`managedBy` may not be changed", first={"managedBy": "ray.io/kuberay-operator"},
    ),
    "a manager": Row(
        SERVICE, R, {"managedBy": "kueue.x-k8s.io/multikueue"}, every("in-place"), "not foretold",
    ),
}  # fmt: skip
CLUSTERS = {
    "replicas": Row(
        CLUSTER, R, {f"{WORKER}/replicas": 3}, {"small": "in-place"},
        "now has 3 pods (before: 1 pod)",
    ),
    "replicas of a message": Row(
        CLUSTER, M, {f"{MESSAGE_GROUP}/replicas": 2}, {"small": "in-place"}, "now has 2 pods",
    ),
    "the most that it may have": Row(
        CLUSTER, R, {f"{WORKER}/maxReplicas": 9}, {"small": "in-place"}, "still has 1 pod",
    ),
    "hosts": Row(
        CLUSTER, R, {f"{WORKER}/numOfHosts": 2}, {"small": "orphans", "head": "in-place"},
        "whole replicas",
    ),
    "a Service of hosts": Row(
        CLUSTER, R, {f"{WORKER}/numOfHosts": 2}, {"small": "orphans", "head": "in-place"},
        "makes the Service `x-headless`",
    ),
    "no Service of hosts": Row(
        CLUSTER, R, {f"{WORKER}/numOfHosts": 1}, {"small": "in-place", "head": "orphans"},
        "does not need the Service `x-headless` any more", first={f"{WORKER}/numOfHosts": 2},
    ),
    "hosts before 1.6": Row(
        CLUSTER, R, {f"{WORKER}/numOfHosts": 2}, {"small": "in-place", "head": "in-place"},
        "now has 2 pods", version="1.5.1",
    ),
    "more hosts": Row(
        CLUSTER, R, {f"{WORKER}/numOfHosts": 4}, {"small": "in-place"}, "now has 4 pods",
        first={f"{WORKER}/numOfHosts": 2},
    ),
    "bounds of the autoscaler": Row(
        CLUSTER, R, {f"{WORKER}/maxReplicas": 9}, {"small": "in-place"}, "0 to 9 pods from now on",
        first={"enableInTreeAutoscaling": True},
    ),
    "an image": Row(
        CLUSTER, R, {f"{BOX}/image": OTHER}, {"small": "ignored"},
        "may have Recreate in `upgradeStrategy`",
    ),
    "an image before 1.6": Row(
        CLUSTER, R, {f"{BOX}/image": OTHER}, {"small": "ignored"},
        "under another name", version="1.5.1",
    ),
    "the version of a message": Row(CLUSTER, M, {"version": "2.53.0"}, every("ignored in-place")),
    "tolerations": Row(
        CLUSTER, R, {f"{WORKER}/template/spec/tolerations": TOLERATION}, {"small": "ignored"},
    ),
    "an image and replicas": Row(
        CLUSTER, R, {f"{BOX}/image": OTHER, f"{WORKER}/replicas": 2},
        {"small": "ignored in-place"}, "the other ones do not",
    ),
    "an image with Recreate": Row(
        CLUSTER, R, {f"{BOX}/image": OTHER}, every("recreate"),
        "nothing runs meanwhile", first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "an image that brings Recreate": Row(
        CLUSTER, R,
        {f"{BOX}/image": OTHER, "upgradeStrategy": {"type": "Recreate"}},
        every("recreate"), "`upgradeStrategy` counts in the new pods",
    ),
    "Recreate": Row(
        CLUSTER, R, {"upgradeStrategy": {"type": "Recreate"}}, every("in-place"), "at once",
    ),
    "replicas with Recreate": Row(
        CLUSTER, R, {f"{WORKER}/replicas": 2}, {"small": "in-place"}, "now has 2 pods",
        first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "tolerations with Recreate": Row(
        CLUSTER, R, {f"{WORKER}/template/spec/tolerations": TOLERATION}, {"small": "ignored"}, "",
        first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "a group with Recreate": Row(
        CLUSTER, R, {"workerGroupSpecs": lambda old: [*old, group("big")]},
        every("recreate", "big"), "", first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "a group": Row(
        CLUSTER, R, {"workerGroupSpecs": lambda old: [*old, group("big")]}, {"big": "create"},
        "the pods of the new group",
    ),
    "a group of none": Row(
        CLUSTER, R, {"workerGroupSpecs": lambda old: [*old, group("big", 0)]}, {"big": "in-place"},
        "makes no pod of the new group `big`",
    ),
    "a token": Row(
        CLUSTER, R, {"authOptions": {"mode": "token"}}, every("ignored"),
        "makes the Secret `x` with a token",
    ),
    "no token any more": Row(
        CLUSTER, R, {"authOptions": None}, every("ignored"), "leaves the Secret `x`",
        first={"authOptions": {"mode": "token"}},
    ),
    "the first group": Row(
        CLUSTER, R, {"workerGroupSpecs": [group()]}, {"small": "create"}, "",
        first={"workerGroupSpecs": None},
    ),
    "a group that goes": Row(
        CLUSTER, R, {"workerGroupSpecs": lambda old: old[:1]}, {"big": "orphans"},
        "leaves its pods alone", first={"workerGroupSpecs": [group(), group("big")]},
    ),
    "a group of another name": Row(
        CLUSTER, R, {f"{WORKER}/groupName": "tiny"}, {"small": "orphans", "tiny": "create"},
    ),
    "groups in another order": Row(
        CLUSTER, R, {"workerGroupSpecs": lambda old: old[::-1]}, every("in-place", "big"),
        "which means nothing here", first={"workerGroupSpecs": [group(), group("big")]},
    ),
    "it is suspended": Row(CLUSTER, R, {"suspend": True}, every("delete"), "in memory is lost"),
    "it is resumed": Row(
        CLUSTER, R, {"suspend": False}, every("create"), "makes its pods", first={"suspend": True},
    ),
    "its suspend goes": Row(
        CLUSTER, R, {"suspend": None}, every("ignored"), "stays suspended", first={"suspend": True},
    ),
    "its suspend goes in 1.2": Row(
        CLUSTER, R, {"suspend": None}, every("create"), "makes its pods", first={"suspend": True},
        version="1.2.2",
    ),
    "an edit while it is suspended": Row(
        CLUSTER, R, {f"{BOX}/image": OTHER}, {"small": "deferred"},
        "once it is resumed", first={"suspend": True},
    ),
    "a group is suspended": Row(
        CLUSTER, R, {f"{WORKER}/suspend": True}, {"small": "delete"}, "The group is suspended:",
    ),
    "a group is resumed": Row(
        CLUSTER, R, {f"{WORKER}/suspend": False}, {"small": "create"}, "suspended no more",
        first={f"{WORKER}/suspend": True},
    ),
    "the suspend of a group goes": Row(
        CLUSTER, R, {f"{WORKER}/suspend": None}, {"small": "create"}, "suspended no more",
        first={f"{WORKER}/suspend": True},
    ),
    "pods by name": Row(
        CLUSTER, R, {f"{WORKER}/scaleStrategy": {"workersToDelete": ["x-small-abcde"]}},
        {"small": "in-place"}, "the pods that it names",
    ),
    "autoscaling is on": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": True},
        {"head": "ignored in-place", "small": "in-place"}, "nobody scales",
    ),
    "what the autoscaler needs": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": True},
        {"head": "ignored in-place", "small": "in-place"},
        "makes the ServiceAccount `x`, the Role `x` and the RoleBinding `x` (observed)",
        version="1.6.1",
    ),
    "what the autoscaler needs, and new pods": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": True},
        {"head": "in-place recreate", "small": "in-place recreate"}, "the Role `x`",
        first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "autoscaling is on in a message": Row(
        CLUSTER, M, {"clusterSpec/enableInTreeAutoscaling": True},
        {"head": "ignored in-place", "small": "in-place"},
        "it falls back to 0 once, which counts as 1 pod by `minReplicas`",
    ),
    "autoscaling is off": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": False},
        {"head": "ignored orphans", "small": "in-place"},
        "goes on, and changes `replicas`", first={"enableInTreeAutoscaling": True},
    ),
    "what the autoscaler needed": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": False},
        {"head": "ignored orphans", "small": "in-place"},
        "does not need the ServiceAccount `x`, the Role `x` and the RoleBinding `x` any more",
        first={"enableInTreeAutoscaling": True},
    ),
    "no autoscaling is said": Row(
        CLUSTER, R, {"enableInTreeAutoscaling": False}, {"head": "in-place"},
        "what runs of `head` comes out the same",
    ),
    "how long a worker idles": Row(
        CLUSTER, M, {"clusterSpec/autoscalerOptions": {"idleTimeoutSeconds": 30}},
        {"head": "in-place"}, "when it looks next",
        first={
            "clusterSpec/enableInTreeAutoscaling": True,
            "clusterSpec/autoscalerOptions": {"idleTimeoutSeconds": 60},
        },
    ),
    "the autoscaler's image": Row(
        CLUSTER, M, {"clusterSpec/autoscalerOptions": {"image": "rayproject/ray:2.53.0"}},
        {"head": "ignored"}, "",
        first={
            "clusterSpec/enableInTreeAutoscaling": True,
            "clusterSpec/autoscalerOptions": {"image": "rayproject/ray:2.52.0"},
        },
    ),
    "the type of the Service": Row(
        CLUSTER, R, {"headGroupSpec/serviceType": "NodePort"}, {"head": "ignored"},
        "Delete the Service `x-head-svc`",
    ),
    "annotations of the Service": Row(
        CLUSTER, M, {"clusterSpec/headServiceAnnotations": {"a": "b"}}, {"head": "ignored"},
        "makes it once",
    ),
    "a name for the head's Service": Row(
        CLUSTER, R, {"headGroupSpec/headService": {"metadata": {"name": "own"}}},
        every("ignored"), "Delete the Service `x-head-svc`",
    ),
    "no name for the head's Service": Row(
        CLUSTER, R, {"headGroupSpec/headService": None}, every("ignored"),
        "Delete the Service `own`",
        first={"headGroupSpec/headService": {"metadata": {"name": "own"}}},
    ),
    "the head's Service with Recreate": Row(
        CLUSTER, R, {"headGroupSpec/serviceType": "NodePort"},
        {"head": "ignored recreate", "small": "recreate"}, "makes it once",
        first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "an Ingress with Recreate": Row(
        CLUSTER, R, {"headGroupSpec/enableIngress": True},
        {"head": "in-place recreate", "small": "recreate"}, "KubeRay makes the Ingress",
        first={"upgradeStrategy": {"type": "Recreate"}},
    ),
    "no Ingress with Recreate": Row(
        CLUSTER, R, {"headGroupSpec/enableIngress": False},
        {"head": "orphans recreate", "small": "recreate"}, "leaves one that is there",
        first={"headGroupSpec/enableIngress": True, "upgradeStrategy": {"type": "Recreate"}},
    ),
    "fault tolerance by Redis": Row(
        CLUSTER, R, {"gcsFaultToleranceOptions": FT},
        {"head": "ignored in-place", "small": "ignored"}, "adds the finalizer",
    ),
    "no fault tolerance by Redis": Row(
        CLUSTER, R, {"gcsFaultToleranceOptions": None},
        {"head": "ignored orphans", "small": "ignored"}, "leaves the finalizer",
        first={"gcsFaultToleranceOptions": FT},
    ),
    "an Ingress": Row(
        CLUSTER, R, {"headGroupSpec/enableIngress": True}, {"head": "in-place"}, "the Ingress",
    ),
    "no Ingress": Row(
        CLUSTER, R, {"headGroupSpec/enableIngress": False}, {"head": "orphans"},
        "Delete the Ingress `x-head-ingress`", first={"headGroupSpec/enableIngress": True},
    ),
    "a Service for requests": Row(
        CLUSTER, R, {"annotations": {"ray.io/enable-serve-service": "true", "a": "b"}},
        every("in-place"), "`x-serve-svc`", first={"annotations": {"a": "b"}},
    ),
    "policies": Row(
        CLUSTER, R, {"networkPolicy": {"mode": "DenyAllIngress"}}, every("in-place"),
        "the NetworkPolicy", gates={"RayClusterNetworkPolicy": True},
    ),
    "a label": Row(CLUSTER, R, {"labels": {"a": "b"}}, every("in-place"), "on the object only"),
    "another manager": Row(
        CLUSTER, R, {"managedBy": "kueue.x-k8s.io/multikueue"}, every("refused"), "rejects it",
        first={"managedBy": "ray.io/kuberay-operator"},
    ),
    "another store": Row(
        CLUSTER, R, {"gcsFaultToleranceOptions": ROCKS}, every("refused"),
        "`gcsFaultToleranceOptions.backend` may not be changed",
        first={"gcsFaultToleranceOptions": {**FT, "backend": "redis"}},
        gates={"GCSFaultToleranceEmbeddedStorage": True},
    ),
}  # fmt: skip
FIXED = {"name_suffix": "none"}
DELETION = [{"policy": "DeleteWorkers", "condition": {"jobStatus": "SUCCEEDED"}}]
OFF = {"suspend": True, "shutdownAfterJobFinishes": True}
RUN = ("submitter",)
JOBS = {
    "a command": Row(
        JOB, M, {"entrypoint": "python b.py"}, every("runs", *RUN), "marked not to be pruned",
    ),
    "a resource": Row(
        JOB, R, {f"rayClusterSpec/{BOX}/image": OTHER}, every("runs", *RUN),
        "on a cluster of its own",
    ),
    "a command of what may be pruned": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("runs", *RUN), "is deleted, and stopped",
        first={"prune": True},
    ),
    "a command of what Flux keeps": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("runs", *RUN), "marked not to be pruned",
        first={"prune": True, "annotations": {"kustomize.toolkit.fluxcd.io/prune": "disabled"}},
    ),
    "a command of what Argo CD keeps": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("runs", *RUN), "marked not to be pruned",
        first={
            "prune": True,
            "annotations": {"argocd.argoproj.io/sync-options": "Validate=false, Prune=false"},
        },
    ),
    "a command on another's cluster": Row(
        JOB, R, {"entrypoint": "python b.py"}, {"submitter": "runs"}, "on the cluster `lab`",
        first={"rayClusterSpec": None, "clusterSelector": {"ray.io/cluster": "lab"}},
    ),
    "a command without a submitter": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("runs"), "",
        first={"submissionMode": "HTTPMode"},
    ),
    "no cluster and no submitter": Row(
        JOB, R, {"entrypoint": "python b.py"}, {"submitter": "runs"}, "",
        first={
            "rayClusterSpec": None,
            "clusterSelector": {"ray.io/cluster": "lab"},
            "submissionMode": "HTTPMode",
        },
    ),
    "a suspended one": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("create", *RUN), "no pod starts", first=OFF,
    ),
    "a fixed name": Row(
        JOB, M, {"entrypoint": "python b.py"}, every("ignored", *RUN), "nothing runs anew",
        first=FIXED,
    ),
    "an image under a fixed name": Row(
        JOB, R, {f"rayClusterSpec/{BOX}/image": OTHER}, every("ignored", *RUN),
        "leave `name_suffix` out", first=FIXED,
    ),
    "a deadline": Row(
        JOB, M, {"activeDeadlineSeconds": 60}, every("in-place", *RUN), "counts at once",
        first=FIXED,
    ),
    "a deadline of the start": Row(
        JOB, R, {"preRunningDeadlineSeconds": 60}, every("in-place", *RUN),
        "one that runs already goes on as before (observed)", first=FIXED, version="1.6.1",
    ),
    "attempts": Row(
        JOB, R, {"backoffLimit": 2}, every("in-place", *RUN), "is not started again", first=FIXED,
    ),
    "what is deleted after the job": Row(
        JOB, R, {"deletionStrategy": {"deletionRules": DELETION}}, every("in-place", *RUN),
        "if it is over already, at once", first=FIXED,
    ),
    "what is cleaned up": Row(
        JOB, R, {"shutdownAfterJobFinishes": False}, every("in-place", *RUN),
        "when the job is over", first={**FIXED, "shutdownAfterJobFinishes": True},
    ),
    "a cluster that goes with its job": Row(
        JOB, R, {"shutdownAfterJobFinishes": True}, every("in-place", *RUN),
        "at once if it has been over for longer", first=FIXED,
    ),
    "how long it stays": Row(
        JOB, R, {"ttlSecondsAfterFinished": 60}, every("in-place", *RUN),
        "deletes the job's cluster 60 s after the job is over",
        first={**FIXED, "shutdownAfterJobFinishes": True},
    ),
    "the id that it waits for": Row(
        JOB, R, {"jobId": "mine"}, every("in-place"), "follows the job of that id",
        first={**FIXED, "submissionMode": "InteractiveMode", "entrypoint": None},
    ),
    "it is suspended": Row(
        JOB, R, {"suspend": True}, every("delete", *RUN), "from the beginning",
        first={**FIXED, "shutdownAfterJobFinishes": True},
    ),
    "it is resumed": Row(
        JOB, R, {"suspend": False}, every("runs", *RUN), "as it is now", first={**FIXED, **OFF},
    ),
    "its suspend goes": Row(
        JOB, R, {"suspend": None}, every("runs", *RUN), "as it is now", first={**FIXED, **OFF},
    ),
    "an edit while it is suspended": Row(
        JOB, R, {"entrypoint": "python b.py"}, every("deferred", *RUN), "once it is resumed",
        first={**FIXED, **OFF},
    ),
    "a label under a fixed name": Row(
        JOB, R, {"labels": {"a": "b"}}, every("in-place", *RUN), "on the object only", first=FIXED,
    ),
    "the submitter's template goes": Row(
        JOB, R, {"submitterPodTemplate": None}, every("refused", *RUN), "Keep it",
        first={**FIXED, "submitterPodTemplate": SUBMITTER},
    ),
    "another manager": Row(
        JOB, R, {"managedBy": "kueue.x-k8s.io/multikueue"}, every("refused", *RUN), "",
        first={**FIXED, "managedBy": "ray.io/kuberay-operator"},
    ),
}  # fmt: skip
EDITS = {
    f"{kind}: {name}": row
    for kind, rows in ((SERVICE, SERVICES), (CLUSTER, CLUSTERS), (JOB, JOBS))
    for name, row in rows.items()
}


class KindsMet(NamedTuple):
    """What is said of every edit here, and the kinds of change that this took."""

    told: dict[str, Comparison]
    kinds: set[str]
    novel: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def kinds_met():
    met = KindsMet({}, set(), {})

    class Noted(dict):
        def get(self, name):
            met.kinds.add(name)
            return super().get(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("renderer.backends.kuberay.behaviour.objects.KINDS", Noted(KINDS))
        met.told.update({name: row.told() for name, row in EDITS.items()})
        met.told.update({name: compared(*sides) for name, (*sides, _, _) in WHOLE.items()})
        for name, (*sides, _) in TEMPLATES.items():
            both = tuple({"template": {"cpu": 2, "memory": 4, **side}} for side in sides)
            met.told[name] = compared(whole(CLUSTER, M), whole(CLUSTER, M), both=both)
        met.novel.update({name: effects_of(*sides) for name, sides in NOVEL.items()})
    return met


@each("name", [*EDITS])
def test_an_edit(name, kinds_met):
    row, told = EDITS[name], kinds_met.told[name]
    assert not told.incomparable
    assert {item.code for item in told.findings if item.code[:3] != "IMP"} == set()
    assert effects(told) == row.expected
    assert row.words in said(told)


def whole(kind, way="resource", **more):
    return {(kind, "x"): {**SPECS[kind, way], **more}}


JOB_OF = whole(JOB)
PRUNED = whole(JOB, prune=True)
EMITTED = {"cpu": 2, "memory": 4, "emit": True}
WHOLE = {
    "a service comes": ({}, whole(SERVICE), every("create"), "starts the pods of `x`"),
    "a service that had errors": (
        whole(SERVICE, serveService={"metadata": {"name": "My_Name"}}), whole(SERVICE),
        every("create"), "does not replace one that never became ready",
    ),
    "a job that had errors": (
        whole(JOB, submitterConfig={"backoffLimit": -1}), JOB_OF, every("create", *RUN),
        "delete the RayJob",
    ),
    "a service goes": (whole(SERVICE, M), {}, every("delete"), "deletes the pods of `x`"),
    "a cluster comes": ({}, whole(CLUSTER, M), every("create"), ""),
    "a suspended one comes": ({}, whole(CLUSTER, suspend=True), every("create"), "is suspended"),
    "a job comes": ({}, JOB_OF, every("runs", *RUN), "The job runs once, as `x-"),
    "a job that is kept comes": (
        {}, JOB_OF, every("runs", *RUN), "unless that run is there from before, as after a revert",
    ),
    "a job that is pruned comes": ({}, PRUNED, every("runs", *RUN), "on a cluster of its own."),
    "a job becomes another one": (
        JOB_OF, whole(JOB, entrypoint="python other.py"), every("runs", *RUN),
        "on a cluster of its own, unless that run is there from before, as after a revert: then "
        "nothing runs; the run",
    ),
    "a job that is pruned becomes another one": (
        PRUNED, whole(JOB, prune=True, entrypoint="python other.py"), every("runs", *RUN),
        "on a cluster of its own; the run",
    ),
    "a job goes": (JOB_OF, {}, every("orphans", *RUN), "set `prune: true` first"),
    "a job goes for good": (PRUNED, {}, every("delete", *RUN), "stopped if it is not over"),
    "a service gets another name": (
        whole(SERVICE), {(SERVICE, "x"): {**SPECS[SERVICE, R], "name": "y"}}, every("recreate"),
        "`x` is now `y`",
    ),
    "a cluster gets another namespace": (
        whole(CLUSTER), whole(CLUSTER, namespace="other"), every("recreate"),
        "`ray` is now `other`",
    ),
    "a service moves": (
        whole(SERVICE), whole(SERVICE, destination="west"), every("recreate"),
        "from the destination `east` to `west`",
    ),
    "a job moves": (
        JOB_OF, whole(JOB, destination="west"), every("orphans runs", *RUN), "stays at `east`",
    ),
    "a job gets another name": (
        JOB_OF, {(JOB, "x"): {**SPECS[JOB, R], "name": "y"}}, every("runs", *RUN), "as `y-",
    ),
}  # fmt: skip


@each("name", [*WHOLE])
def test_an_object_that_comes_or_goes(name, kinds_met):
    *_, expected, words = WHOLE[name]
    told = kinds_met.told[name]
    assert effects(told) == expected
    assert words in said(told)


TEMPLATES = {
    "comes": ({}, {"emit": True}, "create"),
    "goes": ({"emit": True}, {}, "delete"),
    "is edited": ({"emit": True}, {"emit": True, "gpu": 1}, "in-place"),
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_an_emitted_template(name, kinds_met):
    told = kinds_met.told[name]
    assert effects(told).get("template") == TEMPLATES[name][-1]
    assert "only a running KubeRay API server reads it" in said(told)


def test_one_edit_of_a_template_reaches_all():
    specs = {
        (kind, f"{kind[3:].lower()}-{number}"): SPECS[kind, M]
        for kind in (CLUSTER, JOB, SERVICE)
        for number in (1, 2)
    }
    both = ({}, {"template": {"cpu": 4, "memory": 4}})
    told = compared(specs, specs, both=both)
    edit = told.edits[0]
    assert edit.origin.file == "environments/dev/computetemplates/small.yaml"
    assert {number for item in told.objects for some in item.causes for number in some} == {0}
    by_kind = {}
    for item in told.objects:
        for _, impact in item.impacts:
            by_kind.setdefault(impact.spec.partition("/")[0], set()).add(str(impact.effect))
    assert by_kind == {CLUSTER: {"ignored"}, JOB: {"runs"}, SERVICE: {"replace"}}
    [reached] = [item for item in told.reach if item.file == edit.origin.file]
    assert len(reached.specs) == len(specs)


def test_what_is_ignored_or_left_behind_is_a_finding():
    changed = edited(SPECS[CLUSTER, R], {f"{BOX}/image": OTHER})
    told = compared(whole(CLUSTER), {(CLUSTER, "x"): changed})
    [finding] = told.findings
    assert finding.code == "IMP003"
    assert finding.message.startswith("RayCluster/x (small): What pods are made of")
    assert finding.file == "environments/dev/rayclusters/x.yaml"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (SERVICES["the type of the Service"], "IMP001"),
        (CLUSTERS["another manager"], "IMP002"),
        (CLUSTERS["a group that goes"], "IMP004"),
        (CLUSTERS["an image with Recreate"], "IMP005"),
    ],
)
def test_others_are_findings_too(row, code):
    assert {item.code for item in row.told().findings} == {code}


def test_every_kind_of_change_is_met(kinds_met):
    assert set(KINDS) - kinds_met.kinds == set()


def test_sentences_end_as_sentences_do():
    for kind in KINDS.values():
        assert isinstance(kind, ChangeKind)
        assert kind.consequence.endswith(".")
        assert not kind.advice or kind.advice.endswith(".")


#: Fields of a KubeRay to come: a kind, and a path.
NOVEL = {
    "a cluster": (CLUSTER, "novelty"),
    "a head": (CLUSTER, "headGroupSpec/novelty"),
    "a group": (CLUSTER, f"{WORKER}/novelty"),
    "a service": (SERVICE, "novelty"),
}


def effects_of(kind, path):
    """What a field does that no row knows, by unit."""
    sides = [edited(SPECS[kind, R], {path: value}) for value in ("a", "b")]
    first, last = (
        states.manifest({"kind": kind, "metadata": {"name": "x"}, "spec": side}) for side in sides
    )
    change = states.compared(first, last)
    found = states.impacts(change, states.state(first), states.state(last))
    return {impact.unit: str(impact.effect) for _, impact in found}


@pytest.mark.parametrize("name", NOVEL)
def test_what_no_row_knows_is_not_said_to_do_nothing(name, kinds_met):
    units = {"a head": ["head"], "a group": ["small"]}.get(name, ALL)
    assert kinds_met.novel[name] == dict.fromkeys(units, "unknown")


BROKEN = {
    "no spec": {"spec": None},
    "a spec of another type": {"spec": "x"},
    "no metadata": {"metadata": None},
    "another version": {"apiVersion": "ray.io/v1alpha1"},
    "groups of another type": {"spec": {"workerGroupSpecs": {"a": 1}}},
    "groups that are none": {"spec": {"workerGroupSpecs": [1, None]}},
    "a cluster of another type": {"spec": {"rayClusterConfig": [1], "rayClusterSpec": "a"}},
}


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("edit", BROKEN)
@pytest.mark.parametrize("kind", [CLUSTER, JOB, SERVICE])
def test_what_nobody_should_have_rendered(kind, edit, way):
    spec = {**SPECS[kind, R], "suspend": False}
    whole_one = {"kind": kind, "metadata": {"name": "x"}, "spec": spec}
    sides = [whole_one, {**whole_one, **BROKEN[edit]}][::way]
    first, last = (states.manifest(side) for side in sides)
    change = states.compared(first, last)
    assert change.changes
    both = states.state(first), states.state(last)
    assert all(impact.consequence for _, impact in states.impacts(change, *both))
    assert all(item.unit for item in demands(change, {}, *both))
