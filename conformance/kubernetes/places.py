"""Where things lie that the modules here share."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OBSERVED = ROOT / "tests/observed/kubernetes"
PROJECT = OBSERVED / "project"
