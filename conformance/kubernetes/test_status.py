"""`status` with the real kubectl, against the real API server."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.places import ROOT

_NOBODY = "nobody"
_SPEC = "Serving/credit-risk"
_FOLDER = ROOT / "rendered/dev/master"
_LEFT_OUT = "no CRDs: give a folder with --crds, or CRDS to make"
Status = Callable[..., "subprocess.CompletedProcess[str]"]


def configuration(client: Client, token: str) -> dict[str, Any]:
    """A kubeconfig whose contexts are called as the destinations of the example are."""
    where = client.where
    server = {"server": where["server"], "certificate-authority": where["ca"]}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": server}],
        "users": [{"name": "u", "user": {"token": token}}],
        "contexts": [
            {"name": name, "context": {"cluster": "c", "user": "u"}} for name in ("master", "lab")
        ],
    }


@pytest.fixture
def status(client: Client, has_crds: bool, tmp_path: Path) -> Status:
    if not has_crds:
        pytest.skip(_LEFT_OUT)
    if not shutil.which("kubectl"):
        pytest.skip("kubectl is not installed")

    def run(*arguments: str, token: str = client.where["token"]) -> Any:
        path = tmp_path / "config"
        path.write_text(yaml.safe_dump(configuration(client, token)))
        command = [sys.executable, "-m", "renderer", "status", "--env", "dev", *arguments]
        environment = {**os.environ, "KUBECONFIG": str(path)}
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.fixture
def objects(client: Client, has_crds: bool) -> Iterator[list[Object]]:
    """What the example renders for its control plane, applied."""
    listed = yaml.safe_load((_FOLDER / "kustomization.yaml").read_text("utf-8"))["resources"]
    wanted = [yaml.safe_load((_FOLDER / name).read_text("utf-8")) for name in listed]
    if has_crds:
        for item in wanted:
            assert not client.apply(item).is_refusal
    yield wanted
    for item in wanted if has_crds else ():
        client.delete(item)


def test_nothing_is_applied(status: Status) -> None:
    done = status(_SPEC)
    assert done.returncode == 1
    assert f"{_SPEC} at master: not applied" in done.stdout


def test_what_was_applied_is_as_in_git(status: Status, objects: list[Object]) -> None:
    """No controller is there: Kuscia has said nothing yet."""
    done = status(_SPEC, "AppImage/secretflow-serving", "--format", "json")
    assert done.returncode == 0, done.stderr + done.stdout
    told = {item["spec"]: item for item in json.loads(done.stdout)["specs"]}
    assert told[_SPEC]["state"] == "Pending"
    assert all(item["equals_git"] for item in told.values())
    assert len(told) == len({"one", "other"}) <= len(objects)


def test_a_hand_edit_is_told(status: Status, client: Client, objects: list[Object]) -> None:
    (edited,) = (item for item in objects if item["metadata"]["name"] == "credit-risk")
    edited["spec"]["parties"][0]["template"]["replicas"] = 7
    assert not client.apply(edited).is_refusal
    done = status(_SPEC)
    assert done.returncode == 1
    assert "template.replicas" in done.stdout
    assert "7 live" in done.stdout


def test_who_may_not_ask_is_told_so(status: Status) -> None:
    done = status(_SPEC, token=_NOBODY)
    assert (done.returncode, done.stdout) == (3, "")
    assert "you may not list" in done.stderr


def test_a_kind_that_the_cluster_does_not_know(status: Status) -> None:
    done = status("InferenceService/flowers")
    assert (done.returncode, done.stdout) == (3, "")
    assert "does not know the kind InferenceService" in done.stderr
