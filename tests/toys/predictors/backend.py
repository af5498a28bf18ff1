"""The functions of both kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, KindFunctions, no_pods
from renderer.derive.behaviour import Behaviour, ChangeKind, Row
from renderer.derive.located import made
from renderer.values.changes import Effect
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.live import Query
from renderer.values.model import Reference
from renderer.values.requests import ApiRequest, ApiServer, ExportRequest, Remark
from renderer.values.statuses import Health, ObjectStatus, ObservedObject, UnitStatus
from tests.toys.predictors import plans, views
from tests.toys.predictors.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from renderer.values.diagnostics import Rule
    from renderer.values.model import Environment, Spec
    from renderer.values.tree import Plain


def _rules() -> tuple[Rule, ...]:
    return RULES


def _references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    if name := views.text(spec.tree, "checkpoint"):
        yield Reference("Checkpoint", name, ("checkpoint",))


def _units(spec: Spec) -> tuple[views.Component, ...]:
    return views.components(spec.tree)


def _named_by_content(_spec: Spec, environment: Environment) -> bool:
    naming = environment.tree.get("predictors", "naming")
    return naming is not None and naming.value == "hashed"


def _needs(environment: Environment) -> Iterator[str]:
    for destination in environment.platform_destinations("kubernetes"):
        pools = destination.tree.get("pools")
        for pool in pools.elements if pools else ():
            yield f"{views.text(pool, 'nodes')} nodes of {views.text(pool, 'name')}"


def _behaviour() -> Behaviour:
    """Components change as they are told; what they have loaded stays."""
    component = ("spec", "components", "*")
    kinds = {
        "image": ChangeKind(Effect.ROLLING, "The component changes."),
        "replicas": ChangeKind(Effect.IN_PLACE, "The component changes."),
        "checkpoint": ChangeKind(Effect.BREAKS, "It has to be created anew."),
        "loaded": ChangeKind(Effect.ROLLING, "The new checkpoint is loaded."),
    }
    rows = (
        Row("loaded", of="Checkpoint"),
        Row("image", at=(*component, "image")),
        Row("replicas", at=(*component, "replicas")),
        Row("checkpoint", at=("spec", "checkpoint")),
    )
    return Behaviour(kinds, rows)


def _derive(applied: Applied, former: Derivation | None) -> Derivation:
    return Derivation(tuple(_derived_units(applied)))


def _derived_units(applied: Applied) -> Iterator[DerivedUnit]:
    for destination in applied.environment.platform_destinations("kubernetes"):
        wanted = applied.spec.tree.get("destination")
        if wanted and wanted.value != destination.name:
            continue
        found = applied.needed.get(destination.cluster, {})
        loaded = [str(tree.get("spec", "uri").value) for tree in found.values()]  # type: ignore[union-attr]
        for name in plans.names(applied.tree):
            pod: dict[str, Plain] = {
                "kind": "Pod",
                "metadata": {"name": f"{applied.spec.name}-{name}"},
            }
            said = tuple(("pool", pool) for pool in applied.options.get("pool", ()))
            piece = made(pod, "the toy", (*said, *(("loads", uri) for uri in loaded)))
            used = applied.tree.get("spec", "checkpoint")
            yield DerivedUnit(
                destination.name,
                name,
                objects=(piece,),
                path=("spec", "components", f"[{name}]"),
                needs=(("Checkpoint", "models", str(used.value) if used else ""),),
            )


def _related(applied: Applied, destination: str) -> Iterator[Query]:
    yield Query(destination, "v1", "Pod", "models", required=False)


def _status(observed: ObservedObject) -> ObjectStatus:
    """A component runs if there is a pod of its name."""
    here, found = observed.here, observed.object
    units = []
    for name in plans.names(found.tree):
        pod = here.find("Pod", found.namespace, f"{found.name}-{name}")
        health = Health.READY if pod else Health.PROGRESSING
        units.append(UnitStatus(name, observed.destination, "Up" if pod else "Down", health))
    return ObjectStatus("Known", Health.READY, units=tuple(units))


def _export(wanted: ExportRequest) -> ApiRequest:
    """`put` sends the components, which cannot become fewer; `show` asks for names."""
    server = ApiServer("https://<host>", ("--cacert '<file>'",))
    names = [item.spec.name for item in wanted.sent]
    if wanted.former is None:
        return ApiRequest(server, "GET", f"/predictors/{','.join(names)}")
    old, new = ([u.name for u in _units(item.spec)] for item in (wanted.former, wanted.sent[0]))
    where = wanted.sent[0].spec.tree.locate(("components",))
    lost = (Remark(("components", f"[{n}]"), where, "it must stay") for n in old if n not in new)
    return ApiRequest(
        server, "PUT", f"/predictors/{names[0]}", {"components": [*new]}, obstacles=tuple(lost)
    )


FUNCTIONS = BackendFunctions(
    kinds={
        "Predictor": KindFunctions(
            rules=_rules,
            view=views.predictor,
            plan=plans.predictor,
            pods=no_pods,
            references=_references,
            related=_related,
            status=_status,
            derive=_derive,
            behaviour=_behaviour,
            export=_export,
        ),
        "Checkpoint": KindFunctions(
            rules=_rules,
            view=views.checkpoint,
            plan=plans.checkpoint,
            pods=no_pods,
            named_by_content=_named_by_content,
        ),
    },
    environment_rules=_rules,
    needs=_needs,
)
