"""A repository as it would be with some files more, before any of them is written."""

from collections.abc import Iterator, Mapping

from renderer.values.files import Entry, Files


class Overlay:
    """Files of a repository, some of which are new, say something else, or are gone."""

    def __init__(self, files: Files, changed: Mapping[str, str | None]) -> None:
        self.root = files.root
        self._files = files
        self._gone = {path for path, text in changed.items() if text is None}
        self._new = {path: text.encode() for path, text in changed.items() if text is not None}

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder else ""
        new = (path for path in self._new if path.startswith(start))
        inside = {path[len(start) :].partition("/")[0] for path in new}
        known = (name for name in self._files.names(folder) if f"{start}{name}" not in self._gone)
        return sorted({*known, *inside})

    def entries(self, folder: str) -> Iterator[Entry]:
        known = {e.path: e for e in self._files.entries(folder) if e.path not in self._gone}
        start = f"{folder}/"
        new = {path: Entry(path, is_folder=False) for path in self._new if path.startswith(start)}
        yield from sorted({**new, **known}.values(), key=lambda entry: entry.path.split("/"))

    def exists(self, path: str) -> bool:
        return path in self._new or (path not in self._gone and self._files.exists(path))

    def read(self, path: str, limit: int) -> bytes:
        if path in self._new:
            return self._new[path][: limit + 1]
        return self._files.read(path, limit)
