"""The example as a repository that is edited step by step, and rendered after each."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from conformance.flux.places import HERE, ROOT
from conformance.kubernetes.client import Object
from conformance.operators.installation import read
from conformance.operators.tables import merged

#: Where the sources would be, if somebody fetched them.
_REPO = {
    "git": ("--repo", "https://git.example/models/specs"),
    "oci": ("--repo", "oci://registry.example/models", "--revision", "latest"),
}


class Step(NamedTuple):
    """Edits of a repository: files that are renamed, then changes to their content."""

    name: str
    rename: dict[str, str]
    change: dict[str, Any]


def read_steps(table: str = "steps") -> Iterator[Step]:
    for item in yaml.safe_load((HERE / f"{table}.yaml").read_text("utf-8")):
        yield Step(item["name"], item.get("rename", {}), item.get("change", {}))


class Bootstrap(NamedTuple):
    """What an operator commits once."""

    sources: list[Object]
    kustomizations: list[Object]


class Repository(NamedTuple):
    """A copy of the example in a folder of its own."""

    folder: Path

    @property
    def rendered(self) -> Path:
        return self.folder / "rendered"

    def edit(self, step: Step) -> None:
        """A change is merged into a file; null takes the file away."""
        for old, new in step.rename.items():
            (self.folder / old).rename(self.folder / new)
        for name, change in step.change.items():
            path = self.folder / name
            if change is None:
                path.unlink()
                continue
            before = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump(merged(before, change)), "utf-8")

    def render(self) -> Path:
        """Destinations that lose everything are meant to."""
        self.run("render", "--allow-empty")
        return self.rendered

    def bootstrap(self, source: str = "git") -> Bootstrap:
        """As the files have it."""
        folder = self.folder / "bootstrap"
        shutil.rmtree(folder, ignore_errors=True)
        self.run("bootstrap", "flux", "--output", str(folder), "--source", source, *_REPO[source])
        return Bootstrap(read(folder / "source.yaml"), read(folder / "kustomizations.yaml"))

    def bundle(self, environment: str) -> bytes:
        """What is pushed to a registry, and what Flux gets from there."""
        path = self.folder / "bundle.tar.gz"
        self.run("bundle", "--env", environment, "--output", str(path))
        return path.read_bytes()

    def run(self, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "renderer", *arguments],
            cwd=self.folder,
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def example(folder: Path) -> Repository:
    shutil.copytree(ROOT / "environments", folder / "environments")
    shutil.copy(ROOT / "servingctl.yaml", folder)
    return Repository(folder)


def listed(rendered: Path, destination: str, part: str) -> list[Object]:
    """What one of the lists of a destination has in it, in its order."""
    folder = rendered / destination / "flux" / part
    names = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))["resources"]
    return [yaml.safe_load((folder / name).read_text("utf-8")) for name in names]
