"""Texts of manifests that lie where an earlier run put them."""

from typing import TYPE_CHECKING

from renderer.io.store import Texts
from renderer.text.digests import sha256

if TYPE_CHECKING:
    from pathlib import Path


def texts_in(folder: "Path") -> Texts:
    """Finds a manifest in an output folder; whatever was changed there is not found."""

    def find(path: str, digest: str) -> str | None:
        try:
            data = (folder / path).read_bytes()
            return data.decode() if sha256(data).hexdigest() == digest else None
        except (OSError, ValueError):
            return None

    return find
