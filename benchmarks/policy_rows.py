"""Rows about what rules of a repository, and of its CRDs, add to `validate`."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.measuring import Run, measure, ratio
from benchmarks.policy_fleets import RULES, write_ruled_fleet
from benchmarks.row import Row

_CHECK = (sys.executable, "-m", "renderer", "validate")
_MOST = 1.3


def policy_rows(
    folder: Path, servings: int, rounds: int, environment: Mapping[str, str]
) -> Iterator[Row]:
    """The same specs with and without rules, cold and warm; and both with CRDs."""
    roots = {
        (rules, crds): folder / f"{'ruled' if rules else 'plain'}-{'crds' if crds else 'alone'}"
        for rules in (False, True)
        for crds in (False, True)
    }
    for (rules, crds), root in roots.items():
        write_ruled_fleet(root, servings, rules=rules, crds=crds)
    measure({str(key): Run(_CHECK, root) for key, root in roots.items()}, 1, environment)
    for crds in (False, True):
        for title, more in (("cold", ("--no-cache",)), ("nothing changed", ())):
            runs = {
                name: Run((*_CHECK, *more), roots[rules, crds])
                for name, rules in (("without", False), ("with", True))
            }
            taken = measure(runs, rounds, environment)
            also = ", and two CRDs with ten rules each" if crds else ""
            what = f"`validate` of {servings:,} servings with {RULES} rules{also}: {title}"
            yield Row(what, "the same without rules", ratio(taken["with"], taken["without"]), _MOST)
