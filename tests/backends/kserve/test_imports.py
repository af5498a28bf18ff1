"""What objects of KServe become: what its webhook wrote is left out, what people wrote stays."""

import json

import pytest
import yaml

from tests.support.adoption import imported

URI = "s3://models/iris/v1"
MODEL = {"modelFormat": {"name": "sklearn"}, "storageUri": URI}
MODE = "serving.kserve.io/deploymentMode"
STANDARD = {"version": "0.20.0", "default_mode": "Standard"}


def environment(*destinations, **settings):
    places = destinations or ({"name": "east", "platform": "kubernetes", "namespace": "models"},)
    header = {"apiVersion": "serving.gitops/v1", "kind": "Environment"}
    return {"environments/e/environment.yaml": {**header, "destinations": [*places], **settings}}


def service(spec, **metadata):
    return {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "iris", "namespace": "models", **metadata},
        "spec": spec,
    }


def runtime(kind="ServingRuntime", namespace="models", image="example/own:1"):
    container = {"name": "kserve-container", "image": image}
    formats = [{"name": "own", "version": "1", "autoSelect": True}]
    spec = {"containers": [container], "supportedModelFormats": formats}
    metadata = {"name": "own", "namespace": namespace, "labels": {"team": "x"}}
    if kind != "ServingRuntime":
        del metadata["namespace"]
    return {
        "apiVersion": "serving.kserve.io/v1alpha1",
        "kind": kind,
        "metadata": metadata,
        "spec": {**spec, "annotations": {"a": "b"}},
    }


def adoption(*objects, files=None):
    """Objects as clusters print them, which is sorted."""
    texts = {
        f"{number}.json": json.dumps(item, sort_keys=True) for number, item in enumerate(objects)
    }
    return imported(files or environment(), texts, "e")


def specs(*objects, files=None):
    """The fields of specs by kind, without the header."""
    done = adoption(*objects, files=files)
    assert not done.errors, done.errors
    assert not done.differences, done.differences
    trees = [yaml.safe_load(file.text) for file in done.files]
    return {tree.pop("kind"): tree for tree in trees if tree.pop("apiVersion")}


def test_what_the_webhook_wrote_is_left_out():
    written = {"name": "", "resources": {}, "protocolVersion": "v1"}
    marks = {MODE: "Knative", "modelFormat": "sklearn"}
    found = specs(service({"predictor": {"model": {**MODEL, **written}}}, annotations=marks))
    assert found == {"InferenceService": {"predictor": {"model": MODEL}}}


def test_what_the_webhook_wrote_goes_also_beside_annotations_of_ones_own():
    """Whichever stands first, and if a file was edited by hand so that it is not sorted."""
    model = {**MODEL, "name": "", "resources": {}}
    for annotations in ({MODE: "Standard", "team": "risk"}, {"team": "risk", MODE: "Standard"}):
        item = service({"predictor": {"model": model}}, annotations=annotations)
        done = imported(environment(kserve=STANDARD), {"given.json": json.dumps(item)}, "e")
        (file,) = done.files
        assert not done.differences
        made = yaml.safe_load(file.text)
        assert made["annotations"] == {"team": "risk"}
        assert made["predictor"] == {"model": MODEL}


def test_another_mode_than_the_default_stays():
    found = specs(service({"predictor": {"model": MODEL}}, annotations={MODE: "Standard"}))
    assert found["InferenceService"]["annotations"] == {MODE: "Standard"}


@pytest.mark.parametrize(
    ("name", "protocol", "kept"),
    [("kserve-sklearnserver", "v1", {}), ("kserve-mlserver", "v2", {"protocolVersion": "v2"})],
)
def test_a_runtime_that_would_be_chosen_is_left_out(name, protocol, kept):
    given = {**MODEL, "runtime": name, "protocolVersion": protocol}
    found = specs(service({"predictor": {"model": given}}))["InferenceService"]
    assert found["predictor"]["model"] == {**MODEL, **kept}


