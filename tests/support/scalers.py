"""A custom kind whose CRD has rules, and a companion of that kind."""

SPEC = "environments/dev/scaler.yaml"
CRD = "schemas/crds/scalers.yaml"
HEAD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: scalers.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Scaler, plural: scalers}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
"""
FIELDS = """\
              properties:
                least: {type: integer}
                most: {type: integer, default: 1}
                ratio: {type: number}
                wait: {type: string, format: duration}
                cost-centre: {type: string}
                stages: {type: array, items: {type: object, properties: {after: {type: string,
                  format: duration}, tags: {type: array, items: {type: string},
                  x-kubernetes-list-type: set}}}}
                waits: {type: array, items: {type: string, format: duration}}
                hosts: {type: array, items: {type: string}, x-kubernetes-list-type: set}
                labels: {type: object, additionalProperties: {type: string}}
"""


def scaler_files(rule, spec):
    """A repository with a scaler, and a CRD whose rules are asked of its spec."""
    return {
        "servingctl.yaml": "companions: {allow: [Scaler.example.com]}\n",
        "environments/dev/environment.yaml": "apiVersion: serving.gitops/v1\nkind: Environment\n"
        "destinations: [{name: east, platform: kubernetes, namespace: models}]\n",
        CRD: f"{HEAD}{FIELDS}              x-kubernetes-validations: [{rule}]\n",
        SPEC: "apiVersion: example.com/v1\nkind: Scaler\nmetadata: {name: flowers}\n"
        f"spec: {spec}\n",
    }
