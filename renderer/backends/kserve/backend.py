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
    from collections.abc import Iterator, Mapping

    from renderer.values.previews import Applied, UnitPreview


def _preview(applied: Applied, _options: Mapping[str, tuple[str, ...]]) -> Iterator[UnitPreview]:
    """The components of a service, as KServe runs them."""
    from renderer.backends.kserve.preview.units import preview_units

    return preview_units(applied)


_RUNTIME = KindFunctions(
    rules=runtime_rules,
    view=runtime_view.view,
    pods=pods.runtime_pods,
    plan=runtime_plan.plan,
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
        ),
        "ServingRuntime": _RUNTIME,
        "ClusterServingRuntime": _RUNTIME,
    },
    environment_rules=environment_rules,
)
