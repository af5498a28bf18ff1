"""Repositories of one platform, or mixed: each spec is once in the base, for three environments."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from benchmarks.repositories import APP_IMAGE, BASE

ENVIRONMENTS = ("dev", "staging", "prod")
_HEAD = "apiVersion: serving.gitops/v1\nkind: Environment\n"

_SERVING = """\
# A model that two parties serve.
apiVersion: serving.gitops/v1
kind: Serving
initiator: alice
app: other
app_image: image
parties:
  - {{domain_id: alice}}
  - {{domain_id: bob}}
"""
_INFERENCE_SERVICE = """\
# A model that KServe serves.
apiVersion: serving.gitops/v1
kind: InferenceService
predictor:
  serviceAccountName: models
  minReplicas: 1
  maxReplicas: 4
  model:
    modelFormat: {{name: sklearn}}
    storageUri: s3://${{vars.bucket}}/{stem}/v1
    resources:
      requests: {{cpu: 500m, memory: 1Gi}}
      limits: {{cpu: "1", memory: 2Gi}}
"""
_RAY_SERVICE = """\
# An application of Ray Serve.
apiVersion: serving.gitops/v1
kind: RayService
serveConfigV2:
  applications:
    - name: {stem}
      import_path: sentiment.app:deployment
      route_prefix: /{stem}
      runtime_env: {{working_dir: "https://${{vars.bucket}}.example/apps/{stem}-1.zip"}}
      deployments:
        - {{name: Classifier, num_replicas: 1, ray_actor_options: {{num_cpus: 2}}}}
rayClusterConfig:
  rayVersion: ${{vars.ray_version}}
  headGroupSpec:
    rayStartParams: {{num-cpus: "0"}}
    template:
      spec:
        containers:
          - name: ray-head
            image: rayproject/ray:${{vars.ray_version}}-py311
            resources:
              requests: {{cpu: "2", memory: 4Gi}}
              limits: {{cpu: "2", memory: 4Gi}}
  workerGroupSpecs:
    - groupName: replicas
      replicas: 1
      minReplicas: 1
      maxReplicas: 2
      rayStartParams: {{}}
      template:
        spec:
          containers:
            - name: ray-worker
              image: rayproject/ray:${{vars.ray_version}}-py311
              resources:
                requests: {{cpu: "4", memory: 8Gi}}
                limits: {{cpu: "4", memory: 8Gi}}
"""
_CONFIG_MAP = """\
# Settings that the pods of a model read.
apiVersion: v1
kind: ConfigMap
data: {{threads: "4", level: info}}
"""
_RULES = {
    "labels": """\
apiVersion: serving.gitops/v1
kind: Rule
code: BENCH001
title: names are short
severity: error
expression: spec.name.size() < 40
why: Dashboards cut longer ones off.
examples:
  passes: [{spec: {name: scorer}}]
  fails: [{spec: {name: scorer-of-a-very-long-name-which-nobody-reads}}]
""",
    "registry": """\
apiVersion: serving.gitops/v1
kind: Rule
code: BENCH002
title: images are not the latest
severity: error
on: unit
each: containers
expression: "!has(self.image) || !self.image.endsWith(':latest')"
at: image
why: What runs cannot be told from the file.
examples:
  passes: [{unit: {containers: [{image: 'example/scorer:v1'}]}}]
  fails: [{unit: {containers: [{image: 'example/scorer:latest'}]}}]
""",
}


class Platform(NamedTuple):
    """Where its specs are, the text of one, the destination, and what the specs share."""

    folder: str
    spec: str
    destination: str
    shared: Mapping[str, str] = MappingProxyType({})


_KUSCIA = Platform(
    "servings",
    _SERVING,
    "  - {name: east, platform: kuscia, domains: [alice, bob]}\n",
    {"appimages/image.yaml": APP_IMAGE},
)
_CLUSTER = "  - {name: gpu, platform: kubernetes, namespace: models}\n"
_KSERVE = Platform("inferenceservices", _INFERENCE_SERVICE, _CLUSTER)
_KUBERAY = Platform("rayservices", _RAY_SERVICE, _CLUSTER)
_READING = _INFERENCE_SERVICE.replace(
    "    resources:", "    envFrom: [{{configMapRef: {{name: {stem}}}}}]\n    resources:"
)
_MIXED = (
    _KUSCIA,
    Platform("inferenceservices", _READING, _CLUSTER),
    _KUBERAY,
    Platform("configmaps", _CONFIG_MAP, _CLUSTER),
)
FLEETS = {
    "Kuscia": (_KUSCIA,),
    "KServe": (_KSERVE,),
    "KubeRay": (_KUBERAY,),
    "mixed": _MIXED,
    "three platforms": (_KUSCIA, _KSERVE, _KUBERAY),
}


def write_fleet(root: Path, name: str, specs: int) -> list[Path]:
    """A repository of so many specs, all in the base and rendered in three environments.

    The mixed one has ConfigMaps beside the specs that read them, and two rules of its own.
    """
    files = dict(_files(FLEETS[name], specs))
    if name == "mixed":
        files |= {f"policies/{rule}.yaml": text for rule, text in _RULES.items()}
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return [root / path for path in files if "/m-" in path]


def _files(platforms: Sequence[Platform], specs: int) -> Iterator[tuple[str, str]]:
    yield "servingctl.yaml", ""
    yield "environments/base/environment.yaml", BASE
    places = "".join(dict.fromkeys(platform.destination for platform in platforms))
    for environment in ENVIRONMENTS:
        text = f"{_HEAD}extends: base\ndestinations:\n{places}"
        yield f"environments/{environment}/environment.yaml", text
    for platform in platforms:
        for path, text in platform.shared.items():
            yield f"environments/base/{path}", text
    for number in range(specs):
        platform = platforms[number % len(platforms)]
        stem = f"m-{number // len(platforms):05}"
        yield f"environments/base/{platform.folder}/{stem}.yaml", platform.spec.format(stem=stem)
