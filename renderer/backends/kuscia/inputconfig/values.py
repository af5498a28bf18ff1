"""Single values as protobuf's JSON takes them."""

from renderer.backends.kuscia.inputconfig.messages import BOOL, INT32, Enum
from renderer.text.expressions import expression
from renderer.values.tree import Node

_DECIMAL = expression(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WHOLE = expression(r"[-+]?[0-9]+")
_LONGEST = 400
LOWEST, HIGHEST = -(2**31), 2**31 - 1


def whole(node: Node) -> int | None:
    """The whole number that a number or a decimal text stands for, whatever its size."""
    value = node.value
    if isinstance(value, str):
        fits = len(value) <= _LONGEST and _DECIMAL.fullmatch(value)
        value = float(value) if fits else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value
    return int(value) if value.is_integer() else None


def enum_number(node: Node, enum: Enum) -> int | None:
    """The number that a word or a number stands for; nothing if it is no value of an enum."""
    value = node.value
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        return enum.values.get(value)
    number = whole(node)
    return number if number is not None and LOWEST <= number <= HIGHEST else None


def kind_of(node: Node) -> str:
    """What a value is, in the words of JSON and without the value itself."""
    if node.value is None:
        return "null"
    if isinstance(node.value, bool):
        return str(node.value).lower()
    if isinstance(node.value, int | float):
        return "a number"
    if isinstance(node.value, str):
        return "text"
    return "a list" if isinstance(node.value, tuple) else "a mapping"


def scalar_fault(node: Node, kind: str) -> tuple[str, str]:
    """What is wrong with a single value and how to mend it; nothing if it is right."""
    if kind == INT32:
        return _int32_fault(node)
    if kind == BOOL:
        right = isinstance(node.value, bool)
        return ("", "") if right else (f"{kind_of(node)}, not true or false", "write true or false")
    right = isinstance(node.value, str)
    return ("", "") if right else (f"{kind_of(node)}, not text", "put the value in double quotes")


def _int32_fault(node: Node) -> tuple[str, str]:
    number = whole(node)
    if number is None:
        given = "text that is not a number" if isinstance(node.value, str) else kind_of(node)
        return f"{given}, not a whole number", "write digits only"
    if not LOWEST <= number <= HIGHEST:
        return "a number that does not fit into 32 bits", f"write a number up to {HIGHEST}"
    return "", ""
