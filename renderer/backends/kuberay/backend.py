"""KubeRay's functions for each of its kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import BackendFunctions, Importer, KindFunctions, lazy
from renderer.backends.kuberay import compute_templates, plans, pods, workloads
from renderer.backends.kuberay.rules import registry

if TYPE_CHECKING:
    from renderer.backends.kuberay.api_requests import export
    from renderer.backends.kuberay.behaviour.objects import (
        cluster_behaviour,
        job_behaviour,
        service_behaviour,
        template_behaviour,
    )
    from renderer.backends.kuberay.derive.units import derive
    from renderer.backends.kuberay.engines import engine_containers
    from renderer.backends.kuberay.imports.conversion import convert, destinations
    from renderer.backends.kuberay.imports.objects import amounts_to
    from renderer.backends.kuberay.mentions import derives, mentions
    from renderer.backends.kuberay.picture import draw_workload
    from renderer.backends.kuberay.skeletons import cluster as cluster_skeleton
    from renderer.backends.kuberay.skeletons import compute_template as template_skeleton
    from renderer.backends.kuberay.skeletons import job as job_skeleton
    from renderer.backends.kuberay.skeletons import service as service_skeleton
    from renderer.backends.kuberay.status.clusters import status as cluster_status
    from renderer.backends.kuberay.status.jobs import status as job_status
    from renderer.backends.kuberay.status.pods import related
    from renderer.backends.kuberay.status.pods import workloads as live_pods
    from renderer.backends.kuberay.status.services import status as service_status
else:
    _HERE = "renderer.backends.kuberay"
    (export,) = lazy(f"{_HERE}.api_requests", "export")
    (amounts_to,) = lazy(f"{_HERE}.imports.objects", "amounts_to")
    convert, destinations = lazy(f"{_HERE}.imports.conversion", "convert", "destinations")
    derives, mentions = lazy(f"{_HERE}.mentions", "derives", "mentions")
    (draw_workload,) = lazy(f"{_HERE}.picture", "draw_workload")
    cluster_behaviour, job_behaviour, service_behaviour, template_behaviour = lazy(
        f"{_HERE}.behaviour.objects",
        *("cluster_behaviour", "job_behaviour", "service_behaviour", "template_behaviour"),
    )
    (derive,) = lazy(f"{_HERE}.derive.units", "derive")
    (engine_containers,) = lazy(f"{_HERE}.engines", "engine_containers")
    cluster_skeleton, template_skeleton, job_skeleton, service_skeleton = lazy(
        f"{_HERE}.skeletons", "cluster", "compute_template", "job", "service"
    )
    (cluster_status,) = lazy(f"{_HERE}.status.clusters", "status")
    (job_status,) = lazy(f"{_HERE}.status.jobs", "status")
    related, live_pods = lazy(f"{_HERE}.status.pods", "related", "workloads")
    (service_status,) = lazy(f"{_HERE}.status.services", "status")

#: What Ray's autoscaler, queues for jobs and the operator write.
_WRITTEN_BACK = (
    ("spec", "workerGroupSpecs", "*", "replicas"),
    ("spec", "workerGroupSpecs", "*", "scaleStrategy"),
    ("spec", "suspend"),
    ("spec", "managedBy"),
    ("spec", "deletionStrategy", "deletionRules", "*", "condition", "ttlSeconds"),
)

_WORKLOAD = KindFunctions(
    rules=registry.cluster_rules,
    view=workloads.view,
    placeless=workloads.placeless,
    pods=pods.pods,
    engines=engine_containers,
    plan=plans.cluster_plan,
    references=workloads.references,
    mentions=mentions,
    fixed_pods=pods.fixed_pods,
    derives=derives,
    derive=derive,
    behaviour=cluster_behaviour,
    picture=draw_workload,
    skeleton=cluster_skeleton,
    export=export,
    related=related,
    status=cluster_status,
    workloads=live_pods,
    written_back=_WRITTEN_BACK,
)

FUNCTIONS = BackendFunctions(
    kinds={
        "ComputeTemplate": KindFunctions(
            rules=registry.template_rules,
            view=compute_templates.view,
            pods=compute_templates.tolerating_pod,
            plan=plans.template_plan,
            behaviour=template_behaviour,
            skeleton=template_skeleton,
            export=export,
        ),
        "RayCluster": _WORKLOAD,
        "RayJob": _WORKLOAD._replace(
            rules=registry.job_rules,
            plan=plans.job_plan,
            named_by_content=plans.names_by_content,
            behaviour=job_behaviour,
            skeleton=job_skeleton,
            status=job_status,
        ),
        "RayService": _WORKLOAD._replace(
            rules=registry.service_rules,
            plan=plans.service_plan,
            behaviour=service_behaviour,
            skeleton=service_skeleton,
            status=service_status,
        ),
    },
    environment_rules=registry.environment_rules,
    importer=Importer(convert, amounts_to, destinations),
)
