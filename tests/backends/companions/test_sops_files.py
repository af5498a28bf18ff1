"""Files that SOPS itself wrote (`tests/observed/flux/sops`), and what became of copies."""

import json
from pathlib import Path

import pytest

from renderer.evaluate.run import render
from tests.support.memory import project
from tests.support.repositories import HEADER

OBSERVED = Path(__file__).parents[2] / "observed/flux"
FILES = sorted((OBSERVED / "sops").iterdir())
ENVIRONMENT = HEADER.format("Environment") + (
    "companions: {allow: [Secret, Deployment]}\n"
    "destinations: [{name: gpu, platform: kubernetes, namespace: models, decryption: flux}]\n"
    "references: {closed: true}\n"
)
USER = """\
apiVersion: apps/v1
kind: Deployment
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: "example/web:v1"
          env:
            - {name: A, valueFrom: {secretKeyRef: {name: hub-token, key: token}}}
            - {name: B, valueFrom: {secretKeyRef: {name: hub-token, key: raw}}}
            - {name: C, valueFrom: {secretKeyRef: {name: registry, key: KEY}}}
"""
#: That Kubernetes' schemas are not installed, or for which version they are.
_ASIDE = "MAN018"


def rendering(key):
    given = {f"environments/prod/secrets/{path.name}": path.read_text("utf-8") for path in FILES}
    return render(
        project(
            {
                "servingctl.yaml": "",
                "environments/prod/environment.yaml": ENVIRONMENT,
                "environments/prod/web.yaml": USER.replace("KEY", key),
                **given,
            }
        )
    )


def test_they_are_copied_byte_for_byte():
    found = rendering("user")
    assert [str(item) for item in found.diagnostics if item.code != _ASIDE] == []
    texts = {Path(item.path).stem: item.text for item in found.manifests}
    assert len(FILES) == 2
    for path in FILES:
        assert texts[path.stem] == path.read_text("utf-8"), path.name


def test_their_keys_are_known():
    assert [item.code for item in rendering("usr").diagnostics if item.code != _ASIDE] == ["REF002"]


@pytest.mark.parametrize(
    ("what", "flux", "sops"),
    [
        ("as it is rendered", True, True),
        ("with a label of ours", True, False),
        ("written in another form", True, True),
        ("without decryption", None, None),
        ("without the private key", None, None),
    ],
)
def test_what_the_documentation_says(what, flux, sops):
    """Of Flux, which does not look at the checksum, and of SOPS, which does."""
    found = json.loads((OBSERVED / "encryption.json").read_text("utf-8"))[what]
    applied = found["secrets"].get("hub-token", {})
    assert applied.get("is_decrypted") is flux
    assert "sops" not in applied.get("fields", ())
    assert found.get("sops", {}).get("hub-token") is sops
