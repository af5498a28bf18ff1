"""Values and volumes of pods that Knative refuses, however it is configured."""

from collections.abc import Iterator

from renderer.backends.fields import elements, is_true, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.pods import runtime_fields
from renderer.backends.kserve.rules.knative import VOLUME_FLAGS
from renderer.backends.kserve.rules.knative_pods import (
    knative_components,
    knative_pods,
    runtime_place,
    serving_containers,
)
from renderer.backends.kserve.rules.sources import KNATIVE_SERVING, name_the_mode
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_NEW = "0.2.0"
_VOLUMES = frozenset(("name", "secret", "configMap", "projected", "emptyDir", *VOLUME_FLAGS))
_SOURCES = ("secret", "configMap", "serviceAccountToken", "downwardAPI")
_MEDIA = ("", "Memory")


@rule("KSV185", Severity.ERROR, "InferenceService")
def knative_takes_the_value(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode no account's token is asked for, and volumes are of kinds that Knative has.

    Knative refuses automountServiceAccountToken: true, and a volume whose kind it drops, such as
    nfs (inferred from the source). It also refuses privileged containers, an emptyDir of another
    medium than Memory, and projected volumes of clusterTrustBundle or podCertificate (observed).

    Fails: predictor: {automountServiceAccountToken: true}
    Passes: predictor: {automountServiceAccountToken: false}
    """
    for pod in knative_pods(service):
        for item in pod.pod.present(("automountServiceAccountToken",)):
            if item.node.value is True:
                yield item.wrong(
                    "Knative accepts only false here", "delete it, or use Standard mode"
                )
        for volume in pod.pod.each("volumes"):
            yield from (pod.report(item, found) for item, found in _unknown_volume(volume))
        for container in (*pod.containers, *pod.pod.each("initContainers")):
            privileged = container.get("securityContext", "privileged")
            if privileged and is_true(privileged.node):
                fix = "delete it, or use Standard mode"
                found = privileged.wrong("Knative takes no privileged container", fix)
                yield pod.report(privileged, found._replace(since=_NEW))


def _unknown_volume(volume: Field) -> Iterator[tuple[Field, Finding]]:
    for item in volume.present(key for key in volume.node.items if key not in _VOLUMES):
        message = f"Knative has no volumes of the kind {item.name}"
        yield item, item.wrong_key(message, "use another volume, or Standard mode")
    medium = volume.get("emptyDir", "medium")
    if medium and medium.text not in _MEDIA:
        found = medium.wrong(f"Knative has no medium {medium.text!r}", "write Memory, or delete it")
        yield medium, found._replace(since=_NEW)
    for source in volume.each("projected", "sources"):
        for item in source.present(key for key in source.node.items if key not in _SOURCES):
            message = f"Knative projects no {item.name} into a volume"
            fix = f"use {listed(_SOURCES, 'or')}, or Standard mode"
            yield item, item.wrong_key(message, fix)._replace(since=_NEW)


@rule("KSV186", Severity.ERROR, "InferenceService", since=_NEW)
def knative_volumes_are_mounted(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, a container mounts each volume.

    Knative refuses the service that KServe makes if a volume of the pod is mounted nowhere: the
    service's was observed; the runtime's, which come into the same pod, are inferred.

    Fails: predictor: {volumes: [{name: cache, emptyDir: {}}]}
    Passes:
        predictor:
          volumes: [{name: cache, emptyDir: {}}]
          model: {volumeMounts: [{name: cache, mountPath: /cache}]}
    """
    for component in knative_components(service):
        below = _runtime_pod(component, service)
        is_unknown = below is None and component is service.predictor and service.model
        if is_unknown or component.has("workerSpec"):
            continue
        mounted = {*_mounts_of(component), *_mounts_of_runtime(below)}
        own = {text(item.node, "name"): item for item in component.field.each("volumes")}
        for name, volume in own.items():
            if name not in mounted:
                message = f"no container mounts {name!r}, and Knative refuses that"
                yield volume.wrong(message, "mount it, delete it, or use Standard mode")
        for item in elements(below, "volumes"):
            name = text(item, "name")
            place = runtime_place(service)
            if place and name not in mounted and name not in own:
                message = f"the runtime has the volume {name!r}, which no container mounts"
                yield place.wrong_key(message, "mount it, or delete it from the runtime")


def _runtime_pod(component: Component, service: PlacelessService) -> Node | None:
    """The pod of the runtime that a component adds to, if it is known."""
    if component is not service.predictor or service.model is None or service.runtime is None:
        return None
    return runtime_fields(service.runtime, service)


def _mounts_of(component: Component) -> Iterator[str]:
    containers = (*serving_containers(component), *component.field.each("initContainers"))
    for container in containers:
        yield from (text(item.node, "name") for item in container.each("volumeMounts"))


def _mounts_of_runtime(pod: Node | None) -> Iterator[str]:
    for container in (*elements(pod, "containers"), *elements(pod, "initContainers")):
        yield from (text(item, "name") for item in elements(container, "volumeMounts"))


RULES = rules_with_source(
    name_the_mode((knative_takes_the_value, knative_volumes_are_mounted)), KNATIVE_SERVING
)
