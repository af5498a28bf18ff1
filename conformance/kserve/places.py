"""Where things lie that the modules here share."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
OBSERVED = HERE.parent.parent / "tests/observed/kserve"
