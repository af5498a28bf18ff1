"""KServe's functions for each of its kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderer.backends.base import (
    BackendFunctions,
    Importer,
    KindFunctions,
    lazy,
    no_engines,
    no_pods,
    no_references,
    no_rules,
)
from renderer.backends.kserve import (
    inference_service,
    inference_service_plan,
    plain_objects,
    pods,
    serving_runtime,
)
from renderer.backends.kserve.rules.registry import (
    cache_fleet_rules,
    cache_rules,
    environment_rules,
    graph_fleet_rules,
    graph_rules,
    llm_config_rules,
    llm_fleet_rules,
    llm_rules,
    node_group_rules,
    runtime_rules,
    service_rules,
    storage_container_rules,
    trained_model_fleet_rules,
    trained_model_rules,
)

if TYPE_CHECKING:
    from renderer.backends.kserve.behaviour import behaviour
    from renderer.backends.kserve.derive.derivation import derive
    from renderer.backends.kserve.engines import engine_containers
    from renderer.backends.kserve.graphs.behaviour import behaviour as graph_behaviour
    from renderer.backends.kserve.graphs.derive import derive as derive_graph
    from renderer.backends.kserve.graphs.picture import draw_graph
    from renderer.backends.kserve.graphs.pods import pods as graph_pods
    from renderer.backends.kserve.graphs.status import status as graph_status
    from renderer.backends.kserve.imports import amounts_to, convert, destinations
    from renderer.backends.kserve.llm.behaviour import behaviour as llm_behaviour
    from renderer.backends.kserve.llm.derive.derivation import derive as derive_llm
    from renderer.backends.kserve.llm.engines import engine_containers as llm_containers
    from renderer.backends.kserve.llm.needs import needs as llm_needs
    from renderer.backends.kserve.llm.picture import draw_llm
    from renderer.backends.kserve.llm.plan import plan_config, plan_service
    from renderer.backends.kserve.llm.pods import pods as llm_pods
    from renderer.backends.kserve.llm.service import references as llm_references
    from renderer.backends.kserve.llm.service import view as llm_view
    from renderer.backends.kserve.llm.status import related as llm_related
    from renderer.backends.kserve.llm.status import status as llm_status
    from renderer.backends.kserve.llm.status import workloads as llm_workloads
    from renderer.backends.kserve.mentions import derives, mentions
    from renderer.backends.kserve.model_storage.behaviour import behaviour as storage_behaviour
    from renderer.backends.kserve.model_storage.derive import derive as derive_cache
    from renderer.backends.kserve.model_storage.model_list import derive as derive_model
    from renderer.backends.kserve.model_storage.picture import draw_model
    from renderer.backends.kserve.model_storage.status import cache_status, model_status
    from renderer.backends.kserve.picture import draw_service
    from renderer.backends.kserve.skeletons import cache as cache_skeleton
    from renderer.backends.kserve.skeletons import graph as graph_skeleton
    from renderer.backends.kserve.skeletons import llm_config as llm_config_skeleton
    from renderer.backends.kserve.skeletons import llm_service as llm_skeleton
    from renderer.backends.kserve.skeletons import node_group as node_group_skeleton
    from renderer.backends.kserve.skeletons import runtime as runtime_skeleton
    from renderer.backends.kserve.skeletons import service as service_skeleton
    from renderer.backends.kserve.skeletons import storage_container as container_skeleton
    from renderer.backends.kserve.skeletons import trained_model as trained_model_skeleton
    from renderer.backends.kserve.status import related, status, workloads
else:
    _HERE = "renderer.backends.kserve"
    (behaviour,) = lazy(f"{_HERE}.behaviour", "behaviour")
    amounts_to, convert, destinations = lazy(
        f"{_HERE}.imports", "amounts_to", "convert", "destinations"
    )
    (graph_behaviour,) = lazy(f"{_HERE}.graphs.behaviour", "behaviour")
    (derive_graph,) = lazy(f"{_HERE}.graphs.derive", "derive")
    (draw_graph,) = lazy(f"{_HERE}.graphs.picture", "draw_graph")
    (graph_pods,) = lazy(f"{_HERE}.graphs.pods", "pods")
    (graph_status,) = lazy(f"{_HERE}.graphs.status", "status")
    (derive_cache,) = lazy(f"{_HERE}.model_storage.derive", "derive")
    (derive_model,) = lazy(f"{_HERE}.model_storage.model_list", "derive")
    (storage_behaviour,) = lazy(f"{_HERE}.model_storage.behaviour", "behaviour")
    (draw_model,) = lazy(f"{_HERE}.model_storage.picture", "draw_model")
    cache_status, model_status = lazy(
        f"{_HERE}.model_storage.status", "cache_status", "model_status"
    )
    derives, mentions = lazy(f"{_HERE}.mentions", "derives", "mentions")
    (llm_behaviour,) = lazy(f"{_HERE}.llm.behaviour", "behaviour")
    (derive_llm,) = lazy(f"{_HERE}.llm.derive.derivation", "derive")
    llm_references, llm_view = lazy(f"{_HERE}.llm.service", "references", "view")
    llm_related, llm_status, llm_workloads = lazy(
        f"{_HERE}.llm.status", "related", "status", "workloads"
    )
    (llm_pods,) = lazy(f"{_HERE}.llm.pods", "pods")
    (llm_needs,) = lazy(f"{_HERE}.llm.needs", "needs")
    (draw_llm,) = lazy(f"{_HERE}.llm.picture", "draw_llm")
    plan_config, plan_service = lazy(f"{_HERE}.llm.plan", "plan_config", "plan_service")
    (draw_service,) = lazy(f"{_HERE}.picture", "draw_service")
    (derive,) = lazy(f"{_HERE}.derive.derivation", "derive")
    (engine_containers,) = lazy(f"{_HERE}.engines", "engine_containers")
    (llm_containers,) = lazy(f"{_HERE}.llm.engines", "engine_containers")
    runtime_skeleton, service_skeleton, llm_skeleton, llm_config_skeleton = lazy(
        f"{_HERE}.skeletons", "runtime", "service", "llm_service", "llm_config"
    )
    graph_skeleton, trained_model_skeleton, container_skeleton = lazy(
        f"{_HERE}.skeletons", "graph", "trained_model", "storage_container"
    )
    cache_skeleton, node_group_skeleton = lazy(f"{_HERE}.skeletons", "cache", "node_group")
    related, status, workloads = lazy(f"{_HERE}.status", "related", "status", "workloads")

#: What webhooks add as a cluster is configured.
_WRITTEN_BACK = tuple(
    ("spec", component, "automountServiceAccountToken")
    for component in ("predictor", "transformer", "explainer")
)

_RUNTIME = KindFunctions(
    rules=runtime_rules,
    view=serving_runtime.view,
    pods=pods.runtime_pods,
    engines=no_engines,
    plan=serving_runtime.plan,
    mentions=mentions,
    skeleton=runtime_skeleton,
)

#: Of kinds without pods of their own that are stored as they are written.
_PLAIN = KindFunctions(
    rules=no_rules,
    view=plain_objects.view,
    pods=no_pods,
    plan=plain_objects.plan,
    references=plain_objects.references,
    mentions=mentions,
    behaviour=storage_behaviour,
)

FUNCTIONS = BackendFunctions(
    kinds={
        "InferenceService": KindFunctions(
            rules=service_rules,
            view=inference_service.view,
            placeless=inference_service.placeless,
            pods=pods.service_pods,
            engines=engine_containers,
            plan=inference_service_plan.plan,
            references=inference_service.references,
            mentions=mentions,
            derives=derives,
            derive=derive,
            picture=draw_service,
            skeleton=service_skeleton,
            behaviour=behaviour,
            related=related,
            status=status,
            workloads=workloads,
            written_back=_WRITTEN_BACK,
        ),
        "ServingRuntime": _RUNTIME,
        "ClusterServingRuntime": _RUNTIME,
        "LLMInferenceService": KindFunctions(
            rules=llm_rules,
            fleet_rules=llm_fleet_rules,
            view=llm_view,
            pods=llm_pods,
            engines=llm_containers,
            plan=plan_service,
            references=llm_references,
            mentions=mentions,
            derives=derives,
            derive=derive_llm,
            picture=draw_llm,
            behaviour=llm_behaviour,
            related=llm_related,
            status=llm_status,
            workloads=llm_workloads,
            skeleton=llm_skeleton,
        ),
        "LLMInferenceServiceConfig": KindFunctions(
            rules=llm_config_rules,
            view=llm_view,
            pods=llm_pods,
            engines=no_engines,
            plan=plan_config,
            mentions=mentions,
            skeleton=llm_config_skeleton,
        ),
        "InferenceGraph": _PLAIN._replace(
            derive=derive_graph,
            picture=draw_graph,
            status=graph_status,
            behaviour=graph_behaviour,
            pods=graph_pods,
            engines=no_engines,
            rules=graph_rules,
            fleet_rules=graph_fleet_rules,
            skeleton=graph_skeleton,
        ),
        "TrainedModel": _PLAIN._replace(
            rules=trained_model_rules,
            fleet_rules=trained_model_fleet_rules,
            derive=derive_model,
            picture=draw_model,
            status=model_status,
            skeleton=trained_model_skeleton,
        ),
        "ClusterStorageContainer": _PLAIN._replace(
            rules=storage_container_rules, skeleton=container_skeleton
        ),
        "LocalModelCache": _PLAIN._replace(
            derive=derive_cache,
            rules=cache_rules,
            fleet_rules=cache_fleet_rules,
            status=cache_status,
            skeleton=cache_skeleton,
        ),
        "LocalModelNodeGroup": _PLAIN._replace(
            rules=node_group_rules, skeleton=node_group_skeleton, references=no_references
        ),
    },
    environment_rules=environment_rules,
    needs=llm_needs,
    importer=Importer(convert, amounts_to, destinations),
)
