"""Where the project lies, and what may lie beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared"
