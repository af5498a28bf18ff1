"""Real full disks and overlays, in mounts of their own (needs root)."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.publish.scenarios import EVERYTHING
from tests.publish.trees import look
from tests.support.places import ROOT

pytestmark = pytest.mark.process


def mounted(script, *args):
    """A shell script with mounts of its own, which end with it."""
    unshare = ["unshare", "--mount", "sh", "-ec", script, "sh", *map(str, args)]
    ended = subprocess.run(unshare, cwd=ROOT, capture_output=True, text=True)
    if ended.returncode == 99:
        pytest.skip("nothing can be mounted here")
    return ended


def can_unshare():
    return bool(shutil.which("unshare")) and os.geteuid() == 0


needs_mounts = pytest.mark.skipif(not can_unshare(), reason="only root can mount")

FULL = """
mount -t tmpfs -o size=256k tmpfs $1 || exit 99
python() { shift; "$PYTHON" -B -m tests.publish.rendering "$@"; }
python - build $1/rendered everything
cp -a $1/rendered $2/old
room=0
while true; do
  rm -f $1/ballast; dd if=/dev/zero of=$1/ballast bs=4k 2>/dev/null || true
  truncate -s -${room}k $1/ballast
  if python - publish $1/rendered everything $3 2>$2/line; then break; fi
  grep -q 'no space left on device' $2/line
  diff -r --no-dereference $2/old $1/rendered
  room=$((room + 4))
done
echo $room
rm $1/ballast
python - compare $1/rendered everything
"""


@needs_mounts
@pytest.mark.parametrize("method", ["exchange", "journal"])
def test_a_full_disk(method, tmp_path, monkeypatch):
    """A real one, with a page more room each time, until the render fits."""
    monkeypatch.setenv("PYTHON", sys.executable)
    disk, beside = tmp_path / "disk", tmp_path / "beside"
    disk.mkdir()
    beside.mkdir()
    ended = mounted(FULL, disk, beside, method)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    room, comparison = ended.stdout.split("\n", 1)
    assert int(room) > 20
    assert [json.loads(comparison)[key] for key in ("missing", "changed", "stale")] == [[], [], []]


OVERLAY = """
mount -t overlay overlay -o lowerdir=$1/lower,upperdir=$1/upper,workdir=$1/work $1/top || exit 99
"$PYTHON" -B -m tests.publish.rendering publish $1/top everything
cp -a $1/top $1/result
"""


@needs_mounts
def test_an_overlay_whose_lower_folders_cannot_be_moved(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON", sys.executable)
    for name in ("upper", "work", "top"):
        (tmp_path / name).mkdir()
    EVERYTHING.build(tmp_path / "lower")
    ended = mounted(OVERLAY, tmp_path)
    assert ended.returncode == 0, ended.stderr
    shutil.copytree(tmp_path / "lower", tmp_path / "plain", symlinks=True)
    EVERYTHING.run(tmp_path / "plain")
    assert look(tmp_path / "result") == look(tmp_path / "plain")
