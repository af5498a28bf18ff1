"""Today's findings, to be accepted: one line each, without positions."""

import json

from renderer.outputs.findings.fingerprints import fingerprints
from renderer.outputs.findings.report import Report
from renderer.outputs.harmless import encodable

FORMAT = 1


def show(report: Report) -> str:
    """A file that Git shows well: sorted, a line for each finding."""
    found = report.diagnostics
    lines = sorted(
        json.dumps([item.code, encodable(item.file), str(item.severity), print_])
        for item, print_ in zip(found, fingerprints(found), strict=True)
    )
    body = ",\n".join(f"    {line}" for line in lines)
    inner = f"\n{body}\n  " if lines else ""
    return f'{{\n  "format": {FORMAT},\n  "accepted": [{inner}]\n}}\n'
