"""Archives from the index that pip is configured with: found, fetched, checked, and only read.

Nothing is unpacked onto the disk, built or run: what an archive has is a table of texts in memory.
"""

import hashlib
import html
import re
import ssl
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from pip._internal.commands import create_command

_HERE = Path(__file__).resolve().parent
_CACHE = _HERE / "build" / "archives"
_LARGEST_TEXT = 4 << 20
_BLOCK = 1 << 20


class Archive(NamedTuple):
    """Where a published file is, and what its bytes must come to."""

    address: str
    sha256: str

    @property
    def name(self) -> str:
        return urlsplit(self.address).path.rsplit("/", 1)[-1]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def listed(project: str) -> list[Archive]:
    """All files of a project that the index has, with the hashes that it gives."""
    options, _ = create_command("download").parse_args([])
    for index in (options.index_url, *options.extra_index_urls):
        page = f"{index.rstrip('/')}/{project}/"
        parser = _Links()
        with _opened(page, options) as answer:
            parser.feed(answer.read().decode())
            base = answer.url
        found = [urljoin(base, html.unescape(link)) for link in parser.found]
        parts = [link.partition("#sha256=") for link in found]
        if archives := [Archive(address, digest) for address, _, digest in parts if digest]:
            return archives
    raise LookupError(f"the index has no files of {project}")


def _opened(address: str, options: Any = None) -> Any:
    if not address.startswith("https://"):
        raise ValueError(f"{address} is not read over https")
    options = options or create_command("download").parse_args([])[0]
    context = ssl.create_default_context(cafile=options.cert or None)
    request = urllib.request.Request(address, headers={"Accept": "text/html"})  # noqa: S310
    return urllib.request.urlopen(request, timeout=120, context=context)  # noqa: S310


def fetched(archive: Archive) -> Path:
    """The file of an archive, fetched once; other bytes than those promised are an error."""
    _CACHE.mkdir(parents=True, exist_ok=True)
    path = _CACHE / f"{archive.sha256[:16]}-{archive.name}"
    if not path.exists():
        part = path.with_suffix(".part")
        with _opened(archive.address) as answer, part.open("wb") as stream:
            while block := answer.read(_BLOCK):
                stream.write(block)
        part.replace(path)
    if _digest(path) != archive.sha256:
        path.unlink()
        raise ValueError(f"{archive.name} does not have the SHA-256 {archive.sha256}")
    return path


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def texts(path: Path, wanted: Callable[[str], bool]) -> dict[str, str]:
    """The Python files of an archive that are wanted, by their paths from its top."""
    members = _of_wheel if path.name.endswith(".whl") else _of_source
    return {name: data.decode() for name, data in members(path, wanted)}


def _of_wheel(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            if _is_text(item.filename, item.file_size) and wanted(item.filename):
                yield item.filename, archive.read(item)


def _of_source(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for item in archive:
            inside = item.name.partition("/")[2]
            if item.isfile() and _is_text(inside, item.size) and wanted(inside):
                stream = archive.extractfile(item)
                if stream is not None:
                    yield inside, stream.read()


def metadata(path: Path) -> str:
    """What a wheel says of itself: its name, its version, what it requires."""
    with zipfile.ZipFile(path) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def _is_text(name: str, size: int) -> bool:
    return name.endswith(".py") and size <= _LARGEST_TEXT


def unpacked(path: Path, folder: Path, wanted: Callable[[str], bool]) -> Path:
    """A folder with the wanted texts, for what runs them; no path leads out of it."""
    for name, text in texts(path, wanted).items():
        parts = name.split("/")
        if name.startswith("/") or ".." in parts or re.search(r"[\\\0:]", name):
            raise ValueError(f"{path.name} has a path that leads out of it: {name}")
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return folder


def numbers(version: str) -> tuple[int, ...]:
    """For an order of versions: `0.8.5.post1` after `0.8.5`."""
    return tuple(int(part) for part in re.findall(r"[0-9]+", version))


def is_release(version: str) -> bool:
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*(\.post[0-9]+)?", version) is not None


def main_folder() -> Path:
    """Where what is fetched and made for a run is kept; it is not committed."""
    return _CACHE.parent
