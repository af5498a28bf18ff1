"""The values of publishing: a file to write, whose part of the tree it is, what came of it."""

import re
from collections.abc import Callable
from typing import NamedTuple

INVENTORIES = ".inventory"
_SUFFIX = ".json"
_INVENTORY_PARTS = 3
_HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # cannot be written as a name, nor into an inventory


class Place(NamedTuple):
    """A destination of an environment: one inventory, and what a shard owns or leaves alone."""

    environment: str
    destination: str

    @property
    def folder(self) -> str:
        return f"{self.environment}/{self.destination}"

    @property
    def inventory(self) -> str:
        return f"{self.environment}/{INVENTORIES}/{self.destination}{_SUFFIX}"


def place_of(path: str) -> Place:
    """Which destination a path belongs to; an inventory belongs to the one it describes."""
    environment, *rest = path.split("/")
    if is_inventory(path):
        return Place(environment, rest[-1].removesuffix(_SUFFIX))
    return Place(environment, rest[0] if rest else "")


def is_inventory(path: str) -> bool:
    parts = path.split("/")
    return len(parts) == _INVENTORY_PARTS and parts[1] == INVENTORIES and path.endswith(_SUFFIX)


def is_safe(path: str) -> bool:
    """Does it stay below its folder, spelled in the one normal way?"""
    is_name = "\0" not in path and not _HALF_A_PAIR.search(path)
    return is_name and all(part not in ("", ".", "..") for part in path.split("/"))


def parents(path: str) -> list[str]:
    """The folders above a path, outermost first, without the output folder itself."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


class Scope(NamedTuple):
    """Which part of the tree a run is responsible for; no names = all, vanished ones included."""

    environments: frozenset[str] | None = None
    owns: Callable[[str, str], bool] = lambda environment, destination: True  # noqa: ARG005

    def covers(self, place: Place) -> bool:
        selected = self.environments is None or place.environment in self.environments
        return selected and self.owns(place.environment, place.destination)


class TextsAreMissing(Exception):
    """Of a file that has to be written only the digest is known."""


class Comparison(NamedTuple):
    """How a tree differs from what would be rendered: sorted paths below the output folder."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    stale: tuple[str, ...]
    foreign: tuple[str, ...]


class Published(NamedTuple):
    """How many rendered files were written, left alone and deleted (inventories not counted).

    `restored` names files edited by hand that were put back, `discarded` those that were deleted.
    """

    written: int
    unchanged: int
    pruned: int
    restored: tuple[str, ...]
    discarded: tuple[str, ...]
