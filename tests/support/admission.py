"""A repository with an InferenceService, beside which admission policies of its cluster lie."""

from renderer import check, compare
from tests.support.memory import project

POLICY_FILE, BINDING_FILE = "policies/policy.yaml", "policies/binding.yaml"
FLOWERS = "environments/dev/flowers.yaml"
NAMESPACE = "environments/dev/beside/models.yaml"
POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [serving.kserve.io]
        apiVersions: [v1beta1]
        operations: [CREATE, UPDATE]
        resources: [inferenceservices]
  validations:
    - expression: object.spec.predictor.maxReplicas <= 1
"""
BINDING = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec:
  policyName: replicas
  validationActions: [Deny]
"""
FILES = {
    "servingctl.yaml": "companions: {allow: [Deployment, Namespace]}\n",
    "environments/dev/environment.yaml": """\
apiVersion: serving.gitops/v1
kind: Environment
destinations:
  - {name: east, platform: kubernetes, namespace: models}
""",
    FLOWERS: """\
apiVersion: serving.gitops/v1
kind: InferenceService
annotations: {serving.kserve.io/deploymentMode: Standard}
labels: {team: risk}
predictor:
  minReplicas: 2
  maxReplicas: 3
  model:
    modelFormat: {name: sklearn}
    runtimeVersion: v0.19.0
    storageUri: https://models.example.com/flowers/v1
    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: "1", memory: 1Gi}}
""",
}
MODELS = """\
apiVersion: v1
kind: Namespace
metadata: {labels: {tier: gold}}
"""


def changed(text, pairs):
    for old, new in pairs.items():
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def files_with(policy=None, binding=None, more=None):
    """The repository with a policy and a binding, in which some texts are others."""
    own = {
        POLICY_FILE: changed(POLICY, policy or {}),
        BINDING_FILE: changed(BINDING, binding or {}),
    }
    return {**FILES, **own, **(more or {})}


def found_with(policy=None, binding=None, more=None):
    """All that is found of the policies, or in their files."""
    every = check(project(files_with(policy, binding, more)))
    return [one for one in every if one.code.startswith("POL01") or "policies/" in one.file]


def found_between(policy, before, after, binding=None):
    """The same in a diff."""
    first, then = (files_with(policy, binding, more) for more in (before, after))
    found = compare(project(first), project(then)).findings
    return [one for one in found if one.code.startswith("POL01")]
