"""Flux as its modules have it: its kinds on an API server, its controller as it is released."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from conformance.flux.kubeconfig import kubeconfig
from conformance.flux.places import HERE, NAMESPACE
from conformance.kserve import installation as kserve
from conformance.kuberay import installation as kuberay
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import add_namespace, build, install_kinds, module, read
from conformance.operators.quiet import wait_for

SOURCE = HERE / "controller"
_CONTROLLER = "github.com/fluxcd/kustomize-controller"
#: Of the versions that it requires.
_TOOLS = {
    "kustomize-controller": _CONTROLLER,
    "sops": "github.com/getsops/sops/v3/cmd/sops",
    "age-keygen": "filippo.io/age/cmd/age-keygen",
}
#: Only its kinds are used, so that it is not among what our module is made of.
_SOURCES = "github.com/fluxcd/source-controller"
_SOURCES_VERSION = "v1.7.2"
_SOURCES_SUM = "h1:PQLzvgHNEYsstl8uATBZg/70b/i0tj63e0IqnYDeJyg="
#: The modules of platforms that have their kinds, of the versions that we ask elsewhere.
_PLATFORMS = (
    (kserve.SOURCE, "github.com/kserve/kserve", "config/crd/full/**/serving.kserve.io_*.yaml"),
    (kuberay.SOURCE, "github.com/ray-project/kuberay/ray-operator", "config/crd/bases/*.yaml"),
)
#: The kind of monitors, without a schema: Prometheus' operator is not there.
MONITOR: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "servicemonitors.monitoring.coreos.com"},
    "spec": {
        "group": "monitoring.coreos.com",
        "scope": "Namespaced",
        "names": {"kind": "ServiceMonitor", "plural": "servicemonitors"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "x-kubernetes-preserve-unknown-fields": True,
                    }
                },
            }
        ],
    },
}
_HOST = "127.0.0.1"
#: Everything at once, and dependencies looked at every second instead of every thirty.
_OPTIONS = ("--concurrent=32", "--requeue-dependency=1s", "--log-level=debug", "--http-retry=0")
_PATIENCE = 60


class Programs(NamedTuple):
    """What Go makes of our module; SOPS and age are among what the controller is made of."""

    controller: Path
    judge: Path
    sops: Path
    keygen: Path


def programs(go: str) -> Programs:
    """The released controller, what says how Flux judges an object, and what encrypts."""
    folder = HERE / "build"
    for name, package in _TOOLS.items():
        command = [go, "build", "-o", str(folder / name), package]
        subprocess.run(command, cwd=SOURCE, check=True)
    build(go, SOURCE, folder / "judge")
    names = ("kustomize-controller", "judge", "sops", "age-keygen")
    return Programs(*(folder / name for name in names))


def install(client: Client, go: str) -> None:
    """The kinds of Flux, from the modules of the same releases."""
    folders = (module(go, SOURCE, _CONTROLLER), _sources(go))
    bases = [path for folder in folders for path in sorted(folder.glob("config/crd/bases/*.yaml"))]
    install_kinds(client, [item for path in bases for item in read(path)])
    add_namespace(client, NAMESPACE)


def _sources(go: str) -> Path:
    """The module of the source-controller, without the programs that it would take."""
    done = subprocess.run(
        [go, "mod", "download", "-json", f"{_SOURCES}@{_SOURCES_VERSION}"],
        cwd=SOURCE,
        env={**os.environ, "GONOSUMDB": _SOURCES},
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)
    assert found["Sum"] == _SOURCES_SUM, found
    return Path(found["Dir"])


@contextmanager
def running(client: Client, program: Path, log: Path) -> Iterator[None]:
    """The controller on loopback, told by a signal when to stop."""
    metrics, health = f"{_HOST}:{_free_port()}", f"{_HOST}:{_free_port()}"
    command = [str(program), *_OPTIONS, f"--metrics-addr={metrics}", f"--health-addr={health}"]
    place = log.with_name("kubeconfig")
    place.write_text(json.dumps(kubeconfig(client)), "utf-8")
    environment = {**os.environ, "KUBECONFIG": str(place), "RUNTIME_NAMESPACE": NAMESPACE}
    with (
        log.open("wb") as out,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment
        ) as process,
    ):
        try:
            wait_for(partial(_answers, f"http://{health}/readyz"), _PATIENCE)
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as found:
        port: int = found.getsockname()[1]
        return port


def _answers(address: str) -> bool:
    try:
        urlopen(address, timeout=1).close()  # noqa: S310 - loopback
    except (URLError, OSError):
        return False
    return True


def platform_kinds(go: str, folder: Path) -> list[Object]:
    """The kinds that we render: Kuscia's from a folder, those of the others from their modules."""
    paths = [*folder.rglob("kuscia.*.yaml")]
    assert paths, f"{folder} has no CRDs of Kuscia"
    for source, name, pattern in _PLATFORMS:
        paths += module(go, source, name).glob(pattern)
    return [item for path in sorted(paths) for item in read(path)]
