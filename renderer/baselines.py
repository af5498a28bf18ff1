"""Findings that were there before: accepted as long as they stay as they are."""

import json
from collections.abc import Callable
from pathlib import Path

from renderer.diagnostics import Diagnostic
from renderer.errors import UsageError
from renderer.outputs.baseline import FORMAT
from renderer.outputs.fingerprints import fingerprints


def read(path: Path) -> frozenset[str]:
    """The fingerprints of accepted findings."""
    how = f"write it with 'servingctl validate --format baseline --output {path}'"
    try:
        document = json.loads(path.read_text("utf-8"))
        if document["format"] != FORMAT:
            raise UsageError(f"{path} is a baseline of another format; {how}")
        return frozenset(str(print_) for _, _, print_ in document["accepted"])
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"the baseline {path} is not read: {reason}; {how}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is not a baseline; {how}") from error


def new(
    found: list[Diagnostic], accepted: frozenset[str], is_firm: Callable[[Diagnostic], bool]
) -> list[Diagnostic]:
    """The findings that are not accepted, or that nothing may silence."""
    prints = fingerprints(found)
    return [
        item
        for item, print_ in zip(found, prints, strict=True)
        if print_ not in accepted or is_firm(item)
    ]
