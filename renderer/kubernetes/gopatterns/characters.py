"""Sets of characters as functions that tell whether one belongs to them."""

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, partial

from renderer.kubernetes.gopatterns.syntax import Unsupported

Test = Callable[[str], bool]

_DIGIT, _SPACE, _WORD = ["09"], ["\t\n", "\f\r", "  "], ["09", "AZ", "az", "__"]
_ALPHA = ["AZ", "az"]
_ESCAPED = {"d": _DIGIT, "s": _SPACE, "w": _WORD}
_NAMED = {
    "alnum": ["09", *_ALPHA], "alpha": _ALPHA, "ascii": ["\0\x7f"], "blank": ["\t\t", "  "],
    "cntrl": ["\0\x1f", "\x7f\x7f"], "digit": _DIGIT, "graph": ["!~"], "lower": ["az"],
    "print": [" ~"], "punct": ["!/", ":@", "[`", "{~"], "space": ["\t\r", "  "], "upper": ["AZ"],
    "word": _WORD, "xdigit": ["09", "AF", "af"],
}  # fmt: skip
_CATEGORIES = frozenset((
    "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd",
    "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z",
    "Zl", "Zp", "Zs",
))  # fmt: skip
_LAST_WITH_CASE = 0x1E943


def anything(_char: str) -> bool:
    return True


def span(first: str, last: str, *, folded: bool) -> Test:
    """The characters from one to another."""
    return _folded(lambda char: first <= char <= last, folded=folded)


def escaped(letter: str, *, folded: bool) -> Test:
    r"""What `\d`, `\S` and the like stand for."""
    found = _union(_ESCAPED[letter.lower()], folded=folded)
    return inverse(found) if letter.isupper() else found


def named(name: str, *, folded: bool) -> Test | None:
    """What `[:alpha:]` or `[:^alpha:]` stands for, if anything."""
    pairs = _NAMED.get(name.removeprefix("^"))
    if pairs is None:
        return None
    found = _union(pairs, folded=folded)
    return inverse(found) if name.startswith("^") else found


def category(name: str, *, folded: bool) -> Test:
    r"""What `\p{Lu}` stands for; scripts are not known to Python."""
    if name == "Any":
        return anything
    if name not in _CATEGORIES:
        raise Unsupported(f"the characters of \\p{{{name}}} are not known here")
    return _folded(lambda char: unicodedata.category(char).startswith(name), folded=folded)


def inverse(test: Test) -> Test:
    return lambda char: not test(char)


def any_of(tests: Iterable[Test]) -> Test:
    kept = tuple(tests)
    return kept[0] if len(kept) == 1 else lambda char: any(test(char) for test in kept)


def is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _union(pairs: list[str], *, folded: bool) -> Test:
    return any_of(span(pair[0], pair[1], folded=folded) for pair in pairs)


def _folded(test: Test, *, folded: bool) -> Test:
    """The set, or with `(?i)` what differs from one of it only by case."""
    return partial(_fits_in_some_case, test) if folded else test


def _fits_in_some_case(test: Test, char: str) -> bool:
    same = _cases().get(_folding(char), char)
    return any(test(one) for one in same)


@cache
def _cases() -> dict[str, str]:
    """Characters that differ only by case, by what they have in common."""
    cases: dict[str, str] = {}
    for char in map(chr, range(_LAST_WITH_CASE + 1)):
        common = _folding(char)
        cases[common] = cases.get(common, "") + char
    return cases


def _folding(char: str) -> str:
    return next((same for same in (char.casefold(), char.lower()) if len(same) == 1), char)
