"""Rows of pods that `validate` judges otherwise than an API server does, and why.

A key is a pattern of `KIND/NAME OF THE ROW`. All of them count as judged otherwise.
"""

#: The API server accepts them, and our rules say more.
SAID_MORE = {
    "*/*: root where root is refused*": "no node starts the container",
    "*/*: root of a container where the pod refuses it": "no node starts the container",
    "*/*: memory in small letters": "no node knows the medium",
    "*/volumes.emptyDir.medium: *": "no node knows the medium",
    "*/volumes.projected.sources.clusterTrustBundle.*": "the server drops what is switched off",
    "*/*: a probe of a port by a name that is not there": "the probe never succeeds",
    "*/*Probe.*.port: a name": "the container has no port of that name",
    "*/*Probe.*.port: 15 letters": "the container has no port of that name",
    "*/containers, memory: *thousandths": "less than a byte",
    "*/containers, ephemeral-storage: *thousandths": "less than a byte",
    "*/*.image: a space *": "no node can fetch it",
    "InferenceService/containers.resources: without limits": "KServe adds limits, which are less",
    "InferenceService/containers.resources.limits: empty": "KServe adds limits, which are less",
    "ServingRuntime/containers.name: *": "KServe looks for the container by its name",
    "Ray*/ephemeralContainers, together: none": "no template has them, not even none",
    "Ray*/*.volumeClaimTemplate.metadata.namespace: empty": "no template has it, not even empty",
}
_OF_THE_SERVICE = "the service that takes the runtime may have the rest"
#: The API server, or the schema of the kind, refuses them; we do not, as they never arrive so.
NEVER_ARRIVES = {
    "InferenceService/containers: without name": "we write the name that KServe would give it",
    "InferenceService/containers, together: huge pages alone": "KServe adds memory",
    "InferenceService/containers, together: one variable twice": "items of one key are one item",
    "InferenceService/containers.env: one item twice": "items of one key are one item",
    "ServingRuntime/containers: without image": _OF_THE_SERVICE,
    "ServingRuntime/containers, together: a sidecar without an image": _OF_THE_SERVICE,
    "ServingRuntime/containers, together: a probe of no kind": _OF_THE_SERVICE,
    "ServingRuntime/containers, together: an empty probe": _OF_THE_SERVICE,
    "ServingRuntime/containers.*Probe: empty": _OF_THE_SERVICE,
    "ServingRuntime/containers.*Probe: without httpGet": _OF_THE_SERVICE,
}
#: What the newer Kubernetes judges otherwise than the older one, and we otherwise than it.
NEWER = {
    "Ray*/*.podCertificate.userAnnotations: *": "newer than our schemas of KubeRay",
    "*/*.exitCodes.values: one item twice": "one more of the same changes nothing",
    "RayCluster/*image*": "a volume of no image: what a Deployment may have is not refused",
}
