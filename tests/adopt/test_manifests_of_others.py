"""Manifests as people publish them: what `import` makes of them, and what it says."""

from tests.support.adoption import imported
from tests.support.repositories import HEADER

FILES = {
    "environments/dev/environment.yaml": HEADER.format("Environment")
    + "destinations: [{name: gpu, platform: kubernetes, namespace: models}]\n"
}
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
        text = "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {generateName: job-}\nspec: {}\n"
        (skipped,) = adopted(text).skipped
        assert (skipped.what, skipped.why) == (
            "RayJob",
            "it has no name, only generateName; give it metadata.name",
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
