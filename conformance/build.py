"""`python -m conformance.build`: every program that is asked, before anything is started.

A first build takes minutes. A server that was started before it would have closed its connections.
"""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from conformance.argocd.program import build_judge, build_plugin_server
from conformance.engines.asking import python, ray_python
from conformance.engines.observations import RAY
from conformance.flux import installation as flux
from conformance.kserve import installation as kserve
from conformance.kserve.llm import installation as llm
from conformance.kserve.plain import installation as plain
from conformance.kuberay import installation as kuberay
from conformance.kubernetes import server
from conformance.kubernetes.cel import asking as cel
from conformance.ray import wheels


class Step(NamedTuple):
    """A program to build; what it needs is on the machine already."""

    title: str
    build: Callable[[], object]


def steps(go: str | None) -> Iterator[Step]:
    """All of them, those first that most others are asked on; without Go, only Ray's."""
    if go:
        for release in server.RELEASES:
            yield Step(f"kube-apiserver {release.version}", partial(server.build, go, release))
        yield Step("the API server's CEL", partial(cel.build, go))
        for name, releases in (("KServe", kserve.RELEASES), ("KubeRay", kuberay.RELEASES)):
            for operator in releases:
                yield Step(f"{name} {operator.version}", partial(operator.build, go))
        yield Step("KServe's program for language models", partial(llm.build, go))
        yield Step("KServe's controllers of graphs and caches", partial(plain.build, go))
        yield Step("Flux", partial(flux.programs, go))
        yield Step("Argo CD: what asks its packages", partial(build_judge, go))
        yield Step("Argo CD: its plugin server", partial(build_plugin_server, go))
    for version in wheels.VERSIONS:
        yield Step(f"Ray {version}", partial(wheels.install, version))
    yield Step("what vLLM's parser needs", python)
    for version in RAY:
        yield Step(f"Ray {version} with its models", partial(ray_python, version))


def main() -> None:
    go = shutil.which("go")
    if go is None:
        sys.stdout.write("Go is not installed, so only Ray is asked\n")
    found = list(steps(go))
    for number, step in enumerate(found, 1):
        sys.stdout.write(f"[{number}/{len(found)}] {step.title} … ")
        sys.stdout.flush()
        began = time.monotonic()
        step.build()
        sys.stdout.write(f"{time.monotonic() - began:.0f} s\n")


if __name__ == "__main__":
    main()
