"""Which versions of the program a repository asks for."""

import operator
import re

from renderer.errors import RendererError
from renderer.text.expressions import expression

_COMPARISON = expression(r"\s*([<>]=?|[=!]=)\s*([0-9.]+)\s*")
_OPERATORS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def require(wanted: str, version: str) -> None:
    """Refuse to work unless a version meets every comparison."""
    if not all(_holds(comparison, version) for comparison in wanted.split(",")):
        raise RendererError(
            f"this repository asks for servingctl {wanted}, and this is {version}; "
            "install a version that it asks for, or change required_version in servingctl.yaml"
        )


def _holds(comparison: str, version: str) -> bool:
    match = _COMPARISON.fullmatch(comparison)
    if match is None:
        return False
    return bool(_OPERATORS[match[1]](_numbers(version), _numbers(match[2])))


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, four of them, so that 1.0 is 1."""
    given = [int(number) for number in re.findall(r"[0-9]+", version)[:4]]
    return tuple((*given, 0, 0, 0, 0)[:4])
