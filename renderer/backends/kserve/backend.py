"""KServe's functions for each of its kinds; what few commands need is imported when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions
from renderer.backends.kserve import (
    inference_service,
    inference_service_plan,
    pods,
    runtime_plan,
    runtime_view,
)
from renderer.backends.kserve.rules.registry import (
    environment_rules,
    runtime_rules,
    service_rules,
)

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Iterator, Mapping, Sequence

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.imports import Imported, Skipped, Source, Surroundings
    from renderer.values.live import Query
    from renderer.values.model import Environment, Spec
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview
    from renderer.values.statuses import ObjectStatus, Observed
    from renderer.values.tree import Node, Plain

#: What webhooks add as a cluster is configured.
_WRITTEN_BACK = tuple(
    ("spec", component, "automountServiceAccountToken")
    for component in ("predictor", "transformer", "explainer")
)


def _preview(applied: Applied, _options: Mapping[str, tuple[str, ...]]) -> Iterator[UnitPreview]:
    """The components of a service, as KServe runs them."""
    from renderer.backends.kserve.preview.units import preview_units

    return preview_units(applied)


def _picture(spec: Spec, environment: Environment) -> Picture:
    """A service with its components, its runtimes and its traffic."""
    from renderer.backends.kserve.picture import draw_service

    return draw_service(spec, environment)


def _overview(environment: Environment) -> Picture:
    """The clusters, and the services in their namespaces."""
    from renderer.backends.kserve.overview import draw_environment

    return draw_environment(environment)


def _service_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kserve.impact.services import impacts

    return impacts(change, before, after)


def _runtime_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kserve.impact.runtimes import impacts

    return impacts(change, before, after)


def _demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    from renderer.backends.kserve.impact.demand import demands

    return demands(change, impacts, before, after)


def _service_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kserve.skeletons import service

    return service(name, environment)


def _runtime_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kserve.skeletons import runtime

    return runtime(name, environment)


def _convert(source: Source, around: Surroundings) -> Iterator[Imported | Skipped]:
    from renderer.backends.kserve.imports.conversion import convert

    return convert(source, around)


def _amounts_to(tree: Node, environment: Environment) -> Node:
    from renderer.backends.kserve.imports.amounts import amounts_to

    return amounts_to(tree, environment)


def _destinations(specs: Sequence[Imported]) -> list[Plain]:
    from renderer.backends.kserve.settings import PLATFORM
    from renderer.backends.object_places import proposed

    return proposed(specs, PLATFORM)


def _related(applied: Applied, destination: str) -> Iterator[Query]:
    from renderer.backends.kserve.status import related

    return related(applied, destination)


def _status(observed: Observed) -> ObjectStatus:
    from renderer.backends.kserve.status import status

    return status(observed)


_RUNTIME = KindFunctions(
    rules=runtime_rules,
    view=runtime_view.view,
    pods=pods.runtime_pods,
    plan=runtime_plan.plan,
    impacts=_runtime_impacts,
    skeleton=_runtime_skeleton,
)

FUNCTIONS = BackendFunctions(
    kinds={
        "InferenceService": KindFunctions(
            rules=service_rules,
            view=inference_service.view,
            pods=pods.service_pods,
            plan=inference_service_plan.plan,
            references=inference_service.references,
            units=inference_service.units,
            preview=_preview,
            picture=_picture,
            skeleton=_service_skeleton,
            impacts=_service_impacts,
            demands=_demands,
            related=_related,
            status=_status,
            written_back=_WRITTEN_BACK,
        ),
        "ServingRuntime": _RUNTIME,
        "ClusterServingRuntime": _RUNTIME,
    },
    environment_rules=environment_rules,
    overview=_overview,
    importer=Importer(_convert, _amounts_to, _destinations),
)
