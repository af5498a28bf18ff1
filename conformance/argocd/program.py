"""Programs that Go builds of Argo CD's module: the one that asks it, and its own plugin server."""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from conformance.argocd.places import HERE
from conformance.operators.installation import build as build_own

SOURCE = HERE / "judge"
BUILT = HERE / "build"
_COMMAND = "github.com/argoproj/argo-cd/v3/cmd"
#: Argo CD has one program, which is the one that it is called.
_PLUGIN_SERVER = "argocd-cmp-server"
Answer = Any


class Judge(NamedTuple):
    """The program that asks Argo CD's packages; `config` is how it finds an API server."""

    program: Path
    scratch: Path
    config: Path | None = None

    def ask(
        self,
        subject: str,
        requests: Iterable[Mapping[str, Any]],
        environment: Mapping[str, str] | None = None,
    ) -> list[Answer]:
        """An answer to each request, in their order."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        known = {"TMPDIR": str(self.scratch), "KUBECONFIG": str(self.config or "")}
        done = subprocess.run(
            [self.program, subject],
            input=lines,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **known, **(environment or {})},
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return [json.loads(line) for line in done.stdout.splitlines()]


def build_judge(go: str) -> Path:
    return build_own(go, SOURCE, BUILT / "judge")


def build_plugin_server(go: str) -> Path:
    """Minutes the first time: it is all of Argo CD."""
    program = BUILT / _PLUGIN_SERVER
    subprocess.run([go, "build", "-o", str(program), _COMMAND], cwd=SOURCE, check=True)
    return program
