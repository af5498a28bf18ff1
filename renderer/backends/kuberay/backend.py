"""KubeRay's functions for each of its kinds; what few commands need is imported when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions
from renderer.backends.kuberay import compute_templates, plans, workloads
from renderer.backends.kuberay.rules import registry

if TYPE_CHECKING:  # of other commands than most
    from collections.abc import Iterator, Mapping, Sequence

    from renderer.values.changes import Change, Demand, Impact, ObjectChange, State, UnitImpacts
    from renderer.values.imports import Imported, Skipped, Source, Surroundings
    from renderer.values.live import Query
    from renderer.values.model import Environment, Spec
    from renderer.values.picture import Picture
    from renderer.values.previews import Applied, UnitPreview
    from renderer.values.requests import ApiRequest, ExportRequest
    from renderer.values.statuses import ObjectStatus, Observed
    from renderer.values.tree import Node, Plain

#: What Ray's autoscaler, queues for jobs and the operator write.
_WRITTEN_BACK = (
    ("spec", "workerGroupSpecs", "*", "replicas"),
    ("spec", "workerGroupSpecs", "*", "scaleStrategy"),
    ("spec", "suspend"),
    ("spec", "managedBy"),
    ("spec", "deletionStrategy", "deletionRules", "*", "condition", "ttlSeconds"),
)


def _preview(applied: Applied, _options: Mapping[str, tuple[str, ...]]) -> Iterator[UnitPreview]:
    """The head, and the groups of workers, as KubeRay runs them."""
    from renderer.backends.kuberay.preview.units import preview_units

    return preview_units(applied)


def _picture(spec: Spec, environment: Environment) -> Picture:
    """A cluster, job or service with its groups and applications."""
    from renderer.backends.kuberay.picture import draw_workload

    return draw_workload(spec, environment)


def _overview(environment: Environment) -> Picture:
    """The places, and what runs on Ray there."""
    from renderer.backends.kuberay.overview import draw_environment

    return draw_environment(environment)


def _template_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuberay.impact.templates import impacts

    return impacts(change, before, after)


def _cluster_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuberay.impact.clusters import impacts

    return impacts(change, before, after)


def _job_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuberay.impact.jobs import impacts

    return impacts(change, before, after)


def _service_impacts(
    change: ObjectChange, before: State, after: State
) -> Iterator[tuple[Change | None, Impact]]:
    from renderer.backends.kuberay.impact.services import impacts

    return impacts(change, before, after)


def _demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    from renderer.backends.kuberay.impact.demand import demands

    return demands(change, impacts, before, after)


def _template_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuberay import skeletons

    return skeletons.compute_template(name, environment)


def _cluster_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuberay import skeletons

    return skeletons.cluster(name, environment)


def _job_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuberay import skeletons

    return skeletons.job(name, environment)


def _service_skeleton(name: str, environment: Environment) -> str:
    from renderer.backends.kuberay import skeletons

    return skeletons.service(name, environment)


def _export(wanted: ExportRequest) -> ApiRequest:
    from renderer.backends.kuberay.api.requests import export

    return export(wanted)


def _convert(source: Source, around: Surroundings) -> Iterator[Imported | Skipped]:
    from renderer.backends.kuberay.imports.conversion import convert

    return convert(source, around)


def _amounts_to(tree: Node, environment: Environment) -> Node:
    from renderer.backends.kuberay.imports.amounts import amounts_to

    return amounts_to(tree, environment)


def _destinations(specs: Sequence[Imported]) -> list[Plain]:
    from renderer.backends.kuberay.settings import PLATFORM
    from renderer.backends.object_places import proposed

    return proposed(specs, PLATFORM)


def _related(applied: Applied, destination: str) -> Iterator[Query]:
    from renderer.backends.kuberay.status.pods import related

    return related(applied, destination)


def _cluster_status(observed: Observed) -> ObjectStatus:
    from renderer.backends.kuberay.status.clusters import status

    return status(observed)


def _job_status(observed: Observed) -> ObjectStatus:
    from renderer.backends.kuberay.status.jobs import status

    return status(observed)


def _service_status(observed: Observed) -> ObjectStatus:
    from renderer.backends.kuberay.status.services import status

    return status(observed)


_WORKLOAD = KindFunctions(
    rules=registry.cluster_rules,
    view=workloads.view,
    pods=workloads.pods,
    plan=plans.cluster_plan,
    references=workloads.references,
    units=workloads.units,
    preview=_preview,
    picture=_picture,
    impacts=_cluster_impacts,
    demands=_demands,
    skeleton=_cluster_skeleton,
    export=_export,
    related=_related,
    status=_cluster_status,
    written_back=_WRITTEN_BACK,
)

FUNCTIONS = BackendFunctions(
    kinds={
        "ComputeTemplate": KindFunctions(
            rules=registry.template_rules,
            view=compute_templates.view,
            pods=compute_templates.tolerating_pod,
            plan=plans.template_plan,
            impacts=_template_impacts,
            skeleton=_template_skeleton,
            export=_export,
        ),
        "RayCluster": _WORKLOAD,
        "RayJob": _WORKLOAD._replace(
            rules=registry.job_rules,
            plan=plans.job_plan,
            named_by_content=plans.names_by_content,
            impacts=_job_impacts,
            skeleton=_job_skeleton,
            status=_job_status,
        ),
        "RayService": _WORKLOAD._replace(
            rules=registry.service_rules,
            plan=plans.service_plan,
            impacts=_service_impacts,
            skeleton=_service_skeleton,
            status=_service_status,
        ),
    },
    environment_rules=registry.environment_rules,
    overview=_overview,
    importer=Importer(_convert, _amounts_to, _destinations),
)
