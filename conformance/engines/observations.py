"""What is asked of which version, and the answers as rows."""

import json
from collections.abc import Iterator
from pathlib import Path

from conformance.engines.__main__ import published
from conformance.engines.asking import ask_ray, ask_server, ask_vllm
from conformance.engines.command_lines import lines
from conformance.engines.configurations import questions
from conformance.engines.records import Row
from conformance.engines.server_lines import server_lines
from renderer.engines.llm_config import ray_facts, required_engine
from renderer.engines.server_tables import server_table

VLLM = ("0.6.6.post1", "0.8.5.post1", "0.11.2", "0.20.2", "0.33.0")
KSERVE = ("0.14.1", "0.16.0", "0.20.0")
RAY = ("2.47.1", "2.52.1", "2.60.0")


def vllm_rows(version: str, empty: Path) -> Iterator[Row]:
    """Command lines, with what the parser of a version made of each."""
    asked = [*lines(version)]
    given = [{"words": item.words, "files": item.files} for item in asked]
    answers = ask_vllm(published("vllm")[version], given, empty)
    for item, answer in zip(asked, answers, strict=True):
        files = {"files": item.files} if item.files else {}
        yield {"name": item.name, "words": list(item.words)} | files | answer


def server_rows(version: str, empty: Path) -> Iterator[Row]:
    """Command lines, with what KServe's server made of each."""
    asked = [*server_lines(version)]
    engine = published("vllm")[server_table(version).version]
    given = [{"words": item.words} for item in asked]
    answers = ask_server(version, engine, given, empty)
    for item, answer in zip(asked, answers, strict=True):
        yield {"name": item.name, "words": list(item.words)} | answer


def ray_rows(version: str, empty: Path) -> Iterator[Row]:
    """Configurations, with what the models of a version said of each."""
    asked = [*questions(version)]
    engine = required_engine(ray_facts(version))
    fields = {part: engine.fields(part) for part in ("engine", "frontend")}
    given = [[item.model, item.given] for item in asked]
    answers = ask_ray(version, {"fields": fields, "asked": given}, empty)
    for item, answer in zip(asked, answers, strict=True):
        row = {"name": item.name, "model": item.model, "given": item.given, "refused": answer}
        yield json.loads(json.dumps(row))
