"""Ray as it is published, installed beside the project in an environment for each version."""

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.ray.mutations import HERE

#: The last one that was read closely, and the newest.
VERSIONS = ("2.52.1", "2.60.0")
_PROGRAM = HERE / "program.py"
_BUILD = HERE / "build"


def install(version: str) -> Path:
    """The Python of a version; installed once, some 350 MB each."""
    folder = _BUILD / version
    python, stamp = folder / "bin/python", folder / ".installed"
    if not stamp.exists():
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", f"ray[serve]=={version}"]
        subprocess.run(command, check=True)
        stamp.touch()
    return python


def ask(version: str, questions: Sequence[Any], empty: Path) -> list[str | None]:
    """What a version answers to each question; it runs in a folder where there are no files."""
    done = subprocess.run(
        [str(install(version)), str(_PROGRAM)],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        cwd=empty,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
    done.check_returncode()
    answers: list[str | None] = json.loads(done.stdout)
    return answers
