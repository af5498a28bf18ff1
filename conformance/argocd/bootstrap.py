"""What `servingctl bootstrap argocd` writes for a repository, read as Argo CD's users apply it."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from conformance.argocd.places import EXAMPLE, ROOT
from conformance.kubernetes.client import Object

REPOSITORY = "https://git.example/owner/servings.git"


def servingctl(repository: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "renderer", *arguments]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)


def copy_example(to: Path) -> Path:
    """The repository of the example, without Git and without what is not its own."""
    to.mkdir()
    for name in EXAMPLE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name)
        else:
            shutil.copy(source, to)
    return to


def bootstrapped(repository: Path, to: Path, *options: str) -> dict[str, Object]:
    """The objects that are written, by the files that they are in and their names.

    What is for kustomize, and no object, is left out.
    """
    done = servingctl(
        repository, "bootstrap", "argocd", "--repo", REPOSITORY, "--output", str(to), *options
    )
    assert done.returncode == 0, done.stderr
    return {
        f"{path.relative_to(to)}:{item['metadata']['name']}": item
        for path in sorted(to.rglob("*.yaml"))
        if path.name != "kustomization.yaml"
        for item in yaml.safe_load_all(path.read_text("utf-8"))
    }


def of_kind(objects: dict[str, Object], kind: str) -> list[Object]:
    return [item for item in objects.values() if item["kind"] == kind]


def settings_of(objects: dict[str, Object]) -> dict[str, str]:
    """What is written for the ConfigMap argocd-cm."""
    (found,) = of_kind(objects, "ConfigMap")
    data: dict[str, str] = found["data"]
    return data


def applications_of(objects: dict[str, Object]) -> list[Object]:
    """Applications, or the template that a set has for them."""
    sets = [item["spec"]["template"] for item in of_kind(objects, "ApplicationSet")]
    return [*of_kind(objects, "Application"), *sets]


def ignored_by(objects: dict[str, Object]) -> list[dict[str, Any]]:
    """All differences that Applications ignore."""
    found: list[dict[str, Any]] = []
    for item in applications_of(objects):
        rows = item["spec"].get("ignoreDifferences", [])
        found += [row for row in rows if row not in found]
    return found


def way_of(objects: dict[str, Object]) -> str:
    """How Argo CD compares what such an Application has."""
    application = applications_of(objects)[0]
    notes = application["metadata"].get("annotations", {})
    if "ServerSideDiff=true" in notes.get("argocd.argoproj.io/compare-options", ""):
        return "server"
    options = application["spec"]["syncPolicy"]["syncOptions"]
    return "structured" if "ServerSideApply=true" in options else "three-way"
