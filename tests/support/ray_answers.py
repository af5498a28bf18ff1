"""Rows of what Ray was asked and answered, as specs in every form that they can have."""

import copy
import json

from tests.support.ray_specs import CLUSTER, MESSAGES

_HEADER = {"apiVersion": "serving.gitops/v1"}
_PLACES = [{"name": "east", "platform": "kubernetes", "namespace": "ray"}]
#: The operator that hands on every start parameter as it is written.
_OPERATOR = {"kuberay": {"version": "1.7.0"}}
_ENVIRONMENT = {**_HEADER, "kind": "Environment", "destinations": _PLACES, **_OPERATOR}
_TEMPLATE = {**_HEADER, "kind": "ComputeTemplate", "cpu": 2, "memory": 4}
_FILES = {"environment": _ENVIRONMENT, "small": _TEMPLATE}


def forms(subject, given, version):
    """Specs with what a row gives, by name: as text, as a mapping, in a message, in a service."""
    return dict(_FORMS[subject](given, version))


def repository(specs):
    """Files of specs by name, which need nothing but what is beside them."""
    files = {f"environments/e/{name}.yaml": json.dumps(s) for name, s in (_FILES | specs).items()}
    return {"servingctl.yaml": "", **files}


def _job(given, version):
    """Sent to Ray by the operator as it is."""
    job = {"kind": "RayJob", "entrypoint": "python a.py", "submissionMode": "HTTPMode"}
    return {**_HEADER, **job, "rayClusterSpec": {**CLUSTER, "rayVersion": version}, **given}


def _message(given, version):
    return {**_HEADER, "kind": "RayJob", **MESSAGES["RayJob"], "version": version, **given}


def _service(config, version):
    cluster = {**CLUSTER, "rayVersion": version}
    service = {"kind": "RayService", "serveConfigV2": config, "rayClusterConfig": cluster}
    return {**_HEADER, **service}


def _runtime_envs(given, version):
    served = {"applications": [{"name": "app", "import_path": "a:b", "runtime_env": given}]}
    yield "job text", _job({"runtimeEnvYAML": json.dumps(given)}, version)
    yield "message text", _message({"runtimeEnv": json.dumps(given)}, version)
    yield "service text", _service(json.dumps(served), version)
    if not _has_null(given):
        yield "job mapping", _job({"runtimeEnvYAML": given}, version)
        yield "message mapping", _message({"runtimeEnv": given}, version)
        yield "service mapping", _service(served, version)


def _serve_configs(given, version):
    yield "text", _service(json.dumps(given), version)
    if not _has_null(given):
        yield "mapping", _service(given, version)


def _starts(given, version):
    cluster = copy.deepcopy(CLUSTER)
    head, (worker,) = cluster["headGroupSpec"], cluster["workerGroupSpecs"]
    (head if given["group"] == "head" else worker)["rayStartParams"] = given["params"]
    yield "cluster", {**_HEADER, "kind": "RayCluster", **cluster, "rayVersion": version}


#: Fields of a request to submit a job, as a RayJob has them.
_OF_JOBS = {
    "entrypoint": "entrypoint", "metadata": "metadata", "entrypoint_num_cpus": "entrypointNumCpus",
    "entrypoint_num_gpus": "entrypointNumGpus", "entrypoint_resources": "entrypointResources",
    "runtime_env": "runtimeEnvYAML", "submission_id": "jobId",
}  # fmt: skip


def _jobs(given, version):
    if not _has_null(given):
        yield "job", _job({_OF_JOBS[key]: value for key, value in given.items()}, version)


_FORMS = {"runtime_env": _runtime_envs, "serve": _serve_configs, "start": _starts, "job": _jobs}


def _has_null(tree):
    """Whether a mapping would delete something, which a text says."""
    children = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return tree is None or any(map(_has_null, children))
