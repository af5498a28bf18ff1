"""Today's findings, to be accepted: which is which tomorrow, though lines have moved."""

import json
import re
from collections import Counter
from collections.abc import Iterable

from renderer.outputs.findings.report import Report
from renderer.outputs.safe_text import encodable
from renderer.text.digests import digest
from renderer.values.diagnostics import Diagnostic

FORMAT = 1
#: `line 14`, `spec.yaml:14:3`: where something else stands, as messages say it.
_POSITIONS = re.compile(r"(\bline|\.(?:ya?ml|json|j2))[ :]\d+(?::\d+)?")


def show(report: Report) -> str:
    """A file that Git shows well: sorted, a line for each finding, without positions."""
    found = report.diagnostics
    lines = sorted(
        json.dumps([item.code, encodable(item.file), str(item.severity), fingerprint])
        for item, fingerprint in zip(found, fingerprints(found), strict=True)
    )
    body = ",\n".join(f"    {line}" for line in lines)
    inner = f"\n{body}\n  " if lines else ""
    return f'{{\n  "format": {FORMAT},\n  "accepted": [{inner}]\n}}\n'


def fingerprints(found: Iterable[Diagnostic]) -> list[str]:
    """One for each finding, in order: what, and in which file; equal ones are numbered."""
    seen: Counter[tuple[str, str, str]] = Counter()
    result = []
    for item in found:
        identity = (item.code, encodable(item.file), _lasting(item.message))
        seen[identity] += 1
        result.append(digest([*identity, seen[identity]]))
    return result


def _lasting(message: str) -> str:
    return _POSITIONS.sub(r"\1", encodable(message))
