"""Where things lie that the modules here share."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OBSERVED = ROOT / "tests/observed/argocd"
EXAMPLE = ("servingctl.yaml", "environments", "rendered")
