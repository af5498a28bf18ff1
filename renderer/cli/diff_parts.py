"""`servingctl diff --merge`: the reports of all shards as one."""

from pathlib import Path

from renderer.errors import UsageError
from renderer.outputs.diff.parts import join, read
from renderer.outputs.diff.report import DiffReport


def merged_report(names: tuple[str, ...]) -> DiffReport:
    """What one run would have reported; every part must be among the files."""
    if not names:
        raise UsageError("--merge joins reports; name the files that --shard I/N wrote")
    reports = [_part(name) for name in names]
    try:
        return join(reports)
    except ValueError as error:
        raise UsageError(f"the parts do not make a whole: {error}") from error


def _part(name: str) -> DiffReport:
    try:
        return read(Path(name).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}") from error
    except ValueError as error:
        written = "write it with 'servingctl diff --shard I/N --format json' of this version"
        raise UsageError(f"{name} is not the report of a shard; {written}") from error
