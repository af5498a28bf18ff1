"""To write a default is no change of what is stored; to write anything else is one."""

import pytest

from renderer.changes.derivations import UnitPair, unit_differences
from renderer.kubernetes.stored_objects import stored_tree
from renderer.values.derivations import DerivedObject, DerivedUnit
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.rows import each

WRITTEN = Origin("spec.yaml", 3, 1)
DEPLOYMENT = ("apps/v1", "Deployment")
POD_TEMPLATE = ("template", "spec")
CONTAINER = (*POD_TEMPLATE, "containers", 0)
PROBE = (*CONTAINER, "readinessProbe")
VOLUMES = (*POD_TEMPLATE, "volumes")
KNATIVE = ("serving.knative.dev/v1", "Service")


def pod(**container):
    probe = {"httpGet": {"port": 80}}
    field = {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    usual = {"name": "main", "image": "server:1.0", "readinessProbe": probe}
    usual |= {"ports": [{"containerPort": 80}], "env": [field, {"name": "B"}]}
    sources = [{"serviceAccountToken": {"path": "token"}}]
    kinds = ("configMap", {"name": "a"}), ("secret", {"secretName": "a"})
    kinds += ("projected", {"sources": sources}), ("hostPath", {"path": "/a"})
    volumes = [{"name": name.lower(), name: dict(value)} for name, value in kinds]
    return {"containers": [usual | container], "volumes": volumes}


SPECS = {
    DEPLOYMENT: lambda: {"template": {"spec": pod()}},
    ("apps/v1", "StatefulSet"): lambda: {"template": {"spec": pod()}},
    ("batch/v1", "Job"): lambda: {"template": {"spec": pod()}},
    ("v1", "Pod"): lambda: pod(resources={"limits": {"cpu": "1"}, "requests": {"memory": "1Gi"}}),
    ("v1", "Service"): lambda: {"ports": [{"port": 80}]},
    ("autoscaling/v2", "HorizontalPodAutoscaler"): lambda: {"maxReplicas": 3},
    KNATIVE: lambda: {"template": {"spec": pod(readinessProbe={})}},
}
#: An object, a place in its spec, the default, and another value.
ROWS = [
    (DEPLOYMENT, (*CONTAINER, "imagePullPolicy"), "IfNotPresent", "Always"),
    (DEPLOYMENT, (*CONTAINER, "terminationMessagePath"), "/dev/termination-log", "/tmp/log"),
    (DEPLOYMENT, (*CONTAINER, "terminationMessagePolicy"), "File", "FallbackToLogsOnError"),
    (DEPLOYMENT, (*CONTAINER, "resources"), {}, {"limits": {"cpu": "1"}}),
    (DEPLOYMENT, (*CONTAINER, "tty"), False, True),
    (DEPLOYMENT, (*CONTAINER, "args"), [], ["--verbose"]),
    (DEPLOYMENT, (*CONTAINER, "ports", 0, "protocol"), "TCP", "UDP"),
    (DEPLOYMENT, (*CONTAINER, "env", 0, "valueFrom", "fieldRef", "apiVersion"), "v1", "v2"),
    (DEPLOYMENT, (*CONTAINER, "env", 1, "value"), "", "b"),
    (DEPLOYMENT, (*PROBE, "timeoutSeconds"), 1, 2),
    (DEPLOYMENT, (*PROBE, "timeoutSeconds"), 0, 2),
    (DEPLOYMENT, (*PROBE, "periodSeconds"), 10, 11),
    (DEPLOYMENT, (*PROBE, "successThreshold"), 1, 2),
    (DEPLOYMENT, (*PROBE, "failureThreshold"), 3, 4),
    (DEPLOYMENT, (*PROBE, "initialDelaySeconds"), 0, 5),
    (DEPLOYMENT, (*PROBE, "httpGet", "scheme"), "HTTP", "HTTPS"),
    (DEPLOYMENT, (*PROBE, "httpGet", "path"), "/", "/ready"),
    (DEPLOYMENT, (*POD_TEMPLATE, "terminationGracePeriodSeconds"), 30, 0),
    (DEPLOYMENT, (*POD_TEMPLATE, "dnsPolicy"), "ClusterFirst", "Default"),
    (DEPLOYMENT, (*POD_TEMPLATE, "restartPolicy"), "Always", "Never"),
    (DEPLOYMENT, (*POD_TEMPLATE, "schedulerName"), "default-scheduler", "mine"),
    (DEPLOYMENT, (*POD_TEMPLATE, "securityContext"), {}, {"runAsUser": 1}),
    (DEPLOYMENT, (*POD_TEMPLATE, "hostNetwork"), False, True),
    (DEPLOYMENT, (*POD_TEMPLATE, "tolerations"), [], [{"operator": "Exists"}]),
    (DEPLOYMENT, (*VOLUMES, 0, "configMap", "defaultMode"), 420, 0),
    (DEPLOYMENT, (*VOLUMES, 1, "secret", "defaultMode"), 420, 256),
    (DEPLOYMENT, (*VOLUMES, 2, "projected", "defaultMode"), 420, 256),
    (DEPLOYMENT, (*VOLUMES, 3, "hostPath", "type"), "", "Directory"),
    (DEPLOYMENT, ("revisionHistoryLimit",), 10, 0),
    (DEPLOYMENT, ("progressDeadlineSeconds",), 600, 60),
    (DEPLOYMENT, ("replicas",), 1, 0),
    (DEPLOYMENT, ("replicas",), None, 0),
    (DEPLOYMENT, ("strategy",), {"type": "RollingUpdate"}, {"type": "Recreate"}),
    (DEPLOYMENT, ("strategy",), {"rollingUpdate": {"maxSurge": "25%"}}, {"type": "Recreate"}),
    (("apps/v1", "StatefulSet"), ("podManagementPolicy",), "OrderedReady", "Parallel"),
    (("apps/v1", "StatefulSet"), ("updateStrategy",), {}, {"type": "OnDelete"}),
    (("batch/v1", "Job"), ("backoffLimit",), 6, 0),
    (("batch/v1", "Job"), ("completions",), 1, 2),
    (("v1", "Pod"), ("enableServiceLinks",), True, False),
    (("v1", "Pod"), ("containers", 0, "resources", "requests", "cpu"), "1", "500m"),
    (("v1", "Service"), ("type",), "ClusterIP", "NodePort"),
    (("v1", "Service"), ("sessionAffinity",), "None", "ClientIP"),
    (("v1", "Service"), ("ports", 0, "targetPort"), 80, 8080),
    (("autoscaling/v2", "HorizontalPodAutoscaler"), ("minReplicas",), 1, 2),
    (KNATIVE, (*POD_TEMPLATE, "containerConcurrency"), 0, 1),
    (KNATIVE, (*POD_TEMPLATE, "timeoutSeconds"), 300, 60),
    (KNATIVE, (*POD_TEMPLATE, "timeoutSeconds"), 0, 60),
    (KNATIVE, (*POD_TEMPLATE, "enableServiceLinks"), False, True),
    (KNATIVE, (*PROBE, "successThreshold"), 1, 2),
    (KNATIVE, (*PROBE, "tcpSocket"), {"port": 0}, {"port": 80}),
]


def made(head, spec):
    version, kind = head
    content = {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    return DerivedObject(uniform_tree(content, WRITTEN))


def written(head, path, value):
    """An object with a value at a place of its spec."""
    spec = here = SPECS[head]()
    for key in path[:-1]:
        here = here.setdefault(key, {}) if isinstance(here, dict) else here[key]
    here[path[-1]] = value
    return made(head, spec)


def found(was, now):
    units = (DerivedUnit("east", "unit", objects=(item,)) for item in (was, now))
    return list(unit_differences(UnitPair(*units)))


@each("row", ROWS, name=lambda row: f"{row[0][1]} {'.'.join(map(str, row[1]))}={row[2]}")
def test_writing_a_default(row):
    head, path, default, other = row
    bare = made(head, SPECS[head]())
    assert not found(bare, written(head, path, default))
    assert not found(written(head, path, default), bare)
    assert found(bare, written(head, path, other))


@pytest.mark.parametrize(
    ("image", "policy"),
    [
        ("a", "Always"),
        ("a:latest", "Always"),
        ("r:5000/a", "Always"),
        ("a@sha256:0", "IfNotPresent"),
        ("a:latest@sha256:0", "Always"),
    ],
)
def test_pull_policies_follow_the_image(image, policy):
    bare = made(DEPLOYMENT, {"template": {"spec": pod(image=image)}})
    same = made(DEPLOYMENT, {"template": {"spec": pod(image=image, imagePullPolicy=policy)}})
    other = made(DEPLOYMENT, {"template": {"spec": pod(image=image, imagePullPolicy="Never")}})
    assert not found(bare, same)
    assert found(bare, other)


@pytest.mark.parametrize(
    ("head", "path", "value"),
    [
        (DEPLOYMENT, (*POD_TEMPLATE, "enableServiceLinks"), True),
        (DEPLOYMENT, (*CONTAINER, "securityContext"), {}),
        (KNATIVE, (*CONTAINER, "terminationMessagePolicy"), "File"),
        (KNATIVE, (*CONTAINER, "imagePullPolicy"), "IfNotPresent"),
    ],
)
def test_templates_have_no_defaults_of_others(head, path, value):
    """Those of pods alone are in no Deployment, those of the API server in no Knative Service."""
    assert found(made(head, SPECS[head]()), written(head, path, value))


def test_requests_of_templates_are_not_those_of_limits():
    limits = {"limits": {"cpu": "1"}}
    bare = made(DEPLOYMENT, {"template": {"spec": pod(resources=limits)}})
    asked = pod(resources={**limits, "requests": {"cpu": "1"}})
    assert found(bare, made(DEPLOYMENT, {"template": {"spec": asked}}))


@pytest.mark.parametrize(
    ("head", "spec", "path"),
    [
        (DEPLOYMENT, {"strategy": {"type": "Recreate"}}, ("strategy", "rollingUpdate")),
        (("batch/v1", "Job"), {"parallelism": 2}, ("completions",)),
        (("v1", "Pod"), pod(resources={"limits": {}}), ("containers", 0, "resources", "requests")),
        (("v1", "Pod"), pod(resources={}), ("containers", 0, "resources", "requests")),
        (KNATIVE, {"template": {"spec": pod()}}, (*PROBE, "tcpSocket")),
        (DEPLOYMENT, {"template": "${vars.odd}"}, POD_TEMPLATE),
        (("v1", "Service"), {"ports": [{"name": "a"}]}, ("ports", 0, "targetPort")),
    ],
)
def test_defaults_that_other_fields_keep_away(head, spec, path):
    assert stored_tree(made(head, spec).tree).get("spec", *path) is None


def test_origins_are_kept():
    tree = stored_tree(made(DEPLOYMENT, SPECS[DEPLOYMENT]()).tree)
    main = tree.get("spec", *CONTAINER)
    assert main.get("image").origin == WRITTEN
    assert main.get("imagePullPolicy").origin.file == ""


def test_other_kinds_are_as_they_are():
    tree = made(("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"), {"replicas": 2}).tree
    assert stored_tree(tree) is tree
    bare = uniform_tree({"apiVersion": "v1", "kind": "Service"}, WRITTEN)
    assert stored_tree(bare) is bare
