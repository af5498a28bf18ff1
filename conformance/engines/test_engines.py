"""What engines' own parsers and models say is what was recorded."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conformance.conftest import Report
from conformance.engines.observations import (
    KSERVE,
    RAY,
    VLLM,
    ray_rows,
    server_rows,
    vllm_rows,
)
from conformance.engines.records import Row, read_rows, write_rows

Rows = Callable[[str, Path], Iterator[Row]]
_ASKED = [("vllm", vllm_rows, version) for version in VLLM]
_ASKED += [("huggingfaceserver", server_rows, version) for version in KSERVE]
_ASKED += [("ray", ray_rows, version) for version in RAY]


@pytest.mark.parametrize(("engine", "rows", "version"), _ASKED)
def test_answers_are_as_recorded(
    engine: str,
    rows: Rows,
    version: str,
    tmp_path: Path,
    pytestconfig: pytest.Config,
    report: Report,
) -> None:
    if engine == "huggingfaceserver" and shutil.which("go") is None:
        pytest.skip("Go is not installed; it fetches the sources of KServe")
    found = list(rows(version, tmp_path))
    if pytestconfig.getoption("--update-observed"):
        write_rows(engine, version, found)
    refused = sum(bool(row.get("refused")) for row in found)
    report(f"{engine} {version}: {len(found)} questions, {refused} refused")
    assert read_rows(engine)[version] == found
