"""What a schema finds: a finding, and the hole that the value leaves."""

from typing import NamedTuple

from renderer.values.diagnostics import Diagnostic, Path


class Misfit(NamedTuple):
    """The place of a value that does not fit or is missing, and the finding.

    A key that should not be there leaves no hole, unless another one was meant by it.
    """

    hole: Path | None
    found: Diagnostic
