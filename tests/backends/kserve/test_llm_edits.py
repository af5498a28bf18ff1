"""What the real KServe made of edits of language models, and what `diff` says of the same edits."""

from functools import cache

from renderer import compare
from renderer.values.diagnostics import Severity
from tests.support.llm_recordings import EDITS
from tests.support.llm_rows import replayed
from tests.support.replay import TOGETHER, every_row, opened, shares

#: By what became of the workload of a unit, the effects of which one is foretold.
FORETOLD = {
    "changed": {"rolling", "recreate"},
    "added": {"create", "recreate"},
    "removed": {"delete", "recreate"},
    "recreated": {"recreate"},
}
REPLACING = set().union(*FORETOLD.values())
FAILURES = {"refused", "breaks"}
_SAME = "comes out the same"
#: Edits of which `diff` says something else, and why.
OTHERWISE = {
    "other-label-added": "the label is one that we set ourselves",
}


@cache
def foretold(share):
    """Of each row: the codes of errors on both sides, and the effects by unit, as far as any."""
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
    effects = {}
    for item in comparison.objects:
        if item.change.environment == environment:
            for _, impact in item.impacts:
                if _SAME not in impact.consequence:
                    effects.setdefault(impact.unit, set()).add(str(impact.effect))
    errors = {
        item.code
        for item in comparison.findings
        if environment in item.environments and item.severity is Severity.ERROR
    }
    return errors, effects


def disagreement(row, errors, effects):
    """How KServe and `diff` differ; nothing if they do not."""
    every = set().union(*effects.values())
    is_failure = bool(errors or every & FAILURES)
    if not row["accepted"] or _fails(row):
        return "" if is_failure else f"KServe fails; foretold: {effects}"
    if is_failure:
        return f"a failure is foretold: {errors or effects}"
    seen = _seen(row["templates"])
    wrong = [
        f"{unit} {became}; foretold: {effects.get(unit)}"
        for unit, became in seen.items()
        if not _agrees(became, effects.get(unit, set()))
    ]
    acts = every - {"ignored"}
    if acts and not row["changes"]:
        wrong.append(f"nothing changed; foretold: {effects}")
    if row["changes"] and not acts:
        wrong.append(f"nothing is foretold; changed: {[*row['changes']]}")
    return ", ".join(wrong)


def _seen(templates):
    """What became of each unit: one workload that goes while another comes is made anew."""
    fates = {}
    for name, became in templates.items():
        fates.setdefault(_unit(name), set()).add(became)
    return {
        unit: "recreated" if fate == {"added", "removed"} else min(fate)
        for unit, fate in fates.items()
    }


def _unit(name):
    return {"prefill": "prefill", "scheduler": "scheduler"}.get(name.rpartition("-")[2], "main")


def _agrees(became, effects):
    if became == "same":
        return not effects & REPLACING
    return bool(effects & FORETOLD[became]) and effects & REPLACING <= FORETOLD[became]


def _fails(row):
    """Whether the controller fails after the edit, be its own word still that all is well."""
    return any(
        text.startswith("False") and text.split()[1].endswith(("Error", "NotFound"))
        for text in row["status"].values()
    )


@shares
def test_what_was_seen_is_foretold(share):
    said = foretold(share)
    wrong = {name: text for name in said if (text := disagreement(EDITS[name], *said[name]))}
    unnamed = [f"{name}: {text}" for name, text in wrong.items() if name not in OTHERWISE]
    assert not unnamed, "\n".join(unnamed)
    assert {name for name in OTHERWISE if name in said} == wrong.keys()
    if share is every_row:
        assert 1 - len(wrong) / len(said) >= 0.98
