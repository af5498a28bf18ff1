"""Amounts and durations, as Kubernetes reads them."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from renderer.text.expressions import expression

if TYPE_CHECKING:
    from decimal import Context, Decimal


_FORM = expression(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?[0-9]{1,3}))?"
)
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_KIBI = 1024
BILLION = 10**9
_WHOLE: dict[str, int] = {
    **{suffix: BILLION * _KIBI**power for suffix, power in _BINARY.items()},
    **{suffix: 10 ** (9 + power) for suffix, power in _DECIMAL.items()},
}
_LARGEST = (2**63 - 1) * BILLION
_LONGEST = 64


@lru_cache(maxsize=1024)
def value(text: str) -> "Decimal | None":
    """What a quantity amounts to, or nothing if it is none."""
    from decimal import Decimal

    match = _FORM.fullmatch(text) if len(text) <= _LONGEST else None
    if not match:
        return None
    number, binary, decimal, exponent = match.groups()
    if binary:
        return _exact().multiply(Decimal(number), Decimal(_KIBI ** _BINARY[binary]))
    power = int(exponent) if exponent else _DECIMAL[decimal or ""]
    return _exact().scaleb(Decimal(number), power)


@cache
def _exact() -> "Context":
    from decimal import ROUND_UP, Context

    return Context(prec=100, rounding=ROUND_UP)  # 64 digits times 1024**6


@lru_cache(maxsize=1024)
def billionths(text: str) -> "int | Decimal | None":
    """The same as the value, to be compared: without a fraction as a whole number."""
    digits = text.rstrip("numkKMGTPEi")
    unit = _WHOLE.get(text[len(digits) :])
    if unit and digits.isascii() and digits.isdigit() and len(text) <= _LONGEST:
        return int(digits) * unit
    amount = value(text)
    return None if amount is None else _exact().scaleb(amount, 9)


@lru_cache(maxsize=1024)
def whole_billionths(text: str) -> int | None:
    """The same in full, as the API server rounds: up, away from zero."""
    amount = billionths(text)
    if amount is None or isinstance(amount, int):
        return amount
    return int(amount.to_integral_value(context=_exact()))


def is_split_byte(amount: str) -> bool:
    """Whether an amount is in parts of a byte, and does not come to whole ones."""
    return amount.endswith(("m", "u", "n")) and (billionths(amount) or 0) % BILLION != 0


@lru_cache(maxsize=1024)
def canonical(text: str) -> str:
    """The form the API server stores unchanged: no fraction, the largest suffix without loss."""
    amount = whole_billionths(text)
    if amount is None or not -_LARGEST <= amount <= _LARGEST:
        return text
    if not amount:
        return "0"
    if text.endswith("i") and not amount % (_KIBI * BILLION):
        return _binary(amount // BILLION)
    exponential = text.lower().find("e") > 0 and not text.endswith(("E", "Ei"))
    return _decimal(amount, exponential=exponential)


def _binary(amount: int) -> str:
    power = 0
    while amount % _KIBI == 0 and power < len(_BINARY):
        amount //= _KIBI
        power += 1
    return f"{amount}{list(_BINARY)[power - 1]}"


def _decimal(scaled: int, *, exponential: bool) -> str:
    exponent = -9
    while scaled % 1000 == 0 and exponent < _DECIMAL["E"]:
        scaled //= 1000
        exponent += 3
    if exponential and exponent:
        return f"{scaled}e{exponent}"
    return f"{scaled}{_SUFFIX[exponent]}"


SECOND = 10**9
HOUR = 3600 * SECOND
_UNITS = {
    "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 10**6, "s": SECOND, "m": 60 * SECOND,
    "h": HOUR,
}  # fmt: skip
_PART = expression(r"(?=\.?[0-9])([0-9]{0,18})\.?([0-9]{0,18})(ns|us|µs|μs|ms|s|m|h)")


def nanoseconds(text: str) -> int | None:
    """How long a duration is; nothing if the text is none. Only 0 needs no unit."""
    sign, rest = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    if rest == "0":
        return 0
    total = place = 0
    while found := _PART.match(rest, place):
        whole, fraction, unit = found[1] or "0", found[2] or "0", _UNITS[found[3]]
        total += int(whole) * unit + int(fraction) * unit // 10 ** len(fraction)
        place = found.end()
    return sign * total if rest and place == len(rest) else None
