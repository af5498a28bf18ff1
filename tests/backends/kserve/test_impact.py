"""What a change does to a service that runs: single edits, in both modes."""

import pytest

from renderer.backends.kserve.change_kinds import CHANGE_KINDS
from renderer.backends.kserve.components import merge_canary
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.runtimes import SERVER_TYPE
from renderer.backends.kserve.shipped_containers import shipped_runtime
from renderer.changes.capacity import capacity
from renderer.values.changes import AffectedObject
from renderer.values.tree import uniform_tree
from tests.support.kserve_states import (
    CONTAINER,
    ORIGIN,
    compared,
    derived_units,
    environment,
    impacts,
    manifest,
    model,
    runtime,
    service,
    state,
)
from tests.support.rows import each

S, K = "Standard", "Knative"
CLASS = "serving.kserve.io/autoscalerClass"
STOP = "serving.kserve.io/stop"
FROZEN = "serving.kserve.io/disable-auto-update"
MANAGED = {"app.kubernetes.io/managed-by": "servingctl"}
GREEN = {"name": "green", "model": {"storageUri": "gs://models/iris/2"}}
CANARY = [{"predictor": GREEN, "trafficPercent": 30}]
RECREATE = {"type": "Recreate"}
NEXT = model(storageUri="gs://models/iris/2")
STEP = {
    "containers": [
        {
            "name": "kserve-container",
            "image": "example/t:1",
            "resources": {
                "requests": {"cpu": "1", "memory": "2Gi"},
                "limits": {"cpu": "1", "memory": "2Gi"},
            },
        }
    ]
}


def step(image="example/t:2", **fields):
    return {**fields, "containers": [{**STEP["containers"][0], "image": image}]}


def effects(found):
    """The effects by unit."""
    by_unit = {}
    for _, item in found:
        by_unit.setdefault(item.unit, set()).add(str(item.effect))
    return {unit: " ".join(sorted(names)) for unit, names in by_unit.items()}


def of_service(before, after, *, old=(), new=None, env=None):
    """The impacts of a service's change, beside some runtimes."""
    first, last = (manifest(item) if item else None for item in (before, after))
    sides = [
        state(*([item] if item else []), *map(manifest, runtimes), env=env)
        for item, runtimes in ((first, old), (last, old if new is None else new))
    ]
    return impacts(compared(first, last), *sides)


def image_of(unit):
    return unit.pods[0].spec.get("containers", 0, "image").value


def said(found):
    return " ".join(f"{item.consequence} {item.advice}" for _, item in found)


