"""Manifests as people publish them: what `import` makes of them, and what it says."""

from tests.support.adoption import imported
from tests.support.manifests_of_others import ARGO, BODY, FILES, INSTANCE, SMALL
from tests.support.repositories import HEADER
from tests.support.rows import each

RUNTIME = """\
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: vllm}
spec:
  supportedModelFormats: [{name: vllm}]
  containers:
    - name: kserve-container
      image: example/vllm:v1
      readinessProbe:
        exec:
          command:
            - sh
            - -c
            - |
              code=$(curl -s -o /dev/null http://localhost:8080/health)
              curl http://localhost:8080/v1/warm -d '{"prompt": "a"}'
"""


def adopted(text, name="given.yaml"):
    return imported(FILES, {name: text}, "dev")


class TestObjectsThatCallCurl:
    def test_are_no_requests(self):
        """A probe that calls curl does not make a script of a manifest."""
        adoption = adopted(RUNTIME)
        assert [str(draft) for draft in adoption.drafts] == ["ServingRuntime/vllm"]
        assert not adoption.errors

    def test_are_told_if_they_cannot_be_read(self):
        broken = RUNTIME.replace("metadata: {name: vllm}", "metadata: {name: vllm")
        only_asks = broken.replace(' -d \'{"prompt": "a"}\'', "")
        assert [item.code for item in adopted(only_asks).unreadable] == ["YML001"]

    def test_scripts_are_still_read_for_their_requests(self):
        script = f"cat <<EOF | kubectl apply -f -\n{RUNTIME}EOF\ncurl http://a:1/b -d '{{}}'\n"
        adoption = adopted(script, "script.sh")
        assert not adoption.unreadable


class TestObjectsWithoutAName:
    def test_generated_names(self):
        """They have one name in Git: what each generated one begins with."""
        claim = "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"
        head = "apiVersion: v1\nkind: PersistentVolumeClaim"
        text = f"{head}\nmetadata: {{generateName: data-}}\n{claim}\n"
        adoption = adopted(text)
        (draft,) = adoption.drafts
        assert str(draft) == "PersistentVolumeClaim/data"
        assert "generateName" not in adoption.files[0].text
        assert [note.path for note in draft.notes] == ["metadata.generateName"]
        assert not adoption.differences

    def test_two_of_one_beginning_are_a_conflict(self):
        ones = (
            f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{generateName: a-}}\ndata: {{x: '{n}'}}\n"
            for n in range(3)
        )
        (conflict,) = adopted("---\n".join(ones)).conflicts
        assert conflict == (
            "given.yaml:1, given.yaml:6 and given.yaml:11 are all the ConfigMap 'a' and differ; "
            "import one of them"
        )

    def test_no_name_at_all(self):
        text = "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {}\n"
        (skipped,) = adopted(text).skipped
        assert (skipped.what, skipped.why) == ("InferenceService", "it has no name")


class TestNamesThatNothingCanHave:
    def test_they_are_told_as_names(self):
        """And not as names of files, which are not there yet."""
        renamed = RUNTIME.replace("metadata: {name: vllm}", "metadata: {name: vllm_2xgpu}")
        (error,) = adopted(renamed).errors
        assert error.message == 'name is "vllm_2xgpu", not an object name'
        assert error.fix.startswith("write lower-case letters, digits, '-' and '.'")


IN_FLOW = """\
{apiVersion: serving.kserve.io/v1alpha1, kind: ServingRuntime, metadata: {name: vllm}, spec: {
  supportedModelFormats: [{name: vllm}],
  containers: [{name: kserve-container, image: 'example/vllm:v1'}]}}
"""
LISTED = """\
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntimeList
items:
  - metadata: {name: vllm}
    spec:
      supportedModelFormats: [{name: vllm}]
      containers: [{name: kserve-container, image: 'example/vllm:v1'}]
  - null
  - {apiVersion: v1, kind: ClusterRole, metadata: {name: c}}
  - word
"""
OWNER = ", ownerReferences: [{kind: A, name: b, controller: %s}]"
NO_KIND = "it is no object, which has apiVersion and kind, and no request that servingctl knows"
NO_MAPPING = ("a value that is no mapping", "an object or a request is one")


@each(
    "text body",
    {
        "YAML in a flow": (IN_FLOW, BODY),
        "documents that are empty": (f"---\n---\n{SMALL % ('', '')}---\n", BODY),
        "a list that says for all what they are": (LISTED, BODY),
        "an owner that is no controller": (SMALL % (OWNER % "false", ""), BODY),
        "what Argo CD and kubectl write": (SMALL % (ARGO, ""), BODY),
        "a label that only looks as if Argo CD wrote it": (
            SMALL % (INSTANCE, ""),
            f"metadata:\n  labels:\n    app.kubernetes.io/instance: x\n{BODY}",
        ),
        "what the server writes": (f"{SMALL % ('', '')}status: {{a: b}}\n", BODY),
        "fields that are null": (
            SMALL % ("", ", args: [a], env: null"),
            f"{BODY}    args:\n      - a\n",
        ),
        "amounts as they are written": (
            SMALL % ("", ", resources: {limits: {cpu: 1.50}}"),
            f'{BODY}    resources:\n      limits:\n        cpu: "1.50"\n',
        ),
        "another namespace": (SMALL % (", namespace: one", ""), f"namespace: one\n{BODY}"),
    },
)
def test_what_is_written(text, body):
    (file,) = adopted(text).files
    path = "environments/dev/servingruntimes/vllm.yaml"
    assert (file.path, file.text) == (path, HEADER.format("ServingRuntime") + body)


@each(
    "text skipped",
    {
        "made by a controller": (
            SMALL % (OWNER % "true", ""),
            [("ServingRuntime/vllm", "A/b made it, and makes it again")],
        ),
        "items of a list": (
            LISTED,
            [
                (
                    "ClusterRole/c",
                    "there is no ClusterRole of apiVersion 'v1'; correct kind and apiVersion",
                ),
                NO_MAPPING,
            ],
        ),
        "no objects": (
            "[1, {}, {a: 1, b: 2, c: 3, d: 4, e: 5}]\n",
            [NO_MAPPING, ("an empty mapping", NO_KIND), ("a mapping of a, b, c, d", NO_KIND)],
        ),
        "a request that nobody knows": (
            "curl http://a:1/b -d '{\"a\": 1}'\n",
            [("the request to /b", NO_KIND)],
        ),
        "a body in a file": (
            "curl http://a:1/b -d @body.json\n",
            [("the request to /b", "its body is in body.json; import that file")],
        ),
    },
)
def test_what_is_skipped(text, skipped):
    assert [(item.what, item.why) for item in adopted(text).skipped] == skipped


def test_a_file_of_json_is_read_as_json():
    """What is YAML in it is told as a fault of JSON."""
    assert [item.code for item in adopted(IN_FLOW, "given.json").unreadable] == ["YML001"]
    assert [item.code for item in adopted("{apiVersion: [\n").unreadable] == ["YML001"]


def test_one_name_in_two_namespaces():
    text = f"{SMALL % (', namespace: one', '')}---\n{SMALL % (', namespace: two', '')}"
    drafts = adopted(text).drafts
    assert [str(draft) for draft in drafts] == [
        "ServingRuntime/one-vllm",
        "ServingRuntime/two-vllm",
    ]
    assert [draft.tree.get("name").value for draft in drafts] == ["vllm", "vllm"]
