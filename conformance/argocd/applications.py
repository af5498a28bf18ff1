"""The Applications that Argo CD makes of a set, and those that we write ourselves."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from conformance.argocd.bootstrap import of_kind
from conformance.argocd.program import Judge
from conformance.kubernetes.client import Object

_NO_FILES: Mapping[str, str] = MappingProxyType({})


def folders_of(repository: Path, *, hidden: bool = False) -> list[str]:
    """As the repo server lists them; hidden ones only if an operator asks for them."""
    found = []
    for root, folders, _ in os.walk(repository):
        folders[:] = sorted(name for name in folders if hidden or not name.startswith("."))
        found += [str((Path(root) / name).relative_to(repository)) for name in folders]
    return sorted(found)


def generated(
    judge: Judge,
    objects: dict[str, Object],
    repository: Path,
    *,
    hidden: bool = False,
    files: Mapping[str, str] = _NO_FILES,
) -> dict[str, Object]:
    """What Argo CD makes of the set for a repository as it is checked out, by name.

    `files` are those that a generator asks the repo server for.
    """
    (wanted,) = of_kind(objects, "ApplicationSet")
    request: dict[str, Any] = {
        "set": wanted,
        "projects": of_kind(objects, "AppProject"),
        "folders": folders_of(repository, hidden=hidden),
        "files": dict(files),
    }
    (found,) = judge.ask("applications", [request])
    assert isinstance(found, list), found
    return by_name(found)


def by_name(applications: Iterable[Object]) -> dict[str, Object]:
    """What somebody decided of Applications; Argo CD's types write an empty status as well."""
    kept = ("name", "namespace", "labels", "annotations", "finalizers")
    found = {
        item["metadata"]["name"]: {
            "metadata": {key: item["metadata"][key] for key in kept if key in item["metadata"]},
            "spec": item["spec"],
        }
        for item in applications
    }
    assert all(found), "an Application without a name"
    return dict(sorted(found.items()))
