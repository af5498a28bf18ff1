"""What an output is given: findings, and the sources they are in."""

from collections.abc import Mapping, Sequence

from renderer.outputs.findings.causes import group_by_cause
from renderer.values.diagnostics import (
    Diagnostic,
    Rule,
    Severity,
    is_newer,
    join_findings,
    worst_first,
)
from renderer.values.named_tuple import NamedTuple

_MOST = 50


class Report(NamedTuple):
    """Findings, the worst first, the text of files by path, and how they are meant.

    `limit` is the severity from which on a finding fails the run. `rules` are all that there are,
    for the formats of `WITH_RULES`; others leave it empty. `specs` are by file the names of those
    that findings may be about. `less_severe` are findings that are not shown, as they are not bad
    enough; they count. What only versions after `rules_as_of` find never fails a run.
    """

    diagnostics: Sequence[Diagnostic]
    sources: Mapping[str, str]
    limit: Severity = Severity.ERROR
    rules: Sequence[Rule] = ()
    specs: Mapping[str, str] = {}
    less_severe: Sequence[Diagnostic] = ()
    rules_as_of: str = ""

    def fails(self, item: Diagnostic) -> bool:
        """Whether a run fails for a finding."""
        return item.severity >= self.limit and not is_newer(item.since, self.rules_as_of)

    def rule_names(self) -> dict[str, str]:
        """The names of the rules by their codes."""
        return {rule.code: rule.name for rule in self.rules}

    def limited_to(self, least: Severity) -> "Report":
        """The findings that are at least so bad, as many as are shown."""
        found = [item for item in self.diagnostics if item.severity >= least]
        others = [item for item in self.diagnostics if item.severity < least]
        return self._replace(diagnostics=limited(found), less_severe=others)

    def first_cause(self) -> "Report":
        """Only what is said first, of however many places."""
        causes = group_by_cause(self.diagnostics)[:1]
        return self._replace(diagnostics=[item for one in causes for item in one.findings])


def limited(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The worst first; of a rule in a file so many, and one that stands for all others."""
    by_rule: dict[tuple[str, str], list[Diagnostic]] = {}
    for item in worst_first(found):
        by_rule.setdefault((item.code, item.file), []).append(item)
    return worst_first(item for some in by_rule.values() for item in _some(some))


def _some(found: list[Diagnostic]) -> list[Diagnostic]:
    """Of findings of a rule in a file as many as may be shown."""
    single = [item for item in found if item.stands_for == 1]
    left = worst_first([*single[_MOST:], *(item for item in found if item.stands_for > 1)])
    rest = (
        [join_findings(left).summary_of_others(sum(item.stands_for for item in left))]
        if left
        else []
    )
    return [*single[:_MOST], *rest]
