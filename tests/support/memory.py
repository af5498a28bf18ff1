"""A repository that only exists in memory."""

from renderer.io.repository import load_files
from renderer.values.files import Entry, Unreadable


class Memory:
    """Files by path, as a source that projects can be loaded from."""

    def __init__(self, files):
        self.root = "/nowhere"
        self.files = {path: text for path, text in files.items() if text is not None}

    def names(self, folder):
        start = f"{folder}/" if folder else ""
        below = (path[len(start) :] for path in self.files if path.startswith(start))
        return sorted({path.split("/")[0] for path in below})

    def entries(self, folder):
        for path in sorted(self.files, key=lambda path: path.split("/")):
            if path.startswith(f"{folder}/"):
                yield Entry(path, is_folder=False)

    def exists(self, path):
        return path in self.files

    def read(self, path, limit):
        if path not in self.files:
            raise Unreadable("no such file or directory", "create it")
        content = self.files[path]
        return (content if isinstance(content, bytes) else content.encode())[: limit + 1]


def project(files):
    return load_files(Memory(files))
