"""Today's findings, to be accepted: which is which tomorrow, though lines have moved."""

import json
from collections import Counter
from collections.abc import Sequence

from renderer.outputs.findings.causes import lasting
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable
from renderer.text.digests import digest
from renderer.values.diagnostics import Diagnostic

FORMAT = 1


def show(report: Report, _layout: Layout = PLAIN) -> str:
    """A file that Git shows well: sorted, a line for each finding, without positions."""
    found = report.diagnostics
    lines = sorted(
        json.dumps([item.code, encodable(item.file), str(item.severity), fingerprint])
        for item, fingerprint in zip(found, fingerprints(found), strict=True)
    )
    body = ",\n".join(f"    {line}" for line in lines)
    inner = f"\n{body}\n  " if lines else ""
    return f'{{\n  "format": {FORMAT},\n  "accepted": [{inner}]\n}}\n'


def fingerprints(found: Sequence[Diagnostic]) -> list[str]:
    """One for each finding: what, and in which file; equal ones are numbered by their places."""
    seen: Counter[tuple[str, str, str]] = Counter()
    result = [""] * len(found)
    for index in sorted(range(len(found)), key=found.__getitem__):
        item = found[index]
        identity = (item.code, encodable(item.file), lasting(item.message))
        seen[identity] += 1
        result[index] = digest([*identity, seen[identity]])
    return result
