"""Inputs made of others: bytes cut, doubled, joined and replaced, and words of our formats."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
DICTIONARY = Path(__file__).parent / "words.dict"
_BYTE = re.compile(r"\\x([0-9a-f]{2})")


@cache
def words() -> list[bytes]:
    lines = DICTIONARY.read_text("utf-8").splitlines()
    return [_unescaped(line[1:-1]) for line in lines if line.startswith('"')]


def _unescaped(text: str) -> bytes:
    return _BYTE.sub(lambda found: chr(int(found[1], 16)), text).encode("latin-1")


def seeds(target: str) -> list[bytes]:
    """The checked-in inputs of a target."""
    return [path.read_bytes() for path in sorted((CORPUS / target).glob("*"))]


def mutated(known: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """Endlessly many inputs, the same for the same source of chance."""
    while True:
        data = chance.choice(known)
        for _ in range(chance.randint(1, 6)):
            data = _changed(data, known, chance)
        yield data[:20_000]


def _changed(data: bytes, known: Sequence[bytes], chance: random.Random) -> bytes:
    start = chance.randint(0, len(data))
    end = min(len(data), start + chance.choice((0, 1, 2, 4, 16, 64)))
    before, middle, after = data[:start], data[start:end], data[end:]
    other = chance.choice(known)
    cut = chance.randint(0, len(other))
    return chance.choice(
        (
            before + after,
            before + middle * chance.choice((2, 3, 50)) + after,
            before + chance.choice(words()) + middle + after,
            before + chance.choice(words()) + after,
            before + bytes([chance.randrange(256)]) + after,
            before + other[cut:],
            before + other[cut : cut + 40] + after,
            b"\n".join(_shuffled(data.split(b"\n"), chance)),
        )
    )


def _shuffled(lines: list[bytes], chance: random.Random) -> list[bytes]:
    """Lines with one of them moved, doubled or dropped."""
    taken = lines[:]
    line = taken.pop(chance.randrange(len(taken)))
    for _ in range(chance.choice((0, 1, 2))):
        taken.insert(chance.randint(0, len(taken)), line)
    return taken
