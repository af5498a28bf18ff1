"""Companions: any other object of Kubernetes that a spec needs beside it, as a file of its own."""

from renderer.backends.base import Backend, BackendFunctions
from renderer.values.kinds import Kind


def _load() -> BackendFunctions:
    from renderer.backends.companions.backend import FUNCTIONS

    return FUNCTIONS


def _open_kind(kind: str, group: str | None) -> Kind | None:
    from renderer.backends.companions.kinds import find

    return find(kind, group)


COMPANIONS = Backend(
    "companions",
    platform="kubernetes",
    place="Kubernetes cluster",
    maker="Kubernetes",
    codes=(),
    kinds=(),
    stored=(),
    destination_schema="destination/kubernetes.json",
    settings_schema="environment/companions.json",
    has_repository_settings=True,
    open_kind=_open_kind,
    namespaces="Namespace",
    load=_load,
)
