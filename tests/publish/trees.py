"""Trees for the tests: what to render, and what lies on disk."""

import os
import stat
from pathlib import Path

from renderer.publish import WORK
from renderer.values.objects import OutputFile


def output(path, text="v1"):
    """An object's file, or, without an object in it, a kustomization."""
    name = path.rsplit("/", 1)[-1]
    if name == "kustomization.yaml":
        return OutputFile(path, text)
    stem = name.removesuffix(".yaml")
    return OutputFile(path, text, f"v1/Thing/{stem}", f"environments/{stem}.yaml")


def outputs(**texts):
    """`outputs(**{"dev/east/things/a.yaml": "v1"})`."""
    return [output(path, text) for path, text in texts.items()]


def look(folder: Path, times=False):
    """Everything below a folder: kind, permissions and content by path (and inode and time)."""
    found = {}
    for above, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(above, name)
            status = os.lstat(path)
            entry = (stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode), content(path))
            if times:
                entry += (status.st_ino, status.st_mtime_ns)
            found[os.path.relpath(path, folder)] = entry
    return found


def content(path):
    if os.path.islink(path):
        return os.readlink(path)
    if os.path.isfile(path):
        return Path(path).read_bytes()
    return None


def without_work(found):
    return {path: entry for path, entry in found.items() if path.split("/")[0] != WORK}


def seen_by_git(found):
    """The files that `git add` takes: none that is called `.git`, nor what is to be ignored."""
    ignored = found.get(f"{WORK}/.gitignore", (0, 0, b""))[2] == b"*\n"
    shown = without_work(found) if ignored else found
    files = (path for path, entry in shown.items() if entry[0] != stat.S_IFDIR)
    return {path for path in files if ".git" not in path.split("/")}


def texts(folder: Path):
    """The rendered and foreign files as text, inventories left out."""
    return {
        path: entry[2].decode()
        for path, entry in look(folder).items()
        if isinstance(entry[2], bytes) and "/.inventory/" not in path
    }


def put(folder: Path, path: str, text: str = "foreign", mode: int | None = None) -> Path:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    if mode is not None:
        target.chmod(mode)
    return target
