"""Live objects with a status that health checks are judged on, recorded ones and made-up ones.

An id says where an object is from: `observed/…` is what a platform wrote, `made/…` is not.
"""

import copy
import json
from functools import cache

import yaml

from renderer.backends import BACKENDS
from tests.support.kuscia_statuses import kuscia_objects
from tests.support.llm_recordings import CASES, EDITS
from tests.support.places import ROOT
from tests.support.stored import stored

_OBSERVED = ROOT / "tests/observed"
_MADE = ROOT / "tests/cases/health"

#: What there is a health check of.
JUDGED = {kind.kind for backend in BACKENDS for kind in backend.stored if kind.health}


def objects():
    """Each object with its id; the ids are unique, and their order is always the same."""
    for name, found in _all():
        yield name, copy.deepcopy(found)


@cache
def _all():
    made = ((f"made/{case['kind']}/{case['name']}", case["object"]) for case in made_up())
    observed = (*_rows("kserve"), *_rows("kserve/plain"), *_llm_rows(), *_rows("kuberay"))
    found = [*observed, *kuscia_objects(), *made]
    assert len(dict(found)) == len(found), "two objects have the same id"
    return found


@cache
def made_up():
    """The cases of `tests/cases/health`, each with its kind and its whole object."""
    found = []
    for path in sorted(_MADE.glob("*.yaml")):
        data = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        for case in data["cases"]:
            whole = patched(data["base"], case.get("patch", {}))
            found.append({**case, "kind": path.stem, "object": whole})
    return found


def patched(base, patch):
    """What a JSON merge patch makes of it: null removes, a list or a text replaces."""
    if not isinstance(patch, dict):
        return patch
    known = base if isinstance(base, dict) else {}
    kept = {key: value for key, value in known.items() if key not in patch}
    new = {key: patched(known.get(key), value) for key, value in patch.items() if value is not None}
    return {**kept, **new}


def _rows(platform):
    """The rows of a platform that were stored, and that something was recorded of."""
    for part in ("cases", "edits"):
        for path in sorted((_OBSERVED / platform / part).glob("*.json")):
            for row in json.loads(path.read_text("utf-8")):
                if "status" in row and _kind(row) in JUDGED:
                    yield f"observed/{platform}/{part}/{row['name']}", _live(row)


def _kind(row):
    """Of the object of a row; nothing if it was deleted."""
    found = row.get("given") or row.get("after")
    return found["kind"] if found and not row.get("gone") else ""


def _llm_rows():
    """Recorded LLM services; of an edit only the conditions are recorded, and that it was seen."""
    for part, rows in (("cases", CASES), ("edits", EDITS)):
        for name, row in rows.items():
            given = row.get("given") or row.get("after")
            if row["accepted"] and row.get("status"):
                yield f"observed/kserve/llm/{part}/{name}", _live_llm(given, row["status"])


def _live_llm(given, status):
    """The object with its conditions as a list; KServe's generation is always the newest."""
    listed = status.get("conditions", status)
    conditions = []
    for kind, said in listed.items():
        state, _, why = said.partition(" ")
        reason, _, message = why.partition(" ")
        about = {"reason": reason, "message": message}
        told = {key: value for key, value in about.items() if value}
        conditions.append({"type": kind, "status": state, **told})
    others = status if "conditions" in status else {}
    seen = {**others, "conditions": conditions, "observedGeneration": 1}
    return {**given, "metadata": {**given["metadata"], "generation": 1}, "status": seen}


def _live(row):
    """The object of a row; what an edit says was stored differs from what was there before it."""
    found = stored(row) if "given" in row else stored({**row, "stored": ()}, row["after"])
    if not found["status"]:
        del found["status"]
    return found