def test_a_runtime_that_would_not_be_chosen_stays():
    own = runtime()
    own["spec"]["supportedModelFormats"][0]["autoSelect"] = False
    given = {"modelFormat": {"name": "own"}, "storageUri": URI, "runtime": "own"}
    found = specs(own, service({"predictor": {"model": given}}))["InferenceService"]
    assert found["predictor"]["model"]["runtime"] == "own"


def test_a_runtime_of_the_same_import_can_be_chosen():
    given = {"modelFormat": {"name": "own"}, "storageUri": URI, "runtime": "own"}
    found = specs(runtime(), service({"predictor": {"model": given}}))
    assert "runtime" not in found["InferenceService"]["predictor"]["model"]
    assert found["ServingRuntime"]["metadata"] == {"labels": {"team": "x"}}
    assert found["ServingRuntime"]["annotations"] == {"a": "b"}


def test_runtimes_of_one_name_that_are_alike_are_one_spec():
    places = [
        {"name": name, "platform": "kubernetes", "cluster": "one", "namespace": f"of-{name}"}
        for name in ("a", "b")
    ]
    both = [runtime(namespace="of-a"), runtime(namespace="of-b")]
    assert "namespace" not in specs(*both, files=environment(*places))["ServingRuntime"]
    other = [runtime(namespace="of-a"), runtime(namespace="of-b", image="example/own:2")]
    found = adoption(*other, files=environment(*places))
    assert {draft.stem for draft in found.drafts} == {"of-a-own", "of-b-own"}


def test_the_destination_is_that_of_the_namespace():
    places = [
        {"name": name, "platform": "kubernetes", "namespace": f"of-{name}"} for name in ("a", "b")
    ]
    given = service({"predictor": {"model": MODEL}}, namespace="of-b")
    found = specs(given, files=environment(*places))["InferenceService"]
    assert found["destination"] == "b"
    assert "namespace" not in found


def test_the_destination_is_that_of_the_folder_if_namespaces_do_not_tell():
    places = [
        {"name": name, "platform": "kubernetes", "namespace": "models"} for name in ("a", "b")
    ]
    text = json.dumps(service({"predictor": {"model": MODEL}}))
    done = imported(environment(*places), {"rendered/e/b/iris.json": text}, "e")
    assert yaml.safe_load(done.files[0].text)["destination"] == "b"


def test_another_namespace_is_said():
    found = specs(service({"predictor": {"model": MODEL}}, namespace="other"))
    assert found["InferenceService"]["namespace"] == "other"


def test_images_are_called_as_before_their_destination_changed_them():
    place = {"name": "east", "platform": "kubernetes", "namespace": "models"}
    files = environment({**place, "image_registry": {"docker.io": "mirror.example/hub"}})
    container = {"name": "kserve-container", "image": "mirror.example/hub/own:1"}
    found = specs(service({"predictor": {"containers": [container]}}), files=files)
    assert found["InferenceService"]["predictor"]["containers"][0]["image"] == "docker.io/own:1"


def test_an_image_that_its_destination_would_change_is_told():
    place = {"name": "east", "platform": "kubernetes", "namespace": "models"}
    files = environment({**place, "image_registry": {"docker.io": "mirror.example/hub"}})
    container = {"name": "kserve-container", "image": "docker.io/own:1"}
    done = adoption(service({"predictor": {"containers": [container]}}), files=files)
    (difference,) = done.differences
    assert [change.path[-1] for change in difference.changes] == ["image"]


def test_what_is_no_mapping_is_told_and_no_traceback():
    for spec in (None, 3, [], {"predictor": []}, {"predictor": {"containers": ["x"]}}, {}):
        assert adoption(service(spec)).errors


def test_marks_of_models_on_nodes_are_left_out():
    mark = "internal.serving.kserve.io/localmodel"
    done = adoption(service({"predictor": {"model": MODEL}}, labels={mark: "iris"}))
    assert "labels" not in yaml.safe_load(done.files[0].text)
    assert any(mark in note.path for note in done.drafts[0].notes)
