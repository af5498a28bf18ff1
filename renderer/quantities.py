"""Kubernetes quantities: their value, and the form in which the API server stores them."""

from decimal import ROUND_UP, Context, Decimal
from functools import lru_cache

from renderer.expressions import expression

_FORM = expression(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]{1,3}))?"
)
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_LARGEST = Decimal(2**63 - 1)
_SMALLEST = Decimal("1e-9")
_LONGEST = 64
_EXACT = Context(prec=100, rounding=ROUND_UP)  # 64 digits times 1024**6
_KIBI = 1024


@lru_cache(maxsize=1024)
def value(text: str) -> Decimal | None:
    """What a quantity amounts to, or nothing if it is none."""
    match = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if not match:
        return None
    number, binary, decimal, exponent = match.groups()
    if binary:
        return _EXACT.multiply(Decimal(number), Decimal(_KIBI ** _BINARY[binary]))
    power = int(exponent) if exponent else _DECIMAL[decimal or ""]
    return _EXACT.scaleb(Decimal(number), power)


@lru_cache(maxsize=1024)
def canonical(text: str) -> str:
    """The form the API server stores unchanged: no fraction, the largest suffix without loss."""
    amount = value(text)
    if amount is None or amount.copy_abs() > _LARGEST:
        return text
    amount = _EXACT.quantize(amount, _SMALLEST)
    if not amount:
        return "0"
    if text.endswith("i") and not amount % _KIBI:
        return _binary(int(amount))
    exponential = text.lower().find("e") > 0 and not text.endswith(("E", "Ei"))
    return _decimal(amount, exponential=exponential)


def _binary(amount: int) -> str:
    power = 0
    while amount % _KIBI == 0 and power < len(_BINARY):
        amount //= _KIBI
        power += 1
    return f"{amount}{list(_BINARY)[power - 1]}"


def _decimal(amount: Decimal, *, exponential: bool) -> str:
    exponent = -9
    scaled = int(amount.scaleb(9))
    while scaled % 1000 == 0 and exponent < _DECIMAL["E"]:
        scaled //= 1000
        exponent += 3
    if exponential and exponent:
        return f"{scaled}e{exponent}"
    return f"{scaled}{_SUFFIX[exponent]}"
