"""Names in sentences: what texts have in common that differ only in names."""

import re

from renderer.text.wording import listed

_NAME = re.compile(r"(`[^`]*`)")
_FEW = 3


def without_names(text: str) -> str:
    """A sentence that is the same for every name."""
    return _NAME.sub("", text)


def join_names(texts: list[str]) -> str:
    """What texts have in common that differ only in names; more than a few are left open."""
    parts = zip(*(_NAME.split(text) for text in texts), strict=True)
    return "".join(_all_names([*dict.fromkeys(part)]) for part in parts)


def _all_names(names: list[str]) -> str:
    """One name or none, a few of them, or a sign that there are many."""
    if len(names) == 1:
        return names[0]
    return listed(names) if len(names) <= _FEW else "…"
