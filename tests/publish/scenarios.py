"""Old trees, what happened to them by hand, and what is to be rendered next."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from renderer.io.edits import Replacement, write_together
from renderer.publish.inventory import Scope, destination_of
from renderer.publish.publisher import compare, publish
from renderer.publish.transaction import settle
from renderer.values.objects import OutputFile
from tests.publish.trees import outputs, put


class Scenario(NamedTuple):
    before: list[OutputFile]
    after: list[OutputFile]
    by_hand: Callable[[Path], None] = lambda folder: None
    scope: Scope = Scope()
    lower: str = "dev"  # the environment that an overlay would refuse to move

    def build(self, folder: Path) -> None:
        if self.before:
            publish(folder, self.before, Scope())
        self.by_hand(folder)

    def run(self, folder: Path):
        return publish(folder, self.after, self.scope, allow_empty=True)

    def next_command(self, folder: Path) -> tuple[tuple[str, ...], ...]:
        """What is missing, changed and stale after it."""
        return compare(folder, self.after, self.scope)[:3]


class Edits(NamedTuple):
    """Files of a repository, and what is to become of some of them; None is no file."""

    before: dict[str, bytes]
    after: dict[str, bytes | None]
    lower: str = ""

    def build(self, folder: Path) -> None:
        for path, data in self.before.items():
            put(folder, path, data.decode(), 0o640)

    def run(self, folder: Path) -> None:
        wanted = self.after.items()
        edits = {path: Replacement(self.before.get(path), data) for path, data in wanted}
        write_together(folder, edits, "promote")

    def next_command(self, folder: Path) -> tuple[tuple[str, ...], ...]:
        settle(folder)
        return (), (), ()


def _edit_everywhere(folder: Path) -> None:
    put(folder, "dev/east/things/edited.yaml", "by hand")
    put(folder, "dev/east/things/also-edited.yaml", "by hand", 0o640)
    put(folder, "dev/east/things/README.md")
    put(folder, "dev/notes/deep/plan.txt", mode=0o600)
    put(folder, "old/east/things/keep.me")
    put(folder, "README.md")
    put(folder, ".git/HEAD", "ref: refs/heads/rendered")
    (folder / "dev/empty").mkdir()
    os.symlink("../nowhere", folder / "dev/east/link")
    os.symlink("notes", folder / "dev/link-to-folder")
    (folder / "dev/notes/deep").chmod(0o500)


EVERYTHING = Scenario(
    before=outputs(
        **{
            "dev/east/kustomization.yaml": "v1",
            "dev/east/things/same.yaml": "v1",
            "dev/east/things/changed.yaml": "v1",
            "dev/east/things/edited.yaml": "v1",
            "dev/east/things/also-edited.yaml": "v1",
            "dev/east/others/only.yaml": "v1",
            "dev/west/things/same.yaml": "v1",
            "gone/east/things/a.yaml": "v1",
            "old/east/things/a.yaml": "v1",
            "prod/east/things/a.yaml": "v1",
            "quiet/east/things/a.yaml": "v1",
        }
    ),
    by_hand=_edit_everywhere,
    after=outputs(
        **{
            "dev/east/kustomization.yaml": "v2",
            "dev/east/things/same.yaml": "v1",
            "dev/east/things/changed.yaml": "v2",
            "dev/east/things/edited.yaml": "v1",
            "dev/east/things/also-edited.yaml": "v3",
            "dev/east/more/added.yaml": "v1",
            "dev/west/things/same.yaml": "v1",
            "prod/east/things/a.yaml": "v2",
            "prod/north/things/a.yaml": "v1",
            "quiet/east/things/a.yaml": "v1",
            "stage/east/things/a.yaml": "v1",
        }
    ),
    lower="prod",
)

ONE = Scenario(
    before=outputs(**{"dev/east/a/x.yaml": "v1", "dev/east/b/y.yaml": "v1"}),
    by_hand=lambda folder: put(folder, "dev/east/c/z.txt") and None,
    after=outputs(**{"dev/east/a/x.yaml": "v2", "dev/east/d/w.yaml": "v1"}),
)

FIRST = Scenario(before=[], after=outputs(**{"dev/east/a/x.yaml": "v1", "prod/e/a/x.yaml": "v1"}))

SHARD = Scenario(
    before=outputs(
        **{"dev/east/a/x.yaml": "v1", "dev/west/a/x.yaml": "v1", "prod/e/a/x.yaml": "1"}
    ),
    after=outputs(**{"dev/west/a/y.yaml": "v2", "dev/west/a/x.yaml": "v2"}),
    scope=Scope(None, lambda environment, destination: destination != "east"),
)


def to_former_names(folder: Path) -> None:
    """The inventories as they were called once."""
    for path in folder.glob("*/.inventory/*"):
        destination = destination_of(path.relative_to(folder).as_posix())
        path.rename(folder / destination.former_inventory)


FORMER = ONE._replace(
    before=outputs(**{"dev/east/a/x.yaml": "v1", "prod/e/a/x.yaml": "v1"}),
    by_hand=to_former_names,
    after=outputs(**{"dev/east/a/x.yaml": "v1", "prod/e/a/x.yaml": "v2"}),
)

EDITS = Edits(
    before={"servingctl.yaml": b"", "base/a.yaml": b"1", "dev/a.yaml": b"1", "dev/b.yaml": b"1"},
    after={"base/a.yaml": b"22", "dev/a.yaml": None, "dev/b.yaml": b"2", "prod/new/c.yaml": b"2"},
)

SCENARIOS = {
    "everything": EVERYTHING,
    "one": ONE,
    "first": FIRST,
    "shard": SHARD,
    "former": FORMER,
}
EVERY_SCENARIO = {**SCENARIOS, "edits": EDITS}
