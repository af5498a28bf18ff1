"""A kind with pods: what it is rendered to, what becomes of that, and how an edit is followed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from renderer.backends.base import Backend, BackendFunctions, KindFunctions, no_rules
from renderer.kubernetes.data import Data, items, mapping, number
from renderer.kubernetes.pods import Field, Pod, Replicas
from renderer.values.kinds import Kind
from renderer.values.objects import Render, Scene, StoredKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from renderer.derive.behaviour import Behaviour
    from renderer.values.derivations import Applied, Derivation
    from renderer.values.model import Environment, Spec, Summary
    from renderer.values.tree import Node

HERE = Path(__file__).resolve().parent
STORED = f"{HERE}/schemas/stored-model.json"


def _view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Spec:
    return spec


def _pods(spec: Spec) -> Iterator[Pod]:
    count = spec.tree.get("replicas")
    least = count.value if count and isinstance(count.value, int) else 1
    if found := spec.tree.get("pod"):
        yield Pod(Field(("pod",), found), replicas=Replicas("the model", least, ("replicas",)))


def _plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    namespace = scene.destination.tree.items["namespace"] if scene.destination else spec.name_node
    values = {"name": spec.name_node, "namespace": namespace, "spec": _stored(spec)}
    yield Render(f"{HERE}/templates/model.yaml.j2", values, STORED, "models", spec.name)


def _stored(spec: Spec) -> Node:
    fields = ("replicas", "note", "pod")
    return spec.tree.with_members(
        {key: spec.tree.items[key] for key in fields if key in spec.tree.items}
    )


def _derive(applied: Applied, former: Derivation | None) -> Derivation:
    """A Deployment, and a Service that is made once and never updated."""
    from renderer.derive.located import located, made
    from renderer.values.derivations import Derivation, DerivedUnit, Pods
    from renderer.values.unit_details import Address

    spec, name = located(applied.tree.get("spec")), f"{applied.name}-server"
    about: Data = {"name": name, "namespace": applied.namespace}
    replicas, pod = number(spec, "replicas"), mapping(spec, "pod")
    replicas = 1 if replicas is None else replicas
    deployment: Data = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": about,
        "spec": {"replicas": replicas, "template": {"spec": pod}},
    }
    ports = items(items(pod, "containers")[0], "ports")
    port = number(ports[0], "containerPort") if ports else 80
    service: Data = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": about,
        "spec": {"ports": [{"port": 80, "targetPort": port}]},
    }
    kept = former.units[0].objects[1] if former and former.units else made(service, "the toy")
    unit = DerivedUnit(
        applied.destination,
        "server",
        (Pods(replicas, replicas, replicas, applied.tree.items["spec"].items["pod"]),),
        (made(deployment, "the toy", (("replicas", str(replicas)),)), kept),
        (Address("predict", f"http://{name}.{applied.namespace}", "the cluster"),),
        path=("spec",),
    )
    return Derivation((unit,))


def _behaviour() -> Behaviour:
    from renderer.derive.behaviour import Behaviour, ChangeKind, Row
    from renderer.values.changes import Effect

    says = "The toy stores `note` and does nothing about it."
    return Behaviour(
        {"note": ChangeKind(Effect.IGNORED, says, "Leave it out.")},
        (Row("note", at=("spec", "note")),),
    )


def _load() -> BackendFunctions:
    model = KindFunctions(no_rules, _view, _plan, pods=_pods, derive=_derive, behaviour=_behaviour)
    return BackendFunctions({"Model": model})


MODELS = Backend(
    "models",
    platform="kubernetes",
    place="cluster",
    maker="the toy",
    codes=(),
    kinds=(Kind("Model", f"{HERE}/schemas/model.json"),),
    stored=(StoredKind("models.example", "Model", STORED, "Model"),),
    destination_schema=f"{HERE}/schemas/destination.json",
    settings_schema=f"{HERE}/schemas/settings.json",
    load=_load,
)
