"""The recorded rows of language models, each with all that was made."""

import json

from tests.support.patches import patched
from tests.support.places import ROOT

_PLACE = ROOT / "tests/observed/kserve/llm"


def _read(folder):
    paths = sorted((_PLACE / folder).glob("*.json"))
    return {row["name"]: row for path in paths for row in json.loads(path.read_text("utf-8"))}


def _whole(row, base):
    """What was recorded as a difference from the row of its base."""
    facts = {
        key: patched(base[key], row[key])
        for key in ("status", "objects")
        if key in row and row["name"] != row["base"]
    }
    return {**row, **facts}


def _cases():
    rows = _read("cases")
    return {name: _whole(row, rows[row["base"]]) for name, row in rows.items()}


CASES = _cases()
EDITS = _read("edits")
