"""`servingctl import` of what a cluster has: names and keys go into the environment, no values."""

import json
from base64 import b64encode
from pathlib import Path

import pytest
import yaml

from renderer.backends.companions.listings import listed_object
from renderer.values.imports import Source
from renderer.values.tree import constant
from tests.support.processes import run, snapshot

pytestmark = pytest.mark.process

ENVIRONMENT = """\
# prod, of two teams
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: gpu-east, platform: kubernetes, namespace: models}]
kserve: {default_mode: Standard}
references:
  closed: true   # a misspelt name is an error
  provided:
    - ServiceAccount/other   # of the other team
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
predictor:
  serviceAccountName: chat
  priorityClassName: high
  model:
    modelFormat: {name: sklearn}
    storageUri: pvc://weights/chat/v3
    env:
      - {name: TOKEN, valueFrom: {secretKeyRef: {name: hub-token, key: token}}}
      - {name: LEVEL, valueFrom: {configMapKeyRef: {name: settings, key: level}}}
    resources: {limits: {cpu: "4", memory: 32Gi}, requests: {cpu: "4", memory: 32Gi}}
"""
#: Values that no output, file, cache or report may hold, plain or as the API has them.
VALUES = ("Xq7rWv2LpZ9k", "mB4tYc8Ns1Hd")
ENCODED = tuple(b64encode(value.encode()).decode() for value in VALUES)


def thing(kind, name, namespace="models", **fields):
    metadata = {"name": name, "uid": "7d1b", "resourceVersion": "12"}
    metadata |= {"namespace": namespace} if namespace else {}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **fields}


SECRET = thing("Secret", "hub-token", data=dict(zip(("token", "plain-name"), ENCODED, strict=True)))
#: kubectl notes there what was applied, values and all.
SECRET["metadata"]["annotations"] = {
    "kubectl.kubernetes.io/last-applied-configuration": json.dumps({"stringData": [*VALUES]})
}
THERE = (
    thing("ServiceAccount", "chat"),
    thing("ServiceAccount", "default"),
    thing("ConfigMap", "settings", data={"level": "1", "more": "2"}),
    thing("ConfigMap", "settings", "elsewhere", data={"none": "1"}),
    thing("PersistentVolumeClaim", "weights"),
    {**thing("PriorityClass", "high", ""), "apiVersion": "scheduling.k8s.io/v1"},
    SECRET,
)
ENTRIES = [
    {"kind": "ConfigMap", "name": "settings", "keys": ["level", "more"]},
    "PersistentVolumeClaim/weights",
    "PriorityClass/high",
    {"kind": "Secret", "name": "hub-token", "keys": ["plain-name", "token"]},
    "ServiceAccount/chat",
]


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    (folder / "environments/prod").mkdir(parents=True)
    (folder / "servingctl.yaml").write_text("")
    (folder / "environments/prod/environment.yaml").write_text(ENVIRONMENT)
    (folder / "environments/prod/chat.yaml").write_text(SERVICE)
    return folder


def listing(folder, *objects, name="live.json"):
    path = folder.parent / name
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    return str(path)


def described(folder):
    return (folder / "environments/prod/environment.yaml").read_text()


def provided(folder):
    return yaml.safe_load(described(folder))["references"]["provided"]


def imported(folder, *files, **more):
    done = run("import", *files, "--env", "prod", cwd=folder, **more)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_what_is_missing_and_there_becomes_entries(repository):
    assert run("validate", cwd=repository).returncode == 1
    code, said, errors = imported(repository, listing(repository, *THERE))
    assert (code, errors) == (0, "")
    assert said == [
        "environments/prod/environment.yaml: 5 objects added to references.provided",
        "  ConfigMap/settings with the keys level and more",
        "  PersistentVolumeClaim/weights",
        "  PriorityClass/high",
        "  Secret/hub-token with the keys plain-name and token",
        "  ServiceAccount/chat",
        "2 objects left out, as nothing that is missing here names them",
        "(to keep one of them in Git as a spec, import it by itself, not in a list)",
    ]
    assert provided(repository) == ["ServiceAccount/other", *ENTRIES]
    assert described(repository).startswith(ENVIRONMENT)  # with its comments
    assert run("validate", cwd=repository).returncode == 0
    assert {p.name for p in (repository / "environments/prod").iterdir()} == {
        "environment.yaml", "chat.yaml",
    }  # fmt: skip


def test_again_adds_nothing(repository):
    imported(repository, listing(repository, *THERE))
    before = snapshot(repository)
    code, said, _ = imported(repository, listing(repository, *THERE))
    assert (code, said[0]) == (
        0,
        "environments/prod/environment.yaml: nothing added to references.provided",
    )
    assert snapshot(repository) == before


