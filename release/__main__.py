"""`python -m release FOLDER`: builds what is published, into an empty folder.

Nothing in it depends on a clock: a commit gives the same bytes wherever the same tools build it.
"""

import argparse
import os
import subprocess
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from release.contents import contents
from release.origin import Origin, Refusal, origin_of
from release.statement import UNNAMED_BUILDER, statement

ROOT = Path(__file__).parents[1]
_SUMS = "SHA256SUMS"
_TOOLS = ("build", "hatchling")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--builder", default="", help="a URI that names who builds")
    options = parser.parse_args()
    try:
        origin = origin_of(ROOT)
        _build(options.folder, origin)
        _describe(options.folder, origin, options.builder or UNNAMED_BUILDER)
    except Refusal as refusal:
        sys.exit(f"no release: {refusal}")


def _build(folder: Path, origin: Origin) -> None:
    """The sdist, and the wheel of what is in it."""
    if folder.exists() and any(folder.iterdir()):
        raise Refusal(f"{folder} is not empty, and all that is in it would be published")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(origin.seconds)}
    if subprocess.run(command, env=environment, check=False).returncode:
        raise Refusal("the package cannot be built")


def _describe(folder: Path, origin: Origin, builder: str) -> None:
    """The list of contents, the statement about all of that, and the sums of everything."""
    (wheel,) = folder.glob("*.whl")
    name = "-".join(wheel.name.split("-")[:2])
    listed = contents(wheel, _metadata(wheel), _digest(wheel), origin)
    (folder / f"{name}.cdx.json").write_text(listed, "utf-8")
    tools = {tool: version(tool) for tool in _TOOLS}
    said = statement(_digests(folder), origin, tools, builder)
    (folder / f"{name}.intoto.json").write_text(said, "utf-8")
    sums = "".join(f"{digest}  {file}\n" for file, digest in _digests(folder).items())
    (folder / _SUMS).write_text(sums, "utf-8")


def _metadata(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (item for item in archive.namelist() if item.endswith(".dist-info/METADATA"))
        return archive.read(name)


def _digests(folder: Path) -> dict[str, str]:
    return {path.name: _digest(path) for path in sorted(folder.iterdir())}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
