"""Rendered output: as it was found in files, and as it is to be written to them."""

from typing import NamedTuple

from renderer.values.diagnostics import Diagnostic
from renderer.values.objects import Manifest


class Output(NamedTuple):
    """The objects of a rendered tree, and what is wrong with its files.

    `edited` are the files, as they are shown, that are not as they were rendered, or not there.
    """

    manifests: tuple[Manifest, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    edited: frozenset[str] = frozenset()


class OutputFile(NamedTuple):
    """A rendered file; its path is env/destination/… below the output folder.

    If it is as an earlier run made it, a digest may stand for its text.
    """

    path: str
    text: str | None
    identity: str = ""
    source: str = ""
    digest: str = ""

    @property
    def data(self) -> bytes:
        return (self.text or "").encode()
