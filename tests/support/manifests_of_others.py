"""A serving runtime as people publish it, and the spec that an import makes of it."""

from tests.support.repositories import HEADER

FILES = {
    "environments/dev/environment.yaml": HEADER.format("Environment")
    + "destinations: [{name: gpu, platform: kubernetes, namespace: models}]\n"
}
#: With room for more metadata, and for more of its container.
SMALL = """\
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: vllm%s}
spec:
  supportedModelFormats: [{name: vllm}]
  containers: [{name: kserve-container, image: 'example/vllm:v1'%s}]
"""
BODY = """\
supportedModelFormats:
  - name: vllm
containers:
  - name: kserve-container
    image: example/vllm:v1
"""
INSTANCE = ", labels: {app.kubernetes.io/instance: x}"
ARGO = f"{INSTANCE}, uid: u, annotations: {{kubectl.kubernetes.io/restartedAt: a}}"
