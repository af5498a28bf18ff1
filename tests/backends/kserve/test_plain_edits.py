"""Edits of graphs, trained models and caches, and what `diff` says of the same edits."""

from functools import cache

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.plain_rows import EDITS, replayed
from tests.support.replay import TOGETHER, every_row, opened, shares

#: By what became of the router of a graph, the effects of which one is foretold.
FORETOLD = {
    "changed": {"rolling", "replace"},
    "added": {"create", "orphans"},
    "removed": {"delete"},
}
REPLACING = {"rolling", "replace", "recreate", "create", "delete"}
FAILURES = {"refused", "breaks"}
_UNUSED = "a group that no cache names is not rendered"
_STAYS = "KServe fails at the edit; all stays as it was, the status too, which is no success"
#: Edits of which `diff` says something else, and why.
OTHERWISE = {
    "cache-deleted-after-its-group": "`diff` has no order: engines delete the group last",
    "cache-deleted-in-use": "a delete, with the words that KServe refuses it as long as it is used",
    "cache-group-that-is-not-there": _STAYS,
    "graph-service-goes": "KServe leaves the router as it is, whose requests then fail",
    "graph-requests-above-its-limits": _STAYS,
    "graph-service-that-is-not-there": _STAYS,
    "knative-graph-max-below-min": _STAYS,
    "knative-graph-metric-of-load": _STAYS,
    "knative-graph-node-selector-added": _STAYS,
    "knative-graph-timeout-above-all": _STAYS,
    "node-group-deleted": _UNUSED,
}


@cache
def foretold(share):
    """Of each row: the codes of errors on both sides, and the effects on what was asked about."""
    rows = [row for name, row in EDITS.items() if share(name)]
    found = {}
    for start in range(0, len(rows), TOGETHER):
        some = rows[start : start + TOGETHER]
        sides = (opened(replayed(row, side) for row in some) for side in ("before", "after"))
        comparison = compare(*sides)
        for number, row in enumerate(some):
            found[row["name"]] = _foretold(comparison, f"row-{number}")
    return found


def _foretold(comparison, environment):
    effects = {
        str(impact.effect)
        for item in comparison.objects
        if item.change.environment == environment and item.change.manifest.spec.stem == "asked"
        for _, impact in item.impacts
    }
    errors = {
        item.code
        for item in comparison.findings
        if environment in item.environments and item.severity is Severity.ERROR
    }
    return errors, effects


def disagreement(row, errors, effects):
    """How KServe and `diff` differ; nothing if they do not."""
    is_failure = bool(errors or effects & FAILURES)
    has_failed = not row["accepted"] or row.get("going") or (row.get("gone") and row["after"])
    if has_failed or is_failure:
        said = errors or effects
        return "" if has_failed and is_failure else f"failure {has_failed}, foretold {said}"
    if row["after"] is None:
        return "" if effects == {"delete"} else f"deleted, foretold {effects}"
    for became in row.get("templates", {}).values():
        if became != "same" and not effects & FORETOLD[became]:
            return f"{became}, foretold {effects}"
    is_same = all(became == "same" for became in row.get("templates", {}).values())
    if is_same and effects & REPLACING:
        return f"the same pods, foretold {effects}"
    if row.get("changes") and not effects and row["before"] != row["after"]:
        return f"nothing is foretold, changed {[*row['changes']]}"
    return ""


@shares
def test_what_was_seen_is_foretold(share):
    said = foretold(share)
    wrong = {name: text for name in said if (text := disagreement(EDITS[name], *said[name]))}
    assert wrong.keys() == {name for name in OTHERWISE if name in said}, wrong
    assert len(said) > 70 or share is not every_row
