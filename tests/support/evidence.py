"""What recordings of edits show; `python -m tests.support.evidence` writes `schemas/observed/`."""

import json
import re
from functools import cache
from typing import NamedTuple

from conformance.operators.versions import generated_rows
from tests.support.places import ROOT

OBSERVED = ROOT / "tests/observed"
TARGET = ROOT / "schemas/observed"


class Evidence(NamedTuple):
    """What a recording shows of one unit: in which setting, of which edit of which kind of object.

    `row` is its name, for those who look for it.
    """

    version: str
    mode: str
    source: str
    unit: str
    edit: str
    outcomes: frozenset[str]
    row: str = ""


def recorded_rows(platform, version):
    """All rows of edits with the version that they are of: the usual one, and those of files."""
    places = (path for path in (OBSERVED / platform).glob("**/edits/*.json"))
    for path in sorted(path for path in places if path.parent.parent.name != "llm"):
        for row in json.loads(path.read_text("utf-8")):
            yield version, row
    place = OBSERVED / platform / "generated"
    for other in versions_of(place):
        for row in generated_rows(place, "edits", other):
            yield other, row


def versions_of(place):
    """Versions other than the usual one that generated rows were asked of."""
    return sorted(path.stem for path in place.glob("*.json"))


def tree_of(evidence):
    """By version, mode, kind of the edited object, unit and edit: what was seen to come of it."""
    found = {}
    for item in evidence:
        if item.edit and item.outcomes:
            node = found
            for key in (item.version, item.mode, item.source, item.unit):
                node = node.setdefault(key, {})
            node[item.edit] = sorted({*node.get(item.edit, ()), *item.outcomes})
    return found


def text_of(evidence):
    """The file of a platform: an edit on each line, so that a difference can be read."""
    text = json.dumps(tree_of(evidence), indent=1, sort_keys=True)
    return re.sub(r"\[\s+([^][]*?)\s+\]", lambda found: f"[{_joined(found[1])}]", text) + "\n"


def _joined(items):
    return re.sub(r",\s+", ", ", items)


def evidence_of():
    """What is seen on each platform, by its name."""
    from tests.support import kserve_evidence, kuberay_evidence, kuscia_evidence

    return {
        "kserve": kserve_evidence.evidence,
        "kuberay": kuberay_evidence.evidence,
        "kuscia": kuscia_evidence.evidence,
    }


@cache
def evidence_list(platform):
    """All that recordings of a platform show; extracted once."""
    return tuple(evidence_of()[platform]())


if __name__ == "__main__":
    for name, evidence in evidence_of().items():
        (TARGET / f"{name}.json").write_text(text_of(evidence()), "utf-8")
