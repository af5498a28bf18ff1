"""Files of a repository with some of them written otherwise, as if that were done already."""

from collections.abc import Iterator, Mapping

from renderer.values.files import Entry, Files


class EditedFiles:
    """Files, some of which have other content, or are there only here."""

    def __init__(self, files: Files, edited: Mapping[str, bytes]) -> None:
        self.root = files.root
        self._files, self._edited = files, edited

    def names(self, folder: str) -> list[str]:
        start = f"{folder}/" if folder else ""
        new = (path[len(start) :].split("/")[0] for path in self._edited if path.startswith(start))
        return sorted({*self._files.names(folder), *new})

    def entries(self, folder: str) -> Iterator[Entry]:
        """In the order in which they would be found on disk."""
        found = {entry.path: entry for entry in self._files.entries(folder)}
        for path in self._edited:
            if path.startswith(f"{folder}/"):
                found.setdefault(path, Entry(path, is_folder=False))
        return iter(sorted(found.values(), key=lambda entry: entry.path.split("/")))

    def exists(self, path: str) -> bool:
        return path in self._edited or self._files.exists(path)

    def read(self, path: str, limit: int) -> bytes:
        if path in self._edited:
            return self._edited[path][: limit + 1]
        return self._files.read(path, limit)