def test_names_alone_are_enough(repository):
    names = "secret/hub-token\nserviceaccount/chat\npriorityclass.scheduling.k8s.io/high\n"
    (repository.parent / "names").write_text(f"{names}queue.example.com/mine\n")
    _, said, _ = imported(repository, str(repository.parent / "names"))
    added = ["PriorityClass/high", "Secret/hub-token", "ServiceAccount/chat"]
    assert provided(repository)[1:] == added
    assert said[4:7] == [
        "neither made here nor in the list: ConfigMap/settings, to which InferenceService/chat "
        "refers",
        "neither made here nor in the list: PersistentVolumeClaim/weights, to which "
        "InferenceService/chat refers",
        "1 object left out, as nothing that is missing here names them",
    ]


def test_an_environment_that_says_nothing_of_references(repository):
    (repository / "environments/prod/environment.yaml").write_text(
        ENVIRONMENT.partition("references")[0]
    )
    imported(repository, listing(repository, *THERE))
    assert yaml.safe_load(described(repository))["references"] == {"provided": ENTRIES}


def test_the_cluster_is_told_by_the_name_of_the_file(repository):
    west = "  - {name: gpu-west, platform: kubernetes, namespace: models}\n"
    east = west.replace("west", "east")
    text = ENVIRONMENT.replace(
        "[{name: gpu-east, platform: kubernetes, namespace: models}]", f"\n{east}{west}"
    )
    (repository / "environments/prod/environment.yaml").write_text(text)
    spec = repository / "environments/prod/chat.yaml"
    spec.write_text(SERVICE.replace("predictor:", "destination: gpu-west\npredictor:"))
    code, _, errors = imported(repository, listing(repository, *THERE))
    assert (code, described(repository)) == (1, text)
    assert "it is not clear which cluster" in errors
    assert "gpu-east or gpu-west; give a file" in errors
    imported(repository, listing(repository, *THERE, name="gpu-east.json"))
    assert described(repository) == text
    imported(repository, listing(repository, *THERE, name="gpu-west.json"))
    assert provided(repository)[-1] == {
        "kind": "ServiceAccount", "name": "chat", "destination": "gpu-west",
    }  # fmt: skip


def test_objects_that_are_meant_as_companions(repository):
    """One by itself, one that no cluster wrote, other kinds, and companions as they are live."""
    (one := repository.parent / "one.json").write_text(json.dumps(THERE[0]))
    written = {k: v for k, v in THERE[0]["metadata"].items() if k in ("name", "namespace")}
    by_hand = listing(repository, {**THERE[0], "metadata": written}, name="by-hand.json")
    quota = listing(repository, THERE[0], thing("ResourceQuota", "q"), name="quota.json")
    for path in (str(one), by_hand, quota):
        code, said, errors = imported(repository, path)
        assert (code, errors) == (0, ""), path
        assert not any("provided" in line for line in said), path
    assert (repository / "environments/prod/serviceaccounts/chat.yaml").exists()
    _, said, _ = imported(repository, listing(repository, THERE[0]))
    assert said[0].startswith("ServiceAccount/chat: unchanged")
    assert described(repository) == ENVIRONMENT


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("form", ["json", "yaml", "alone.yaml", "mixed.yaml"])
def test_values_of_secrets_are_nowhere(repository, form, broken):
    """Not in what is said and written, nor in what a crash or a cache would leave behind."""
    items = {"alone.yaml": [SECRET], "mixed.yaml": [*THERE, thing("ResourceQuota", "q")]}
    holds = {"apiVersion": "v1", "kind": "List", "items": items.get(form, [*THERE])}
    text = json.dumps(holds) if form == "json" else yaml.safe_dump(holds)
    text = json.dumps(holds["items"][0]) if form == "alone.yaml" else text
    if broken:  # cut in the middle of a value
        text = text[: text.index(ENCODED[0]) + 9] + "\n\t: {"
    path = repository.parent / f"live.{form}"
    path.write_text(text)
    homes = {name: str(repository.parent / "home") for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR")}
    Path(homes["HOME"]).mkdir()
    code, said, errors = imported(repository, str(path), "--accept-changes", **homes)
    assert code == (1 if broken or form == "alone.yaml" else 0), errors
    run("validate", cwd=repository, **homes)
    run("render", cwd=repository, **homes)
    found = "\n".join((*said, errors)).encode()
    files = [file for file in repository.parent.rglob("*") if file.is_file() and file != path]
    for held in (found, *(file.read_bytes() for file in files)):
        assert not any(value.encode()[:8] in held for value in (*VALUES, *ENCODED))


def test_only_names_and_keys_are_kept():
    """So that nothing else can reach a message, a file or the report of a crash."""
    source = Source(constant(SECRET, "live"), is_listed=True)
    found = listed_object(source)
    assert found == ("Secret", "hub-token", "models", "", ("plain-name", "token"), False)
