"""Which finding of today is which of yesterday, though lines have moved."""

import re
from collections import Counter
from collections.abc import Iterable

from renderer.outputs.harmless import encodable
from renderer.text.digests import digest
from renderer.values.diagnostics import Diagnostic

#: `line 14`, `serving.yaml:14:3`: where something else stands, as messages say it.
_POSITIONS = re.compile(r"(\bline|\.(?:ya?ml|json|j2))[ :]\d+(?::\d+)?")


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
