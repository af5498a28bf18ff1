"""Argo CD's plugin server with our plugin, and what it generates for Applications."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from conformance.argocd.program import Answer, Judge
from conformance.kubernetes.client import Object

_PATIENCE = 30
_TRACKING = "argocd.argoproj.io/tracking-id"
_FAILED = "`servingctl argocd generate` failed "


class Plugin(NamedTuple):
    """A running server: where its socket is, and what it writes to its log."""

    sockets: Path
    log: Path

    def ask(self, judge: Judge, application: Object, repository: Path, **options: Any) -> Answer:
        """What an Application's source comes to, as Argo CD's repo server asks the plugin."""
        request = {"application": application, "repository": str(repository), **options}
        (found,) = judge.ask(
            "manifests", [request], {"ARGOCD_PLUGINSOCKFILEPATH": str(self.sockets)}
        )
        return found


@contextmanager
def serving(program: Path, config: Path, scratch: Path) -> Iterator[Plugin]:
    """The server, for as long as somebody asks; `servingctl` is the one of this environment."""
    sockets, log = scratch / "s", scratch / "log"
    sockets.mkdir()
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ARGOCD_PLUGINSOCKFILEPATH": str(sockets),
        "ARGOCD_CMP_WORKDIR": str(scratch),
        "TMPDIR": str(scratch),
    }
    command = [str(program), "--config-dir-path", str(config)]
    with (
        log.open("wb") as output,
        subprocess.Popen(command, env=environment, stdout=output, stderr=output) as process,
    ):
        try:
            _wait_for_socket(process, sockets, log)
            yield Plugin(sockets, log)
        finally:
            # On SIGTERM it takes its socket away and goes on.
            process.kill()


def _wait_for_socket(process: "subprocess.Popen[bytes]", sockets: Path, log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not list(sockets.glob("*.sock")):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"the plugin server did not start: {log.read_text('utf-8')}")
        time.sleep(0.1)


def without_tracking(manifest: Object) -> Object:
    """A manifest without the one annotation that Argo CD adds to what a plugin prints."""
    metadata = dict(manifest["metadata"])
    notes = {key: text for key, text in metadata["annotations"].items() if key != _TRACKING}
    metadata.pop("annotations")
    return {**manifest, "metadata": {**metadata, **({"annotations": notes} if notes else {})}}


def refusal_of(error: str) -> str:
    """What our program said, out of what Argo CD says around it."""
    assert _FAILED in error, error
    return error.partition(_FAILED)[2].partition(": ")[2]
