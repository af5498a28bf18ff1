"""What Flux makes of Secrets that SOPS encrypted, as we copy them, and as we might have not."""

import re
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from conformance.flux.artifacts import served
from conformance.flux.encryption import Keys, decrypted, encrypt, make_keys
from conformance.flux.installation import Programs, running
from conformance.flux.journal import KUSTOMIZATION, kept
from conformance.flux.kubeconfig import secret
from conformance.flux.places import OBSERVED
from conformance.flux.records import compare
from conformance.flux.repository import Repository, read_steps
from conformance.flux.scene import Scene
from conformance.flux.stage import Cluster, Stage, told
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import add_namespace, apply
from conformance.operators.quiet import items_of, wait_for

_SECRETS = ("hub-token.yaml", "registry.json")
_FOLDER = "environments/prod/secrets"
_LIST = "/api/v1/namespaces/models/secrets"
_OWNER = "kustomize.toolkit.fluxcd.io/"
_PATIENCE = 90
#: A checksum, and folders of one run, in what Flux says.
_CHECKSUMS = re.compile(r"\b[0-9A-F]{128}\b")
_FOLDERS = re.compile(r"/\S*/kustomization-[0-9]+")


class Play(NamedTuple):
    """A repository with encrypted files, given to Flux, and what was in these files."""

    scene: Scene
    keys: Keys
    plain: dict[str, Any]

    @property
    def name(self) -> str:
        """The Kustomization of what is applied first."""
        (chain,) = self.scene.chains.values()
        return next(name for name, part in chain.names.items() if part == "prerequisites")


@pytest.fixture
def stage(first: Client, built: Programs, logs: Path) -> Iterator[Stage]:
    """Flux and one server, kinds of platforms or not: of the tree only Secrets are looked at."""
    add_namespace(first, "models")
    apply(first, secret("first-east", first))
    with (
        kept(first, (KUSTOMIZATION,)) as journal,
        served() as shelf,
        running(first, built.controller, logs / "encryption"),
    ):
        one = Cluster(first, journal)
        yield Stage(one, one, shelf, built.judge)


@pytest.fixture
def play(stage: Stage, built: Programs, tmp_path: Path) -> Iterator[Play]:
    repository = Repository(tmp_path / "repository")
    repository.folder.mkdir()
    (step,) = read_steps("encrypted")
    repository.edit(step)
    keys = make_keys(built, tmp_path)
    files = [repository.folder / _FOLDER / name for name in _SECRETS]
    plain = {held["metadata"]["name"]: held for held in (encrypt(built, keys, f) for f in files)}
    stage.first.client.close()
    apply(stage.first.client, keys.secret)
    scene = Scene(stage, repository)
    scene.bootstrap()
    try:
        yield Play(scene, keys, plain)
    finally:
        stage.delete(names := [*stage.kustomizations()])
        wait_for(lambda: stage.are_gone(names), _PATIENCE)
        for source in scene.made.sources:
            stage.first.client.delete(source)
        stage.first.client.delete(keys.secret)


def is_tried(play: Play) -> bool:
    """Whether Flux has come to an end with what is published, well or not."""
    found = play.scene.stage.kustomization(play.name)
    status = found.get("status", {})
    ready = [item for item in status.get("conditions", ()) if item["type"] == "Ready"]
    return status.get("lastAttemptedRevision") == play.scene.revision and any(
        item["status"] in ("True", "False")
        and item["observedGeneration"] == found["metadata"]["generation"]
        for item in ready
    )


def what_becomes(play: Play, rendered: Path) -> Object:
    """What Flux says of a tree, and what it has applied of its Secrets then."""
    play.scene.publish(rendered)
    wait_for(lambda: is_tried(play), _PATIENCE)
    said = told(play.scene.stage.kustomization(play.name)).replace(play.scene.revision, "REVISION")
    said = _FOLDERS.sub("FOLDER", _CHECKSUMS.sub("CHECKSUM", said))
    client = play.scene.stage.first.client
    found = [item for item in items_of(client, _LIST) if item["metadata"]["name"] in play.plain]
    return {
        "told": said,
        "secrets": {item["metadata"]["name"]: described(item, play.plain) for item in found},
    }


def described(secret: Object, plain: dict[str, Any]) -> Object:
    """A Secret of the cluster without its values: whether they are those that were encrypted."""
    held = plain[secret["metadata"]["name"]]
    wanted = {key: value.encode() for key, value in held["stringData"].items()}
    wanted |= {key: b64decode(value) for key, value in held.get("data", {}).items()}
    values = {key: b64decode(value) for key, value in secret.get("data", {}).items()}
    labels = secret["metadata"].get("labels", {})
    return {
        "keys": sorted(values),
        "is_decrypted": values == wanted,
        "fields": sorted(secret.keys() - {"apiVersion", "kind", "metadata"}),
        "labels": sorted(key for key in labels if not key.startswith(_OWNER)),
    }


def test_secrets_are_decrypted_as_they_were_copied(
    play: Play, built: Programs, pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    rendered, found = play.scene.repository.render(), {}
    for name, change in _CHANGES.items():
        tree = tmp_path / name / "rendered"
        shutil.copytree(rendered, tree)
        folder = tree / "prod/gpu-east/secret"
        change(folder / "hub-token.yaml")
        held = [decrypted(built, play.keys, path) for path in sorted(folder.iterdir())]
        by_name = {one["metadata"]["name"]: one for one in held if one}
        found[name] = {
            **what_becomes(play, tree),
            "sops": {name: by_name.get(name) == plain for name, plain in play.plain.items()},
        }
    delete_applied(play)
    play.scene.stage.change(play.name, {"spec": {"decryption": None}})
    found["without decryption"] = what_becomes(play, rendered)
    play.scene.stage.change(play.name, {"spec": _DECRYPTION})
    play.scene.stage.first.client.delete(play.keys.secret)
    found["without the private key"] = what_becomes(play, rendered)
    update = pytestconfig.getoption("--update-observed")
    if update:  # what SOPS wrote, for tests without it
        shutil.copytree(
            play.scene.repository.folder / _FOLDER, OBSERVED / "sops", dirs_exist_ok=True
        )
    compare("encryption", found, update=update)


def delete_applied(play: Play) -> None:
    """The Secrets, so that it is seen which of them come again."""
    client = play.scene.stage.first.client
    for name in play.plain:
        metadata = {"name": name, "namespace": "models"}
        client.delete({"apiVersion": "v1", "kind": "Secret", "metadata": metadata})


def add_label(path: Path) -> None:
    """As other objects have it."""
    text = path.read_text("utf-8")
    label = "app.kubernetes.io/managed-by: servingctl"
    path.write_text(
        text.replace("        team: risk", f"        team: risk\n        {label}"), "utf-8"
    )


def write_anew(path: Path) -> None:
    """The same data, by another writer: keys in order, no comments."""
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text("utf-8"))), "utf-8")


_DECRYPTION = {"decryption": {"provider": "sops", "secretRef": {"name": "sops-age"}}}
#: What might have become of a file in a rendered tree; the first is what becomes of it.
_CHANGES: dict[str, Callable[[Path], object]] = {
    "as it is rendered": lambda _: None,
    "with a label of ours": add_label,
    "written in another form": write_anew,
}
