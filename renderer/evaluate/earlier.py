"""What an earlier look at a repository came to, so that less is looked at again."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from renderer.values.model import Manifest, SpecKey


class Known(NamedTuple):
    """What an earlier look at a spec came to; of the spec itself only the face is at hand."""

    sound: bool
    manifests: tuple[Manifest, ...]


NOTHING_KNOWN: Mapping[SpecKey, Known] = MappingProxyType({})


class Settled(NamedTuple):
    """What an earlier look at all files but `others` came to: nothing was wrong with any of them.

    Of the objects that are made of these files alone, by path, all but the tree is at hand.
    """

    others: frozenset[str]
    objects: Mapping[str, Manifest]

    def covers(self, *files: str) -> bool:
        return self.others.isdisjoint(files)
