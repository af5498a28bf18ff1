"""Asks the parsers of vLLM and of KServe's server, from their sources, and the models of Ray."""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.engines.archives import Archive, fetched, main_folder, unpacked
from conformance.kserve.presets import fetch

_HERE = Path(__file__).resolve().parent
#: What is real; all else that vLLM imports is a stand-in (`stand_ins.py`).
_PACKAGES = ("pydantic==2.12.5", "regex==2025.11.3", "pyyaml==6.0.3", "packaging==25.0")


def python(name: str = "python", packages: Sequence[str] = _PACKAGES) -> Path:
    """The Python of an environment with some packages; made once."""
    folder = main_folder() / name
    found, stamp = folder / "bin/python", folder / ".installed"
    if not stamp.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([str(found), "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.touch()
    return found


def ask_vllm(archive: Archive, questions: Sequence[dict[str, Any]], empty: Path) -> list[Any]:
    """The answers of one version, asked in an empty folder."""
    return _run(python(), "vllm_program.py", [str(_sources(archive))], questions, empty)


def _sources(archive: Archive) -> Path:
    """The Python files of one vLLM; mypy leaves hidden folders out."""
    folder = main_folder() / ".sources" / archive.sha256[:16]
    if not folder.exists():
        unpacked(fetched(archive), folder, lambda name: name.startswith("vllm/"))
    return folder


def ask_server(
    version: str, engine: Archive, questions: Sequence[dict[str, Any]], empty: Path
) -> list[Any]:
    """The answers of one version of KServe's Hugging Face server, with the vLLM of its image."""
    kserve = fetch(version, empty)["Dir"]
    words = [str(_sources(engine)), kserve]
    return _run(python(), "server_program.py", words, questions, empty)


def ray_python(version: str) -> Path:
    """The Python of an environment with one version of Ray."""
    return python(f"ray-{version}", [f"ray[serve]=={version}"])


def ask_ray(version: str, questions: Any, empty: Path) -> list[Any]:
    """The answers of one version of Ray, some 350 MB of which are installed."""
    return _run(ray_python(version), "ray_program.py", [], questions, empty)


def _run(own: Path, program: str, words: list[str], questions: Any, folder: Path) -> list[Any]:
    done = subprocess.run(
        [str(own), str(_HERE / program), *words],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": "0"},  # vLLM 0.8 takes the first of a set of types
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
    done.check_returncode()
    answers: list[Any] = json.loads(done.stdout)
    return answers
