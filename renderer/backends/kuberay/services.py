"""The serve config of a service, as the spec has it or as a deployment graph means it."""

from renderer.backends.kuberay.serve_config.document import ServeConfig, read_serve_config
from renderer.backends.kuberay.workloads import Workload

FIELD, GRAPH = "serveConfigV2", "serveDeploymentGraphSpec"


def serve_config_of(workload: Workload) -> ServeConfig | None:
    """What the applications of a service are; nothing if it says none."""
    given = workload.fields.get(FIELD)
    return read_serve_config(given, (FIELD,)) if given else None
