"""Where things lie that the modules here share."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
OBSERVED = HERE.parent.parent / "tests/observed/kuberay"
#: Namespaces by how KubeRay is installed there: as it comes, with its optional webhooks, and with
#: other feature gates.
PLAIN, HOOKED, GATED = "ray", "hooked", "gated"
GATES = "RayServiceIncrementalUpgrade=true,RayJobDeletionPolicy=false"
