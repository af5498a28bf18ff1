"""The functions of both kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, KindFunctions
from renderer.derive.located import made
from renderer.values.changes import Change, Effect, How, Impact, ObjectChange, State
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.live import Query
from renderer.values.model import Reference, Unit
from renderer.values.picture import Card, Group, Picture, PictureRow, join
from renderer.values.requests import ApiRequest, ApiServer, ExportRequest, Remark
from renderer.values.statuses import Health, ObjectStatus, ObservedObject, UnitStatus
from tests.toys.predictors import plans, views
from tests.toys.predictors.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from renderer.values.diagnostics import Rule
    from renderer.values.model import Environment, Spec
    from renderer.values.tree import Plain

_KINDS_OF_CHANGE = {"image": Effect.ROLLING, "replicas": Effect.IN_PLACE}


def _rules() -> tuple[Rule, ...]:
    return RULES


def _references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    if name := views.text(spec.tree, "checkpoint"):
        yield Reference("Checkpoint", name, ("checkpoint",))


def _units(spec: Spec) -> Iterator[Unit]:
    for index, component in enumerate(views.components(spec.tree)):
        yield Unit(component.name, ("components", index))


def _named_by_content(_spec: Spec, environment: Environment) -> bool:
    naming = environment.tree.get("predictors", "naming")
    return naming is not None and naming.value == "hashed"


def _needs(environment: Environment) -> Iterator[str]:
    for destination in environment.platform_destinations("kubernetes"):
        pools = destination.tree.get("pools")
        for pool in pools.elements if pools else ():
            yield f"{views.text(pool, 'nodes')} nodes of {views.text(pool, 'name')}"


def _predictor_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    where, spec = change.destination, str(change.manifest.spec)
    if change.before is None or change.after is None:
        effect = Effect.DELETE if change.before else Effect.CREATE
        for name in plans.names(change.manifest.tree):
            yield None, Impact(effect, where, spec, name, "Its pods come or go.")
        return
    for item in change.changes:
        name = plans.unit_of(item.path)
        if name and len(item.path) == 3:
            effect = Effect.CREATE if item.how is How.ADDED else Effect.DELETE
            yield item, Impact(effect, where, spec, name, "Its pods come or go.")
        elif name:
            effect = _KINDS_OF_CHANGE[str(item.path[3])]
            yield item, Impact(effect, where, spec, name, "The component changes.")
        else:
            for unit in plans.names(change.after.tree):
                said = "It has to be created anew."
                yield item, Impact(Effect.RECREATE, where, spec, unit, said)


def _settle(impact: Impact, together: Collection[Impact]) -> Impact:
    """What changes anyway when a component is created anew waits for that."""
    if impact.effect is Effect.IN_PLACE and any(i.effect is Effect.RECREATE for i in together):
        said = f"{impact.consequence} But not before it is created anew."
        return impact._replace(effect=Effect.DEFERRED, consequence=said)
    return impact


def _checkpoint_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    name = change.manifest.tree.get("metadata", "name")
    for item in after.manifests:
        used = item.tree.get("spec", "checkpoint")
        if item.destination == change.destination and used and name and used.value == name.value:
            for unit in plans.names(item.tree):
                said = "The new checkpoint is loaded."
                impact = Impact(Effect.ROLLING, item.destination, str(item.spec), unit, said)
                yield next(iter(change.changes), None), impact


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
            yield DerivedUnit(destination.name, name, objects=(piece,))


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


def _picture(applied: Applied, derivation: Derivation) -> Picture:
    spec, environment = applied.spec, applied.environment
    places = environment.platform_destinations("kubernetes")
    wanted = views.text(spec.tree, "destination") or places[0].name
    rows = tuple(PictureRow(f"{spec}/{item.name}", item.name) for item in _units(spec))
    card = Card(spec.name, (views.text(spec.tree, "checkpoint"),), rows=rows)
    group = Group(wanted, ("cluster",), cards=(card,))
    return Picture(str(spec), f"{spec.name} in {wanted}", (group,))


def _overview(environment: Environment, found: Sequence[tuple[Applied, Derivation]]) -> Picture:
    return join(environment.name, (_picture(*item) for item in found))


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
            references=_references,
            units=_units,
            impacts=_predictor_impacts,
            settle=_settle,
            related=_related,
            status=_status,
            derive=_derive,
            picture=_picture,
            export=_export,
        ),
        "Checkpoint": KindFunctions(
            rules=_rules,
            view=views.checkpoint,
            plan=plans.checkpoint,
            named_by_content=_named_by_content,
            impacts=_checkpoint_impacts,
        ),
    },
    environment_rules=_rules,
    needs=_needs,
    overview=_overview,
)
