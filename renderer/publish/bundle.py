"""A rendered tree as an archive whose bytes depend on nothing but its files."""

import io
import tarfile
import zlib
from collections.abc import Sequence

from renderer.values.objects import OutputFile

#: Of gzip: no name, no time, no hint, an unknown system.
_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_LARGEST = 0xFFFF
_MODE = 0o644


def archive(files: Sequence[OutputFile], prefix: str) -> bytes:
    """A .tar.gz of files, by their paths behind a prefix.

    Nothing is compressed: what a compressor makes of the same data depends on its version.
    """
    stream = io.BytesIO()
    with tarfile.TarFile(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(files):
            entry = tarfile.TarInfo(file.path.removeprefix(prefix))
            entry.size, entry.mode = len(file.data), _MODE
            tar.addfile(entry, io.BytesIO(file.data))
    return _gzip_stored(stream.getvalue())


def _gzip_stored(data: bytes) -> bytes:
    """A gzip file with the data as it is."""
    parts = [_HEAD]
    starts = range(0, len(data), _LARGEST)
    for start in starts:
        part = data[start : start + _LARGEST]
        is_last = start == starts[-1]
        size = len(part).to_bytes(2, "little")
        parts += (bytes([is_last]), size, bytes(255 - byte for byte in size), part)
    tail = (zlib.crc32(data), len(data) & 0xFFFFFFFF)
    return b"".join((*parts, *(number.to_bytes(4, "little") for number in tail)))
