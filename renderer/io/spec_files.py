"""Files of specs written all together: a failure leaves every one of them as it was."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from renderer.errors import RendererError


def write_all(root: str, files: Mapping[str, str | None]) -> None:
    """Write files below the root, all or none; one without a text goes."""
    written = _Writing(Path(root))
    try:
        for path, text in files.items():
            written.prepare(path, None if text is None else text.encode())
        written.commit()
    except BaseException as error:
        written.undo()
        if isinstance(error, OSError):
            reason = (error.strerror or "it failed").lower()
            message = f"nothing is imported: {error.filename or root} is not written: {reason}"
            raise RendererError(message) from error
        raise


class _Writing:
    """Drafts beside their targets, which then take their places one after the other."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._drafts: list[tuple[Path | None, Path]] = []
        self._folders: list[Path] = []
        self._before: dict[Path, bytes | None] = {}

    def prepare(self, path: str, data: bytes | None) -> None:
        target = self._root / path
        self._refuse_links(target)
        if data is None:
            self._drafts.append((None, target))
            return
        for folder in reversed([item for item in target.parents if not item.exists()]):
            folder.mkdir()
            self._folders.append(folder)
        draft = target.with_name(f".servingctl-{os.urandom(8).hex()}")
        self._drafts.append((draft, target))
        draft.write_bytes(data)

    def _refuse_links(self, target: Path) -> None:
        """A link would lead the file out of the repository, or into another one's place."""
        root = os.path.realpath(self._root)
        if os.path.realpath(target) != os.path.join(root, target.relative_to(self._root)):
            raise RendererError(f"nothing is imported: {target} leads elsewhere by a link")

    def commit(self) -> None:
        for draft, target in self._drafts:
            self._before[target] = target.read_bytes() if target.exists() else None
            if draft:
                draft.replace(target)
            else:
                target.unlink(missing_ok=True)

    def undo(self) -> None:
        for target, data in self._before.items():
            with suppress(OSError):
                if data is None:
                    target.unlink()
                else:
                    target.write_bytes(data)
        for draft in filter(None, (draft for draft, _ in self._drafts)):
            with suppress(OSError):
                draft.unlink()
        for folder in reversed(self._folders):
            with suppress(OSError):
                folder.rmdir()
