"""What a plain scalar means to a YAML 1.2, a YAML 1.1 and the Kubernetes reader."""

from functools import lru_cache

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Scalar

_WORDS12: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WORDS11: dict[str, Scalar] = {
    **_WORDS12,
    **{
        form: meaning
        for word, meaning in {
            "y": True,
            "yes": True,
            "on": True,
            "n": False,
            "no": False,
            "off": False,
        }.items()
        for form in (word, word.capitalize(), word.upper())
    },
}
_INT12 = expression(r"[-+]?[0-9]+")
_BASED12 = expression(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT12 = expression(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INT11 = expression(r"[-+]?(?:0|[1-9][0-9_]*|0[0-7_]+|0b[01_]+|0x[0-9a-fA-F_]+)")
_SIXTY11 = expression(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_FLOAT11 = expression(r"(?:[-+]?[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
_DATE11 = expression(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:.*)?")
_BASED_GO = expression(r"[-+]?0[xXoObB][0-9a-fA-F]+")
_NOT_FINITE = expression(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_DIGITS = frozenset("0123456789")
#: What may stand in a number, or in a date without a time.
_NUMBER_CHARACTERS = frozenset("0123456789+-._xXoObBaAcCdDeEfFiInN")
_SPECIAL_KEYS = ("=", "<<")
_NUMBERS = (_INT12, _FLOAT12, _BASED_GO, _SIXTY11)
_LONGEST_NUMBER = 100
_BASES = {"x": 16, "o": 8, "b": 2}


class Meaning(NamedTuple):
    """The value of a plain scalar, and how readers differ about it."""

    value: Scalar
    dispute: str = ""
    finite: bool = True


def switch_value(text: str) -> bool | None:
    """What a word such as `yes` or `off` says to YAML 1.1; nothing of any other one."""
    found = _WORDS11.get(text)
    return found if isinstance(found, bool) else None


def _based(text: str) -> int | None:
    digits = text.lstrip("-+").replace("_", "").lower()
    try:
        number = int(digits[2:], _BASES[digits[1]])
    except (ValueError, KeyError, IndexError):
        return None
    return -number if text[0] == "-" else number


def _yaml12(text: str) -> Scalar:
    if text in _WORDS12:
        return _WORDS12[text]
    if _INT12.fullmatch(text):
        return int(text)
    if _BASED12.fullmatch(text):
        return _based(text)
    return float(text) if _FLOAT12.fullmatch(text) else text


def _yaml11(text: str) -> Scalar:
    if text in _WORDS11:
        return _WORDS11[text]
    if _DATE11.fullmatch(text):
        return f"the date {text}"
    if _SIXTY11.fullmatch(text):
        return f"the base-60 number {text}"
    if text in _SPECIAL_KEYS:
        return f"the special key {text}"
    if _INT11.fullmatch(text):
        digits = text.replace("_", "")
        if digits.lstrip("-+")[:2] in ("0b", "0x"):
            return _based(text)
        return int(digits, 8 if digits.lstrip("-+").startswith("0") else 10)
    return float(text.replace("_", "")) if _FLOAT11.fullmatch(text) else text


def _kubernetes(text: str) -> Scalar:
    if text in _WORDS11:
        return _WORDS11[text]
    bare = text.replace("_", "") if text[0] in "-+.0123456789" else text
    if _BASED_GO.fullmatch(bare):
        number = _based(bare)
        return text if number is None else number
    if _INT12.fullmatch(bare):
        octal = bare.lstrip("-+").startswith("0") and not set(bare) & {"8", "9"}
        return int(bare, 8 if octal else 10)
    return float(bare) if _FLOAT12.fullmatch(bare) else text


def _described(value: Scalar, text: str) -> str:
    if isinstance(value, str):
        return f'the text "{text}"' if value == text else value
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else f"the number {value}"


def meaning(text: str) -> Meaning:
    """What a plain scalar means, and the dispute about it if there is one."""
    if len(text) > _LONGEST_NUMBER:
        bare = text.replace("_", "")
        return Meaning(text, finite=not any(number.fullmatch(bare) for number in _NUMBERS))
    return _short(text)


@lru_cache(maxsize=4096)
def _short(text: str) -> Meaning:
    if _is_text(text):
        return Meaning(text)
    if text.isascii() and text.isdigit() and (text[0] != "0" or text == "0"):
        return Meaning(int(text), finite=fits(int(text)))
    return _compared(text)


def _is_text(text: str) -> bool:
    """Whether it is easy to see that no reader takes a text for anything else."""
    if text in _WORDS11 or text in _SPECIAL_KEYS:
        return False
    if text[0] not in "-+.0123456789":
        return True
    if "." not in text and _DIGITS.isdisjoint(text):
        return True
    return ":" not in text and (text.count(".") > 1 or not _NUMBER_CHARACTERS.issuperset(text))


def _compared(text: str) -> Meaning:
    if "." in text and _NOT_FINITE.fullmatch(text):
        return Meaning(text, finite=False)
    modern, legacy = _yaml12(text), _yaml11(text)
    platform = _kubernetes(text) if text else None
    if any((type(modern), modern) != (type(other), other) for other in (legacy, platform)):
        other = legacy if (type(modern), modern) != (type(legacy), legacy) else platform
        reader = "YAML 1.1" if other is legacy else "the Kubernetes reader"
        dispute = f"{_described(other, text)} to {reader}, {_described(modern, text)} to YAML 1.2"
        return Meaning(text, dispute)
    return Meaning(modern, finite=fits(modern))


def whole_numbers(text: str) -> list[int]:
    """The numbers that readers take a disputed scalar for, first what Kubernetes takes it for."""
    if not meaning(text).dispute:
        return []
    readings = (_kubernetes(text), _yaml11(text), _yaml12(text))
    return list(dict.fromkeys(item for item in readings if type(item) is int and fits(item)))


def kubernetes_number(text: str) -> int | None:
    """What a scalar that readers dispute is in a manifest, if it is a whole number there."""
    found = _kubernetes(text) if meaning(text).dispute else None
    return found if type(found) is int and fits(found) else None


def fits(value: Scalar) -> bool:
    """Whether a value, if it is a number, is finite and has a place in 64 bits."""
    if isinstance(value, float):
        return value not in (float("inf"), float("-inf"))
    return not isinstance(value, int) or -(2**63) <= value < 2**63
