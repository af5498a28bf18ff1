"""The presets for LLM services that KServe ships, out of its Go module, as data.

`python -m conformance.kserve.presets 0.20.0 …` writes `schemas/kserve/llm/<version>.json`; a second
run writes the same bytes. It needs Go, which checks the module's content against its sum.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from renderer.assets import SCHEMAS

_MODULE = "github.com/kserve/kserve"
_FOLDER = "config/llmisvcconfig"
_NOTICE = (
    "Configurations of KServe, Copyright The KServe Authors, under the Apache License, Version 2.0 "
    "(http://www.apache.org/licenses/LICENSE-2.0); changed in form: JSON instead of YAML, comments "
    "of the files left out."
)


def fetch(version: str, folder: Path) -> dict[str, Any]:
    """Where Go keeps the module, and its sum."""
    (folder / "go.mod").write_text("module presets\n\ngo 1.24\n", "utf-8")
    command = ["go", "mod", "download", "-json", f"{_MODULE}@v{version}"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, check=True, text=True)
    return dict(json.loads(answer.stdout))


def read_presets(module: Path) -> dict[str, Any]:
    """The specs by their names."""
    found = {}
    for path in sorted((module / _FOLDER).glob("config-*.yaml")):
        data = yaml.safe_load(path.read_text("utf-8"))
        found[data["metadata"]["name"]] = data["spec"]
    return found


def write(version: str, folder: Path) -> Path:
    """The file of a version."""
    module = fetch(version, folder)
    data = {
        "notice": _NOTICE,
        "module": f"{_MODULE}@v{version}",
        "sum": module["Sum"],
        "presets": read_presets(Path(module["Dir"])),
    }
    path = Path(SCHEMAS) / "kserve/llm" / f"{version}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as temporary:
            sys.stdout.write(f"{write(name, Path(temporary))}\n")
