"""Repositories like those in use, of any size, and always the same ones."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

_ENVIRONMENTS = {
    "dev": "destinations:\n  - {name: master, platform: kuscia, domains: [alice, bob, carol]}\n"
    "rules: {POL004: ignore, POL005: ignore}\n",
    "prod": "production: true\ndestinations:\n"
    "  - {name: alice, platform: kuscia, cluster: k3s-alice, domains: [alice]}\n"
    "  - {name: bob, platform: kuscia, cluster: k3s-bob, domains: [bob]}\n"
    "  - {name: carol, platform: kuscia, cluster: k3s-carol, domains: [carol]}\n"
    "kuscia: {appimage_naming: hashed}\n",
}
BASE = """\
# What all environments share.
apiVersion: serving.gitops/v1
kind: Environment
vars: {serving_version: 0.9.0b0, features: features.svc, bucket: models, ray_version: 2.53.0}
defaults:
  Serving:
    parties:
      replicas: 2
      resources:
        - {min_cpu: 500m, max_cpu: "2", min_memory: 2Gi, max_memory: 4Gi}
kserve: {version: 0.19.0, default_mode: Standard}
kuberay: {version: 1.6.1}
kuscia:
  config_keys: [SERVING_OSS_META, SERVING_SPI_TLS_CONFIG, SERVING_HTTP_SOURCE_META,
                SERVING_LOGGING_CONFIG, SERVING_TRACE_CONFIG]
"""
APP_IMAGE = """\
apiVersion: serving.gitops/v1
kind: AppImage
image: {name: secretflow/serving-anolis8, tag: "${vars.serving_version}"}
configTemplates:
  serving-config.conf: {file: secretflow-serving/serving-config.conf}
  logging-config.conf: {file: secretflow-serving/logging-config.conf}
  trace-config.conf: {file: secretflow-serving/trace-config.conf}
deployTemplates:
  - name: secretflow
    replicas: 1
    spec:
      containers:
        - name: secretflow
          workingDir: /root/sf_serving
          command:
            - sh
            - -c
            - >-
              ./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia
              --serving_config_file=/etc/kuscia/serving-config.conf
              --logging_config_file=/etc/kuscia/logging-config.conf
              --trace_config_file=/etc/kuscia/trace-config.conf
          configVolumeMounts:
            - {mountPath: /etc/kuscia/serving-config.conf, subPath: serving-config.conf}
            - {mountPath: /etc/kuscia/logging-config.conf, subPath: logging-config.conf}
            - {mountPath: /etc/kuscia/trace-config.conf, subPath: trace-config.conf}
          ports:
            - {name: service, protocol: HTTP, scope: Domain}
            - {name: communication, protocol: HTTP, scope: Cluster}
            - {name: internal, protocol: HTTP, scope: Domain}
            - {name: brpc-builtin, protocol: HTTP, scope: Domain}
          startupProbe:
            httpGet: {path: /health, port: brpc-builtin}
            failureThreshold: 30
            periodSeconds: 10
          readinessProbe:
            httpGet: {path: /health, port: brpc-builtin}
          livenessProbe:
            httpGet: {path: /health, port: brpc-builtin}
          resources:
            requests: {cpu: 500m, memory: 2Gi}
            limits: {cpu: "2", memory: 4Gi}
"""
_OVERRIDE = """\
# What this environment has beyond the base.
apiVersion: serving.gitops/v1
kind: Serving
parties:
  - domain_id: alice
    replicas: 3
    resources: {max_memory: 8Gi}
