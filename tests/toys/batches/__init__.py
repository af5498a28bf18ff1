"""A backend with one kind and nothing that a kind may leave out, on a platform of others too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from renderer.backends.base import Backend, BackendFunctions, KindFunctions, no_pods, no_rules
from renderer.values.kinds import Kind
from renderer.values.objects import Render, Scene, StoredKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.values.model import Environment, Spec, Summary

HERE = Path(__file__).resolve().parent
STORED = f"{HERE}/schemas/stored-batch.json"


def _view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Spec:
    return spec


def _plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    values = {"name": spec.name_node, "command": spec.tree.items["command"]}
    yield Render(f"{HERE}/templates/batch.yaml.j2", values, STORED, "batches", spec.name)


def _load() -> BackendFunctions:
    return BackendFunctions({"Batch": KindFunctions(no_rules, _view, _plan, no_pods)})


BATCHES = Backend(
    "batches",
    platform="kubernetes",
    place="cluster",
    maker="the toy",
    codes=(),
    kinds=(Kind("Batch", f"{HERE}/schemas/batch.json"),),
    stored=(StoredKind("batches.example", "Batch", STORED, "Batch"),),
    destination_schema=f"{HERE}/schemas/destination.json",
    settings_schema=f"{HERE}/schemas/settings.json",
    load=_load,
)
