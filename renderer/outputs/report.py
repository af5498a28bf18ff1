"""What an output is given: findings, and the sources they speak of."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.diagnostics import Diagnostic


class Report(NamedTuple):
    """Findings in order of place, the text of files by path, and whether colour is wanted."""

    diagnostics: list[Diagnostic]
    sources: Mapping[str, str]
    color: bool = False
