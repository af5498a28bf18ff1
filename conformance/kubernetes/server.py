"""The real API server, built by Go and run for as long as somebody asks it something."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from conformance.kubernetes.client import Client
from conformance.kubernetes.places import HERE

SOURCE = HERE / "apiserver"
_PATIENCE = 60


class Release(NamedTuple):
    """A version of Kubernetes, and the list of modules that it is built from."""

    #: As the module's version: a program built outside of its repository does not know it.
    version: str
    modules: str

    @property
    def minor(self) -> str:
        """As an environment says it: `1.33`."""
        return ".".join(self.version.removeprefix("v").split(".")[:2])


#: The one that all is asked of, and a newer one, of which pods are asked too.
RELEASES = (Release("v1.33.13", "go.mod"), Release("v1.36.3", "newer.mod"))


def build(go: str, release: Release = RELEASES[0]) -> Path:
    """The program; minutes the first time, and a moment when nothing has changed."""
    program = HERE / f"build/apiserver-{release.minor}"
    stamp = f"-X k8s.io/component-base/version.gitVersion={release.version}"
    command = [go, "build", "-modfile", release.modules, "-ldflags", stamp]
    subprocess.run([*command, "-o", str(program), "."], cwd=SOURCE, check=True)
    return program


@contextmanager
def running(program: Path, log: Path) -> Iterator[Client]:
    """A server on loopback; it stops, and takes away what it wrote, when its input is closed."""
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        ) as process,
    ):
        try:
            with closing(_client(process, log)) as client:
                yield client
        finally:
            stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a program that runs for as long as its input is open."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def _client(process: subprocess.Popen[bytes], log: Path) -> Client:
    line = process.stdout.readline() if process.stdout else b""
    if not line:
        raise RuntimeError(f"the API server did not start; see {log}")
    where = json.loads(line)
    client = Client(where["server"], Path(where["ca"]), where["token"])
    client.wait_until("/readyz", _PATIENCE)
    return client
