"""Texts that look like a reference to a variable and are none: nothing is put in their place."""

import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from renderer.text.expressions import expression
from renderer.text.wording import mistaken

_NAME = r"([A-Za-z_][\w-]{0,252})"
_PREFIX = r"([Vv][Aa][Rr][Ss]?)"
_SPACE = r"\s{0,9}"
_MOST = 100
#: What is closed on its line is a reference, or one to a variable that is not there.
_REFERENCE = r'vars\.[^}\n"]{0,253}\}'
#: `${{ vars.x }}`, `${var.x}`, `${vars.x/m`: nothing else is written like that.
_CERTAIN = expression(rf"(?<!\$)\$\{{(?!{_REFERENCE})\{{?{_SPACE}{_PREFIX}\.{_NAME}?{_SPACE}\}}*")
_PROBABLE = tuple(
    expression(source)
    for source in (
        rf"(?<!\$)\$\({_PREFIX}\.{_NAME}\)",
        rf"(?<!\$)\{{\{{-?{_SPACE}\.?{_PREFIX}\.{_NAME}{_SPACE}-?\}}\}}",
        rf"(?<![$\w])\${_PREFIX}\.{_NAME}",
    )
)
#: `${x}` and `${values.x}`, as shells and templates have them too.
_BARE = expression(rf"(?<!\$)\$\{{(?:(\w{{1,63}})\.)?{_NAME}\}}")


class NearReference(NamedTuple):
    """What stands where in a text, and the variable that is meant; empty if that is not clear."""

    start: int
    text: str
    name: str


def near_references(
    text: str, variables: Collection[str], *, has_placeholders: bool
) -> Iterator[NearReference]:
    """Each place that looks like a reference; `${x}` not where a platform has such placeholders.

    What others may write too counts if a variable of that name is there.
    """
    found = [_near_reference(match, variables) for match in _matches(_CERTAIN, text)]
    for form in _PROBABLE:
        near = ((match, _near_reference(match, variables)) for match in _matches(form, text))
        found += (item for match, item in near if item.name or match[1] == "vars")
    if not has_placeholders:
        starts = {item.start for item in found}
        bare = (
            _near_reference(match, variables)
            for match in _matches(_BARE, text)
            if match[1] != "vars"
        )
        found += (item for item in bare if item.name and item.start not in starts)
    yield from sorted(found)


def _matches(form: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The first of them: one is enough to stop, and comparing names takes time."""
    return islice(form.finditer(text), _MOST)


def _near_reference(match: re.Match[str], variables: Collection[str]) -> NearReference:
    name = match[2] or ""
    meant = name if name in variables else mistaken(name, variables)
    return NearReference(match.start(), match[0], meant)
