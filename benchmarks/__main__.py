"""`python -m benchmarks [--smoke]`: measure, print the table, and keep it beside this file."""

import argparse
import compileall
import json
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.row import Row
from benchmarks.rows import Sizes, rows

_HERE = Path(__file__).resolve().parent
_SMOKE = Sizes(small=4, large=30, largest=60, shared=80, rounds=1)
_UNWANTED = ("CI", "PYTHONDONTWRITEBYTECODE")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="small sizes, to see that it works")
    smoke = parser.parse_args().smoke
    compileall.compile_dir(_HERE.parent / "renderer", quiet=2)
    with tempfile.TemporaryDirectory(prefix="servingctl-bench-") as name:
        kept = {key: value for key, value in os.environ.items() if key not in _UNWANTED}
        environment = {**kept, "XDG_CACHE_HOME": f"{name}/cache", "PYTHONPATH": str(_HERE.parent)}
        measured = []
        for row in rows(Path(name), _SMOKE if smoke else Sizes(), environment):
            measured.append(row)
            sys.stdout.write(f"{line(row)}\n")
            sys.stdout.flush()
    if not smoke:
        _keep(measured)
    missed = [row for row in measured if row.is_met is False]
    sys.stdout.write(f"\nNot met: {len(missed)} of {len(measured)}\n")
    for row in missed:
        sys.stdout.write(f"{line(row)}\n")


def line(row: Row) -> str:
    """One line of the table."""
    value = f"not measured: {row.note}" if row.ratio is None else f"{row.ratio:.3g}"
    target = "" if row.target is None else f"{row.target:.3g}"
    met = {True: "yes", False: "no", None: ""}[row.is_met]
    return f"| {row.what} | {row.against} | {value} | {target} | {met} |"


def _keep(measured: list[Row]) -> None:
    """Replace the table in RESULTS.md, and write the same as data."""
    table = "\n".join(line(row) for row in measured)
    results = _HERE / "RESULTS.md"
    head, _, rest = results.read_text("utf-8").partition("<!-- table -->\n")
    tail = rest.partition("<!-- end of table -->")[2]
    titles = "| what | against | ratio | at most | met |\n| --- | --- | --- | --- | --- |"
    text = f"{head}<!-- table -->\n{titles}\n{table}\n<!-- end of table -->{tail}"
    results.write_text(text, "utf-8")
    data = [{**row._asdict(), "met": row.is_met} for row in measured]
    (_HERE / "results.json").write_text(json.dumps(data, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
