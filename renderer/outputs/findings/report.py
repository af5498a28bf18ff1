"""What an output is given: findings, and the sources they speak of."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from renderer.values.diagnostics import Diagnostic, Rule, Severity


class Report(NamedTuple):
    """Findings in order of place, the text of files by path, and how they are meant.

    `limit` is the severity from which on a finding fails the run. `rules` are all that there are,
    for the formats of `WITH_RULES`; others leave it empty. `width` is that of a terminal.
    """

    diagnostics: Sequence[Diagnostic]
    sources: Mapping[str, str]
    color: bool = False
    limit: Severity = Severity.ERROR
    rules: Sequence[Rule] = ()
    width: int = 0

    def rule_names(self) -> dict[str, str]:
        """The names of the rules by their codes."""
        return {rule.code: rule.name for rule in self.rules}
