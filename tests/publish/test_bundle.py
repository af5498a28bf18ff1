"""An archive whose bytes depend on its files alone, and which every reader takes."""

import gzip
import io
import shutil
import subprocess
import tarfile
from hashlib import sha256

import pytest

from renderer.publish.bundle import archive
from renderer.values.objects import OutputFile

FILES = [OutputFile("prod/b/x.yaml", "b: 1\n"), OutputFile("prod/a/y.yaml", "ä: 2\n")]
#: More than a block of the archive, and more than a block of gzip can hold.
LARGE = [OutputFile("prod/a/large.yaml", "x" * 200_001)]
DIGEST = "2566ebf7eac07b7148fc290b9db5fdb155d6c740dda74c615f93954db597de7e"


def members(data):
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        return {item.name: tar.extractfile(item).read().decode() for item in tar}


@pytest.mark.parametrize("files", [FILES, LARGE, []], ids=["few", "large", "none"])
def test_it_holds_the_files(files):
    expected = {file.path.removeprefix("prod/"): file.text for file in sorted(files)}
    assert members(archive(files, "prod/")) == expected


def test_the_order_of_files_does_not_matter():
    assert archive(FILES, "prod/") == archive(FILES[::-1], "prod/")


def test_nobody_and_no_time_is_in_it():
    data = archive(FILES, "prod/")
    assert data[4:8] == b"\0\0\0\0"
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as tar:
        kept = {(item.mtime, item.uid, item.gid, item.uname, item.gname, item.mode) for item in tar}
    assert kept == {(0, 0, 0, "", "", 0o644)}


def test_the_same_bytes_for_ever():
    """A digest that is recorded here must hold on every machine and for every version of zlib."""
    assert sha256(archive(FILES, "prod/")).hexdigest() == DIGEST


def test_a_long_name():
    path = f"prod/{'d' * 63}/{'p' * 63}/{'n' * 200}.yaml"
    assert [*members(archive([OutputFile(path, "a: 1\n")], "prod/"))] == [path[5:]]


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("tar"), reason="tar is not installed")
def test_tar_reads_it(tmp_path):
    (tmp_path / "x.tar.gz").write_bytes(archive(FILES, "prod/"))
    command = ["tar", "--extract", "--gzip", "--file", "x.tar.gz"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (tmp_path / "a/y.yaml").read_text("utf-8") == "ä: 2\n"


def test_gzip_checks_what_it_reads():
    data = archive(FILES, "prod/")
    assert gzip.decompress(data)
    broken = data[:-6] + bytes([data[-6] ^ 1]) + data[-5:]
    with pytest.raises(gzip.BadGzipFile, match="CRC"):
        gzip.decompress(broken)
