"""Dividing destinations between runs that know nothing of each other."""

import re
from typing import NamedTuple

from renderer.errors import UsageError
from renderer.text.digests import sha256


class Shard(NamedTuple):
    """Part `number` of `total`; the parts are disjoint, and together they are everything."""

    number: int = 1
    total: int = 1

    def owns(self, environment: str, destination: str) -> bool:
        name = f"{environment}/{destination}".encode()
        return int(sha256(name).hexdigest(), 16) % self.total == self.number - 1


def parse(text: str) -> Shard:
    """`2/3` is the second of three."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"{text!r} is not a shard; write I/N with I from 1 to N, such as 1/3")
    return Shard(int(match[1]), int(match[2]))


def everything(environment: str, destination: str) -> bool:  # noqa: ARG001 - the shape of `owns`
    """The shard of a run that is responsible for all destinations."""
    return True
