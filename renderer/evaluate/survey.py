"""Which files a repository has, what they hold in a few bytes, and which form a piece."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from renderer.backends.kinds import KINDS
from renderer.text.digests import blake2b
from renderer.values.files import Entry, Files, Unreadable
from renderer.values.model import Project

FOLDER = "environments"
AROUND = ""  # instead of a stem
_AROUND = ("templates", "schemas/crds")
_SPECS = (".yaml", ".yml")
_LARGEST = 16 << 20
_BUNDLED = "servingctl:"
_KIND = re.compile(rb"\nkind:[ \t]*([A-Za-z]*)[ \t]*(?=[#\r\n]|$)")
_KIND_IN_JSON = rb'"kind"\s*:\s*"([A-Za-z]*)"'
PIECES = frozenset(
    kind.name
    for kind in KINDS.values()
    if kind.face and not kind.prerequisite and not kind.text_files
)


class Survey(NamedTuple):
    """The pieces by stem and their files, a digest of every file, and one of all around them."""

    pieces: Mapping[str, tuple[str, ...]]
    files: frozenset[str]
    digests: Mapping[str, bytes]
    around: bytes

    def key(self, stem: str, asked: bytes) -> str:
        """A name for a piece (or what is around) as it is now, for the question that is asked."""
        total = blake2b(asked, digest_size=20)
        total.update(self.around)
        for file in self.pieces.get(stem, ()):
            total.update(f"\0{file}\0".encode("utf-8", "surrogateescape"))
            total.update(self.digests[file])
        return total.hexdigest()


def survey(files: Files, marker: str) -> Survey:
    """Look at every file once."""
    pieces: dict[str, list[str]] = {}
    digests: dict[str, bytes] = {}
    around = blake2b(digest_size=20)
    for entry in _entries(files, marker):
        data = _content(files, entry)
        digest = blake2b(data, digest_size=20).digest()
        digests[entry.path] = digest
        if _is_piece(entry, data):
            pieces.setdefault(_stem(entry.path), []).append(entry.path)
        else:
            around.update(f"\0{entry.path}\0".encode("utf-8", "surrogateescape"))
            around.update(digest)
    by_stem = {stem: tuple(paths) for stem, paths in pieces.items()}
    return Survey(by_stem, frozenset(chain(*by_stem.values())), digests, around.digest())


def is_surveyed(project: Project, seen: Survey) -> bool:
    """Whether the files are as they were surveyed, all texts among them, pieces in environments."""
    files = seen.files
    texts = {text for part in project.parts for text in part.texts if not text.startswith(_BUNDLED)}
    read = ((path, seen.digests.get(path, digest)) for path, digest in project.digests.items())
    return (
        texts <= seen.digests.keys() - files
        and all(project.digests[path] == digest for path, digest in read)
        and {file.split("/")[1] for file in files} <= {item.name for item in project.environments}
    )


class Selection:
    """The files of a repository without the pieces that are not wanted."""

    def __init__(self, files: Files, unwanted: frozenset[str]) -> None:
        self.root = files.root
        self.names, self.exists, self.read = files.names, files.exists, files.read
        self._files = files
        self._unwanted = unwanted

    def entries(self, folder: str) -> Iterator[Entry]:
        return (item for item in self._files.entries(folder) if item.path not in self._unwanted)


def _entries(files: Files, marker: str) -> Iterator[Entry]:
    yield Entry(marker, is_folder=False)
    for folder in (FOLDER, *_AROUND):
        yield from files.entries(folder)


def _content(files: Files, entry: Entry) -> bytes:
    """The bytes of a file, or why there are none."""
    if entry.is_folder or entry.problem:
        return f"\0{entry.problem}".encode()
    try:
        return files.read(entry.path, _LARGEST)
    except Unreadable as error:
        return f"\0{error}".encode()


def _is_piece(entry: Entry, data: bytes) -> bool:
    """Whether a file seems to be a spec that no other one depends on; reading it will tell."""
    if entry.is_folder or not entry.path.startswith(f"{FOLDER}/"):
        return False
    if entry.path.endswith(".json"):
        kinds = re.findall(_KIND_IN_JSON, data)
    else:
        kinds = _KIND.findall(b"\n" + data) if entry.path.endswith(_SPECS) else []
    return len(kinds) == 1 and kinds[0].decode() in PIECES


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[1].rsplit(".", 1)[0]