"""
_HEADER = "apiVersion: serving.gitops/v1\nkind: Serving\n"
_MOST_IMAGES = 8
_INHERITED_OF_TEN = 1
_AS_TEXT_OF_TEN = 4


def write(root: Path, servings: int) -> list[Path]:
    """A repository that renders this many servings; the files of those that stand alone.

    Two environments inherit from a third. One serving in ten is written once in the base and
    overridden in both, four in ten have their input config as JSON text.
    """
    files = dict(_files(servings))
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return [root / path for path in files if "/servings/own-" in path]


def write_inherited(
    root: Path, servings: int, *, initiator: str = "alice", party: str = ""
) -> None:
    """A repository whose servings are all in the base, and rendered in three environments."""
    place = "{name: east, platform: kuscia, cluster: k3s-%s, domains: [alice, bob]}"
    head = "apiVersion: serving.gitops/v1\nkind: Environment\n"
    files = {
        "servingctl.yaml": "",
        "environments/base/environment.yaml": BASE,
        "environments/base/appimages/image.yaml": APP_IMAGE,
        **{
            f"environments/{name}/environment.yaml": (
                f"{head}extends: base\ndestinations:\n  - {place % name}\n"
            )
            for name in ("dev", "staging", "prod")
        },
    }
    for number in range(servings):
        stem = f"m-{number:05}"
        files[f"environments/base/servings/{stem}.yaml"] = (
            f"{_HEADER}initiator: {initiator.format(stem=stem)}\napp_image: image\n"
            f"{_config(stem)}\nparties:\n  - {{domain_id: alice}}\n  - {{domain_id: bob{party}}}\n"
        )
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


def edit(file: Path, turn: int) -> None:
    """Change one line of a serving, to something else on every turn."""
    lines = file.read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("labels:")]
    file.write_text("\n".join([*kept, f'labels: {{turn: "{turn}"}}', ""]), "utf-8")


def _files(servings: int) -> Iterator[tuple[str, str]]:
    yield "servingctl.yaml", ""
    yield "environments/base/environment.yaml", BASE
    images = min(_MOST_IMAGES, 2 + servings // 100)
    for number in range(images):
        yield f"environments/base/appimages/image-{number}.yaml", APP_IMAGE
    for name, text in _ENVIRONMENTS.items():
        head = "apiVersion: serving.gitops/v1\nkind: Environment\nextends: base\n"
        yield f"environments/{name}/environment.yaml", head + text
    inherited = servings * _INHERITED_OF_TEN // 10 // len(_ENVIRONMENTS)
    for number in range(inherited):
        stem = f"shared-{number:05}"
        yield f"environments/base/servings/{stem}.yaml", _serving(stem, images)
        for name in _ENVIRONMENTS:
            yield f"environments/{name}/servings/{stem}.yaml", _OVERRIDE
    for number in range(servings - inherited * len(_ENVIRONMENTS)):
        name = list(_ENVIRONMENTS)[number % len(_ENVIRONMENTS)]
        stem = f"own-{number:05}"
        yield f"environments/{name}/servings/{stem}.yaml", _serving(stem, images)


def _serving(name: str, images: int) -> str:
    chance = random.Random(name)  # noqa: S311 - the same choices for the same name
    parties = ["alice", "bob", "carol"][: chance.choice((2, 2, 3))]
    config = {"partyConfigs": {party: _party(name, party, chance) for party in parties}}
    as_text = chance.randrange(10) < _AS_TEXT_OF_TEN
    lines = [
        f"# The model {name}, scored by {' and '.join(parties)}.",
        f"{_HEADER}initiator: alice",
        f"app_image: image-{chance.randrange(images)}",
        *(_as_text(config) if as_text else _as_mapping({"serving_input_config": config}, "")),
        "parties:",
        *(f"  - domain_id: {party}" for party in parties),
    ]
    return "\n".join(lines) + "\n"


def _config(name: str) -> str:
    chance = random.Random(name)  # noqa: S311 - the same choices for the same name
    parties = {party: _party(name, party, chance) for party in ("alice", "bob")}
    return "\n".join(_as_mapping({"serving_input_config": {"partyConfigs": parties}}, ""))


def _party(name: str, party: str, chance: random.Random) -> dict[str, object]:
    first = chance.randrange(1, 50)
    last = first + chance.choice((4, 8))
    features = {f"v{number}": f"x{number}" for number in range(first, last)}
    return {
        "serverConfig": {"featureMapping": features},
        "modelConfig": {
            "modelId": f"{name}-1",
            "basePath": f"/tmp/{party}",  # noqa: S108 - a path in the container
            "sourceType": "ST_FILE",
            "sourcePath": f"examples/{party}/{name}.tar.gz",
            "sourceSha256": f"{chance.getrandbits(256):064x}",
        },
        "featureSourceConfig": {"httpOpts": {"endpoint": f"http://{party}.${{vars.features}}/v1"}},
        "channelDesc": {"protocol": "http"},
    }


def _as_text(config: dict[str, object]) -> Iterator[str]:
    yield "serving_input_config: |"
    yield from (f"  {line}" for line in json.dumps(config, indent=2).splitlines())


def _as_mapping(data: dict[str, object], indent: str) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _as_mapping(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {json.dumps(value)}"
