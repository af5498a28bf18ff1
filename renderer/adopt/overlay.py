"""A repository as it would be with some files more, before any of them is written."""

from collections.abc import Iterator, Mapping

from renderer.values.files import Entry, Files


class Overlay:
    """Files of a repository, some of which are new or say something else."""

    def __init__(self, files: Files, changed: Mapping[str, str]) -> None:
        self.root = files.root
        self._files = files
        self._changed = {path: text.encode() for path, text in changed.items()}

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder else ""
        new = (path for path in self._changed if path.startswith(start))
        inside = {path[len(start) :].partition("/")[0] for path in new}
        return sorted({*self._files.names(folder), *inside})

    def entries(self, folder: str) -> Iterator[Entry]:
        known = {entry.path: entry for entry in self._files.entries(folder)}
        start = f"{folder}/"
        new = {
            path: Entry(path, is_folder=False) for path in self._changed if path.startswith(start)
        }
        yield from sorted({**new, **known}.values(), key=lambda entry: entry.path.split("/"))

    def exists(self, path: str) -> bool:
        return path in self._changed or self._files.exists(path)

    def read(self, path: str, limit: int) -> bytes:
        if path in self._changed:
            return self._changed[path][: limit + 1]
        return self._files.read(path, limit)
