"""The kinds of platforms that have whole pods, as the releases of these define them."""

import subprocess

from conformance.kserve.installation import RELEASES as KSERVE_RELEASES
from conformance.kserve.installation import SOURCE as KSERVE
from conformance.kuberay.installation import SOURCE as KUBERAY
from conformance.kubernetes.client import Client
from conformance.kubernetes.pods.homes import HOMES
from conformance.operators.installation import install_kinds, module, read

_MODULES = {
    KSERVE: "github.com/kserve/kserve",
    KUBERAY: "github.com/ray-project/kuberay/ray-operator",
}


def install(client: Client, go: str) -> None:
    """Without the programs that would act on them."""
    for source, name in _MODULES.items():
        subprocess.run([go, "mod", "download", name], cwd=source, check=True)
    kuberay = module(go, KUBERAY, _MODULES[KUBERAY])
    paths = sorted((kuberay / "config/crd/bases").glob("*.yaml"))
    names = {home.kind for home in HOMES}
    kinds = [*KSERVE_RELEASES[0].crds(go), *(item for path in paths for item in read(path))]
    install_kinds(client, [item for item in kinds if item["spec"]["names"]["kind"] in names])
