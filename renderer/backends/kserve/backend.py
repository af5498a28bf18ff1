"""KServe's functions for each of its kinds; what few commands need is imported when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, KindFunctions
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
    from collections.abc import Iterator

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts


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


_RUNTIME = KindFunctions(
    rules=runtime_rules,
    view=runtime_view.view,
    pods=pods.runtime_pods,
    plan=runtime_plan.plan,
    impacts=_runtime_impacts,
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
            impacts=_service_impacts,
            demands=_demands,
        ),
        "ServingRuntime": _RUNTIME,
        "ClusterServingRuntime": _RUNTIME,
    },
    environment_rules=environment_rules,
)
