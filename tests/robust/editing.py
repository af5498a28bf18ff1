"""A repository that changes under our hands: what may stand in it, and what was made of it."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

from renderer.publish.journal import WORK
from tests.publish.trees import look, put
from tests.robust.stage import Stage
from tests.support.repositories import HEADER, PORTS

_ONE = "destinations: [{name: east, platform: kuscia, domains: [alice, bob]}]\n"
_TWO = (
    "destinations:\n"
    "  - {name: east, platform: kuscia, domains: [alice]}\n"
    "  - {name: west, platform: kuscia, domains: [bob]}\n"
)
BROKEN = [
    "a: [", "\x00", "kind: Nope\n", HEADER.format("Serving"), "- 1\n", "{}", "",
    HEADER.format("Serving") + "initiator: alice\nparties: [{domain_id: alice, app_image: gone}]\n",
    HEADER.format("Environment") + "extends: nowhere\n",
]  # fmt: skip


def environment(*, naming, layout, extends=""):
    text = HEADER.format("Environment") + (_TWO if layout == "two" else _ONE)
    return text + f"kuscia: {{appimage_naming: {naming}}}\n" + extends


def image(tag, replicas):
    return (
        HEADER.format("AppImage")
        + f"""\
image: {{name: example/scorer, tag: {tag}}}
configTemplates: {{app.conf: "id={{{{.SERVING_ID}}}} {tag}"}}
deployTemplates:
  - name: main
    replicas: {replicas}
    spec:
      containers:
        - {{name: scorer, workingDir: /work, {PORTS}}}
"""
    )


def serving(images, replicas, team):
    parties = "".join(
        f"  - {{domain_id: {domain}, app_image: {name}, replicas: {replicas}}}\n"
        for domain, name in zip(("alice", "bob"), images, strict=True)
    )
    start = HEADER.format("Serving") + "initiator: alice\n"
    return f"{start}annotations: {{team: {team}}}\nparties:\n{parties}"


class Repository:
    """A repository on disk, with the files that are in it and the foreign ones in its output."""

    def __init__(self, stage: Stage) -> None:
        shared = Path("/dev/shm")
        where = shared if os.access(shared, os.W_OK) else None
        self.base = Path(tempfile.mkdtemp(prefix="servingctl-robust-", dir=where))
        self.stage, self.root, self.output = stage, self.base / "work", self.base / "work/rendered"
        self.files: dict[str, str] = {}
        self.foreign: dict[str, str] = {}
        self.fresh: dict[frozenset[tuple[str, str]], dict[str, object] | None] = {}
        self.write("servingctl.yaml", "")

    def remove(self) -> None:
        shutil.rmtree(self.base)

    def write(self, path: str, text: str) -> None:
        self.files[path] = text
        put(self.root, path, text)

    def delete(self, path: str) -> None:
        del self.files[path]
        (self.root / path).unlink()

    def leave(self, path: str, text: str) -> None:
        """A file of somebody else among ours."""
        self.foreign[path] = text
        put(self.output, path, text)

    def run(self, *arguments, **faults):
        return self.stage.run(self.root, *arguments, **faults)

    def wanted(self) -> dict[str, object] | None:
        """What a first render of these files writes; nothing if they have errors."""
        state = frozenset(self.files.items())
        if state not in self.fresh:
            folder = Path(tempfile.mkdtemp(dir=self.base))
            ended = self.run("render", "--output", folder / "rendered")
            assert ended.code in (0, 1), ended
            self.fresh[state] = None if ended.code else _files(folder / "rendered")
            shutil.rmtree(folder)
        return self.fresh[state]

    def ours(self, *, tidy: bool = True) -> dict[str, object]:
        """The files in the output that are not foreign; after a render no folder is without any."""
        found = look(self.output)
        assert not [path for path in found if path.split("/")[0] == WORK], "leftovers"
        files = _files(self.output)
        folders = {path for path, entry in found.items() if stat.S_ISDIR(entry[0])}
        used = {str(above) for path in files for above in Path(path).parents}
        assert folders <= used or not tidy
        return {path: entry for path, entry in files.items() if path not in self.foreign}

    def assert_foreign_survive(self) -> None:
        for path, text in self.foreign.items():
            assert (self.output / path).read_text() == text, path


def _files(folder: Path) -> dict[str, object]:
    return {path: entry for path, entry in look(folder).items() if not stat.S_ISDIR(entry[0])}
