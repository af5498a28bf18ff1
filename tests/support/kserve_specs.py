"""Repositories of KServe specs made up by Hypothesis: nearly all of them have no errors."""

from hypothesis import strategies as st

from tests.support.kubernetes_specs import (
    HEADER,
    containers,
    environments,
    metadata,
    resources,
    shuffled,
)

_MODE = "serving.kserve.io/deploymentMode"
_formats = st.sampled_from(["sklearn", "xgboost", "lightgbm", "triton", "huggingface", "own"])
_settings = st.fixed_dictionaries(
    {},
    optional={
        "kserve": st.fixed_dictionaries(
            {},
            optional={
                "version": st.sampled_from(["0.15.2", "0.19.0", "0.20.0"]),
                "default_mode": st.sampled_from(["Standard", "Knative"]),
            },
        )
    },
)


@st.composite
def _models(draw):
    found = {
        "modelFormat": {"name": draw(_formats)},
        "storageUri": "s3://models/iris/1",
        "protocolVersion": draw(st.sampled_from(["v1", "v2"])),
        "resources": draw(resources()),
        "runtime": draw(st.sampled_from(["kserve-sklearnserver", "kserve-mlserver", "own"])),
        "env": [{"name": "A", "value": "b"}],
    }
    always = ("modelFormat", "storageUri")
    chosen = [key for key in found if key in always or draw(st.booleans())]
    return shuffled(draw, {key: found[key] for key in chosen})


@st.composite
def _predictors(draw):
    found = {"minReplicas": draw(st.integers(1, 2)), "maxReplicas": draw(st.integers(2, 4))}
    way = draw(st.sampled_from(["model", "framework", "containers"]))
    if way == "model":
        found["model"] = draw(_models())
    elif way == "framework":
        name = draw(st.sampled_from(["sklearn", "xgboost", "triton", "onnx"]))
        found[name] = {"storageUri": "s3://models/iris/1", "resources": draw(resources())}
    else:
        found["containers"] = [draw(containers("kserve-container"))]
    return shuffled(draw, found)


@st.composite
def _services(draw, environment):
    about = draw(metadata(environment))
    if mode := draw(st.sampled_from(["", "RawDeployment", "Standard", "Knative"])):
        about["annotations"] = {**about.get("annotations", {}), _MODE: mode}
    parts = {"predictor": draw(_predictors())}
    if draw(st.booleans()):
        parts["transformer"] = {"containers": [draw(containers("kserve-container"))]}
    return {**HEADER, "kind": "InferenceService", **shuffled(draw, {**about, **parts})}


@st.composite
def _runtimes(draw):
    found = {
        "metadata": {"labels": {"team": "x"}},
        "annotations": {"prometheus.kserve.io/port": "8080"},
        "supportedModelFormats": [
            {"name": "own", "version": "1", "autoSelect": draw(st.booleans()), "priority": 2}
        ],
        "protocolVersions": draw(st.sampled_from([["v1"], ["v2"], ["v1", "v2"]])),
        "containers": [draw(containers("kserve-container"))],
    }
    always = ("supportedModelFormats", "containers")
    chosen = [key for key in found if key in always or draw(st.booleans())]
    kind = draw(st.sampled_from(["ServingRuntime", "ClusterServingRuntime"]))
    return {**HEADER, "kind": kind, **shuffled(draw, {key: found[key] for key in chosen})}


@st.composite
def kserve_repositories(draw):
    """Files by path: one or two services, and a runtime that they may get."""
    environment = draw(environments(_settings))
    files = {"environments/dev/environment.yaml": environment}
    for name in draw(st.sampled_from([["iris"], ["iris", "churn"]])):
        files[f"environments/dev/{name}.yaml"] = draw(_services(environment))
    if draw(st.booleans()):
        files["environments/dev/own.yaml"] = draw(_runtimes())
    return files
