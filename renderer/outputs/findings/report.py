"""What an output is given: findings, and the sources they speak of."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.values.diagnostics import Diagnostic, Severity


class Report(NamedTuple):
    """Findings in order of place, the text of files by path, and how they are meant.

    `limit` is the severity from which on a finding fails the run.
    """

    diagnostics: list[Diagnostic]
    sources: Mapping[str, str]
    color: bool = False
    limit: Severity = Severity.ERROR
