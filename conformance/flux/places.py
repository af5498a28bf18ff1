"""Where things lie that the modules here share."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OBSERVED = ROOT / "tests/observed/flux"
#: Where Flux and everything of it is, as `bootstrap flux` has it.
NAMESPACE = "flux-system"
