"""The files for controllers, word by word; `--update-golden` writes them anew."""

import pytest

from renderer.bootstrap import argocd, flux
from renderer.bootstrap.sources import RepositorySource, source_of
from tests.bootstrap.places import SOURCE, places
from tests.support.places import ROOT

EXPECTED = ROOT / "tests/bootstrap/expected"
PLACES = {
    "dev": [
        {"name": "master", "platform": "kuscia", "domains": ["alice", "bob"],
         "kubeconfig_secret": "master"},
    ],
    "prod": [
        {"name": "alice", "platform": "kuscia", "domains": ["alice"], "cluster": "k3s-alice"},
        {"name": "east", "server": "https://east.example:6443", "project": "models",
         "kubeconfig_secret": "east"},
    ],
}  # fmt: skip
ALLOWED = {
    "dev": {
        "companions": {"allow": ["Job", "Namespace", "Gateway.networking.istio.io", "Nothing"]},
        "destinations": [{"name": "near", "namespace": "models", "kubeconfig_secret": "near"}],
    },
    "prod": {
        "companions": {},
        "destinations": [
            {"name": "alice", "platform": "kuscia", "domains": ["alice"],
             "kubeconfig_secret": "alice"},
            {"name": "east", "namespace": "models", "kubeconfig_secret": "east"},
        ],
    },
}  # fmt: skip
FIRST = {"dev": ALLOWED["dev"]}
TEAMS = {
    "prod": {
        "companions": {"allow": ["ConfigMap", "ServiceAccount", "PersistentVolume"]},
        "destinations": [
            {"name": f"gpu-{name}", "cluster": "gpu", "namespace": name, "project": name,
             "kubeconfig_secret": "gpu"}
            for name in ("fraud", "search")
        ],
    },
}  # fmt: skip
SLOW = flux.FluxWishes("1h30m", flux.EVERYTHING, awaits_jobs=False)
BELOW = RepositorySource("https://git.example/all", "rendered", "team").located(
    "models/specs/", "out/rendered"
)
OCI = source_of("oci", "oci://registry.example/models", None)
IMAGE = "registry.example/servingctl:1"
CASES = {
    "argocd-allowed": lambda _: argocd.argocd_files(places(**FIRST), SOURCE, "applications"),
    "argocd-companions": lambda _: argocd.argocd_files(places(**ALLOWED), SOURCE),
    "flux-companions": lambda _: flux.flux_files(places(**ALLOWED), SOURCE),
    "argocd-files": lambda found: argocd.argocd_files(
        found, BELOW, "files", folder="models/gitops/argocd"
    ),
    "argocd-teams": lambda _: argocd.argocd_files(places(**TEAMS), SOURCE, has_teams=True),
    "flux-teams": lambda _: flux.flux_files(
        places(**TEAMS), SOURCE, wishes=flux.FluxWishes(has_teams=True)
    ),
    "flux-slow": lambda _: flux.flux_files(places(**FIRST), SOURCE, wishes=SLOW),
    "argocd": lambda found: argocd.argocd_files(found, SOURCE),
    "argocd-applications": lambda found: argocd.argocd_files(found, BELOW, "applications"),
    "argocd-plugin": lambda found: argocd.argocd_files(found, BELOW, "applicationset", IMAGE),
    "flux": lambda found: flux.flux_files(found, BELOW),
    "flux-oci": lambda found: flux.flux_files(found, OCI, "oci"),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name, monkeypatch, pytestconfig):
    """Without the checks themselves, which are files of their own."""
    monkeypatch.setattr(argocd, "script", lambda kind: f"-- {kind.health}\n")
    monkeypatch.setattr(flux, "expressions", lambda kind: {"current": kind.health})
    made = CASES[name](places(**PLACES))
    folder = EXPECTED / name
    if pytestconfig.getoption("--update-golden"):
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
    found = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*.yaml")
    }
    assert made == found