P = "predictor"
#: A name, the mode, the predictor before and after, effects by unit, and some words.
FIELDS = [
    ("storageUri", {}, {"model": NEXT}, "rolling", "replace", "`predictor.model.storageUri`"),
    ("args", {}, {"model": model(args=["--a"])}, "rolling", "replace", "model.args"),
    (
        "env",
        {},
        {"model": model(env=[{"name": "A", "value": "a"}])},
        "rolling",
        "replace",
        "model.env",
    ),
    ("image", {}, {"model": model(image="example/s:7")}, "rolling", "replace", "model.image"),
    (
        "resources",
        {},
        {"model": model(resources={"limits": {"cpu": "2"}})},
        "rolling",
        "replace",
        "(observed)",
    ),
    (
        "resources as the runtime has them",
        {},
        {"model": model(resources={"limits": {"cpu": "1", "memory": "2Gi"}})},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    (
        "runtime",
        {},
        {"model": model(runtime="kserve-predictiveserver")},
        "rolling",
        "replace",
        "model.runtime",
    ),
    (
        "runtime made explicit",
        {"model": model(runtime=None)},
        {"model": model()},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    ("runtimeVersion", {}, {"model": model(runtimeVersion="v0.19.0")}, "rolling", "replace", ""),
    (
        "protocolVersion, same runtime",
        {},
        {"model": model(protocolVersion="v2")},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    (
        "protocolVersion, another runtime",
        {"model": model(runtime=None)},
        {"model": model(runtime=None, protocolVersion="v2")},
        "rolling",
        "replace",
        "protocolVersion",
    ),
    (
        "modelFormat.version",
        {},
        {"model": model(modelFormat={"name": "sklearn", "version": "1"})},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    (
        "old form of a model",
        {"model": None, "sklearn": {"storageUri": "gs://models/iris/1"}},
        {"model": model()},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    ("serviceAccountName", {}, {"serviceAccountName": "r"}, "rolling", "replace", "(observed)"),
    ("nodeSelector", {}, {"nodeSelector": {"pool": "gpu"}}, "rolling", "replace", ""),
    ("label of the component", {}, {"labels": {"team": "a"}}, "rolling", "replace", ""),
    ("annotation of the component", {}, {"annotations": {"note": "a"}}, "rolling", "replace", ""),
    (
        "annotation that is kept back",
        {},
        {"annotations": {"autoscaling.knative.dev/min-scale": "2"}},
        "in-place",
        "in-place",
        "comes out the same",
    ),
    ("logger", {}, {"logger": {"mode": "all", "url": "http://a"}}, "rolling", "replace", "logger"),
    ("batcher", {}, {"batcher": {"maxBatchSize": 8}}, "rolling", "replace", "batcher"),
    (
        "batcher.timeout",
        {"batcher": {"maxBatchSize": 8}},
        {"batcher": {"maxBatchSize": 8, "timeout": 60}},
        "ignored",
        "ignored",
        "passes on only",
    ),
    (
        "minReplicas",
        {"maxReplicas": 4},
        {"maxReplicas": 4, "minReplicas": 2},
        "in-place",
        "replace",
        "minReplicas",
    ),
    ("minReplicas as it is", {}, {"minReplicas": 1}, "in-place", "in-place", ""),
    ("minReplicas 0", {}, {"minReplicas": 0}, "ignored", "replace", ""),
    ("maxReplicas", {}, {"maxReplicas": 4}, "in-place", "replace", ""),
    ("scaleTarget", {}, {"scaleTarget": 50}, "in-place", "replace", ""),
    (
        "scaleMetric",
        {"scaleTarget": 50},
        {"scaleTarget": 50, "scaleMetric": "memory"},
        "in-place",
        "replace",
        "scaleMetric",
    ),
    ("scaleMetricType", {}, {"scaleMetricType": "Value"}, "ignored", "ignored", "no effect"),
    ("autoScaling", {}, {"autoScaling": {"metrics": []}}, "in-place", "ignored", ""),
    ("containerConcurrency", {}, {"containerConcurrency": 5}, "ignored", "replace", ""),
    ("timeout", {}, {"timeout": 30}, "in-place", "replace", ""),
    ("canaryTrafficPercent", {}, {"canaryTrafficPercent": 10}, "ignored", "in-place", ""),
    ("deploymentStrategy", {}, {"deploymentStrategy": RECREATE}, "in-place", "refused", ""),
]  # fmt: skip


@pytest.mark.parametrize("mode", [S, K])
@each("before after standard knative words", {name: row for name, *row in FIELDS})
def test_a_field_of_the_predictor(mode, before, after, standard, knative, words):
    found = of_service(service(mode, **before), service(mode, **after))
    assert effects(found) == {P: standard if mode == S else knative}
    assert words in said(found)


WHOLE = {
    "label": (service(S), service(S, labels={"team": "a"}), {P: "rolling"}, "labels` changed"),
    "label, Knative": (service(K), service(K, labels={"team": "a"}), {P: "replace"}, "revision"),
    "label that is ours": (
        service(S, transformer=STEP),
        service(S, labels=MANAGED, transformer=STEP),
        {P: "rolling", "transformer": "rolling"},
        "reaches pods (observed): those of `iris-predictor` are replaced once",
    ),
    "label that is ours, Knative": (
        service(K, labels={"team": "a"}),
        service(K, labels={"team": "a", **MANAGED}),
        {P: "replace"},
        "is first rendered by servingctl.",
    ),
    "annotation": (
        service(S),
        service(S, annotations={"commit": "abc"}),
        {P: "rolling"},
        "The annotation `commit` changed",
    ),
    "annotation modelFormat": (
        service(S),
        service(S, annotations={"modelFormat": "other"}),
        {P: "in-place"},
        "comes out the same",
    ),
    "rollout-duration": (
        service(S),
        service(S, annotations={"serving.knative.dev/rollout-duration": "60s"}),
        {P: "rolling"},
        "rollout-duration",
    ),
    "rollout-duration, Knative": (
        service(K),
        service(K, annotations={"serving.knative.dev/rollout-duration": "60s"}),
        {P: "in-place"},
        "on the Knative Service `iris-predictor`, and not on its pods",
    ),
    "rollout-duration and what does not reach pods, Knative": (
        service(K),
        service(
            K,
            annotations={"serving.knative.dev/rollout-duration": "60s"},
            model=model(protocolVersion="v2"),
        ),
        {P: "in-place"},
        "comes out the same",
    ),
    "visibility, Knative": (
        service(K, labels={"a": "b"}),
        service(K, labels={"a": "b", "networking.knative.dev/visibility": "cluster-local"}),
        {P: "in-place"},
        "`iris-predictor` is reached only within the cluster from now on",
    ),
    "visibility and a label of pods, Knative": (
        service(K),
        service(K, labels={"a": "b", "networking.knative.dev/visibility": "cluster-local"}),
        {P: "in-place replace"},
        "`iris-predictor` is reached only within the cluster from now on",
    ),
    "visibility no more, Knative": (
        service(K, labels={"a": "b", "networking.knative.dev/visibility": "cluster-local"}),
        service(K, labels={"a": "b"}),
        {P: "in-place"},
        "`iris-predictor` is reached from outside the cluster, too",
    ),
    "autoscalerClass none": (
        service(S),
        service(S, annotations={CLASS: "none"}),
        {P: "in-place rolling"},
        "KServe deletes the HorizontalPodAutoscaler `iris-predictor`.",
    ),
    "autoscalerClass none, other numbers": (
        service(S, minReplicas=2, maxReplicas=4),
        service(S, minReplicas=2, maxReplicas=4, annotations={CLASS: "none"}),
        {P: "in-place rolling"},
        "`iris-predictor`; `iris-predictor` now has 2 pods (before: 2 to 4 pods).",
    ),
    "autoscalerClass none no more": (
        service(S, annotations={CLASS: "none"}),
        service(S),
        {P: "in-place rolling"},
        "KServe makes the HorizontalPodAutoscaler `iris-predictor`.",
    ),
    "minReplicas, class none": (
        service(S, annotations={CLASS: "none"}),
        service(S, annotations={CLASS: "none"}, minReplicas=3),
        {P: "in-place"},
        "now has 3 pods (before: 1 pod)",
    ),
    "maxReplicas, class external": (
        service(S, annotations={CLASS: "external"}),
        service(S, annotations={CLASS: "external"}, maxReplicas=3),
        {P: "ignored"},
        "no autoscaler",
    ),
    "storageUri to storage": (  # without either KServe makes a ConfigMap, but no state is so
        service(S),
        service(S, model=model(storageUri=None, storage={"key": "minio", "path": "iris"})),
        {P: "rolling"},
        "`predictor.model.storage` changed what the pods",
    ),
    "autoscalerClass external": (
        service(S, minReplicas=2, maxReplicas=4),
        service(S, minReplicas=2, maxReplicas=4, annotations={CLASS: "external"}),
        {P: "in-place rolling"},
        "`iris-predictor` keeps as many pods as it has, until another program scales it.",
    ),
    "autoscalerClass external no more": (
        service(S, minReplicas=2, maxReplicas=4, annotations={CLASS: "external"}),
        service(S, minReplicas=2, maxReplicas=4),
        {P: "in-place rolling"},
        "now has 2 to 4 pods (before: 1 or more pods)",
    ),
    "mode": (service(S), service(K), {P: "refused"}, "from Standard to Knative"),
    "mode that is none": (service(S), service("Raw"), {P: "refused"}, "from Standard to Raw"),
    "mode, the other way": (
        service(K, transformer=STEP),
        service(S, transformer=STEP),
        {P: "refused", "transformer": "refused"},
        "under another name",
    ),
    "mode by its old name": (service("RawDeployment"), service(S), {P: "in-place"}, "the same"),
    "mode not said": (
        service(K),
        service(None),
        {P: "replace"},
        "The annotation `serving.kserve.io/deploymentMode`",
    ),
    "logger's storage, which only the webhook reads": (
        service(S, logger={"mode": "all", "storage": {"key": "k", "path": "/a"}}),
        service(S, logger={"mode": "all", "storage": {"key": "k", "path": "/b"}}),
        {P: "deferred"},
        "pods of `iris-predictor` that start from now on",
    ),
    "cluster-local": (
        service(S, labels={"a": "b"}),
        service(S, labels={"a": "b", "networking.kserve.io/visibility": "cluster-local"}),
        {P: "orphans rolling"},
        "(observed): it is left behind, and the service is reached from outside as before",
    ),
    "autoscalerClass keda": (
        service(S),
        service(S, annotations={CLASS: "keda"}),
        {P: "in-place orphans rolling"},
        "the HorizontalPodAutoscaler `iris-predictor`: it is left behind (observed).",
    ),
    **{
        f"autoscalerClass keda to {name}": (
            service(S, annotations={CLASS: "keda"}),
            service(S, annotations={CLASS: name}),
            {P: f"{made}orphans rolling"},
            "does not delete the ScaledObject `iris-predictor` (observed): KEDA goes on scaling",
        )
        for name, made in (("none", ""), ("external", ""), ("hpa", "in-place "))
    },
    "autoscalerClass hpa to none": (
        service(S, annotations={CLASS: "hpa"}),
        service(S, annotations={CLASS: "none"}),
        {P: "in-place rolling"},
        "KServe deletes the HorizontalPodAutoscaler `iris-predictor`.",
    ),
    "autoscalerClass hpa to keda": (
        service(S, annotations={CLASS: "hpa"}),
        service(S, annotations={CLASS: "keda"}),
        {P: "in-place orphans rolling"},
        "`serving.kserve.io/autoscalerClass` changed: KServe makes the ScaledObject",
    ),
    "KEDA, stopped": (
        service(S, annotations={CLASS: "keda"}),
        service(S, annotations={CLASS: "keda", STOP: "true"}),
        {P: "delete"},
        "and with it the Service `iris-predictor`, the ScaledObject `iris-predictor` and",
    ),
    "all requests, written down": (
        service(K, canaryTrafficPercent=100),
        service(K),
        {P: "in-place"},
        "all requests go to the newest revision of `iris-predictor` as before",
    ),
    "a share of no new revision": (
        service(K),
        service(K, canaryTrafficPercent=0),
        {P: "in-place"},
        "goes on to get all requests; the next one gets 0 % of them",
    ),
    "a share of the transformer's": (
        service(K, transformer={**STEP, "canaryTrafficPercent": 10}),
        service(K, transformer={**STEP, "canaryTrafficPercent": 0}),
        {"transformer": "in-place"},
        "the revision of `iris-transformer` that was rolled out last",
    ),
    "the transformer's revision and the predictor's share": (
        service(K, canaryTrafficPercent=10, transformer=STEP),
        service(K, canaryTrafficPercent=10, transformer={**STEP, "labels": {"a": "b"}}),
        {"transformer": "replace"},
        "once it is ready, all requests go to it",
    ),
    "batcher, and the port that requests go to": (
        service(S),
        service(S, batcher={"maxBatchSize": 8}),
        {P: "rolling"},
        "But the Service `iris-predictor` sends requests to port 9081 at once",
    ),
    "transformer": (
        service(K),
        service(K, transformer=STEP),
        {"transformer": "create"},
        "`iris-transformer` (observed); all requests to the service go through it.",
    ),
    "canary, Knative": (
        service(K),
        service(K, canary=CANARY),
        {P: "refused", "predictor/green": "refused"},
        "Use canaryTrafficPercent",
    ),
    "strategy Recreate": (
        service(S, deploymentStrategy=RECREATE),
        service(S, deploymentStrategy=RECREATE, model=NEXT),
        {P: "recreate"},
        "stop before new ones start",
    ),
    "stopped": (
        service(S, transformer=STEP),
        service(S, transformer=STEP, annotations={STOP: "true"}),
        {P: "delete", "transformer": "delete"},
        "and with it the Service `iris-transformer`, the HorizontalPodAutoscaler "
        "`iris-transformer` and the Ingress `iris`.",
    ),
    "stopped, Knative": (
        service(K, annotations={"a": "b"}),
        service(K, annotations={"a": "b", STOP: "true"}),
        {P: "delete"},
        "KServe deletes the Knative Service `iris-predictor` (observed), and with it the Service "
        "`iris` and the VirtualService of that name.",
    ),
    "started": (
        service(K, annotations={"a": "b", STOP: "true"}),
        service(K, annotations={"a": "b"}),
        {P: "create"},
        "the Knative Service `iris-predictor` (observed), and with it the Service `iris` and the",
    ),
    "while stopped": (
        service(S, annotations={STOP: "true"}),
        service(S, annotations={STOP: "true"}, model=NEXT),
        {P: "deferred"},
        "once it is started",
    ),
    "left alone": (
        service(S, annotations={FROZEN: "true"}),
        service(S, annotations={FROZEN: "true"}, model=NEXT),
        {P: "ignored"},
        "disable-auto-update",
    ),
    "left alone, but refused": (
        service(S, annotations={FROZEN: "true"}),
        service(K, annotations={FROZEN: "true"}),
        {P: "refused"},
        "from Standard to Knative",
    ),
    "left alone no more": (
        service(S, annotations={FROZEN: "true"}),
        service(S),
        {P: "rolling"},
        "disable-auto-update",
    ),
    "created": (None, service(S), {P: "create"}, "the Deployment `iris-predictor`"),
    "created, stopped": (None, service(S, annotations={STOP: "true"}), {}, ""),
    "created, refused": (None, service(K, deploymentStrategy=RECREATE), {P: "refused"}, "only for"),
    "deleted": (service(K), None, {P: "delete"}, "the Knative Service `iris-predictor`"),
    "renamed": (
        service(S, name="iris"),
        service(S, name="flower"),
        {P: "recreate"},
        "`iris` is now `flower`",
    ),
    "transformer added": (
        service(S),
        service(S, transformer=STEP),
        {"transformer": "create"},
        "iris-transformer",
    ),
    "transformer removed": (
        service(S, transformer=STEP),
        service(S),
        {"transformer": "orphans"},
        "deletes nothing of it (observed): `iris-transformer` goes on running until the service is",
    ),
    "transformer removed, Knative": (
        service(K, transformer=STEP),
        service(K),
        {"transformer": "orphans"},
        "until the service is deleted.",
    ),
    "transformer's image": (
        service(K, transformer=STEP),
        service(K, transformer=step()),
        {"transformer": "replace"},
        "iris-transformer",
    ),
    "transformer's concurrency": (
        service(S, transformer=STEP),
        service(S, transformer={**STEP, "containerConcurrency": 5}),
        {"transformer": "rolling"},
        "containerConcurrency",
    ),
    "explainer's image": (
        service(S, explainer=STEP),
        service(S, explainer=step()),
        {"explainer": "rolling"},
        "iris-explainer",
    ),
    "explainer's batcher": (
        service(S, explainer=STEP),
        service(S, explainer={**STEP, "batcher": {"maxBatchSize": 2}}),
        {"explainer": "in-place"},
        "the Service `iris-explainer` changes in place",
    ),
    "custom container": (
        service(S, model=None, containers=STEP["containers"]),
        service(S, model=None, **step()),
        {P: "rolling"},
        "containers",
    ),
    "name without a model": (service(S), service(S, name_="a"), {P: "refused"}, "storageUri"),
    "name": (
        service(S, transformer=STEP),
        service(S, name_="green", model=NEXT, transformer=STEP),
        {P: "orphans recreate", "transformer": "rolling"},
        "`iris-green-predictor` is made",
    ),
    "name, Knative": (
        service(K),
        service(K, name_="green", model=NEXT),
        {P: "orphans"},
        "left behind (inferred)",
    ),
    "canary added": (
        service(S),
        service(S, canary=CANARY),
        {"predictor/green": "create"},
        "routes no requests to it (observed)",
    ),
    "canary removed": (
        service(S, canary=CANARY),
        service(S),
        {"predictor/green": "delete orphans"},
        "the HorizontalPodAutoscaler `iris-green-predictor`: it is left behind",
    ),
    "canary's traffic": (
        service(S, canary=CANARY),
        service(S, canary=[{**CANARY[0], "trafficPercent": 60}]),
        {"predictor/green": "ignored"},
        "from 30 to 60",
    ),
    "canary's traffic, of some pods": (
        service(S, canary=CANARY, minReplicas=4),
        service(S, canary=[{**CANARY[0], "trafficPercent": 60}], minReplicas=4),
        {P: "in-place", "predictor/green": "in-place"},
        "now has 3 pods (before: 2 pods)",
    ),
    "canary's traffic, without an autoscaler": (
        service(S, canary=CANARY, minReplicas=4, annotations={CLASS: "none"}),
        service(
            S,
            canary=[{**CANARY[0], "trafficPercent": 60}],
            minReplicas=4,
            annotations={CLASS: "none"},
        ),
        {P: "in-place", "predictor/green": "in-place"},
        "`iris-green-predictor` now has 3 pods (before: 2 pods)",
    ),
    "canary's model": (
        service(S, canary=CANARY),
        service(S, canary=[{**CANARY[0], "predictor": {**GREEN, "model": {"storageUri": "gs://c"}}}]),
        {"predictor/green": "rolling"},
        "iris-green-predictor",
    ),
    "predictor's field that the canary has too": (
        service(S, canary=CANARY),
        service(S, canary=CANARY, serviceAccountName="reader"),
        {P: "rolling", "predictor/green": "rolling"},
        "iris-green-predictor",
    ),
    "predictor's field that the canary has its own of": (
        service(S, canary=CANARY),
        service(S, canary=CANARY, model=NEXT),
        {P: "rolling"},
        "iris-predictor",
    ),
    "canary promoted": (
        service(S, canary=CANARY),
        service(S, name_="green", model=NEXT),
        {P: "in-place orphans", "predictor/green": "in-place"},
        "the HorizontalPodAutoscaler `iris-predictor`: it is left behind",
    ),
    "canary promoted and changed": (
        service(S, canary=CANARY),
        service(S, name_="green", model=model(storageUri="gs://models/iris/3")),
        {P: "orphans rolling", "predictor/green": "rolling"},
        "not as it was",
    ),
    "requests above the runtime's limits": (
        service(S),
        service(S, model=model(resources={"requests": {"cpu": "4"}})),
        {P: "breaks"},
        "requests more cpu than its limit",
    ),
    "requests above the runtime's limits, and still": (
        service(S, model=model(resources={"requests": {"cpu": "4"}})),
        service(S, model=model(resources={"requests": {"cpu": "4"}}), nodeSelector={"a": "b"}),
        {P: "deferred"},
        "as before: the container `kserve-container` requests more cpu than its limit, the "
        "runtime's included; `predictor.nodeSelector` counts once that is mended",
    ),
    "requests no longer above the runtime's limits": (
        service(S, model=model(resources={"requests": {"cpu": "4"}})),
        service(S),
        {P: "create"},
        "now it makes the Deployment `iris-predictor` as the service says",
    ),
    "a component is stopped": (
        service(S, transformer=STEP),
        service(S, transformer={**STEP, "annotations": {STOP: "true"}}),
        {"transformer": "delete"},
        "The transformer is stopped: KServe deletes the Deployment `iris-transformer`, and with it "
        "the Service `iris-transformer` and the HorizontalPodAutoscaler `iris-transformer`.",
    ),
    "a component is stopped no more": (
        service(S, transformer={**STEP, "annotations": {STOP: "true"}}),
        service(S, transformer=STEP),
        {"transformer": "create"},
        "The transformer is stopped no more",
    ),
    "a component stays stopped": (
        service(K, transformer={**STEP, "annotations": {STOP: "true"}}),
        service(K, transformer={**step(), "annotations": {STOP: "true"}}),
        {"transformer": "deferred"},
        "counts once it is started",
    ),
    "protocol that the runtime does not speak": (
        service(S, transformer=STEP),
        service(S, transformer=STEP, model=model(protocolVersion="grpc-v2")),
        {P: "breaks", "transformer": "breaks"},
        "NoSupportingRuntime",
    ),
    "traffic": (
        service(K, canaryTrafficPercent=10),
        service(K, canaryTrafficPercent=50),
        {P: "in-place"},
        "gets 50 % of the requests",
    ),
    "traffic: all": (
        service(K, canaryTrafficPercent=10),
        service(K),
        {P: "in-place"},
        "gets all requests and counts as rolled out",
    ),
    "traffic: none": (
        service(K, canaryTrafficPercent=10),
        service(K, canaryTrafficPercent=0),
        {P: "in-place"},
        "all requests go to the revision",
    ),
    "canary of Knative": (
        service(K),
        service(K, canaryTrafficPercent=10, model=NEXT),
        {P: "in-place replace"},
        "once it is ready, it gets 10 % of the requests",
    ),
    "second change of a canary": (
        service(K, canaryTrafficPercent=0),
        service(K, canaryTrafficPercent=0, model=NEXT),
        {P: "replace"},
        "it gets no requests",
    ),
    "ModelMesh, a field that other modes ignore": (
        service("ModelMesh"),
        service("ModelMesh", canaryTrafficPercent=10),
        {P: "unknown"},
        "not known what this does",
    ),
    "ModelMesh": (
        service("ModelMesh"),
        service("ModelMesh", model=NEXT),
        {P: "unknown"},
        "not known what this does: ModelMesh is run by a controller of its own",
    ),
}  # fmt: skip


@each("before after wanted words", WHOLE)
def test_a_service(before, after, wanted, words):
    found = of_service(before, after)
    assert effects(found) == wanted
    assert words in said(found)


@each("mode advice", {"S": (S, ", with its Service and its autoscaler"), "K": (K, "")})
def test_a_transformer_that_is_left_is_deleted_with_its_parts(mode, advice):
    ((_, found),) = of_service(service(mode, transformer=STEP), service(mode))
    assert found.advice == f"Delete it by hand{advice}."


def test_the_default_mode_is_written_where_it_is_not_knative():
    env = environment(default_mode="Standard")
    assert effects(of_service(service(None), service(S), env=env)) == {P: "in-place"}
    assert effects(of_service(service(None), service(K), env=env)) == {P: "refused"}


def test_a_service_that_moves():
    here, there = manifest(service(S)), manifest(service(S), "west")
    sides = state(here), state(there)
    found = impacts(compared(here, None), *sides) + impacts(compared(None, there), *sides)
    assert [(item.effect, item.destination) for _, item in found] == [
        ("recreate", "east"),
        ("recreate", "west"),
    ]
    assert said(found).count("from the destination `east` to `west`") == 2


def test_who_reaches_a_service_is_said_where_that_changes():
    """The other edit is about the Knative Service, too."""
    keys = ("serving.knative.dev/rollout-duration", "networking.knative.dev/visibility")
    before = service(K, labels={"a": "b"}, annotations={"a": "b"})
    labels, annotations = {"a": "b", keys[1]: "cluster-local"}, {"a": "b", keys[0]: "60s"}
    found = of_service(before, service(K, labels=labels, annotations=annotations))
    hidden = [cause.path[-1] for cause, item in found if "from outside fail" in item.consequence]
    assert hidden == [keys[1]]


def test_each_change_says_its_own():
    old = service(S, labels={"team": "a"})
    new = service(S, labels={"team": "b"}, maxReplicas=4, model=NEXT)
    found = of_service(old, new)
    assert {".".join(map(str, cause.path[-2:])): str(item.effect) for cause, item in found} == {
        "labels.team": "rolling",
        "model.storageUri": "rolling",
        "predictor.maxReplicas": "in-place",
    }


OURS = model(runtime="ours")
USER = service(S, model=OURS)
IMAGE = [{**CONTAINER, "image": "example/server:2.0"}]
OWN = "example/server:1.0"
RUNTIMES = {
    "image": (USER, runtime(), runtime(containers=IMAGE), {P: "rolling"}, "all services at once"),
    "image, Knative": (
        service(K, model=OURS, canaryTrafficPercent=5),
        runtime(),
        runtime(containers=IMAGE),
        {P: "replace"},
        "it gets 5 % of the requests",
    ),
    "image, cluster": (
        USER,
        runtime("ClusterServingRuntime"),
        runtime("ClusterServingRuntime", containers=IMAGE),
        {P: "rolling"},
        "changed what the pods of `iris-predictor` are made of: KServe replaces",
    ),
    "image, strategy Recreate": (
        service(S, model=OURS, deploymentStrategy=RECREATE),
        runtime(),
        runtime(containers=IMAGE),
        {P: "recreate"},
        "stop before",
    ),
    "image that the service has its own of": (
        service(S, model=model(runtime="ours", image=OWN)),
        runtime(),
        runtime(containers=IMAGE),
        {P: "in-place"},
        "no pod is replaced",
    ),
    "image, with a canary": (
        service(S, model=OURS, canary=CANARY, transformer=STEP),
        runtime(),
        runtime(containers=IMAGE),
        {P: "rolling", "predictor/green": "rolling"},
        "",
    ),
    "of another service": (service(S), runtime(), runtime(containers=IMAGE), {}, ""),
    "labels of pods": (USER, runtime(), runtime(labels={"a": "b"}), {P: "rolling"}, "`labels`"),
    "formats": (
        USER,
        runtime(),
        runtime(supportedModelFormats=[{"name": "sklearn"}, {"name": "own"}]),
        {P: "in-place"},
        "no pod is replaced",
    ),
    "server type, which pods follow": (
        USER,
        runtime(),
        runtime(annotations={"serving.kserve.io/server-type": "mlserver"}),
        {P: "deferred"},
        "only when something else touches them",
    ),
    "annotation of the object": (
        USER,
        runtime(),
        runtime(annotations={"a": "b"}),
        {P: "in-place"},
        "no pod is replaced",
    ),
    "format lost": (
        USER,
        runtime(),
        runtime(supportedModelFormats=[{"name": "own"}]),
        {P: "breaks"},
        "NoSupportingRuntime",
    ),
    "disabled": (USER, runtime(), runtime(disabled=True), {P: "breaks"}, "RuntimeDisabled"),
    "enabled again": (
        USER,
        runtime(disabled=True),
        runtime(),
        {P: "deferred"},
        "is not disabled any more; KServe looks for it when something else touches the service",
    ),
    "serving container lost": (
        USER,
        runtime(),
        runtime(containers=[{**CONTAINER, "name": "other"}]),
        {P: "breaks"},
        "InvalidPredictorSpec",
    ),
    "deleted": (USER, runtime(), None, {P: "breaks"}, "RuntimeNotRecognized"),
    "deleted, one of the cluster is shipped": (
        service(S),
        runtime(name="kserve-sklearnserver"),
        None,
        {P: "deferred"},
        "takes its place",
    ),
    "created over one of the cluster": (
        service(S),
        None,
        runtime(name="kserve-sklearnserver"),
        {P: "deferred"},
        "is there now",
    ),
    "workers lost": (
        service(S, model=OURS, workerSpec={"pipelineParallelSize": 2}),
        runtime(workerSpec={"containers": [{"name": "worker-container"}]}),
        runtime(),
        {P: "refused"},
        "may not be removed",
    ),
    "service left alone": (
        service(S, model=OURS, annotations={FROZEN: "true"}),
        runtime(),
        runtime(containers=IMAGE),
        {P: "ignored"},
        "does not follow the runtime `ours` (observed)",
    ),
    "port": (
        service(S, model=OURS),
        runtime(),
        runtime(containers=[{**CONTAINER, "ports": [{"containerPort": 9000}]}]),
        {P: "rolling"},
        "But the Service `iris-predictor` sends requests to port 9000 at once",
    ),
    "service stopped": (
        service(S, model=OURS, annotations={STOP: "true"}),
        runtime(),
        runtime(containers=IMAGE),
        {},
        "",
    ),
}  # fmt: skip


@each("user before after wanted words", RUNTIMES)
def test_a_runtime(user, before, after, wanted, words):
    objects = [manifest(item) if item else None for item in (before, after)]
    sides = [state(manifest(user), *([item] if item else [])) for item in objects]
    found = impacts(compared(*objects), *sides)
    assert effects(found) == wanted
    assert words in said(found)


def test_each_edit_of_a_runtime_has_its_own_effect():
    """The service has its own limit, so that only the image makes another pod."""
    user = manifest(service(S, model={**OURS, "resources": {"limits": {"cpu": "2"}}}))
    runtimes = [
        manifest(runtime(containers=[{**item, "resources": {"limits": {"cpu": cpu}}}]))
        for item, cpu in ((CONTAINER, "1"), (IMAGE[0], "4"))
    ]
    found = impacts(compared(*runtimes), *(state(user, item) for item in runtimes))
    assert [(cause.path[-1], str(item.effect)) for cause, item in found] == [
        ("image", "rolling"),
        ("cpu", "in-place"),
    ]


def test_a_format_that_the_same_runtime_does_not_take():
    after = service(S, model={**OURS, "modelFormat": {"name": "xgboost"}})
    found = of_service(USER, after, old=[runtime()])
    assert effects(found) == {P: "breaks"}


def test_two_runtimes_that_change_at_once():
    green = {"name": "green", "model": model(runtime="other")}
    user = service(S, model=OURS, canary=[{"predictor": green, "trafficPercent": 30}])
    pairs = [
        [runtime(name=name), runtime(name=name, containers=IMAGE)] for name in ("ours", "other")
    ]
    sides = [state(*map(manifest, (user, *some))) for some in zip(*pairs, strict=True)]
    found = [impacts(compared(*map(manifest, pair)), *sides) for pair in pairs]
    assert list(map(effects, found)) == [{P: "rolling"}, {"predictor/green": "rolling"}]


def test_a_runtime_of_another_cluster():
    east, west = environment("west").destinations
    env = environment()._replace(destinations=(east, west._replace(cluster="west")))
    old, new = runtime(), runtime(containers=IMAGE)
    sides = [
        state(*map(manifest, (USER, old)), manifest(one, "west"), env=env) for one in (old, new)
    ]
    assert impacts(compared(manifest(old, "west"), manifest(new, "west")), *sides) == []


def test_a_runtime_of_the_namespace_hides_that_of_the_cluster():
    wide, near = runtime("ClusterServingRuntime"), runtime()
    changed = runtime("ClusterServingRuntime", containers=IMAGE)
    sides = [state(*map(manifest, (USER, near, item))) for item in (wide, changed)]
    assert impacts(compared(manifest(wide), manifest(changed)), *sides) == []


def test_a_runtime_under_another_name_that_its_user_follows():
    olds = list(map(manifest, (USER, runtime())))
    news = list(map(manifest, (service(S, model=model(runtime="new")), runtime(name="new"))))
    sides = state(*olds), state(*news)
    found = [impacts(compared(*pair), *sides) for pair in zip(olds, news, strict=True)]
    assert [effects(item) for item in found] == [{P: "in-place"}, {}]


def test_a_runtime_under_another_name_and_another_edit_of_its_user():
    """To leave out the first edit takes the runtime that only the old state has."""
    new = service(S, model=model(runtime="new", args=["--a"]))
    found = of_service(USER, new, old=[runtime()], new=[runtime(name="new")])
    assert [(cause.path[-1], str(item.effect)) for cause, item in found] == [
        ("args", "rolling"),
        ("runtime", "in-place"),
    ]


def test_a_runtime_that_comes_is_not_blamed_for_the_edit_of_its_user():
    """One as it is shipped replaces no pod; that the service has another model is its own edit."""
    name = "kserve-sklearnserver"
    came = runtime(name=name)
    came["spec"] |= shipped_runtime(name, Dialect()).plain()
    came = manifest(came)
    sides = state(manifest(service(S))), state(manifest(service(S, model=NEXT)), came)
    assert impacts(compared(None, came), *sides) == []


def test_a_runtime_of_the_namespace_does_not_hide_that_of_the_cluster_from_others():
    unfit = runtime(name="kserve-sklearnserver", supportedModelFormats=[{"name": "own"}])
    user = manifest(service(S, model=model(runtime=None)))
    side = state(user, manifest(unfit))
    unit = derived_units(user, side)[P]
    assert unit.needs == (("ClusterServingRuntime", "", "kserve-sklearnserver"),)
    assert image_of(unit) == "kserve/sklearnserver:v0.20.0"


ODD = [
    {},
    {"predictor": None},
    {"predictor": []},
    {"predictor": {"model": "x", "minReplicas": "x", "containers": {"a": 1}}},
    {"predictor": {"model": {"env": "x", "args": {}, "resources": []}, "batcher": 1}},
    {"predictor": {"containers": ["x", None]}, "transformer": [], "explainer": 3},
    {"predictor": {"model": model(runtime=3)}, "canary": {"a": 1}},
    {
        "predictor": {"model": model()},
        "canary": [None, {}, {"predictor": 3, "trafficPercent": "x"}],
    },
    {"predictor": {"model": {"modelFormat": [], "storage": 3}, "deploymentStrategy": "x"}},
    {"predictor": {"model": model(image=7, resources={"limits": {"cpu": [], "memory": "x"}})}},
]


@pytest.mark.parametrize("mode", [S, K])
@pytest.mark.parametrize("spec", ODD, ids=map(str, range(len(ODD))))
def test_what_is_no_service_is_told_of_too(mode, spec):
    odd = {**service(mode), "spec": spec}
    for pair in ((odd, service(mode)), (service(mode), odd), (None, odd), (odd, None)):
        sides = [[manifest(item)] if item else [] for item in pair]
        change = compared(*(side[0] if side else None for side in sides))
        states = [state(*side, manifest(runtime())) for side in sides]
        found = AffectedObject(change, tuple(impacts(change, *states)))
        assert isinstance(capacity([found], *states), list)


def test_a_change_of_runtime_and_service_together_is_told_apart():
    new = service(S, model={**OURS, "protocolVersion": "v2"})
    runtimes = [runtime(protocolVersions=[])], [runtime(protocolVersions=[], containers=IMAGE)]
    assert effects(of_service(USER, new, old=runtimes[0], new=runtimes[1])) == {P: "in-place"}


def test_every_kind_of_change_is_met():
    sentences = list(_all_words())
    met = {kind for kind in CHANGE_KINDS if any(_begins(kind, words) for words in sentences)}
    assert sorted(set(CHANGE_KINDS) - met) == []


def _all_words():
    for row in FIELDS:
        for mode in (S, K):
            found = of_service(service(mode, **row[1]), service(mode, **row[2]))
            yield from (item.consequence for _, item in found)
    for before, after, *_ in WHOLE.values():
        yield from (item.consequence for _, item in of_service(before, after))
    for user, before, after, *_ in RUNTIMES.values():
        objects = [manifest(item) if item else None for item in (before, after)]
        sides = [state(manifest(user), *([item] if item else [])) for item in objects]
        yield from (item.consequence for _, item in impacts(compared(*objects), *sides))
    here, there = manifest(service(S)), manifest(service(S), "west")
    found = impacts(compared(None, there), state(here), state(there))
    yield from (item.consequence for _, item in found)


def _begins(kind, words):
    """Whether a sentence has all the fixed parts of a kind's, in their order."""
    place = 0
    parts = CHANGE_KINDS[kind].consequence.removesuffix(".").split("{")
    for part in [parts[0], *(item.partition("}")[2] for item in parts[1:])]:
        place = words.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def test_an_own_runtime_that_is_as_the_shipped_one_replaces_no_pod():
    fields = shipped_runtime("kserve-huggingfaceserver", Dialect()).plain()
    formats = [{"name": "huggingface"}]
    ours = runtime(supportedModelFormats=formats, annotations={SERVER_TYPE: "huggingfaceserver"})
    ours["spec"] |= fields
    asked = {"modelFormat": {"name": "huggingface"}}
    first = service(model=model(**asked, runtime="kserve-huggingfaceserver"))
    last = service(model=model(**asked, runtime="ours"))
    assert effects(of_service(first, last, old=[ours])) == {P: "in-place"}


@pytest.mark.parametrize("kind", ["ServingRuntime", "ClusterServingRuntime"])
def test_a_runtime_reaches_services_at_all_destinations_of_its_cluster(kind):
    users = [manifest(service(name=name, model=OURS), name) for name in ("east", "west", "north")]
    env = environment("west")
    sized = {"resources": {"requests": {"cpu": "1"}}}
    before, after = (
        manifest(runtime(kind, containers=[{**item, **sized}])) for item in (CONTAINER, *IMAGE)
    )
    sides = [state(*users, item, env=env) for item in (before, after)]
    change = compared(before, after)
    found = impacts(change, *sides)
    assert [(item.destination, str(item.effect)) for _, item in found] == [
        ("east", "rolling"),
        ("west", "rolling"),
    ]
    rows = capacity([AffectedObject(change, tuple(found))], *sides, in_full=True)
    assert {row.destination for row in rows} == {"east", "west"}


XGBOOST = {"modelFormat": {"name": "xgboost"}, "runtime": "kserve-mlserver"}


def test_an_empty_field_of_a_canary_says_nothing():
    """The webhook writes it, and a promotion is no rollout for it."""
    stable = model(**XGBOOST, protocolVersion="v2")
    uri = {"storageUri": "gs://models/iris/2"}
    green = {"name": "green", "model": {"modelFormat": {"name": ""}, "name": "", **uri}}
    before = service(model=stable, canary=[{"predictor": green, "trafficPercent": 30}])
    after = service(model={**stable, **uri}, name_="green")
    assert "without a restart" in said(of_service(before, after))


def test_a_canary_has_labels_by_its_own_model():
    stable = model(runtime="kserve-mlserver", protocolVersion="v2")
    other = {**stable, **XGBOOST, "storageUri": "gs://models/iris/2"}
    canary = [{"predictor": {"name": "green", "model": other}, "trafficPercent": 30}]
    found = of_service(service(model=stable, canary=canary), service(model=other, name_="green"))
    assert "without a restart" in said(found)


def test_a_canary_uses_the_runtime_that_it_names():
    green = {"name": "green", "model": {"runtime": "theirs"}}
    user = manifest(service(model=OURS, canary=[{"predictor": green, "trafficPercent": 30}]))
    image = {**CONTAINER, "image": "example/theirs:1"}
    ours, before = manifest(runtime()), manifest(runtime(name="theirs", containers=[image]))
    after = manifest(runtime(name="theirs", containers=IMAGE))
    sides = [state(user, ours, item) for item in (before, after)]
    assert image_of(derived_units(user, sides[0])["predictor/green"]) == "example/theirs:1"
    assert effects(impacts(compared(before, after), *sides)) == {"predictor/green": "rolling"}
    gone = impacts(compared(before, None), sides[0], state(user, ours))
    assert effects(gone) == {"predictor/green": "breaks"}
    of_ours = manifest(runtime(containers=IMAGE))
    sides = [state(user, item, before) for item in (ours, of_ours)]
    assert effects(impacts(compared(ours, of_ours), *sides)) == {P: "rolling"}


@pytest.mark.parametrize(
    ("stable", "canary", "merged"),
    [
        ({"a": True}, {"a": False}, {"a": True}),
        ({}, {"a": False}, {"a": False}),
        ({"a": 3}, {"a": 0}, {"a": 3}),
        ({"a": ["x"]}, {"a": []}, {"a": ["x"]}),
        ({"a": {"b": "x"}}, {"a": {"b": "", "c": "y"}}, {"a": {"b": "x", "c": "y"}}),
    ],
)
def test_fields_of_a_canary_over_those_of_the_predictor(stable, canary, merged):
    both = (uniform_tree(side, ORIGIN) for side in (stable, canary))
    assert merge_canary(*both).plain() == merged


@pytest.mark.parametrize(
    ("kind", "effect", "words", "seen"),
    [
        ("hpa", "ignored", "keeps one pod at least", True),
        ("keda", "in-place", "now has 0 to 3 pods (before: 1 to 3 pods)", False),
        ("none", "in-place", "now has 0 pods (before: 1 pod)", True),
    ],
)
def test_no_pods_at_all(kind, effect, words, seen):
    """KEDA takes a number of 0 over; what was seen of one autoscaler is not said of others."""
    fields = {"maxReplicas": 3, "annotations": {CLASS: kind}}
    found = of_service(service(minReplicas=1, **fields), service(minReplicas=0, **fields))
    assert effects(found) == {P: effect}
    assert words in said(found)
    assert ("(observed)" in said(found)) is seen
