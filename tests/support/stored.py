"""Observed rows as the API server has them: what was given, with what was changed in it."""

import copy
import re

_STEP = re.compile(r"\[(\d+)\]")


def stored(row, applied=None):
    """The object of a row after webhooks, defaults and operators, with its status.

    What was done to what was given is done to what is `applied`, if that is something else.
    """
    found = copy.deepcopy(applied or row["given"])
    for change in row.get("stored", ()):
        _set(found, change["path"], change.get("after"), gone="after" not in change)
    if row.get("generation"):
        found["metadata"]["generation"] = row["generation"]
    if "status" in row:
        found["status"] = _status(row["status"])
    return found


def _status(told):
    """With conditions as a list; `status reason message` is how rows have them."""
    rows = told.get("conditions", {})
    listed = []
    for name, text in rows.items():
        status, reason, message, *_ = [*text.split(" ", 2), "", ""]
        listed.append({"type": name, "status": status, "reason": reason, "message": message})
    return {**told, **({"conditions": listed} if rows else {})}


def _set(tree, path, value, *, gone):
    """Put a value where `a.b[0].c` leads; a key may have dots in it."""
    here, rest = tree, path
    while True:
        key, rest = _first(here, rest)
        if not rest:
            break
        here = here[key] if not isinstance(here, dict) or key in here else here.setdefault(key, {})
    if gone and isinstance(here, dict):
        here.pop(key, None)
    elif gone:
        del here[key]
    elif isinstance(here, list) and key == len(here):
        here.append(value)
    elif isinstance(value, dict) and isinstance(here, dict) and isinstance(here.get(key), dict):
        here[key] = _joined(here[key], value)
    else:
        here[key] = value


def _joined(ours, added):
    """What is applied may have more than what was given."""
    both = {key: _joined(ours[key], added[key]) for key in ours.keys() & added.keys()
            if isinstance(ours[key], dict) and isinstance(added[key], dict)}  # fmt: skip
    return {**ours, **added, **both}


def _first(here, path):
    if step := _STEP.match(path):
        return int(step[1]), path[step.end() :].removeprefix(".")
    known = [key for key in here if path == key or path.startswith((f"{key}.", f"{key}["))]
    if known:
        key = max(known, key=len)
        return key, path[len(key) :].removeprefix(".")
    if "/" in path or ("[" not in path and "." not in path):
        return path, ""
    key = re.split(r"[.\[]", path, maxsplit=1)[0]
    return key, path[len(key) :].removeprefix(".")
