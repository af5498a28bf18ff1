"""`python -m benchmarks.peers`: builds programs that people would use instead, from Go modules."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.kserve.installation import RELEASES as KSERVE
from conformance.kuberay.installation import RELEASES as KUBERAY

_HERE = Path(__file__).resolve().parent
_BUILT = _HERE / "build"
_SCHEMAS = _HERE.parent / "schemas"
_MODULES = {
    "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
    "dyff": "github.com/homeport/dyff/cmd/dyff@v1.12.0",
    "helm": "helm.sh/helm/v3/cmd/helm@v3.22.0",
}
#: A chart that writes as many objects as it has values, and validates nothing.
_CHART = {
    "Chart.yaml": "apiVersion: v2\nname: servings\nversion: 0.1.0\n",
    "templates/inferenceservices.yaml": """\
{{- range .Values.services }}
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: {{ .name }}
  namespace: models
spec:
  predictor:
    minReplicas: {{ .minReplicas }}
    maxReplicas: {{ .maxReplicas }}
    model:
      modelFormat:
        name: {{ .format | quote }}
      storageUri: {{ .uri | quote }}
      resources:
        {{- toYaml .resources | nindent 8 }}
{{- end }}
""",
}
_RESOURCES = {
    "requests": {"cpu": "500m", "memory": "1Gi"},
    "limits": {"cpu": "1", "memory": "2Gi"},
}


def peer(name: str) -> str | None:
    """Where a program is, if it was built."""
    program = _BUILT / name
    return str(program) if program.exists() else None


def build() -> None:
    """Build those that are missing, in minutes the first time; without Go nothing is built."""
    go = shutil.which("go")
    for name, module in _MODULES.items():
        if go and peer(name) is None:
            sys.stdout.write(f"building {name}\n")
            own = {**os.environ, "GOBIN": str(_BUILT)}
            subprocess.run([go, "install", module], check=True, env=own, cwd=_HERE)


def kubeconform(schemas: Path, *folders: Path) -> tuple[str, ...] | None:
    """The command that validates all objects below some folders against schemas of their kinds."""
    program = peer("kubeconform")
    if program is None:
        return None
    names = f"{schemas}/kinds/{{{{.Group}}}}/{{{{.ResourceKind}}}}_{{{{.ResourceAPIVersion}}}}.json"
    ignored = ("-ignore-filename-pattern", r"kustomization\.yaml$", "-ignore-missing-schemas")
    return (program, "-schema-location", names, *ignored, *map(str, folders))


def write_schemas(folder: Path) -> None:
    """Schemas for kubeconform: of KServe's and KubeRay's own CRDs, and of what Kuscia is given."""
    go = shutil.which("go") or "go"
    for crd in (*KSERVE[0].crds(go), *KUBERAY[0].crds(go)):
        group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"].lower()
        for version in crd["spec"]["versions"]:
            schema = _plain(version["schema"]["openAPIV3Schema"])
            path = folder / "kinds" / group / f"{kind}_{version['name']}.json"
            _write(path, json.dumps(schema))
    shutil.copytree(_SCHEMAS / "shared", folder / "shared")  # what those of Kuscia refer to
    for path in (_SCHEMAS / "manifests/kuscia").glob("*.json"):
        own = folder / "kinds/kuscia.secretflow" / f"{path.stem}_v1alpha1.json"
        _write(own, path.read_text("utf-8"))


def _plain(schema: Any) -> Any:
    """In words that every validator knows: a number or a text is two types, a format is none."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("x-kubernetes-int-or-string"):
        return {"type": ["integer", "string"]}
    return {key: _plain(value) for key, value in schema.items() if key != "format"}


def write_chart(folder: Path, services: int) -> None:
    """A chart of Helm for this many services of KServe."""
    values = {"services": [_service(number) for number in range(services)]}
    for path, text in {**_CHART, "values.yaml": json.dumps(values)}.items():
        _write(folder / path, text)


def _service(number: int) -> dict[str, Any]:
    return {
        "name": f"m-{number:05}",
        "minReplicas": 1,
        "maxReplicas": 3,
        "format": "sklearn",
        "uri": f"s3://models/m-{number:05}",
        "resources": _RESOURCES,
    }


def join(folder: Path, file: Path) -> None:
    """All objects of a rendered tree in one file, as dyff compares two files."""
    file.write_text("".join(f"---\n{text}" for text in _texts(folder)), "utf-8")


def _texts(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.yaml")):
        if path.name != "kustomization.yaml":
            yield path.read_text("utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    build()
