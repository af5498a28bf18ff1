"""What the API server's own CEL says of expressions, and of rules over objects."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from conformance.conftest import Report
from conformance.kubernetes.cel.asking import build, read, write
from conformance.kubernetes.cel.rows import (
    Row,
    crd_rows,
    errors_of,
    expression_rows,
    own_rows,
    recorded_again,
)
from conformance.kubernetes.cel.schemas import rules_of
from conformance.kubernetes.server import RELEASES, SOURCE

_EXPRESSIONS, _RULES = "expressions.json", "rules.json"
_VERSION = RELEASES[0].version.removeprefix("v")
_GATEWAY = "sigs.k8s.io/gateway-api@v1.5.1"
#: The files of CRDs below what is given with --crds.
_CRDS = {"kserve": "serving.kserve.io_*.yaml", "kuberay": "ray.io_*.yaml"}


@pytest.fixture(scope="module")
def program() -> Path:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed; it builds what is asked")
    return build(go)


def test_expressions_come_to_what_was_recorded(
    program: Path, pytestconfig: pytest.Config, report: Report
) -> None:
    value, rows = expression_rows(program)
    if pytestconfig.getoption("--update-observed"):
        write(_EXPRESSIONS, {"kubernetes": _VERSION, "data": value}, rows)
    report(f"{len(rows)} expressions")
    assert read(_EXPRESSIONS)["data"] == value
    assert read(_EXPRESSIONS)["rows"] == rows


def test_rules_find_what_was_recorded(
    program: Path, pytestconfig: pytest.Config, report: Report
) -> None:
    """Objects for those of CRDs are looked for anew where these CRDs are."""
    files = _files(pytestconfig.getoption("--crds"))
    if files:
        rows = [*crd_rows(program, rules_of(files))]
        for row in rows:
            assert _has_both(row), f"not all is found of {row['schema']}"
    else:
        rows = recorded_again(program, (row for row in read(_RULES)["rows"] if _is_foreign(row)))
    rows += own_rows(program)
    if pytestconfig.getoption("--update-observed"):
        write(_RULES, {"kubernetes": _VERSION}, rows)
    report(f"{len(rows)} schemas with rules, {sum(len(row['asked']) for row in rows)} objects")
    assert read(_RULES)["rows"] == rows


def _is_foreign(row: Row) -> bool:
    return bool(row["from"] != "ours")


def _has_both(row: Row) -> bool:
    """Whether an object passes a rule, and another one fails."""
    return {bool(errors_of(item["answer"])) for item in row["asked"]} == {True, False}


def _files(folder: Path | None) -> list[tuple[str, Path]]:
    """The CRDs of all platforms; nothing if those of one are not there."""
    found = [
        (platform, path)
        for platform, pattern in _CRDS.items()
        for path in (sorted(folder.rglob(pattern)) if folder else ())
    ]
    if {platform for platform, _ in found} != set(_CRDS):
        return []
    return [*found, *(("gateway-api", path) for path in _gateway_crds())]


def _gateway_crds() -> list[Path]:
    command = ["go", "mod", "download", "-json", _GATEWAY]
    done = subprocess.run(command, cwd=SOURCE, check=True, capture_output=True, text=True)
    return sorted(Path(json.loads(done.stdout)["Dir"]).glob("config/crd/*/*.yaml"))
