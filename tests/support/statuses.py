"""Live objects with a status that health checks are judged on, recorded ones and made-up ones.

An id says where an object is from: `observed/…` is what a platform wrote, `made/…` is not.
"""

import copy
import json
from functools import cache

import yaml

from tests.support.kuscia_statuses import kuscia_objects
from tests.support.places import ROOT
from tests.support.stored import stored

_OBSERVED = ROOT / "tests/observed"
_MADE = ROOT / "tests/cases/health"


def objects():
    """Each object with its id; the ids are unique, and their order is always the same."""
    for name, found in _all():
        yield name, copy.deepcopy(found)


@cache
def _all():
    made = ((f"made/{case['kind']}/{case['name']}", case["object"]) for case in made_up())
    found = [*_rows("kserve"), *_rows("kuberay"), *kuscia_objects(), *made]
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
                if "status" in row:
                    yield f"observed/{platform}/{part}/{row['name']}", _live(row)


def _live(row):
    """The object of a row; what an edit says was stored differs from what was there before it."""
    found = stored(row) if "given" in row else stored({**row, "stored": ()}, row["after"])
    if not found["status"]:
        del found["status"]
    return found
