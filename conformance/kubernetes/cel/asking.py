"""The program that is asked, and what is asked of it: JSON lines in, JSON lines out."""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.kubernetes.places import HERE, ROOT
from conformance.kubernetes.server import RELEASES, SOURCE

RECORDED = ROOT / "tests/observed/cel"
Question = Mapping[str, Any]
Answer = dict[str, Any]


def build(go: str) -> Path:
    """The program; a minute the first time, and a moment when nothing has changed."""
    program = HERE / "build/cel"
    command = [go, "build", "-modfile", RELEASES[0].modules, "-o", str(program), "./cel"]
    subprocess.run(command, cwd=SOURCE, check=True)
    return program


def ask(program: Path, questions: Iterable[Question]) -> list[Answer]:
    """An answer to each question, in their order."""
    lines = "".join(f"{json.dumps(item)}\n" for item in questions)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(name: str) -> Any:
    return json.loads((RECORDED / name).read_text("utf-8"))


def write(name: str, head: Mapping[str, Any], rows: Sequence[Any]) -> None:
    """What all rows share, and a line for each row."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    start = json.dumps(dict(head), ensure_ascii=False)[:-1]
    (RECORDED / name).write_text(f'{start}, "rows": [\n{lines}\n]}}\n', "utf-8")
