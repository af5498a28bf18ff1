"""The patterns of a user's CRDs, matched by RE2 as the API server matches them.

RE2 has the syntax of Go's `regexp` and takes time that grows with the text, where Python's `re`
goes back and tries again: `(a+)+$` would keep it busy without end. It is the extra
`servingctl[crds]`, because there are no wheels of it for every platform.
"""

from functools import cache
from typing import Any

from renderer.values.named_tuple import NamedTuple

_MOST_MEMORY = 8 << 20
#: Steps of a pattern times bytes of a text: some seconds at worst, nothing for what people write.
_MOST_WORK = 200_000_000
_TOO_LARGE = "pattern too large"


class PatternProblem(NamedTuple):
    """Why values cannot be compared with a pattern."""

    message: str
    fix: str


@cache
def is_available() -> bool:
    """Whether RE2 is installed; other packages have a module of its name without options."""
    try:
        from re2 import Options  # type: ignore[import-untyped] # noqa: F401
    except ImportError:
        return False
    return True


@cache
def problem(pattern: str) -> PatternProblem | None:
    """What is wrong with a pattern, if anything is."""
    from re2 import error

    try:
        _compiled(pattern)
    except error as refusal:
        reason = refusal.args[0].decode("utf-8", "replace")
    else:
        return None
    if reason.startswith(_TOO_LARGE):
        fix = "write a simpler one, or delete it from this copy"
        return PatternProblem(f"this pattern is not used: {reason}", fix)
    fix = "write it in the syntax of RE2 (no lookaround, no \\1), in the cluster's CRD as well"
    return PatternProblem(f"the API server refuses this pattern: {reason}", fix)


def matches(pattern: str, text: str) -> bool:
    """Whether a text is known to match; not if it would take too long to find out."""
    if takes_too_long(pattern, text):
        return False
    return _compiled(pattern).search(_encoded(text)) is not None


def takes_too_long(pattern: str, text: str) -> bool:
    work: int = _compiled(pattern).programsize * len(text)
    return work > _MOST_WORK


@cache
def _compiled(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.max_mem = _MOST_MEMORY
    options.never_capture = True
    options.log_errors = False
    return re2.compile(_encoded(pattern), options)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def found_texts(pattern: str, text: str, limit: int = -1) -> list[str]:
    """What a pattern matches in a text, so many at most; of none, all."""
    import re2

    try:
        compiled = re2.compile(pattern)
    except re2.error as error:
        reason = error.args[0]
        words = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(f"invalid regular expression: {words}") from error
    found: list[str] = []
    for match in compiled.finditer(text):
        if 0 <= limit <= len(found):
            break
        found.append(match.group())
    return found
