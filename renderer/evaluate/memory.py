"""Where outcomes of earlier runs may be found."""

from collections.abc import Mapping
from typing import Protocol

from renderer.evaluate.outcomes import Outcome


class Memory(Protocol):
    """Where outcomes of earlier runs may be found; forgetting is never wrong."""

    remembers: bool

    def recall(self, keys: Mapping[str, str], *, trees: bool = True) -> dict[str, Outcome]:
        """The outcomes of pieces by stem, as far as they are known by their keys.

        Without `trees`, specs have their names only.
        """

    def keep(self, keys: Mapping[str, str], found: Mapping[str, Outcome]) -> None:
        """All outcomes of this run."""


class Forgetful:
    """No memory at all."""

    remembers = False

    def recall(self, keys: Mapping[str, str], *, trees: bool = True) -> dict[str, Outcome]:  # noqa: ARG002
        return {}

    def keep(self, keys: Mapping[str, str], found: Mapping[str, Outcome]) -> None:
        pass
