"""Annotations of services that KServe acts on."""

#: What scales Deployments.
AUTOSCALER = "serving.kserve.io/autoscalerClass"
#: Whether nothing of the service is to run.
STOP = "serving.kserve.io/stop"
#: Whether KServe leaves the service alone once it is ready.
FROZEN = "serving.kserve.io/disable-auto-update"
