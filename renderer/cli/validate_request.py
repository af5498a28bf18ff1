"""A validation from the question to the exit code; without the library that reads options."""

import os
import sys
from typing import TYPE_CHECKING

from renderer.cli.cache import run_in, run_part
from renderer.cli.failures import EXIT_FINDINGS, EXIT_OK
from renderer.cli.findings import newer_findings, relevant, report_of, rules_for, summary
from renderer.cli.progress import progress
from renderer.cli.streams import put, say, screen_width, shows_color, write_file
from renderer.errors import UsageError
from renderer.evaluate.parallel import Workers
from renderer.evaluate.question import WHOLE, Question
from renderer.outputs.findings import FORMATS
from renderer.outputs.layout import Layout
from renderer.values.diagnostics import Severity
from renderer.values.named_tuple import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class ValidateRequest(NamedTuple):
    """What is to be validated, and how to tell."""

    paths: "tuple[str | Path, ...]" = ()
    environments: tuple[str, ...] = ()
    form: str = "text"
    output: "Path | None" = None
    baseline: "Path | None" = None
    strict: bool = False
    min_severity: str = "info"
    shard: str = WHOLE
    no_cache: bool = False
    quiet: bool = False
    verbose: bool = False


def validate(root: "str | Path", wanted: ValidateRequest, color: str = "auto") -> int:
    """Print or write findings; the exit code says whether any of them counts."""
    limit = Severity.WARNING if wanted.strict else Severity.ERROR
    least = Severity[wanted.min_severity.upper()]
    if least > limit:
        raise UsageError("--strict and --min-severity error do not go together")
    question = Question(wanted.environments)
    jobs = os.cpu_count() or 1
    with progress("specs checked") as watch:
        if wanted.shard == WHOLE:
            project, made = run_in(root, question, no_cache=wanted.no_cache, jobs=jobs, watch=watch)
        else:
            project, made = run_part(root, question, wanted.shard, Workers(jobs, watch))
    report = report_of(relevant(made.diagnostics, wanted.paths, root), project)
    found = report.diagnostics
    if wanted.baseline:
        from renderer.io import baseline

        found = baseline.new(found, baseline.read(wanted.baseline), project.is_firm)
    if wanted.form == "baseline":
        found = [item for item in found if not project.is_firm(item)]
    report = report._replace(diagnostics=found, limit=limit, rules=rules_for(wanted.form, project))
    if wanted.form != "baseline":  # which accepts everything
        report = report.limited_to(least)
    show = FORMATS[wanted.form]
    if wanted.output is None or str(wanted.output) == "-":
        text = show(report, Layout(screen_width(), shows_color(color, sys.stdout)))
        _print(wanted.form, text)
    else:
        text = show(report, Layout(color=shows_color(color, None)))
        write_file("the report", wanted.output, text)
    if wanted.verbose:
        from renderer.inspect.listing import rendered_specs

        say("\n".join(rendered_specs(project, made.rendering())))
    if not wanted.quiet:
        say(summary(found, made.counts))
        if newer := newer_findings(found, report.rules_as_of):
            say(newer)
    counts = wanted.form != "baseline" and any(map(report.fails, found))
    return EXIT_FINDINGS if counts else EXIT_OK


def _print(form: str, text: str) -> None:
    """Text is for this terminal; the other formats are UTF-8 wherever they are read."""
    if form != "text":
        put(text)
        return
    sys.stdout.write(text)
    sys.stdout.flush()
