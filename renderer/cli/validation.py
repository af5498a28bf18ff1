"""A validation from the question to the exit code; without the library that reads options."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

from renderer.cli.failures import EXIT_FINDINGS, EXIT_OK
from renderer.cli.findings import relevant, report_of, shows_color, summary
from renderer.cli.recalling import look
from renderer.diagnostics import Severity
from renderer.errors import RendererError
from renderer.incremental.looking import Asked
from renderer.outputs import show
from renderer.outputs.report import Report
from renderer.overview import described, extent
from renderer.pipeline import is_firm


class Wanted(NamedTuple):
    """What is to be validated, and how to tell."""

    paths: tuple[Path, ...] = ()
    environments: tuple[str, ...] = ()
    form: str = "text"
    output: Path | None = None
    baseline: Path | None = None
    strict: bool = False
    no_cache: bool = False
    quiet: bool = False
    verbose: bool = False


def validate(root: Path, wanted: Wanted, color: str = "auto") -> int:
    """Print or write findings; the exit code says whether any of them counts."""
    asked = Asked(wanted.environments, jobs=os.cpu_count() or 1)
    project, rendering = look(root, asked, no_cache=wanted.no_cache)
    limit = Severity.WARNING if wanted.strict else Severity.ERROR
    report = report_of(relevant(rendering.diagnostics, wanted.paths, root), project)
    found = report.diagnostics
    if wanted.baseline:
        from renderer import baselines

        firm = partial(is_firm, project)
        found = baselines.new(found, baselines.read(wanted.baseline), firm)
    report = report._replace(diagnostics=found, limit=limit)
    if wanted.output is None or str(wanted.output) == "-":
        _print(wanted.form, report._replace(color=shows_color(color, sys.stdout)))
    else:
        text = show(wanted.form, report._replace(color=shows_color(color, None)))
        _write(wanted.output, text)
    if wanted.verbose:
        _say("\n".join(described(project, rendering)))
    if not wanted.quiet:
        _say(summary(found, extent(project, wanted.environments)))
    counts = wanted.form != "baseline" and any(item.severity >= limit for item in found)
    return EXIT_FINDINGS if counts else EXIT_OK


def _say(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")


def _print(form: str, report: Report) -> None:
    """Text is for this terminal; the other formats are UTF-8 wherever they are read."""
    text = show(form, report)
    if form == "text":
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()


def _write(output: Path, text: str) -> None:
    """All of the file or nothing; what is no regular file (a pipe, a device) is written to."""
    try:
        if output.exists() and not output.is_file():
            output.write_bytes(text.encode())
        else:
            _replace(Path(os.path.realpath(output)), text.encode())
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"the report is not written: {output}: {reason}") from error


def _replace(target: Path, data: bytes) -> None:
    draft = target.with_name(f".servingctl-{os.urandom(8).hex()}")
    try:
        draft.write_bytes(data)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
