"""What an import writes where the environment has specs already, and what it leaves out."""

import json

from tests.support.adoption import imported
from tests.support.manifests_of_others import ARGO, BODY, FILES, SMALL
from tests.support.repositories import HEADER
from tests.support.rows import each

RUNTIME = HEADER.format("ServingRuntime")
SERVICE = HEADER.format("InferenceService") + (
    "name: iris\nnamespace: %s\n"
    "predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/b'}}\n"
)
GIVEN = """\
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: iris, namespace: %s}
spec: {predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://a/c'}}}
"""
PLAIN = SMALL % ("", "")


def adopted(text, files=()):
    return imported({**FILES, **dict(files)}, {"given.yaml": text}, "dev")


@each(
    "file namespace path",
    {
        "its own file": ("flowers.yaml", "one", "flowers.yaml"),
        "another namespace": ("flowers.yaml", "two", "inferenceservices/iris.yaml"),
        "a stem that is taken": ("iris.yaml", "two", "inferenceservices/two-iris.yaml"),
    },
)
def test_where_an_object_goes(file, namespace, path):
    """One name may be in several namespaces, and is one spec in each."""
    found = adopted(GIVEN % namespace, {f"environments/dev/{file}": SERVICE % "one"})
    assert [item.path for item in found.files] == [f"environments/dev/{path}"]
    assert not found.errors


def test_a_file_under_another_name_stays_where_it_is():
    mine = "environments/dev/runtimes/mine.yaml"
    old = f"{RUNTIME}name: vllm\n{BODY}"
    found = adopted(PLAIN.replace("vllm:v1", "vllm:v2"), {mine: old})
    assert [(item.path, item.text) for item in found.files] == [(mine, old.replace(":v1", ":v2"))]


def test_what_is_there_already_is_not_written():
    found = adopted(PLAIN, {"environments/dev/vllm.yaml": RUNTIME + BODY})
    assert [draft.is_there for draft in found.drafts] == [True]
    assert found.files == ()


def test_a_file_of_json_stays_one():
    file = "environments/dev/vllm.json"
    tree = {"apiVersion": "serving.gitops/v1", "kind": "ServingRuntime", "containers": []}
    (done,) = adopted(PLAIN, {file: json.dumps(tree)}).files
    assert done.path == file
    assert json.loads(done.text)["containers"][0]["image"] == "example/vllm:v1"


def test_two_that_differ_are_a_conflict():
    found = adopted(f"{PLAIN}---\n{SMALL % ('', ', args: [a]')}")
    assert "given.yaml:1 and given.yaml:8 are both the ServingRuntime 'vllm'" in found.conflicts[0]
    assert found.files == ()
    assert len(adopted(f"{PLAIN}---\n{PLAIN}").files) == 1


def test_comments_come_along_unless_they_tell_a_secret():
    text = PLAIN.replace("  supported", "  # password: hunter2hunter2\n  supported")
    text = text.replace("  containers", "  # why\n  containers")
    (done,) = adopted(text).files
    assert done.text == RUNTIME + BODY.replace("containers:", "# why\ncontainers:")
    beside = PLAIN.replace("[{name: vllm}]", "[{name: vllm}]  # password: hunter2hunter2")
    assert "hunter2" not in adopted(beside).files[0].text


def test_texts_that_look_like_variables_stay_texts():
    (done,) = adopted(SMALL % ("", ", env: [{name: A, value: '${vars.x}'}]")).files
    assert '"$${vars.x}"' in done.text


@each(
    "metadata more notes",
    {
        "by servers and controllers": (
            ARGO,
            "",
            [
                ("status", "left out"),
                ("metadata.uid", "left out"),
                ('metadata.labels["app.kubernetes.io/instance"]', "left out"),
                ('metadata.annotations["kubectl.kubernetes.io/restartedAt"]', "left out"),
            ],
        ),
        "a number": (
            "",
            ", ports: [{containerPort: 010, hostPort: 80}]",
            [
                ("status", "left out"),
                ("spec.containers[0].ports[0].containerPort", "010 written as 8"),
            ],
        ),
    },
)
def test_what_is_not_as_it_was_given_is_told(metadata, more, notes):
    (draft,) = adopted(SMALL % (metadata, more) + "status: {a: b}\n").drafts
    assert [(note.path, note.what) for note in draft.notes] == notes


def test_words_that_readers_take_for_different_values():
    text = SMALL % ("", ", env: [{name: A, value: yes}]")
    assert [(item.code, item.line) for item in adopted(text).unreadable] == [("YML010", 6)]


def test_destinations_that_the_environment_lacks():
    bare = {"environments/dev/environment.yaml": HEADER.format("Environment")}
    found = adopted(PLAIN, bare)
    assert [line["platform"] for line in found.destinations] == ["kubernetes"]
    assert found.files == ()
