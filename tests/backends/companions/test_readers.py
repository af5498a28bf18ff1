"""Who reads an edited ConfigMap or Secret, in which way, and what `diff` says of it."""

import pytest

from renderer import compare
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
companions: {allow: [ConfigMap, CronJob, Deployment, ExternalSecret, TriggerAuthentication]}
destinations: [{name: east, platform: kubernetes, namespace: models}]
"""
SETTINGS = 'apiVersion: v1\nkind: ConfigMap\ndata: {a: "1", b: "1"}\n'
TOKEN = """\
apiVersion: external-secrets.io/v1
kind: ExternalSecret
spec: {target: {name: settings}, data: [{secretKey: a, remoteRef: {key: "1"}}]}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      volumes: VOLUMES
      containers: [{name: web, image: "web:1", MOUNTS}]
"""
FLOWERS = """\
apiVersion: serving.gitops/v1
kind: InferenceService
annotations: {serving.kserve.io/deploymentMode: Standard}
predictor:
  serviceAccountName: reader
  maxReplicas: 2
  model:
    modelFormat: {name: sklearn}
    runtimeVersion: v0.19.0
    storageUri: s3://models/flowers/v1
    env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: a}}}]
    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: "1", memory: 1Gi}}
"""


def deployment(volumes="[]", mounts="env: []"):
    return WEB.replace("VOLUMES", volumes).replace("MOUNTS", mounts)


def said(source, users, old='"1"', new='"2"'):
    """The classes and sentences of an edit of the first value of a file that others read."""
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
    files |= {f"environments/dev/{name}.yaml": text for name, text in users.items()}
    states = (source, source.replace(old, new, 1))
    found = compare(
        *(project({**files, "environments/dev/beside/settings.yaml": text}) for text in states)
    )
    assert {edit.origin.file for edit in found.edits if edit.path} == {
        "environments/dev/beside/settings.yaml"
    }
    return [(str(i.effect), i.consequence) for item in found.objects for _, i in item.impacts]


CONFIG = "[{name: v, configMap: {name: settings}}]"
PROJECTED = "[{name: v, projected: {sources: [{configMap: {name: settings}}]}}]"
WAYS = {
    "a variable": (deployment(mounts="envFrom: [{configMapRef: {name: settings}}]"), "deferred"),
    "a volume": (deployment(CONFIG, "volumeMounts: [{name: v, mountPath: /v}]"), "in-place"),
    "a projected volume": (
        deployment(PROJECTED, "volumeMounts: [{name: v, mountPath: /v}]"),
        "in-place",
    ),
    "a part of a volume": (
        deployment(CONFIG, "volumeMounts: [{name: v, mountPath: /v/a, subPath: a}]"),
        "deferred",
    ),
    "a part of another volume": (
        deployment(
            "[{name: v, configMap: {name: settings}}, {name: w, emptyDir: {}}]",
            "volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w, subPath: a}]",
        ),
        "in-place",
    ),
}


@pytest.mark.parametrize(("web", "effect"), WAYS.values(), ids=[*WAYS])
def test_the_class_is_that_of_the_way_it_is_read(web, effect):
    ((found, sentence),) = said(SETTINGS, {"web": web})
    assert found == effect
    assert "Deployment/web (pods)" in sentence


def test_a_unit_is_named_and_both_ways_are_said():
    web = WAYS["a volume"][0]
    found = dict(said(SETTINGS, {"web": web, "flowers": FLOWERS}))
    assert "the pods of InferenceService/flowers (predictor) keep the old" in found["deferred"]
    assert "reaches Deployment/web (pods) within a minute or so" in found["in-place"]


def test_who_reads_another_key_is_no_user():
    ((effect, sentence),) = said(SETTINGS, {"flowers": FLOWERS}, 'b: "1"', 'b: "2"')
    assert effect == "in-place"
    assert sentence.endswith("and nothing in Git reads it.")


def test_what_has_the_name_in_another_namespace_is_no_user():
    other = FLOWERS.replace("predictor:", "namespace: other\npredictor:", 1)
    pinned = SETTINGS + "metadata: {namespace: models}\n"
    ((effect, _),) = said(pinned, {"flowers": other})
    assert effect == "in-place"


def test_of_a_secret_that_a_controller_makes_rotation_is_said():
    web = deployment(mounts="envFrom: [{secretRef: {name: settings}}]")
    ((effect, sentence),) = said(TOKEN, {"web": web})
    assert effect == "deferred"
    assert "neither an edit nor a rotation replaces a pod: those of Deployment/web" in sentence


def test_a_controller_that_reads_it_looks_again():
    scaling = "spec: {configMapTargetRef: [{parameter: p, name: settings, key: a}]}\n"
    head = "apiVersion: keda.sh/v1alpha1\nkind: TriggerAuthentication\n"
    ((effect, sentence),) = said(SETTINGS, {"scaling": head + scaling})
    assert effect == "in-place"
    assert "TriggerAuthentication/scaling within a minute or so, as their controllers" in sentence
