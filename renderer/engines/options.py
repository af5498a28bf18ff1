"""Options on a command line, as far as no table is needed: names, values, which of two counts."""

from collections.abc import Iterable, Iterator

from renderer.engines.shell import Word
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

#: Short names of options that are asked for here by their long ones.
_SHORT = {
    "tp": "tensor-parallel-size",
    "pp": "pipeline-parallel-size",
    "dp": "data-parallel-size",
    "dpl": "data-parallel-size-local",
    "q": "quantization",
}
_NUMBER = expression(r"-[0-9.]+")
_LONGEST = 9


class Option(NamedTuple):
    """An option by its long name without dashes, its values, and the words that it is made of.

    `words` are what stands for it on the command line, `place` is where its value is.
    """

    name: str
    values: tuple[str, ...]
    words: tuple[Word, ...]
    place: Word

    @property
    def value(self) -> str:
        return self.values[0] if self.values else ""

    @property
    def is_known(self) -> bool:
        """Whether its value is known before anything runs."""
        return not any(word.unknown for word in self.words)

    @property
    def number(self) -> int | None:
        """A whole number, if its value is one; engines take 8k and 8K too."""
        text = self.value.lower()
        factor = {"k": 1000, "m": 10**6}.get(text[-1:], 1)
        factor = {"K": 1024, "M": 2**20}.get(self.value[-1:], factor)
        digits = text.rstrip("km") if factor > 1 else text
        is_whole = digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST
        return int(digits) * factor if is_whole and self.is_known else None

    @property
    def share(self) -> float | None:
        """A number with a fraction, if its value is one."""
        try:
            return float(self.value) if self.is_known else None
        except ValueError:
            return None


def option_name(text: str) -> str:
    """The long name of an option, without dashes before it and with them in it; empty for others.

    What stands behind a dot is a part of its value.
    """
    if not text.startswith("-") or _NUMBER.fullmatch(text) or text in ("-", "--"):
        return ""
    name = text.lstrip("-").partition("=")[0]
    first, dot, rest = name.partition(".")
    first = first.replace("_", "-")
    return _SHORT.get(first, first) + dot + rest if text.startswith("--") or first in _SHORT else ""


def options(words: Iterable[Word]) -> list[Option]:
    """The options in their order; all words up to the next option are values of one."""
    found: list[Option] = []
    for word in words:
        name = option_name(word.text)
        if name:
            _, sign, value = word.text.partition("=")
            place = word.after(len(word.text) - len(value)) if sign else word
            found.append(Option(name, (value,) if sign else (), (word,), place))
        elif word.may_be_many and found and found[-1].values:
            continue
        elif found and "=" not in found[-1].words[0].text:
            last = found[-1]
            place = last.place if last.values else word
            found[-1] = last._replace(
                values=(*last.values, word.text), words=(*last.words, word), place=place
            )
    return found


class Options(NamedTuple):
    """The options that count, by their names: the last of several with one name."""

    by_name: dict[str, Option]

    @classmethod
    def of(cls, words: Iterable[Word]) -> "Options":
        return cls({item.name: item for item in options(words)})

    def get(self, *names: str) -> Option | None:
        """The option of one of some names."""
        return next((self.by_name[name] for name in names if name in self.by_name), None)

    def number(self, name: str, default: int = 1) -> int | None:
        """The whole number that an option has; nothing if that is not known."""
        found = self.by_name.get(name)
        return found.number if found else default

    def is_on(self, name: str) -> bool:
        """Whether a switch is given, and not taken back."""
        given = [item for item in self.by_name if item in (name, f"no-{name}")]
        found = self.by_name[given[-1]] if given else None
        is_taken_back = found is not None and found.value.lower() in ("false", "0")
        return found is not None and found.name == name and not is_taken_back


def superseded(words: Iterable[Word]) -> Iterator[tuple[Option, Option]]:
    """Options that do not count, each with the later one of its name that does."""
    last: dict[str, Option] = {}
    every = options(words)
    for item in every:
        last[item.name] = item
    for item in every:
        if last[item.name] is not item:
            yield item, last[item.name]
